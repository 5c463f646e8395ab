"""All nodes at once: each measures alone, and each process of each is kept here when it ended.

Nodes are independent, so they measure at the same time. One that can't be reached, dies, hangs,
has another stend or answers rubbish leaves a run that says so, and the others go on.
"""

import os
import queue
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from stend import __version__
from stend.errors import Unsound
from stend.fleet.connection import Answer, Ended, Heard, NodeConnection, NodeLost, Request
from stend.processes.remote_shell import VARIABLE, Shell
from stend.record import LOST, CaseRecord, Conditions, Disturbance, Machine, Run
from stend.running.session import now

if TYPE_CHECKING:
    from stend.store import Store


COMMAND = (sys.executable, "-m", "stend.fleet.node")
"""A node has stend where this machine has it, as file systems of clusters are shared."""

PATIENCE = 90.0
"""Seconds of silence after which a node is given up; a living one is heard every five."""

GRACE = 20.0
"""Seconds that nodes have to end in order after Ctrl-C: one process at most is under way."""

_OWN = ("STEND_STORE", VARIABLE)


def environment() -> dict[str, str]:
    """This program's variables that change what stend does, for the nodes."""
    return {k: v for k, v in os.environ.items() if k.startswith("STEND_") and k not in _OWN}


class Member:
    """What one node has told so far, and where it is kept."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.run: Run | None = None
        self.cases = 0
        """How many it will measure."""
        self.done: dict[int, float] = {}
        """How much of each case is."""
        self.records: dict[int, CaseRecord] = {}
        self._numbers: dict[int, int] = {}
        self.lost = ""
        """Why it told only a part, or nothing; empty while it talks, and when it told all."""
        self.ended = False

    def keep(self, answer: Answer, request: Request, store: "Store") -> bool:
        """Do in the store what the node told; False when it makes no sense there."""
        if answer.kind in ("hello", "alive"):
            return True
        if answer.kind == "begin" and answer.run and self.run is None:
            run = _own(answer.run, self.host, request)
            store.begin(run)
            self.run, self.cases = run, answer.cases
        elif answer.kind == "append" and answer.case and self.run:
            self._numbers[answer.number] = store.append(self.run.id, answer.case)
            self._note(answer, answer.case)
        elif answer.kind == "extend" and answer.case and answer.number in self._numbers:
            new = answer.case.samples[: answer.new]
            samples = self.records[answer.number].samples + new
            if len({sample.process for sample in samples}) < len(samples):
                return False  # the store looks at the new ones alone
            case = msgspec.structs.replace(answer.case, samples=samples)
            store.extend(self._numbers[answer.number], case)
            self._note(answer, case)
        elif answer.kind == "finish" and answer.conditions and self.run:
            store.finish(self.run.id, answer.finished, answer.conditions)
        elif answer.kind == "refused":
            self.lose(f"can't measure: {answer.reason}", store)
        else:
            return False
        return True

    def _note(self, answer: Answer, case: CaseRecord) -> None:
        self.records[answer.number] = case
        self.done[answer.number] = answer.share

    @property
    def share(self) -> float:
        """How much of its run is done."""
        return min(1.0, sum(self.done.values()) / self.cases) if self.cases else 0.0

    def lose(self, reason: str, store: "Store") -> None:
        """Note in its run, made if there is none, that the rest is missing."""
        self.lost = reason
        said = Disturbance(
            kind=LOST,
            said=f"{self.host} {reason.rstrip('.')}.",
            advice="What it measured before is kept; fix it, or leave it out.",
        )
        if self.run is None:
            return
        before = self.run.conditions.before
        store.finish(self.run.id, now(), Conditions(before=before, during=(said,)))

    def note(self, request: Request, store: "Store") -> None:
        """Keep a run without cases for a node that never began one."""
        if self.run is not None or not self.lost:
            return
        said = Disturbance(kind=LOST, said=f"{self.host} {self.lost.rstrip('.')}.")
        self.run = Run(
            id=uuid.uuid4().hex,
            label=request.label,
            group=request.group,
            started=now(),
            finished=now(),
            stend=__version__,
            command=request.command,
            size=request.asked.size,
            machine=Machine(host=self.host, unknown={"everything": said.said}),
            conditions=Conditions(before=(said,)),
        )
        store.begin(self.run)


def _own(run: Run, host: str, request: Request) -> Run:
    """What a node begins, under this session's names: no node can take another run's place.

    Nor its name: containers and fresh machines often call themselves alike.
    """
    return msgspec.structs.replace(
        run,
        id=uuid.uuid4().hex,
        label=request.label,
        group=request.group,
        machine=msgspec.structs.replace(run.machine, host=host),
        cases=(),
    )


class Fleet:
    """The talks with all nodes, used as a context manager: at its end nothing is left running."""

    def __init__(
        self,
        hosts: Sequence[str],
        shell: Shell,
        request: Request,
        store: "Store",
        patience: float = PATIENCE,
    ) -> None:
        self.members = {host: Member(host) for host in hosts}
        self._request = request
        self._store = store
        self._patience = patience
        self._heard: queue.Queue[Heard] = queue.Queue()
        self._deadline: float | None = None
        self._shell = shell
        self._talks: dict[str, NodeConnection] = {}

    def __enter__(self) -> "Fleet":
        for host in self.members:
            words = self._shell(host, COMMAND)
            try:
                self._talks[host] = NodeConnection(host, words, self._request, self._heard)
            except OSError as error:
                why = f"can't be reached: {words[0]} can't be started: {error.strerror}"
                self._heard.put((host, NodeLost(reason=why)))
        return self

    def __exit__(self, *ended: object) -> None:
        for talk in self._talks.values():
            talk.stop()
        for talk in self._talks.values():
            talk.end("was ended")

    def listen(
        self, heeding: Callable[[Callable[[], Heard]], Callable[[], Heard]]
    ) -> Iterator[tuple[Member, Answer | None]]:
        """Give each answer when it is kept, and None when a node has told its last.

        `heeding` makes waiting end with Ctrl-C; the nodes are asked to end then, and what they
        tell until they have is kept as well.
        """
        wait = heeding(self._next)
        while any(not member.ended for member in self.members.values()):
            try:
                host, message = wait()
            except KeyboardInterrupt:
                self._stop()
                wait = self._next
                continue
            member = self.members[host]
            if member.ended:
                continue
            if not isinstance(message, Answer):
                self._end(member, message)
                yield member, None
            elif not (why := self._nonsense(member, message)):
                yield member, message
            else:
                self._talks[host].end(why)
                self._end(member, NodeLost(reason=why))
                yield member, None

    def _nonsense(self, member: Member, answer: Answer) -> str:
        """Keep it, or say what is wrong with it."""
        try:
            if member.keep(answer, self._request, self._store):
                return ""
        except Unsound as error:
            return f"sent data that can't be stored ({str(error).rstrip('.')})"
        return f"sent {answer.kind!r} out of order"

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return self._deadline is not None

    def _next(self) -> Heard:
        """The next that any node tells; silence that lasts too long ends a talk."""
        while True:
            try:
                return self._heard.get(timeout=0.25)
            except queue.Empty:
                self._end_the_silent()

    def _end_the_silent(self) -> None:
        instant = time.monotonic()
        for host, talk in self._talks.items():
            if self.members[host].ended:
                continue
            if self._deadline is not None and instant > self._deadline:
                self._give_up(host, "did not stop when asked to")
            elif instant - talk.since > self._patience:
                self._give_up(host, f"was silent for {self._patience:g} s and was dropped")

    def _give_up(self, host: str, why: str) -> None:
        """What is left of it may hold the connection open, so its end is not waited for."""
        self._talks[host].end(why)
        self._heard.put((host, NodeLost(reason=why)))

    def _stop(self) -> None:
        self._deadline = time.monotonic() + GRACE
        for talk in self._talks.values():
            talk.stop()

    def _end(self, member: Member, end: NodeLost | Ended) -> None:
        member.ended = True
        if isinstance(end, NodeLost) and not member.lost:
            member.lose(end.reason, self._store)
        if not self.interrupted:
            member.note(self._request, self._store)
