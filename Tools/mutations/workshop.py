"""The copy of the package in which mutations are built."""
import os, pathlib, re, shutil, subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = pathlib.Path(os.environ.get("MUTATIONS_FOLDER", ROOT / ".build-mutations"))
# The maximum number of mutations in one build.
PLACES = 1 << 14

# The file named by MUTATIONS_REACHED has a byte for each mutation: 1 if it was reached. Processes that tests start write to the
# same file, and a crash loses nothing.
SWITCH = """
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

@usableFromInline package let activeMutant: Int = { getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0 }()
@usableFromInline package nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<UInt8>? = {
    guard let path = getenv("MUTATIONS_REACHED") else { return nil }
    let file = open(path, O_RDWR)
    let bytes = mmap(nil, PLACES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return bytes == MAP_FAILED ? nil : bytes?.assumingMemoryBound(to: UInt8.self)
}()
@inlinable package func mutant(_ number: Int) -> Bool {
    if let reachedMutants { reachedMutants[number] = 1 }
    return activeMutant == number
}
""".replace("PLACES", str(PLACES))
IMPORTS = {
    "StreamLimits": "Streams", "Moonlight": "Streams", "MoonlightTesting": "Streams", "MoonlightExploration": "Streams",
    "MoonlightRecording": "Streams", "MoonlightDurability": "Streams", "MoonPresentation": "Streams"}


class DoesNotBuild(Exception):
    """A failed build, with the lines of the errors."""


def prepare(sources):
    """Copies the package, with some sources replaced. Unchanged files keep their modification time, so that little is rebuilt."""
    sources = dict(sources)
    for path, text in sources.items():
        module = IMPORTS.get(path.split("/")[1])
        if module and not re.search(rf"(?m)^(public )?import {module}$", text):
            # On the first line, so that line numbers do not change.
            sources[path] = f"import {module}; " + text
    sources["Sources/Streams/Machinery/Mutant.swift"] = SWITCH
    # These import no Streams. Not visible outside, as Moonlight exports three of them. Their other files import the C library without
    # an access level, and a module must not mix both forms.
    for library in ["MoonFoundation", "IdentifiedLists", "PlainText", "LoopValues"]:
        sources[f"Sources/{library}/Mutant.swift"] = SWITCH.replace("package ", "").replace("internal import", "import")
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    names = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    for name in names | set(sources):
        target = WORK / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = sources[name].encode() if name in sources else (ROOT / name).read_bytes()
        if not target.exists() or target.read_bytes() != text:
            target.write_bytes(text)
            shutil.copymode(ROOT / name, target) if (ROOT / name).exists() else None
    for folder in ["Sources", "Tests"]:
        for file in (WORK / folder).rglob("*.swift"):
            if str(file.relative_to(WORK)) not in names | set(sources):
                file.unlink()


def build(scratch, *options, **environment):
    """Builds the tests of the copy, and returns their runner."""
    done = subprocess.run(
        ["swift", "build", "--build-tests", "--scratch-path", scratch, *options], cwd=WORK, env=os.environ | environment,
        capture_output=True, text=True)
    if done.returncode != 0:
        output = (done.stdout + done.stderr).splitlines()
        raise DoesNotBuild("\n".join(sorted({line for line in output if "error:" in line})) or done.stdout + done.stderr)
    return next((WORK / scratch / "debug").glob("*.xctest"))
