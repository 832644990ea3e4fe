"""Runs tests with a mutation, and returns how they noticed it."""
import os, re, selectors, signal, subprocess, time

from workshop import WORK

NO_TESTS = 69
# Tests that sleep for this many seconds hang: none waits that long for a timer.
BLOCKED = 12
# The seconds after which a wait of the tests fails by a crash or an error; less than the limit above.
PATIENCE = 9
TICKS = os.sysconf("SC_CLK_TCK")


class Run:
    """The result of a run: `kind` is assertion, crash or hang, or nothing if the tests passed; `seconds` is CPU time."""

    def __init__(self, kind, what, seconds):
        self.kind, self.what, self.seconds = kind, what, seconds

    def __str__(self):
        return f"{self.kind}: {self.what}"


def run(binary, number, filter, patience, reached=None):
    """Runs the tests of a filter until the first that fails.

    They hang if they take more than `patience` seconds of CPU time, or if they sleep. On a busy machine, tests that get no CPU
    are runnable, and do not count as hanging. With `reached`, a file records which mutations the tests reach.
    """
    command = [binary, "--testing-library", "swift-testing"] + (["--filter", filter] if filter else [])
    more = {"MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no", "LATCH_PATIENCE": str(PATIENCE)}
    # A fixed seed, so that a suite reaches the same places in each run.
    more["MOONLIGHT_SEED"] = "1"
    if reached:
        more["MUTATIONS_REACHED"] = str(reached)
    process = subprocess.Popen(
        command, cwd=WORK, env=os.environ | more, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True)
    os.set_blocking(process.stdout.fileno(), False)
    waiting = selectors.DefaultSelector()
    waiting.register(process.stdout, selectors.EVENT_READ)
    text, line, used, begin = "", "", 0.0, time.monotonic()
    # Tests that have started and not ended.
    inside = {}
    looked = active = begin

    def result(kind, what=""):
        return Run(kind, what, used)

    try:
        while True:
            waiting.select(timeout=0.5)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            new = (process.stdout.read() or b"").decode(errors="replace")
            text = (text + new)[-20_000:]
            *lines, line = (line + new).split("\n")
            for name, verb in re.findall(r"Test (\".*\"|\S+\(.*\)) (started\.|passed after|failed after)", "\n".join(lines)):
                inside[name] = None
                if verb != "started.":
                    del inside[name]
            if failed := re.search(r"Test (.*) recorded an issue(.*)", text):
                return result("hang" if "Time limit was exceeded" in failed[2] else "assertion", failed[1][:110])
            if pid:
                process.returncode, used = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
                if process.returncode in [0, NO_TESTS]:
                    return result(None)
                signalled = -process.returncode if process.returncode < 0 else 0
                return result("crash", signal.Signals(signalled).name if signalled else f"ended with {process.returncode}")
            now = time.monotonic()
            if now < looked + 0.5:
                continue
            looked = now
            # Where the CPU time is unknown, all time counts.
            before, (used, is_runnable) = used, processor(process.pid) or (now - begin, True)
            if used > patience:
                return result("hang", f"more than {patience:.0f} s of CPU time in {', '.join(inside)[:150]}")
            if used > before + 0.02 or is_runnable:
                active = now
            elif now > active + BLOCKED:
                return result("hang", f"blocked in {', '.join(inside)[:150]}")
    finally:
        try:
            # Processes that a test has started are in the same group.
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        process.stdout.close()


def processor(group):
    """Returns the CPU time of a process group, and whether one of its threads is runnable."""
    if not os.path.exists("/proc/self/stat"):
        return None
    used, is_runnable = 0.0, False
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = stat(f"/proc/{pid}/stat")
            if int(fields[2]) != group:
                continue
            used += (int(fields[11]) + int(fields[12])) / TICKS
            threads = os.listdir(f"/proc/{pid}/task")
            is_runnable = is_runnable or any(stat(f"/proc/{pid}/task/{thread}/stat")[0] in "RD" for thread in threads)
        except OSError:
            pass
    return used, is_runnable


def stat(path):
    """Returns the fields of a `stat` file after the name of the process: state, parent, group and so on."""
    with open(path) as file:
        return file.read().rpartition(")")[2].split()
