"""How long the pages of a fleet take: 100 machines of 100 cases, in a store that is given.

    python peers/server/fleet.py URL [DAYS]

An empty store is filled first with what machines send (tests/web/fleets.py). Each page is asked for
on loopback by one client: once as it is after the runs came, then ten times; the median of these is
told.
"""

import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from stend.record.run_file import to_run_file
from stend.store import Filter, Store
from stend.web.api.ingest import ingest
from web import fleets
from web.served import ask, served

TIMES = 10


def main() -> None:
    """Fill, then ask."""
    url, days = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    with Store.open(url) as store:
        if not store.newest(Filter()):
            began = time.perf_counter()
            for run in fleets.fleet(100, days, 100, update=days // 2):
                ingest(store, [to_run_file(run)], sender=run.machine.host or "", address="")
            took = time.perf_counter() - began
            print(f"{100 * days} runs arrived, {1e3 * took / (100 * days):.0f} ms each")
        with served(store) as site:
            for path in (
                "/machines",
                "/machines/node003",
                "/fleet?days=0",
                "/fleet?days=0&of=mpi",
                f"/changes?from=2026-11-01&to=2026-11-{days:02d}",
            ):
                first = _seconds(site.url, path)
                again = median(_seconds(site.url, path) for _ in range(TIMES))
                print(f"{path:45} first {1e3 * first:7.0f} ms, then {1e3 * again:6.0f} ms")


def _seconds(url: str, path: str) -> float:
    began = time.perf_counter()
    answer = ask(url, path)
    assert answer.status == 200, answer.text
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
