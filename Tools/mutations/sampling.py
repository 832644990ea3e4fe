"""Draws a sample of all generated mutations, and puts it into one copy of the sources."""
import random, re, sys

import areas
from handwritten import FOLDER
from making import made
from workshop import ROOT, DoesNotBuild, build, prepare

LIBRARIES = [
    "Streams", "StreamLimits", "IdentifiedLists", "PlainText", "LoopValues", "Moonlight", "MoonlightTesting",
    "MoonlightExploration", "MoonlightRecording", "MoonlightDurability", "MoonPresentation", "MoonFoundation"]
EQUIVALENT = FOLDER / "equivalent.txt"


def choose(libraries):
    """Restricts the sample to some libraries."""
    LIBRARIES[:] = libraries


def all_made():
    """Returns every mutation that can be generated for the libraries. Some will not compile."""
    files = [file for folder in LIBRARIES for file in sorted((ROOT / "Sources" / folder).rglob("*.swift"))]
    return [each for file in files for each in made(str(file.relative_to(ROOT / "Sources")), file.read_text())]


def equivalents():
    """Returns the reasons why mutations make no difference, by their keys; see the head of the file."""
    reasons = {}
    for entry in EQUIVALENT.read_text().split("\n### ")[1:]:
        reason, _, rest = entry.partition("\n")
        fields = dict(line.split(": ", 1) for line in rest.splitlines() if ": " in line)
        reasons[(fields["file"], fields["change"], fields["line"])] = reason
    return reasons


def check_equivalents(all):
    keys = {each.key for each in all}
    missing = [key for key in equivalents() if key not in keys]
    if missing:
        sys.exit("equivalent.txt names what cannot be made any more:\n" + "\n".join(": ".join(key) for key in missing))


def quotas(all, size):
    """Returns the number of mutations for each library: in proportion to its size, but at least an eighth of an equal share."""
    counts = {library: sum(each.library == library for each in all) for library in LIBRARIES}
    counts = {library: count for library, count in counts.items() if count}
    shares = {library: max(size // 8, size * count // len(all)) for library, count in counts.items()}
    shares[max(shares, key=shares.get)] += size - sum(shares.values())
    return shares


def draw(all, size, seed):
    """Draws a sample, with spares for mutations that will not compile. No two overlap."""
    order = sorted(all, key=lambda each: (each.file, each.start, each.change))
    random.Random(seed).shuffle(order)
    drawn = []
    for library, quota in quotas(all, size).items():
        taken = []
        for each in order:
            if len(taken) >= quota * 7 // 5 + 2:
                break
            if each.library == library and not any(
                    other.file == each.file and other.start <= each.end and each.start <= other.end for other in taken):
                taken.append(each)
        drawn += taken
    return drawn


def mutated(chosen):
    """Returns the mutated sources, and the lines of each mutation in them."""
    sources = {}
    for path in {each.file for each in chosen.values()}:
        text = (ROOT / "Sources" / path).read_text()
        out, at = "", 0
        for number, each in sorted(chosen.items(), key=lambda pair: pair[1].start):
            if each.file != path:
                continue
            out += text[at:each.start]
            first = out.count("\n") + 1
            out += each.text.replace("{m}", f"mutant({number})")
            each.lines = (first, out.count("\n") + 1)
            at = each.end
        sources[f"Sources/{path}"] = out + text[at:]
    return sources


def built(drawn, tell):
    """Builds the sample, and drops what does not compile. Returns the test runner, and the remaining mutations by number."""
    chosen = dict(enumerate(drawn, 1))
    while True:
        prepare(mutated(chosen))
        try:
            return build(".build-sample", ONLY=",".join(areas.targets(LIBRARIES))), chosen
        except DoesNotBuild as error:
            refused = blamed(str(error), chosen)
            if not refused:
                sys.exit(f"the copy does not build, and no mutation is to blame:\n{error}")
            tell(f"{len(refused)} do not compile")
            for number in refused:
                del chosen[number]


def blamed(errors, chosen):
    """Returns the mutations on lines with errors; for an error on another line, the nearest one."""
    refused = set()
    for path, line in set(re.findall(r"/Sources/([^:\s\"]+\.swift):(\d+):", errors)):
        line = int(line)
        there = {number: each.lines for number, each in chosen.items() if each.file == path}
        distance = {n: max(first - line, line - last, 0) for n, (first, last) in there.items()}
        if distance:
            refused |= {number for number, far in distance.items() if far == min(distance.values())}
    return refused


def first_of_each(chosen, size, all):
    """Returns the requested number of mutations for each library, in the order in which they were drawn."""
    left = quotas(all, size)
    kept = {}
    for number, each in chosen.items():
        if left[each.library] > 0:
            left[each.library] -= 1
            kept[number] = each
    return kept
