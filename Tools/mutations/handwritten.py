"""Reads the handwritten mutations: `lists/*.txt`."""
import pathlib, subprocess, sys, tempfile

from workshop import ROOT

FOLDER = pathlib.Path(__file__).resolve().parent / "lists"


class Written:
    def __init__(self, text, place):
        self.title, _, rest = text.partition("\n")
        head, _, body = rest.partition("---\n")
        fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        self.file, self.area, self.scenes = fields["file"], fields["area"], fields.get("scenes")
        self.isExpression = fields.get("as") == "expression"
        self.old, _, self.new = body.rstrip("\n").partition("\n+++\n")
        if not self.new:
            sys.exit(f"{place}: {self.title!r} is not complete")
        self.before, self.core, self.after = "", self.old, ""
        if self.isExpression and "[[" in self.old:
            self.before, _, rest = self.old.partition("[[")
            self.core, _, self.after = rest.partition("]]")
        self.found = self.before + self.core + self.after

    def apply(self, number, source):
        new = f"(mutant({number}) ? ({self.new}) : ({self.core}))" if self.isExpression else (
            f"if mutant({number}) {{\n{self.new}\n}} else {{\n{self.core}\n}}")
        return source.replace(self.found, self.before + new + self.after, 1)


def mutations():
    all = []
    for file in sorted(FOLDER.glob("*.txt")):
        all += [Written(text, file.name) for text in file.read_text().split("\n### ")[1:] if file.name != "equivalent.txt"]
    return all


def mutated(all):
    """Returns the mutated text of each source file. Exits with a list if some mutations do not apply."""
    originals, sources, misses = {}, {}, []
    for number, mutation in enumerate(all, 1):
        path = f"Sources/{mutation.file}"
        if path not in sources:
            originals[path] = sources[path] = (ROOT / path).read_text() if (ROOT / path).is_file() else ""
        times, left = (text.count(mutation.found) for text in [originals[path], sources[path]])
        if times == left == 1:
            sources[path] = mutation.apply(number, sources[path])
        else:
            why = f"applies {times} times, not once" if times != 1 else "overlaps an earlier one"
            misses.append(f"{mutation.file}: {mutation.title!r} {why}:\n{mutation.found}")
    if misses:
        sys.exit("\n\n".join(misses + [f"{len(misses)} of {len(all)} mutations do not apply"]))
    parse(sources)
    return sources


def parse(sources):
    """Exits with the compiler's errors if a mutation does not parse, for example because it covers half of a declaration."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / path for path in sources]
        for file, text in zip(files, sources.values()):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        done = subprocess.run(["swiftc", "-frontend", "-parse", *files], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr.replace(f"{folder}/", ""))
