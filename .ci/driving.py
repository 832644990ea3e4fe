"""Shared by the drivers: running programs as processes, through pipes and on a pseudo-terminal.

A driver takes the path to its binary and, optionally, a part of a check's name. It prints a line for each check and a summary,
and exits with 1 if any failed. It waits by polling with deadlines.
"""

import contextlib
import fcntl
import os
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

BINARY = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else sys.exit("a driver needs the path to its binary")
DEADLINE = 20
CHECKS = []

# Programs inherit ignored signals, for example from `nohup` or from a background job of a script.
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)


def check(function):
    CHECKS.append(function)
    return function


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def equal(actual, expected, what="value"):
    expect(actual == expected, f"{what}: expected {expected!r}, got {actual!r}")


def wait_until(condition, what):
    end = time.monotonic() + DEADLINE
    while True:
        result = condition()
        if result:
            return result
        expect(time.monotonic() < end, f"timed out waiting for {what}")
        time.sleep(0.002)  # Between two looks; nothing relies on its length.


# MARK: Pipes


def environment(**changes):
    result = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    result["TERM"] = "xterm-256color"
    result.update(changes)
    return result


def run(*arguments, input=b"", **options):
    done = subprocess.run(
        [BINARY, *arguments], input=input, capture_output=True, timeout=DEADLINE, env=environment(), **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def text_file(content):
    file = tempfile.NamedTemporaryFile(suffix=".txt")
    file.write(content)
    file.flush()
    return file


def measured(arguments, commands):
    """Runs a program with input from a file. Returns the exit code, the peak memory in MB, output, errors and seconds."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(commands)
        source.seek(0)
        start = time.monotonic()
        process = subprocess.Popen([BINARY, *arguments], stdin=source, stdout=out, stderr=err)
        peak = 0
        while process.poll() is None:
            # `wait4` would include the memory of this script, which the child shares until `exec`.
            peak = max(peak, peak_memory(process.pid))
            time.sleep(0.002)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return process.returncode, peak, out.read(), err.read(), seconds


def peak_memory(pid):
    """Returns the peak memory of a process, in MB."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return max([int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")], default=0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


# MARK: Terminals


class Emulator:
    """The subset of a terminal that the programs need. Other control sequences are collected in `unknown`."""

    def __init__(self, columns, rows):
        self.unknown, self.rest = [], ""
        self.main, self.alternate = True, False
        self.cursor, self.wraps, self.styled = True, True, False
        self.wrapped = False
        self.modes = set()
        self.resize(columns, rows, " ")

    def resize(self, columns, rows, content="#"):
        self.columns, self.rows = columns, rows
        # The worst case of a resized terminal: all its contents are garbage.
        self.cells = [[content] * columns for _ in range(rows)]
        self.x = self.y = 0
        self.margins = None

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    STRING = re.compile(r"\x1b[\]P_^X](.*?)(?:\x07|\x1b\\)", re.S)
    CONTROL = re.compile(r"\x1b\[([?<=>]?)([0-9;:]*)([ $]?)([A-Za-z])")

    def feed(self, data):
        text = self.rest + data
        self.rest = ""
        while text:
            if text[0] == "\x1b":
                if text.startswith("\x1b\\"):  # The end of a string that was cut short.
                    text = text[2:]
                    continue
                match = self.CONTROL.match(text) or self.STRING.match(text)
                if not match:
                    if len(text) < 16 or text[1:2] in tuple("]P_^X"):
                        self.rest = text
                        return
                    self.unknown.append(text[:16])
                    text = text[1:]
                    continue
                if match.re is self.CONTROL:
                    self.control(match[1], match[2] + match[3], match[4])
                text = text[match.end():]
            else:
                self.put(text[0])
                text = text[1:]

    # Queries and settings that do not change the picture.
    IGNORED = {"?u", "?2026$p", "?2027$p", "c", ">4;1m", ">4m", "22;2t", "23;2t"}

    def control(self, mark, numbers, letter):
        code = mark + numbers + letter
        first = int(numbers.split(";")[0] or 1) if re.fullmatch("[0-9;]*", numbers) else 1
        if mark == "?" and letter in "hl":
            for number in numbers.split(";"):
                self.mode(int(number), letter == "h")
        elif code in self.IGNORED:
            pass
        elif mark:
            if code == ">5u" or code == "<u":
                self.modes ^= {"kitty"}
            else:
                self.unknown.append(code)
        elif letter in "Hf":
            row, column = (numbers.split(";") + ["1"])[:2]
            self.y, self.x = min(int(row or 1), self.rows) - 1, min(int(column or 1), self.columns) - 1
        elif letter == "A":
            self.y = max(0, self.y - first)
        elif letter == "B":
            self.y = min(self.rows - 1, self.y + first)
        elif letter == "C":
            self.x = min(self.columns - 1, self.x + first)
        elif letter == "D":
            self.x = max(0, min(self.x, self.columns - 1) - first)
        elif letter == "G":
            self.x = min(self.columns, first) - 1
        elif code in ("K", "0K"):
            self.blank(self.y, self.x, self.columns)
        elif code == "2K":
            self.blank(self.y, 0, self.columns)
        elif letter == "X":
            self.blank(self.y, self.x, min(self.columns, self.x + first))
        elif code in ("J", "0J"):
            for row in range(self.y, self.rows):
                self.blank(row, self.x if row == self.y else 0, self.columns)
        elif letter == "r":
            top, bottom = (numbers.split(";") + ["", ""])[:2]
            self.margins = (int(top or 1) - 1, int(bottom or self.rows))
            self.x = self.y = 0
        elif letter in "ST":
            top, bottom = self.margins or (0, self.rows)
            for _ in range(first):
                if letter == "S":
                    del self.cells[top]
                    self.cells.insert(bottom - 1, [" "] * self.columns)
                else:
                    del self.cells[bottom - 1]
                    self.cells.insert(top, [" "] * self.columns)
        elif letter == "m":
            # True if any text had a color; bold and dim are no colors.
            self.styled = self.styled or any(re.fullmatch("[349].|10.", number) for number in numbers.split(";"))
        else:
            self.unknown.append(code)

    def mode(self, number, is_on):
        if number == 1049:
            self.alternate = is_on
        elif number == 25:
            self.cursor = is_on
        elif number == 7:
            self.wraps = is_on
        elif number in (1002, 1003, 1004, 1006, 2004, 2026, 2027):
            self.modes = self.modes | {number} if is_on else self.modes - {number}
        else:
            self.unknown.append(f"?{number}{'h' if is_on else 'l'}")

    def blank(self, row, start, end):
        self.cells[row][start:end] = [" "] * (end - start)

    def put(self, character):
        if character in "\r\n":
            if character == "\n" and self.y == self.rows - 1 and not self.alternate:
                self.cells = self.cells[1:] + [[" "] * self.columns]
            self.x, self.y = (0, self.y) if character == "\r" else (self.x, min(self.y + 1, self.rows - 1))
            return
        if character == "\b":
            self.x = max(0, min(self.x, self.columns - 1) - 1)
            return
        if unicodedata.combining(character) or character in "\u200d\ufe0f":
            return
        if ord(character) < 32:
            self.unknown.append(character)
            return
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if self.x + width > self.columns:
            self.wrapped = True
            if width > self.columns:
                return
            self.x = self.columns - width
        self.cells[self.y][self.x] = character
        if width == 2:
            self.cells[self.y][self.x + 1] = ""
        self.x += width


def fork_in_front_of(slave, program, arguments, changes, output=None):
    """Runs a program in a new session with a controlling terminal."""
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is not a program that can be run")
    pid = os.fork()
    if pid == 0:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for descriptor in (0, 1, 2):
            os.dup2(slave, descriptor)
        if output is not None:
            os.dup2(output, 1)
        os.execve(program, [program, *arguments], environment(**changes))
    return pid


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, *arguments, columns=60, rows=20, program=BINARY, **changes):
        self.emulator = Emulator(columns, rows)
        self.output = b""
        self.code = None
        # The second descriptor gives access to the terminal's attributes, also after the program has ended.
        self.master, self.slave = os.openpty()
        self.set_size(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.pid = fork_in_front_of(self.slave, program, arguments, changes)

    def set_size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        # A frame in transit has the old size, and would not fit.
        end = time.monotonic() + 1
        while time.monotonic() < end and select.select([self.master], [], [], 0.05)[0]:
            self.read()
        self.emulator.resize(columns, rows)
        self.set_size(columns, rows)

    def press(self, keys):
        os.write(self.master, keys)

    def read(self):
        while select.select([self.master], [], [], 0)[0]:
            piece = os.read(self.master, 65536)
            if not piece:
                return
            self.output += piece
            # A chunk may end inside a character, whose beginning is then decoded with the next chunk.
            self.pending = getattr(self, "pending", b"") + piece
            try:
                text, self.pending = self.pending.decode(), b""
            except UnicodeDecodeError as error:
                text, self.pending = self.pending[:error.start].decode(), self.pending[error.start:]
            self.emulator.feed(text)

    def wait_for(self, condition, what):
        def looked():
            self.read()
            return condition(self.emulator.lines())
        try:
            wait_until(looked, what)
        except AssertionError as error:
            raise AssertionError(f"{error}; the screen: {self.emulator.lines()}") from None
        return self.emulator.lines()

    def wait_for_text(self, text):
        return self.wait_for(lambda lines: any(text in line for line in lines), repr(text))

    def ended(self):
        self.read()
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
                self.read()
        return self.code is not None

    def expect_end(self, code):
        wait_until(self.ended, "the end")
        equal(self.code, code, "exit code")
        equal(termios.tcgetattr(self.slave), self.before, "terminal attributes after the end")
        expect(not self.emulator.alternate, "still on the alternate screen")
        expect(self.emulator.cursor, "the cursor is hidden")
        expect(self.emulator.wraps, "long lines do not wrap")
        equal(self.emulator.modes, set(), "modes that have not ended")
        equal(self.emulator.unknown, [], "control sequences that the panel does not need")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.code is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        for descriptor in (self.master, self.slave):
            try:
                os.close(descriptor)
            except OSError:
                pass


def main():
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    passed = failed = 0
    for function in CHECKS:
        name = function.__name__.replace("_", " ")
        if wanted not in name and wanted not in function.__name__:
            continue
        try:
            note = function()
            passed += 1
            print(f"ok    {name}" + (f"  ({note})" if note else ""), flush=True)
        except Exception as error:  # A check that breaks is a check that fails; the others still run.
            failed += 1
            print(f"FAIL  {name}: {type(error).__name__}: {error}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
