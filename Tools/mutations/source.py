"""A Swift file as the generator of mutations reads it: code, matching braces and statements.

It is not a full parser: it skips what it does not understand. If it is wrong, the compiler rejects the mutation, which is then
dropped.
"""
import re

OPENING, CLOSING = "([{", ")]}"
# The beginnings of statements that may not be left out.
KEYWORDS = set(
    """actor associatedtype break case catch class consuming continue convenience default defer deinit do else enum
    extension fallthrough final fileprivate for func get guard if import indirect infix init inout internal isolated lazy
    let mutating nonisolated nonmutating open operator override package postfix precedencegroup prefix private protocol
    public read repeat required rethrows return set static struct subscript switch throw typealias unowned var weak where
    while willSet didSet yield _read _modify unsafeAddress""".split())
CONTINUES = re.compile(r"\s*(\.[A-Za-z_]|\?\?|&&|\|\||[?:=<>+\-*/|&^%,)\]}]|else\b|catch\b|where\b|as\b|is\b|in\b)")
IS_CONTINUED = re.compile(r"(&&|\|\||[=+\-*/|&^%,(\[<>?:]|\breturn|\bin|\belse|\btry|\bawait|->)\s*$")


def masked(text):
    """Returns the text with comments, literal strings and conditional parts blanked. Offsets do not change."""
    out, i, size = list(text), 0, len(text)

    def blank(start, end):
        for place in range(start, min(end, size)):
            if out[place] != "\n":
                out[place] = " "

    while i < size:
        if text.startswith("//", i):
            end = text.find("\n", i)
            end = size if end < 0 else end
            blank(i, end)
        elif text.startswith("/*", i):
            end = text.find("*/", i) + 2
            blank(i, end)
        elif match := re.compile(r'(#*)("""|")').match(text, i):
            end = end_of_string(text, match)
            # Quotes stay, so that an operand is not empty.
            blank(i + 1, end - 1)
        else:
            end = i + 1
        i = end
    code = "".join(out)
    for block in re.finditer(r"(?ms)^[ \t]*#if\b.*?^[ \t]*#endif\b", code):
        code = code[:block.start()] + re.sub(r"[^\n]", " ", block[0]) + code[block.end():]
    return code


def end_of_string(text, match):
    hashes, quote = match[1], match[2]
    close, escape, i = quote + hashes, "\\" + hashes, match.end()
    while i < len(text):
        if text.startswith(escape + "(", i):
            depth, i = 1, i + len(escape) + 1
            while depth and i < len(text):
                if inner := re.compile(r'(#*)("""|")').match(text, i):
                    i = end_of_string(text, inner)
                    continue
                depth += {"(": 1, ")": -1}.get(text[i], 0)
                i += 1
        elif text.startswith(escape, i):
            i += len(escape) + 1
        elif text.startswith(close, i):
            return i + len(close)
        else:
            i += 1
    return len(text)


class Source:
    def __init__(self, name, text):
        self.name, self.text, self.code = name, text, masked(text)
        self.partner = {}
        opened = []
        for i, c in enumerate(self.code):
            if c in OPENING:
                opened.append(i)
            elif c in CLOSING and opened:
                start = opened.pop()
                self.partner[start], self.partner[i] = i, start

    def line(self, place):
        return self.text.count("\n", 0, place) + 1

    def line_text(self, place):
        start = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        return self.text[start:end if end >= 0 else len(self.text)].strip()

    def blocks(self):
        """Returns the positions of the braces that enclose statements, with the text before each: `func f() -> Int `."""
        for start in sorted(place for place in self.partner if self.code[place] == "{"):
            header = self.header(start)
            if not re.search(r"\b(struct|enum|extension|protocol|actor|class)\s+(?!func|var|let)[A-Z`]", header):
                yield start, self.partner[start], header

    def header(self, start):
        """Returns the text before a brace, from the beginning of its statement."""
        i = start - 1
        while i >= 0:
            c = self.code[i]
            if c in CLOSING and i in self.partner:
                i = self.partner[i]
            elif c in OPENING or c == ";":
                break
            elif c == "\n" and not CONTINUES.match(self.code, i + 1) and not IS_CONTINUED.search(self.code[max(0, i - 40):i]):
                break
            i -= 1
        return self.code[i + 1:start]

    def statements(self, start, end):
        """Returns the ranges of the statements between two braces, without those of nested blocks."""
        i = self.body(start, end)
        pieces, begin = [], None
        while i < end:
            c = self.code[i]
            if begin is None:
                if c.isspace() or c == ";":
                    i += 1
                    continue
                label = re.compile(r"(case\b|default\b|@unknown\b)").match(self.code, i)
                if label and (colon := self.end_of_label(i, end)):
                    i = colon
                    continue
                begin = i
            if c in OPENING and i in self.partner:
                i = self.partner[i] + 1
                continue
            ends = c == ";" or c == "\n" and not (
                CONTINUES.match(self.code, i + 1) or IS_CONTINUED.search(self.code[max(begin, i - 40):i]))
            if ends:
                pieces.append((begin, i))
                begin = None
            i += 1
        if begin is not None:
            pieces.append((begin, end))
        return [(a, a + len(self.code[a:b].rstrip())) for a, b in pieces]

    def body(self, start, end):
        """Returns the offset after the brace, or after the `in` of a closure."""
        i = start + 1
        while i < end and self.code[i].isspace():
            i += 1
        while i < end and self.code[i] not in "{}\n;":
            if self.code[i] in "([" and i in self.partner:
                i = self.partner[i]
            elif re.compile(r"\bin\b").match(self.code, i) and not self.code[i - 1].isalnum():
                head = self.code[start + 1:i]
                return start + 1 if re.search(r"\bfor\b", head) else i + 2
            i += 1
        return start + 1

    def end_of_label(self, place, end):
        """Returns the offset after the colon of a `case …:`; None for the case of an enum or of an `if`."""
        i = place
        while i < end:
            c = self.code[i]
            if c in OPENING and i in self.partner:
                i = self.partner[i] + 1
                continue
            if c == ":":
                return i + 1
            if c == "\n" and not IS_CONTINUED.search(self.code[max(place, i - 40):i]) and not CONTINUES.match(self.code, i + 1):
                return None
            i += 1
        return None

    # MARK: Operands

    STOPS = re.compile(r"(\b(return|in|if|guard|while|where|case|else|let|var|try|await|try[?!]|throw|for|is|as)\b|->)")

    def operand_before(self, place, stops):
        """Returns the beginning of the operand before an operator; `stops` are the operators of lower precedence."""
        i, begin = place - 1, place
        while i >= 0:
            c = self.code[i]
            if c in CLOSING and i in self.partner:
                i = begin = self.partner[i]
                i -= 1
                continue
            if c in OPENING or c in ",;{}" or (c == "\n" and not self.continues(i)):
                break
            if any(self.is_operator(i + 1 - len(stop), [stop]) for stop in stops):
                break
            if c == ":" and not self.code[i + 1:i + 2].isalnum():
                break
            if not c.isspace():
                word = re.search(r"[A-Za-z_]+[?!]?$", self.code[max(0, i - 20):i + 1])
                if word and self.STOPS.fullmatch(word[0]) and (i + 1 == len(self.code) or not (self.code[i + 1].isalnum() or self.code[i + 1] in "_:")):
                    break
                begin = i
            i -= 1
        return begin if begin < place else None

    def operand_after(self, place, stops):
        """Returns the end of the operand after an operator."""
        i, end = place, place
        while i < len(self.code):
            c = self.code[i]
            if c in OPENING and i in self.partner:
                if c == "{" and self.opens_body(i):
                    break
                i = end = self.partner[i] + 1
                continue
            if c in CLOSING or c in ",;" or (c == "\n" and not self.continues(i)) or self.is_operator(i, stops):
                break
            if c == ":" and self.code[i + 1:i + 2].isspace():
                break
            if re.compile(r"(else|where|in|is|as)\b").match(self.code, i) and not self.code[i - 1].isalnum() and self.code[i - 1] not in "_.":
                break
            i += 1
            if not c.isspace():
                end = i
        return end if end > place else None

    def opens_body(self, brace):
        """Returns whether a brace opens the body of an `if`, `while`, `for` or `guard`, and not a closure."""
        return re.match(r"\s*(\}?\s*else\s+)?(if|while|for|guard|switch|else|case)\b", self.header(brace)) is not None

    def continues(self, newline):
        return bool(CONTINUES.match(self.code, newline + 1) or IS_CONTINUED.search(self.code[max(0, newline - 40):newline]))

    def is_operator(self, place, operators):
        for operator in operators:
            if self.code.startswith(operator, place) and self.code[place - 1:place].isspace() \
                    and self.code[place + len(operator):place + len(operator) + 1].isspace():
                return True
        return False

    def chain_before(self, place):
        """Returns the beginning of the chain `a.b(c)?.d` that ends before a dot."""
        i = place
        while i > 0:
            c = self.code[i - 1]
            if c in ")]" and i - 1 in self.partner:
                i = self.partner[i - 1]
            elif c == "}" and i - 1 in self.partner and self.code[:i].endswith("}"):
                return None
            elif c.isalnum() or c in "_$.?!`":
                i -= 1
            else:
                break
        while i < place and self.code[i] == "!":
            i += 1
        # An expression that begins with a dot, or continues the previous line, has no visible beginning.
        return None if i == place or self.code[i] == "." else i
