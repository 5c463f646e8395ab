"""A report → docs/report.png and docs/report-dark.png, the README's picture: its head and a chart.

    stend report last -o report.html && python docs/pictures.py report.html

Taken with Playwright and the system's Chromium, and reduced to 256 colours.
"""

import shutil
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).parent
WIDTH, HEIGHT = 1240, 1500
"""Pixels of the window."""
MARGIN = 40
ENDS_BEFORE = "h3:has-text('be trusted')"
"""Where the summary says enough for a picture."""
CHART = "figure.chart:has-text('Roofline')"
SCHEMES = {"light": "report.png", "dark": "report-dark.png"}


def take(report: Path) -> None:
    """Write both pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for scheme, name in SCHEMES.items():
            window = {"width": WIDTH, "height": HEIGHT}
            page = browser.new_page(viewport=window, color_scheme=scheme)
            page.goto(report.resolve().as_uri())
            page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
            _below(_head(page), *_chart(page)).save(DOCS / name, optimize=True)
            page.close()
        browser.close()


def _head(page: Page) -> Image.Image:
    """From the top of the page to what isn't shown."""
    end = page.locator(ENDS_BEFORE).first.bounding_box()
    taken = _image(page.screenshot())
    return taken.crop((0, 0, WIDTH, min(HEIGHT, int(end["y"]) - 20) if end else HEIGHT))


def _chart(page: Page) -> tuple[Image.Image, int]:
    """Drawn when it comes into view, which takes a moment; and how far to the right it is."""
    chart = page.locator(CHART).first
    chart.scroll_into_view_if_needed()
    chart.locator("svg").first.wait_for()
    page.wait_for_timeout(500)
    box = chart.bounding_box()
    return _image(chart.screenshot()), int(box["x"]) if box else 0


def _image(taken: bytes) -> Image.Image:
    return Image.open(BytesIO(taken)).convert("RGB")


def _below(head: Image.Image, chart: Image.Image, left: int) -> Image.Image:
    """The chart below the head, on the page's own ground."""
    size = (WIDTH, head.height + chart.height + MARGIN)
    together = Image.new("RGB", size, head.getpixel((2, head.height - 2)))
    together.paste(head, (0, 0))
    together.paste(chart, (left, head.height))
    return together.quantize(256, Image.Quantize.MEDIANCUT)


if __name__ == "__main__":
    take(Path(sys.argv[1]))
