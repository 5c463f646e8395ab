"""How long a store of ten thousand runs takes to list them: by search, by filters, page by page.

    python many_runs.py STORE [RUNS]    fills STORE where it has fewer runs, then asks it

Runs are of 40 machines and 25 labels, ten cases each; every hundredth has one that failed. Each
question is asked 30 times; the median and the slowest are told, in ms.
"""

import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from made import case, machine, run, sample
from stend.record import CaseRecord, Run, Status
from stend.store import Query, Store

FIRST = datetime(2025, 1, 1, tzinfo=UTC)
NAMES = [f"{family}.{kind}" for family in ("stream", "memory", "fft", "linpack", "sync")
         for kind in ("copy", "triad", "one", "two")]  # fmt: skip
TIMES = 30


def main(url: str, count: int = 10_000) -> None:
    """Fill the store, and ask it."""
    with Store.open(url) as store:
        fill(store, count)
        for said, question in questions(store).items():
            took = sorted(seconds(question) for _ in range(TIMES))
            median, slowest = statistics.median(took) * 1e3, took[-1] * 1e3
            print(f"{said:44} {median:7.1f} {slowest:7.1f}")


def fill(store: Store, count: int) -> None:
    """Add the runs that are missing."""
    for n in range(store.listing(Query(), 1).total, count):
        store.add(of_number(n), digest=f"{n:064x}", sender=f"node{n % 40}")


def of_number(n: int) -> Run:
    """One of the runs."""
    began = FIRST + timedelta(minutes=30 * n)
    return run(
        tuple(of_run(n, i) for i in range(10)),
        id=f"{n * 0x9E3779B97F4A7C15 % 2**64:016x}{n:016x}",
        label=f"nightly build {n % 25}",
        machine=machine(host=f"node{n % 40}.example.org"),
        started=began.isoformat(),
        finished=(began + timedelta(minutes=9)).isoformat(),
        command=(
            "stend",
            "run",
            *NAMES[n % 10 : n % 10 + 10],
            "--label",
            f"nightly build {n % 25}",
        ),
    )


SAMPLES = (sample(), sample(process=1))


def of_run(n: int, i: int) -> CaseRecord:
    """One of a run's cases."""
    made = case(SAMPLES, benchmark=NAMES[(n + i) % len(NAMES)], parameters={"threads": i})
    if n % 100 == 0 and i == 5:
        return msgspec.structs.replace(made, samples=(), status=Status.FAILED, reason="It did.")
    return made


def questions(store: Store) -> dict[str, Callable[[], object]]:
    """What is asked, by what to call it."""
    deep = store.listing(Query(), 5000).next
    asked = {
        "all": Query(),
        "a label": Query(label="nightly build 7"),
        "a host": Query(host="node7.example.org"),
        "a month": Query(since=FIRST + timedelta(days=60), until=FIRST + timedelta(days=90)),
        "failed": Query(statuses=["failed", "wrong", "crashed"]),
        "a benchmark": Query(benchmark="stream.triad"),
        "a family": Query(benchmark="stream"),
        "a family, failed, of a host": Query(
            benchmark="stream", statuses=["failed"], host="node0.example.org"
        ),
        "search: node17": Query(search="node17"),
        "search: NIGHTLY 13": Query(search="NIGHTLY 13"),
        "search: triad": Query(search="triad"),
        "search: what nothing has": Query(search="nowhere"),
        "search: an id": Query(search=f"{0x9E3779B97F4A7C15:016x}"),
    }
    found: dict[str, Callable[[], object]] = {
        f"a page: {said}": lambda query=query: store.listing(query, 50)
        for said, query in asked.items()
    }
    return found | {
        "the 101st page": lambda: store.listing(Query(), 50, deep),
        "menus": store.choices,
        "stend runs": lambda: store.find(limit=20),
        "stend runs --label": lambda: store.find(label="nightly build 7", limit=20),
        "compare label:NAME": lambda: store.find(label="nightly build 7"),
        "show last": lambda: store.load("last"),
    }


def seconds(question: Callable[[], object]) -> float:
    """How long an answer takes."""
    begun = time.perf_counter()
    question()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
