"""Drives fio as stend does, in a process that a test may end: a folder, fio and the
text of a job come in; a line a moment goes out, then what became of the run."""

import json
import sys
from pathlib import Path

from stend.processes.interrupts import heeding, held, listen
from stend.storage.fio_run import Asked, Moment, Stopped, drive


def main(folder: str, fio: str) -> None:
    asked = Asked("measure", 30.0, ("load",), read_only=False, fio=fio)
    listen()
    with held():
        try:
            driven = heeding(drive)(sys.stdin.read(), Path(folder), asked, moment)
        except Stopped as stopped:
            driven = stopped.driven
    run = driven.run
    done = sum(flow.operations for flow in run.flows)
    print(json.dumps({"state": run.state, "reasons": run.reasons, "operations": done}), flush=True)


def moment(now: Moment) -> None:
    print("moment" if now.ways else "silence", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
