"""Judges generated mutations by the tests that reach them: the most specific and cheapest suites first."""
import collections, concurrent.futures, os, pathlib, re, subprocess, tempfile

import areas, sampling
from running import run
from workshop import PLACES, WORK

# The CPU time, in seconds, of the groups of suites that run for a mutation, one group after another. Then a mutation that was not
# noticed counts as surviving: the remaining suites, distant or slow, would notice few more and take most of the time.
STEPS = [1.5, 6, 30, 60]
# The number of runs that may hang before a mutation counts as noticed by a hang.
HANGS = 8


class Suite:
    def __init__(self, name, filter):
        self.name, self.filter, self.seconds, self.reached = name, filter, 0.0, set()
        self.is_guest = name.split(".")[0] in areas.guests(sampling.LIBRARIES)


def suites(binary):
    """Returns all test suites. The tests of a target that are in no suite count as one."""
    command = [binary, "--testing-library", "swift-testing", "--list-tests"]
    listed = subprocess.run(command, cwd=WORK, capture_output=True, text=True)
    found = {}
    for line in listed.stdout.splitlines():
        if not (match := re.match(r"(\w+)\.(\w+/)?", line)):
            continue
        name = match[0].rstrip("/")
        filter = "^" + re.escape(match[0]) if match[2] else f"^{match[1]}\\.[^/]*$"
        found[filter] = Suite(name if match[2] else match[1], filter)
    return [suite for suite in found.values() if not (suite.is_guest and areas.EXHAUSTIVE.search(suite.name))]


def in_parallel(work, all):
    """Yields the results of the work, in order of completion, with one task per core."""
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("MUTATIONS_JOBS", os.cpu_count()))) as pool:
        futures = {pool.submit(work, each): each for each in all}
        for future in concurrent.futures.as_completed(futures):
            yield futures[future], future.result()


class Judge:
    """Knows the cost and the reach of each suite, from one run without a mutation."""

    def __init__(self, binary, tell):
        self.binary, self.suites = binary, suites(binary)
        for suite, how in list(in_parallel(self.measure, self.suites)):
            if how.kind:
                tell(f"{suite.name} fails without a mutation, and is left out: {how}")
                self.suites.remove(suite)

    def measure(self, suite):
        for _ in range(1 if suite.is_guest else 2):
            with tempfile.NamedTemporaryFile() as file:
                file.truncate(PLACES)
                how = run(self.binary, 0, suite.filter, areas.LONG if suite.is_guest else 600, file.name)
                bytes = pathlib.Path(file.name).read_bytes()
            if not how.kind:
                break
        suite.seconds, suite.reached = how.seconds, {number for number, byte in enumerate(bytes) if byte}
        return how

    def steps(self, number, mutation):
        """Returns the suites that reach a mutation, in groups that run together, the nearest and cheapest first."""
        stem = mutation.file.split("/")[-1].removesuffix(".swift").split("+")[0]
        # First the suites whose tests detect what does not end, where others would hang. Then suites named after the file, and
        # those that reach few other places.
        near = sorted(
            (suite for suite in self.suites if number in suite.reached),
            key=lambda suite: (
                not suite.name.endswith("TerminationTests"), stem not in suite.name, suite.seconds * (20 + len(suite.reached))))
        groups, limits = [[]], list(STEPS)
        for suite in near:
            if groups[-1] and sum(each.seconds for each in groups[-1] + [suite]) > limits[0]:
                groups.append([])
                limits.pop(0)
                if not limits:
                    break
            groups[-1].append(suite)
        return [group for group in groups if group]

    def __call__(self, number, mutation):
        """Returns the kind of failure that notices a mutation, with its message.

        A hang is weak evidence, and keeps other tests from running. So the suites after it run, too, and those beside it one by
        one, until an assertion fails or too many runs hang.
        """
        groups, first, hangs = collections.deque(self.steps(number, mutation)), None, 0
        kind = "survived" if groups else "not reached"
        while groups:
            group = groups.popleft()
            usual = sum(suite.seconds for suite in group)
            how = run(self.binary, number, "|".join(suite.filter for suite in group), 3 * usual + 10)
            if how.kind and how.kind != "hang":
                return how.kind, how.what
            if how.kind:
                first, hangs = first or how, hangs + 1
                if hangs == HANGS:
                    break
                if len(group) > 1:
                    groups.extendleft([suite] for suite in reversed(group))
        return (first.kind, first.what) if first else (kind, "")
