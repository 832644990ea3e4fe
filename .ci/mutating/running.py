"""Runs tests with a mutation, and tells how they noticed it."""
import os, re, selectors, signal, subprocess, time

from workshop import WORK

NO_TESTS = 69


class Run:
    """What came of tests: `kind` is assertion, crash or hang, or nothing if they passed."""

    def __init__(self, kind, what, seconds):
        self.kind, self.what, self.seconds = kind, what, seconds

    def __str__(self):
        return f"{self.kind}: {self.what}" if self.kind != "hang" else "hang"


def run(binary, number, filter, patience, skip=None):
    """Runs the tests of a filter, but for those to skip, until the first that fails, or no longer than some seconds."""
    command = [binary, "--testing-library", "swift-testing"] + (["--filter", filter] if filter else [])
    command += ["--skip", skip] if skip else []
    process = subprocess.Popen(
        command, cwd=WORK, env=os.environ | {"MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    os.set_blocking(process.stdout.fileno(), False)
    waiting = selectors.DefaultSelector()
    waiting.register(process.stdout, selectors.EVENT_READ)
    begin, text = time.monotonic(), ""

    def result(kind, what=""):
        return Run(kind, what, time.monotonic() - begin)

    try:
        while True:
            waiting.select(timeout=1)
            has_ended = process.poll() is not None
            text = (text + (process.stdout.read() or b"").decode(errors="replace"))[-20_000:]
            if failed := re.search(r"Test (.*) recorded an issue(.*)", text):
                return result("hang" if "Time limit was exceeded" in failed[2] else "assertion", failed[1][:110])
            if has_ended:
                if process.returncode in [0, NO_TESTS]:
                    return result(None)
                signalled = -process.returncode if process.returncode < 0 else 0
                return result("crash", signal.Signals(signalled).name if signalled else f"ended with {process.returncode}")
            if time.monotonic() > begin + patience:
                return result("hang")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
