"""A job: a program, maybe of processes on several hosts, that measures itself when it is asked.

What a kernel is inside a worker, a job is outside of it: `running/job.py` starts its command and
asks over the standard input for repetitions, so that calibration, warm-up, stopping rule, cautions
and proofs are those of every other benchmark. The words are in native/mpi/README.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Job:
    """How to start the program and how long to wait for its answers."""

    variant: str | None
    command: tuple[str, ...]
    environment: Mapping[str, str]
    """All of it, not only what differs."""
    starting: float = 30.0
    """Seconds until it must be ready."""
    answering: float = 20.0
    """Seconds that an answer may take beside the time that was asked for."""
    last_words: Callable[[str], str] = field(default=lambda said: said.strip()[-200:])
    """What it or its launcher printed to standard error → the words that tell why it ended."""
