"""The program on a node: reads a request, measures, and writes what it measured.

It ends when its standard input does: the connection is gone, or the caller wants no more. So it
is the caller's end, however it came, that ends it, and nothing is left running.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

import msgspec

from stend import __version__
from stend.errors import StendError
from stend.fleet.connection import BEAT, Answer, Request
from stend.processes import interrupts
from stend.record import CaseRecord, Conditions, Run, from_json, to_json
from stend.record.text import tidied
from stend.running.session import CaseProgress, Title

GRACE = 15.0
"""Seconds to end in order once the caller is gone."""

_LAUNCHERS = ("SLURM_", "SRUN_", "PMI_", "PMIX_", "OMPI_", "HYDRA_", "MPI_")
"""Variables by which an MPI program would take this one for its launcher's child."""


class Wire:
    """A store on the other machine: its verbs, told in lines."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._turn = threading.Lock()
        self._samples: list[int] = []
        self.cases = 0
        """How many there will be."""
        self.share = 0.0
        """How much of the case that is told next is done."""

    def say(self, answer: Answer) -> None:
        """Send one line, whole, even when two threads have something to say."""
        line = to_json(tidied(answer)) + b"\n"
        with self._turn:
            self._out.write(line)
            self._out.flush()

    def begin(self, run: Run) -> None:
        """Tell of a new run."""
        self.say(Answer(kind="begin", run=run, cases=self.cases))

    def append(self, run_id: str, case: CaseRecord) -> int:
        """Tell of a case."""
        number = len(self._samples)
        self._samples.append(len(case.samples))
        self.say(Answer(kind="append", number=number, case=case, share=self.share))
        return number

    def extend(self, number: int, case: CaseRecord) -> None:
        """Tell what has become of it, with the samples that are new."""
        sent, self._samples[number] = self._samples[number], len(case.samples)
        fresh = case.samples[sent:]
        case = msgspec.structs.replace(case, samples=fresh or case.samples[-1:])
        answer = Answer(kind="extend", number=number, case=case, new=len(fresh), share=self.share)
        self.say(answer)

    def finish(self, run_id: str, finished: str, conditions: Conditions) -> None:
        """Tell that the run has ended."""
        self.say(Answer(kind="finish", finished=finished, conditions=conditions))


def main() -> None:
    """Measure what is asked for; what can't be is told, and the exit code is 0."""
    wire = Wire(_output())
    wire.say(Answer(kind="hello", version=__version__))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupts.listen()
    line = sys.stdin.buffer.readline()
    if not line:
        return
    _in_background(_end_with_the_caller)
    try:
        request = from_json(line, Request)
        _take(request.environment)
        _measure(request, wire)
    except StendError as error:
        wire.say(Answer(kind="refused", reason=str(error)))
    except msgspec.MsgspecError as error:
        wire.say(Answer(kind="refused", reason=f"The request can't be read: {error}."))


def _output() -> IO[bytes]:
    """Standard output for the lines alone: what anything else prints goes to standard error."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return own


def _take(environment: dict[str, str]) -> None:
    for name in [name for name in os.environ if name.startswith(_LAUNCHERS)]:
        del os.environ[name]
    os.environ.update(environment)


def _measure(request: Request, wire: Wire) -> None:
    from stend import laboratory
    from stend.machine import CALIBRATION, inspect

    asked = request.asked
    machine = inspect(calibrate=CALIBRATION)
    planned = asked.plan(machine, skips_will_do=True)
    wire.cases = len(planned)
    title = Title(request.label, asked.size, request.group, request.command)

    def cases(run_id: str) -> Iterator[CaseProgress]:
        for case in laboratory.growing(planned, asked.effort(), lambda _: None):
            wire.share = case.share
            yield case

    _in_background(lambda: _beat(wire))  # from here on each step has a time limit of its own
    with interrupts.held():
        laboratory.record(cases, machine, title, wire, lambda _: None)


def _in_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()


def _end_with_the_caller() -> None:
    """Interrupt the measurement as Ctrl-C would, and insist when it does not end."""
    while os.read(0, 1 << 16):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE)
    os._exit(1)


def _beat(wire: Wire) -> None:
    """Tell now and then that the node lives, for as long as anyone listens."""
    with suppress(OSError, ValueError):
        while not threading.Event().wait(BEAT):
            wire.say(Answer(kind="alive"))


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        main()
