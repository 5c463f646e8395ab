"""The connection to one node: one line of JSON a message, and how the node ended.

First the node says hello with its version, then it is sent one Request, then it says each verb of
the store that keeps its run: so what it measured is safe here when it was measured there. The end
of what it is sent, its standard input, is the word to stop.

Nothing that a node says is trusted: a line is a sound Answer, or the talk ends with a sentence.
"""

import contextlib
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO, Literal

import msgspec

from stend import __version__
from stend.processes.child import Child, tail
from stend.record import CaseRecord, Conditions, Record, Run, from_json, to_json
from stend.record.invariants import validate
from stend.record.text import printable
from stend.running.session import Asked

MARK = b'{"kind":"hello"'
"""How the first line begins; a remote shell may say something of its own before it."""

BEAT = 5.0
"""Seconds between two signs of life."""

_ENDING = 2.0
"""Seconds that a remote shell may take to end by itself, after SIGTERM and after SIGKILL."""


class Request(Record, frozen=True, kw_only=True):
    """What a node is to measure, and what the run is called."""

    asked: Asked
    label: str = ""
    group: str
    command: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    """The caller's variables that change what stend does (STEND_DISABLE_ISA, …)."""


class Answer(Record, frozen=True, kw_only=True):
    """One thing that a node tells."""

    kind: Literal["hello", "alive", "begin", "append", "extend", "finish", "refused"]
    version: str = ""
    """With hello: the node's stend."""
    run: Run | None = None
    """With begin: the run, without cases."""
    cases: int = 0
    """With begin: how many there will be."""
    number: int = 0
    """With append and extend: which case, from 0."""
    case: CaseRecord | None = None
    """With append and extend; with extend only its new samples, or the last if none is new."""
    new: int = 0
    """With extend: how many of these samples are new."""
    share: float = 0.0
    """With append and extend: how much of the case is done."""
    finished: str = ""
    conditions: Conditions | None = None
    reason: str = ""
    """With refused: why nothing is measured there."""


LONGEST = 1 << 28
"""Bytes of one line: a process's sample of four million repetitions."""

_BEFORE = 100
"""Lines that a remote shell may say of its own before the node says hello."""

_NONE_THERE = ("no module named", "no such file", "not found", "cannot execute", "not a directory")
"""What shells, srun and Python say when there is no such program, or no stend for it."""


class NodeLost(Record, frozen=True, kw_only=True):
    """A node that ended before it had told everything, and why, as a sentence without the host."""

    reason: str


class Ended(Record, frozen=True, kw_only=True):
    """A node that told everything, or refused and told why."""


NodeMessage = Answer | NodeLost | Ended


class NodeConnection:
    """A program on a host and what it says; every answer is put on the queue with the host."""

    def __init__(
        self, host: str, command: Sequence[str], request: Request, heard: "queue.Queue[Heard]"
    ) -> None:
        self.host = host
        self._request = request
        self._heard = heard
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - until the talk ends
        self._why = ""
        self.since = time.monotonic()
        """When it was heard last."""
        self._process = Child(
            command,
            stdin=subprocess.PIPE,
            stderr=self._stderr,
            ladder=((signal.SIGTERM, _ENDING),),
            dying=_ENDING,
        )
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask the node to end, keeping what it has: its input ends."""
        with contextlib.suppress(OSError):
            self._process.input.close()

    def end(self, why: str = "") -> None:
        """Take the connection away; `why` is the sentence for it."""
        self._why = self._why or why
        self.stop()
        if not self._why:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_ENDING)
        self._process.end()

    def _listen(self) -> None:
        last: NodeMessage
        try:
            last = self._talk()
        except Exception as error:  # a thread's own end would leave the caller waiting
            last = NodeLost(reason=f"could not be read from: {type(error).__name__}: {error}")
        self.end(last.reason if isinstance(last, NodeLost) else "")
        self._stderr.close()
        self._heard.put((self.host, last))

    def _talk(self) -> NodeMessage:
        with self._process.output as output:
            refused = self._greeted(output)
            if refused:
                return refused
            with contextlib.suppress(OSError, ValueError):  # ValueError: it was closed meanwhile
                self._process.input.write(to_json(self._request) + b"\n")
                self._process.input.flush()
            while line := output.readline(LONGEST):
                answer = _read(line)
                if isinstance(answer, NodeLost):
                    return answer
                self._say(answer)
                if answer.kind in ("finish", "refused"):
                    return Ended()
        return self._lost("was lost: the connection ended")

    def _greeted(self, output: IO[bytes]) -> NodeLost | None:
        first = ""
        for _ in range(_BEFORE):
            line = output.readline(LONGEST)
            if not line:
                return self._never_there(first)
            if line.startswith(MARK):
                return self._refused(_read(line))
            first = first or printable(line.decode(errors="replace").strip())[:80]
        return NodeLost(reason=f"does not answer as stend does: {first!r}")

    def _refused(self, answer: "Answer | NodeLost") -> NodeLost | None:
        if isinstance(answer, NodeLost):
            return answer
        if answer.version != __version__:
            return NodeLost(
                reason=f"has stend {printable(answer.version)[:40]}, but this is {__version__}: "
                "install the same version there"
            )
        self._say(answer)
        return None

    def _say(self, answer: Answer) -> None:
        self.since = time.monotonic()
        self._heard.put((self.host, answer))

    def _never_there(self, said: str) -> NodeLost:
        last = self._last_words() or said
        if any(words in last.lower() for words in _NONE_THERE):
            return self._lost(f"has no stend where this machine has it ({last})", last=False)
        return self._lost("can't be reached")

    def _lost(self, why: str, last: bool = True) -> NodeLost:
        """By why it was ended, if it was; else `why`, with the last it said on standard error."""
        if self._why:
            return NodeLost(reason=self._why)
        words = self._last_words() if last else ""
        return NodeLost(reason=f"{why} ({words})" if words else why)

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=3)
        lines = tail(self._stderr, 4000).strip().splitlines()
        found = next((x for x in lines if _tells(x)), lines[-1] if lines else "")
        return printable(found.strip()).rstrip(".")[:300]


Heard = tuple[str, NodeMessage]
"""A host, and what it told."""


def _tells(line: str) -> bool:
    """Whether this line rather than the last one says what went wrong."""
    lower = line.lower()
    return any(words in lower for words in _NONE_THERE)


def _read(line: bytes) -> Answer | NodeLost:
    try:
        answer = from_json(line, Answer)
        validate(answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        said = printable(str(error))[:200]
        begins = printable(line[:60].decode(errors="replace").strip())
        return NodeLost(reason=f"sent a message that can't be read ({said}; it begins {begins!r})")
    return answer
