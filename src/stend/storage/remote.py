"""Readings of another machine over one long connection.

Nothing here waits: `Sampler` says when something is due and when there is something to hear. A
connection that is lost is made anew, at first soon, then at longer intervals.
"""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Sequence

from stend.errors import BadValue
from stend.machine.sampling import DISKSTATS, ONLINE, STAT, Reading, cpu_ticks, online, reading
from stend.machine.sampling_script import END, READ, SCRIPT, answer, request, time_of_day
from stend.processes.child import Child
from stend.processes.remote_shell import Shell
from stend.record.text import printable

SILENT = 10.0
"""Seconds without an answer after which a connection is given up."""
CONNECTING = 20.0
"""Seconds that a new one may take; ssh itself gives up after 15."""
PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds before another attempt; the last holds for all further ones."""
MOST = 1 << 20
"""Bytes of an answer, and of all that is heard between two requests."""
CLOCK_EVERY = 16
"""Requests from one question for the time of day to the next: without bash a process there."""

_HOST = re.compile(r"[A-Za-z0-9_:][A-Za-z0-9_.@:%+-]{0,252}", re.ASCII)
_LAST_WORDS = 4000


def checked_host(host: str) -> str:
    """The name, if no shell or option parser could take it for something else.

    Raises:
        BadValue: it is none.
    """
    if not _HOST.fullmatch(host):
        raise BadValue(
            f"{printable(host)[:80]!r} is not a host; write it as for ssh: n1 or user@n1."
        )
    return host


class Remote:
    """A connection to one host, or the lack of it.

    `reason` says why the last one was lost. `clock` is how far the host's clock was ahead of ours
    and how sure that is, both s, at the shortest way there and back.
    """

    def __init__(self, host: str, shell: Shell) -> None:
        self.host = host
        self.cpus: int | None = None
        self.clock: tuple[float, float] | None = None
        self.lost = 0
        self.reason = ""
        self._command: Sequence[str] = shell(host, ["exec", "sh", "-c", SCRIPT])
        self._process: Child | None = None
        self._number = 0
        self._asked: tuple[int, int] | None = None
        """When the answer that is due was asked for: CLOCK_MONOTONIC and the time of day, ns."""
        self._greeted = False
        self._heard = bytearray()
        self._received = 0
        self._said = b""
        self._silenced = False
        self._cat = True
        self._failures = 0
        self._again = 0.0

    @property
    def outputs(self) -> tuple[int, ...]:
        """The files on which it may say something."""
        process = self._process
        if process is None or process.stderr is None:
            return ()
        words = () if self._silenced else (process.stderr.fileno(),)
        return (process.output.fileno(), *words)

    @property
    def ready(self) -> bool:
        """Whether it has answered all that it was asked, its greeting being the first."""
        return self._process is not None and self._greeted and self._asked is None

    def connect(self) -> None:
        """Begin a connection and ask for what does not change."""
        try:
            self._process = Child(self._command, stdin=subprocess.PIPE, dying=1.0)
        except OSError as error:
            self._lose(f"{self._command[0]} can't be started: {error.strerror}")
            return
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert file is not None
            os.set_blocking(file.fileno(), False)
        self._heard.clear()
        self._said = b""
        self._silenced = False
        self._greeted = False
        self._send(date=False, about=True)

    def ask(self) -> bool:
        """Ask for a reading if all before is answered, else mend; whether it was asked for."""
        if self._process is None:
            if time.monotonic() >= self._again:
                self.connect()
            return False
        if self._asked is not None:
            waited = (time.monotonic_ns() - self._asked[0]) / 1e9
            if waited > (SILENT if self._greeted else CONNECTING):
                self._lose(f"no answer in {waited:.0f} s")
            return False
        self._send(date=self._number % CLOCK_EVERY < 3, about=False)
        return self._asked is not None

    def hear(self, file: int) -> Reading | None:
        """Take what one of `outputs` says; the reading, once it is all there."""
        now = (time.monotonic_ns(), time.time_ns())
        if file not in self.outputs:  # lost a moment ago
            return None
        part = _part(file)
        self._received += len(part or b"")
        if self._received > MOST:
            self._said, self._silenced = b"", True
            self._lose("it sent more than a reading")
        elif file != self.outputs[0]:
            self._said = (self._said + (part or b""))[-_LAST_WORDS:]
            self._silenced = part == b""
        elif part == b"":
            self._lose("the connection ended")
        elif part is not None:
            return self._answered(part, now)
        return None

    def end(self) -> None:
        """Let the loop there end by itself: its input ends."""
        if self._process is not None:
            self._process.input.close()

    def close(self, patience: float = 0.0) -> None:
        """Take the connection away, the hard way if it lasts longer than `patience`, s."""
        process, self._process = self._process, None
        self._asked = None
        if process is None:
            return
        process.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        process.end()

    def _send(self, date: bool, about: bool) -> None:
        assert self._process is not None
        self._number += 1
        self._received = 0
        line = request(self._number, date=date, about=about, cat=self._cat)
        self._asked = (time.monotonic_ns(), time.time_ns())
        try:
            os.write(self._process.input.fileno(), line)
        except OSError:
            self._lose("the connection ended")

    def _answered(self, part: bytes, now: tuple[int, int]) -> Reading | None:
        if self._asked is None:
            return None
        self._heard += part
        if END not in self._heard[-len(part) - 32 :]:  # not all of it anew for every byte
            return None
        texts = answer(self._number, bytes(self._heard))
        if texts is None:
            return None
        asked, self._asked = self._asked, None
        self._heard.clear()
        self._cat = len(texts.get(DISKSTATS, "")) > READ
        if not self._greeted:
            self._greet(texts)
            return None
        self._failures = 0
        self._compare_clocks(texts, asked[1], now[1])
        return reading(texts, (asked[0] + now[0]) // 2, (now[0] - asked[0]) / 2e9)

    def _greet(self, texts: dict[str, str]) -> None:
        if cpu_ticks(texts.get(STAT, "")) is None:
            self._lose(f"it has no {STAT} that can be read")
            return
        self._greeted = True
        self.cpus = online(texts.get(ONLINE, ""))

    def _compare_clocks(self, texts: dict[str, str], asked: int, now: int) -> None:
        """As NTP does it (RFC 5905, section 8): the shortest way there and back tells most."""
        clock = time_of_day(texts)
        if clock is None or now < asked:
            return
        there, late = clock
        unsure = (now - asked) / 2e9 + late / 2
        if self.clock is None or unsure < self.clock[1]:
            self.clock = (there + late / 2 - (asked + now) / 2e9, unsure)

    def _lose(self, why: str) -> None:
        """Note why and when to try again: by its last words, or by `why` where it left none."""
        for file in self.outputs[1:]:
            self._said += _part(file) or b""
        words = self._said.decode(errors="replace").strip().rpartition("\n")[2].strip()
        self.reason = printable(words).rstrip(".")[:300] or why
        self.lost += 1
        self.close()
        self._again = time.monotonic() + PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1


def _part(file: int) -> bytes | None:
    """What can be read now: None is nothing yet, empty the end."""
    try:
        return os.read(file, 65536)
    except BlockingIOError:
        return None
    except OSError:
        return b""
