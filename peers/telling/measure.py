"""Made runs → how long telling of them takes, and how large it is; 1 if a target is missed.

    measure.py [CHROMIUM]

Each command is the median of five calls of a process of its own, from its start to its end. Opening
is the median of five fresh windows of 1280 × 900, from the request to the second frame after the
charts near the window are drawn, and after all are, as for a printer.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import generate

TIMES = 5
WINDOW = {"width": 1280, "height": 900}
DRAWN = "html[data-drawn]"
ALL = "dispatchEvent(new Event('beforeprint'))"
"""What draws the charts that nobody has scrolled to yet."""


def median(what: Callable[[], float]) -> float:
    """Of several calls that each say how long they took."""
    return statistics.median(what() for _ in range(TIMES))


def command(store: Path, *words: str) -> float:
    """Seconds that `stend WORDS` takes."""
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "stend", *words],
        env=os.environ | {"STEND_STORE": str(store)}, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return time.perf_counter() - begun


def opened(browser: Browser, page: Path, everything: bool) -> float:
    """Seconds until the charts in view, or all, are drawn and shown."""
    window = browser.new_page(viewport=WINDOW)
    begun = time.perf_counter()
    window.goto(page.as_uri())
    window.wait_for_selector(DRAWN, state="attached")
    if everything:
        window.evaluate(ALL)
    window.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    took = time.perf_counter() - begun
    window.close()
    return took


Row = tuple[str, float, float, str]
"""What was asked, what was found, what is allowed, and the unit."""
LIMITS = {200: (5, 8, 2, 4, 3), 10_000: (5, 10, 3, 6, 5)}
"""By cases: seconds to write a report, its MB, seconds to open it, wholly, and to compare two."""


def of_run(folder: Path, browser: Browser, cases: int) -> list[Row]:
    """A report and a comparison of runs of so many cases."""
    store, page = folder / f"{cases}.db", folder / "report.html"
    generate.large(store, cases)
    report = ("report", "made-a", "-o", str(page))
    written = median(lambda: command(store, *report))
    found = (
        (f"report of {cases:,} cases, 10⁶ samples, written", written, "s"),
        ("its size", page.stat().st_size / 1e6, "MB"),
        ("opened until drawn", median(lambda: opened(browser, page, False)), "s"),
        ("opened until every chart is drawn", median(lambda: opened(browser, page, True)), "s"),
        ("two such runs compared", median(lambda: command(store, "compare", "made-a", "made-b")),
         "s"),
    )  # fmt: skip
    return [
        (what, value, limit, unit)
        for (what, value, unit), limit in zip(found, LIMITS[cases], strict=True)
    ]


def rows(folder: Path, chromium: str) -> list[Row]:
    """All that is measured."""
    many = folder / "many.db"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found = [row for cases in LIMITS for row in of_run(folder, browser, cases)]
        browser.close()
    generate.many(many)
    listed = median(lambda: command(many, "runs"))
    return [*found, ("`stend runs` over 1,000 runs", listed, 0.5, "s")]


def main() -> int:
    """Print the table; 1 when something takes longer than it may."""
    chromium = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
    print("| what | found | target |\n| --- | --- | --- |")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, value, target, unit in rows(Path(folder), chromium):
            missed += value > target
            said = f"{value:.2f} {unit}"
            print(f"| {what} | {f'**{said}**' if value > target else said} | < {target} {unit} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
