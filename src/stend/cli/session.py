"""One session of measuring: begun in the store, watched, finished whatever happens."""

import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from stend import __version__
from stend.printable import without_passwords
from stend.record import Conditions, Run

if TYPE_CHECKING:
    from stend.parameters import Size
    from stend.record import Machine
    from stend.store import Store as Runs


@contextmanager
def session(runs: "Runs", machine: "Machine", label: str, size: "Size") -> Iterator[str]:
    """Begin a run, give its id, and note at the end what disturbed it.

    The verb has Ctrl-C `held` meanwhile, so that it ends only what is `heeding` it. Errors pass
    through after the run has been finished.
    """
    from stend.machine import Watch, conditions_now

    before = conditions_now()
    run = Run(
        id=uuid.uuid4().hex,
        label=label,
        started=now(),
        stend=__version__,
        command=("stend", *map(without_passwords, sys.argv[1:])),
        size=size,
        machine=machine,
        conditions=Conditions(before=before),
    )
    watch = Watch()
    runs.begin(run)
    try:
        with watch:
            yield run.id
    finally:
        runs.finish(run.id, now(), watch.conditions(before))


def now() -> str:
    """The time of day in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
