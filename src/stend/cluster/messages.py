"""What a node is told, and what it tells: one line of JSON each.

First the node says hello with its version, then it is sent one Request, then it says each verb of
the store that keeps its run: so what it measured is safe here when it was measured there. The end
of what it is sent, its standard input, is the word to stop.
"""

from typing import Literal

from stend.record import CaseRecord, Conditions, Record, Run
from stend.session import Asked

MARK = b'{"kind":"hello"'
"""How the first line begins; a remote shell may say something of its own before it."""

BEAT = 5.0
"""Seconds between two signs of life."""


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
