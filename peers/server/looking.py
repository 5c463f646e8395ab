"""How long the list of ten thousand runs takes over PostgreSQL while several people look at it.

    python looking.py [RUNS]

Fills an empty database (many_runs.py) and serves it in a process of its own. Then 1, 2, 4 and 8
clients ask for pages on loopback, each the next as soon as it has one, 200 pages together or more:
plain, filtered, searched, and older ones. Server, database and clients share the machine's cores.
"""

import itertools
import platform
import statistics
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from many_runs import fill

from postgresql import Postgresql
from stend.store import Query, Store
from web.killing import Serving

CLIENTS = (1, 2, 4, 8)
PAGES = 240


def main(count: int = 10_000) -> None:
    """Fill, ask, and print a table."""
    database = Postgresql(fsync=True)
    with Store.open(database.url) as store:
        fill(store, count)
        older = store.listing(Query(), 5000).next
    asked = [
        "/runs",
        "/runs?label=nightly+build+7",
        "/runs?host=node7.example.org",
        "/runs?benchmark=stream.triad",
        "/runs?search=node17",
        f"/runs?after={older}",
    ]
    serving = Serving(database.url)
    for path in asked:
        seconds(serving.url + path)
    print(f"> {date.today()}, {platform.machine()}, {count} runs, PostgreSQL with fsync\n")
    print("| clients | pages a second | median, ms | 95%, ms | slowest, ms |\n|" + " --- |" * 5)
    for clients in CLIENTS:
        pages = [serving.url + path for path in itertools.islice(itertools.cycle(asked), PAGES)]
        start = time.perf_counter()
        with ThreadPoolExecutor(clients) as pool:
            took = sorted(1e3 * one for one in pool.map(seconds, pages))
        rate = PAGES / (time.perf_counter() - start)
        told = (rate, statistics.median(took), statistics.quantiles(took, n=20)[-1], took[-1])
        print(f"| {clients} | " + " | ".join(f"{value:.0f}" for value in told) + " |")
    serving.kill()
    database.remove()


def seconds(url: str) -> float:
    """How long a page takes to arrive as a whole."""
    begun = time.perf_counter()
    with urllib.request.urlopen(url) as answer:
        assert answer.status == 200
        answer.read()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
