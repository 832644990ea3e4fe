"""Generates mutations: the same few mistakes, at every place of a source file where they are possible."""
import re

from source import KEYWORDS, Source

# Operators of lower precedence than a comparison, `&&` and `||`.
BELOW_COMPARISON = ["&&", "||", "?", ":", "=", "+=", "-=", "*=", "/=", "|=", "&="]
BELOW_AND = ["||"] + BELOW_COMPARISON[2:]
BELOW_OR = BELOW_COMPARISON[2:]
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||", "||": "&&"}
TWINS = {
    "first": "last", "min": "max", "prefix": "suffix", "dropFirst": "dropLast", "popFirst": "popLast",
    "firstIndex": "lastIndex", "removeFirst": "removeLast"}
TWINS |= {b: a for a, b in TWINS.items()}


# A block that returns nothing.
GOVERNED = re.compile(r"\s*(\}?\s*else\b|if\b|for\b|while\b|guard\b|do\b|repeat\b|switch\b|defer\b|catch\b|.*\b(func|init|deinit)\b|(will|did)Set|set\b)", re.S)


class Made:
    """A generated mutation: `text` replaces a file from `start` to `end`; `{m}` in it tests whether the mutation is active."""

    def __init__(self, source, start, end, text, change):
        self.file, self.start, self.end, self.text, self.change = source.name, start, end, text, change
        self.line, self.line_text = source.line(start), source.line_text(start)
        # The index among equal mutations of a line.
        self.rank = 1

    @property
    def key(self):
        return (self.file, self.change + (f" #{self.rank}" if self.rank > 1 else ""), self.line_text)

    @property
    def title(self):
        return f"{self.file}:{self.line}: {self.key[1]}: {self.line_text}"

    @property
    def library(self):
        return self.file.split("/")[0]


def made(name, text):
    """Returns all mutations of a file, in order."""
    source = Source(name, text)
    found = []
    for start, end, header in source.blocks():
        statements = source.statements(start, end)
        found += [*left_out(source, statements, header), *early_returns(source, statements, header)]
    conditions = list(condition_clauses(source))
    found += [negated(source, start, end) for start, end in conditions]
    found += [*swapped_operators(source, conditions), *moved_bounds(source), *twins(source), *literals(source)]
    found = [each for each in found if not is_unseen(source, each)]
    counts = {}
    for each in sorted(found, key=lambda each: (each.start, each.change)):
        place = (each.line, each.change)
        each.rank = counts[place] = counts.get(place, 0) + 1
    return sorted(found, key=lambda each: each.start)


def is_unseen(source, mutation):
    """Returns whether no test could notice it: a message of the compiler, or text that is no statement."""
    line = source.code[source.code.rfind("\n", 0, mutation.start) + 1:mutation.start]
    return bool(re.match(r"\s*(@|import|public import|case\b(?!.*:)|typealias)", line + source.code[mutation.start:mutation.end]))


def left_out(source, statements, header):
    returns = "->" in header or re.search(r"\bvar\b[^=]*$", header) or re.fullmatch(r"\s*(get|_read)?\s*", header) and len(statements) == 1
    for start, end in statements:
        code = source.code[start:end]
        body = source.text[start:end]
        if re.match(r"defer\s*\{", code):
            brace = start + code.index("{")
            inside = source.text[brace + 1:source.partner[brace]]
            yield Made(source, start, end, "defer { if !{m} {" + inside + "} }", "defer left out")
            continue
        word = re.match(r"#?[A-Za-z_]*", code)[0]
        flat = re.sub(r"[({\[].*", "", code, flags=re.S)
        isAssignment = re.search(r"\s[+\-*/|&]?=\s", flat) or re.match(r"\([\w., ]+\) = ", code)
        isCall = re.search(r"[\w?!>`](\(|\s*\{)", code)
        # The only expression of a function or a closure may be its result; without it, even the type may change.
        isAnswer = len(statements) == 1 and not isAssignment and (returns or not GOVERNED.match(header))
        # Without the statement, a value is released at the end of the same function. A method that all subclasses override never
        # runs.
        isUnseen = re.fullmatch(r"discard\(\w+\)", code) or re.search(r"must override|overrides this", body)
        if isUnseen or word in KEYWORDS or code[0] in "@#.{" or not (isCall or isAssignment) or isAnswer:
            continue
        yield Made(source, start, end, "if !{m} {" + body + "}", "statement left out")


def early_returns(source, statements, header):
    if not statements:
        return
    function = re.search(r"\b(func|deinit)\b", header)
    variable = re.search(r"\bvar\s+\w+\s*:\s*([^={]+?)\s*$", header)
    if not function and not variable:
        return
    if function and function[1] == "func" and "->" in header:
        # The type after the last arrow that is not in brackets.
        depth, arrow = 0, None
        for i, c in enumerate(header):
            depth += (c in "([") - (c in ")]")
            if header.startswith("->", i) and depth == 0:
                arrow = i
        if arrow is None:
            return
        kind = re.split(r"\bwhere\b", header[arrow + 2:])[0].strip()
    else:
        kind = variable[1] if variable else "Void"
    answers = {"Bool": ["false", "true"], "Int": ["0"], "String": ['""'], "Void": [""]}.get(kind, ["nil"] if kind.endswith("?") else [])
    if not answers:
        return
    first, end = statements[0]
    alone = len(statements) == 1 and kind != "Void" and not re.search(r"\breturn\b|^(while|do|let|var)\b", source.code[first:end])
    # Returning the same value is no change.
    answers = [answer for answer in answers if not (alone and source.text[first:end].strip() == answer)]
    behind = [(first, "at once")]
    if kind == "Void" and len(statements) > 2:
        behind.append((statements[-1][0], "before the last statement"))
    for place, where in behind:
        for answer in answers:
            text = "if {m} { return " + answer + " }; " + ("return " if alone else "")
            yield Made(source, place, place, text, f"returns {answer + ' ' if answer else ''}{where}")


def condition_clauses(source):
    """Returns the conditions of `if`, `guard`, `while` and `where` that are plain expressions; conditions separated by commas count singly."""
    for match in re.finditer(r"(?<![\w.])(if|guard|while|where)\b(?=\s)", source.code):
        begin, i = match.end(), match.end()
        clauses = []
        while i < len(source.code):
            c = source.code[i]
            if c == "{" or re.compile(r"\belse\b").match(source.code, i) or (match[1] == "where" and c in ":="):
                clauses.append((begin, i))
                break
            if c in "([" and i in source.partner:
                i = source.partner[i]
            elif c == ",":
                clauses.append((begin, i))
                begin = i + 1
            elif c in ")]};":
                break
            i += 1
        for a, b in clauses:
            text = source.code[a:b]
            a, b = a + len(text) - len(text.lstrip()), b - (len(text) - len(text.rstrip()))
            if b <= a or re.match(r"(let|var|case|#|_)\b", source.code[a:b].lstrip()) or "#" in source.code[a:a + 1]:
                continue
            if match[1] == "where" and re.match(r"[\w.]+\s*(:|==)\s*[A-Z]", source.code[a:b + 20]):
                continue  # a generic one
            yield a, b


def negated(source, start, end):
    code, body = source.code[start:end], source.text[start:end]
    marks = re.match(r"(?:(?:try|await)\s+)*", code)[0]
    return Made(source, start, end, f"{marks}({{m}} != ({body[len(marks):]}))", "condition negated")


def swapped_operators(source, conditions):
    for match in re.finditer(r"(?<=\s)(<=|>=|<|>|===|!==|==|!=|&&|\|\|)(?=\s)", source.code):
        operator, place = match[1], match.start()
        stops = {"&&": BELOW_AND, "||": BELOW_OR}.get(operator, BELOW_COMPARISON)
        start = source.operand_before(place, stops)
        end = source.operand_after(match.end(), stops if operator == "||" else stops + ["&&"])
        if start is None or end is None or (operator[0] in "=!" and (start, end) in conditions):
            continue
        left, right = source.text[start:place].rstrip(), source.text[match.end():end].strip()
        is_generic = re.fullmatch(r"[\w.]+", left) and re.match(r"[A-Z]\w*(?!\.\w|\()", right) and operator in ["==", "!="]
        if is_generic or re.search(r"\bfunc\s*$", source.code[:place]):
            continue
        new = f"({{m}} ? ({left} {SWAPS[operator]} {right}) : ({left} {operator} {right}))"
        yield Made(source, start, end, new, f"{operator} becomes {SWAPS[operator]}")


def moved_bounds(source):
    for match in re.finditer(r"(?<![\w.$#])(\d+)(?![\w.]|\s*:)(?!\.\d)", source.code):
        if len(match[1]) > 1 and match[1][0] == "0" or int(match[1]) > 10**9:
            continue
        more = int(match[1]) + 1
        yield Made(source, match.start(), match.end(), f"({{m}} ? {more} : {match[1]})", f"{match[1]} becomes {more}")
    for match in re.finditer(r"(\.\.<|\.\.\.)(?=[\w(\-])", source.code):
        end = source.operand_after(match.end(), BELOW_COMPARISON + ["<", "<=", ">", ">=", "==", "!=", "??"])
        if end is None:
            continue
        bound = source.text[match.end():end]
        yield Made(source, match.end(), end, f"(({bound}) + ({{m}} ? 1 : 0))", "range ends one later")
        yield Made(source, match.end(), end, f"(({bound}) - ({{m}} ? 1 : 0))", "range ends one earlier")


def twins(source):
    for match in re.finditer(r"(?<=\.)(%s)\b" % "|".join(TWINS), source.code):
        dot = match.start() - 1
        start = source.chain_before(dot)
        if start is None:
            continue
        end = match.end()
        if source.code[end:end + 1] == "(" and end in source.partner:
            end = source.partner[end] + 1
        if trailing := re.compile(r"\s*\{").match(source.code, end):
            brace = trailing.end() - 1
            if not source.opens_body(brace):
                end = source.partner[brace] + 1
        chain, rest = source.text[start:dot], source.text[match.end():end]
        twin = TWINS[match[1]]
        yield Made(
            source, start, end, f"({{m}} ? {chain}.{twin}{rest} : {chain}.{match[1]}{rest})", f"{match[1]} becomes {twin}")


def literals(source):
    for match in re.finditer(r"(?<![\w.])(true|false)\b(?!\s*:)", source.code):
        yield Made(source, match.start(), match.end(), f"({{m}} != {match[1]})", f"{match[1]} negated")
    for match in re.finditer(r"(?<=[\s({\[])!(?=[\w$(])", source.code):
        start = match.start()
        yield Made(source, start, start + 1, "{m} != !", "! left out")
