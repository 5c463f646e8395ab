"""How soon Chromium draws the first of a page, asked of a server on loopback.

    python painting.py STORE

Serves a copy of the store in a process of its own. Each page is loaded by a browser that has
nothing of it: ten times from a server that was asked before (warm), and as the first request of a
server that has just begun (cold, three times). The time is that of the first contentful paint since
the browser began to ask, as the browser tells it.
"""

import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from chromium import chromium
from stend.store import Store
from web.killing import Serving

LOADS = 10
STARTS = 3
PAINTED = """() => new Promise((told) => new PerformanceObserver((all) => {
    const painted = all.getEntriesByName("first-contentful-paint");
    if (painted.length) told(painted[0].startTime);
}).observe({ type: "paint", buffered: true }))"""


def main(store: str) -> None:
    """Load, and print a table."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        copy = shutil.copy(store, Path(folder) / "stend.db")
        serving = Serving(str(copy))
        with chromium(playwright.chromium) as browser:
            found = measured(browser, serving, pages(str(copy)))
        serving.kill()
    print(f"> {date.today()}, {platform.machine()}\n")
    print("| page | warm, median ms | worst | cold, median ms | worst |\n|" + " --- |" * 5)
    for name, (warm, cold) in found.items():
        cells = (statistics.median(warm), max(warm), statistics.median(cold), max(cold))
        print(f"| {name} | " + " | ".join(f"{one:.0f}" for one in cells) + " |")


def pages(store: str) -> dict[str, str]:
    """By what they are called."""
    with Store.open(store) as opened:
        newest, before = (run.id for run in opened.find()[:2])
    return {
        "/": "/",
        "runs": "/runs",
        "a run": f"/runs/{newest}",
        "comparison": f"/compare?a={before}&b={newest}",
        "fleet": "/fleet?days=0",
    }


def measured(
    browser: Any, serving: Serving, addresses: dict[str, str]
) -> dict[str, tuple[list[float], list[float]]]:
    """Of each page, how long it took of a server that is warm, and of one that is not."""

    def load(path: str) -> float:
        return painted(browser, serving.url + path)

    for path in addresses.values():
        load(path)
    warm = {name: [load(path) for _ in range(LOADS)] for name, path in addresses.items()}
    return {
        name: (warm[name], [begun(serving, lambda path=path: load(path)) for _ in range(STARTS)])
        for name, path in addresses.items()
    }


def begun(serving: Serving, load: Callable[[], float]) -> float:
    """As the first that is asked of a server."""
    serving.kill()
    serving.start()
    return load()


def painted(browser: Any, url: str) -> float:
    """Milliseconds, by a browser that has kept nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(url)
    found: float = page.evaluate(PAINTED)
    context.close()
    return found


if __name__ == "__main__":
    main(sys.argv[1])
