"""The README's pictures: a report → its head and a chart; a server's address → its fleet's map.

    stend report last -o report.html && python docs/pictures.py report.html
    python docs/pictures.py http://127.0.0.1:8000

They are docs/report.png, fleet.png and the same with -dark, taken with Playwright and the system's
Chromium, and reduced to 256 colours.
"""

import shutil
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

DOCS = Path(__file__).parent
WIDTH, HEIGHT = 1240, 1500
"""Pixels of the window."""
MARGIN = 40
SCHEMES = {"light": "", "dark": "-dark"}


def take_report(report: str) -> None:
    """Write both pictures of a report: its summary and the roofline."""
    for page, ending in _pages(Path(report).resolve().as_uri()):
        page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        head = _head(page, "h3:has-text('be trusted')")
        chart = page.locator("figure.chart:has-text('Roofline')").first
        chart.scroll_into_view_if_needed()  # it is drawn when it comes into view
        chart.locator("svg").first.wait_for()
        page.wait_for_timeout(500)
        _save(_below(head, chart), f"report{ending}.png")


def take_fleet(server: str) -> None:
    """Write both pictures of the fleet that a server shows: who stands apart, and the map."""
    for page, ending in _pages(f"{server}/fleet"):
        page.evaluate("document.activeElement.blur()")
        head = _head(page, "#headlines")
        _save(_below(head, page.locator("#map")), f"fleet{ending}.png")


def _pages(address: str) -> Iterator[tuple[Page, str]]:
    """The page there in each scheme, and how the names of its pictures end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for scheme, ending in SCHEMES.items():
            window = {"width": WIDTH, "height": HEIGHT}
            page = browser.new_page(viewport=window, color_scheme=scheme)
            page.goto(address)
            yield page, ending
            page.close()
        browser.close()


def _head(page: Page, ends_before: str) -> Image.Image:
    """From the top of the page to what isn't shown."""
    end = page.locator(ends_before).first.bounding_box()
    taken = _image(page.screenshot())
    return taken.crop((0, 0, WIDTH, min(HEIGHT, int(end["y"]) - 20) if end else HEIGHT))


def _image(taken: bytes) -> Image.Image:
    return Image.open(BytesIO(taken)).convert("RGB")


def _below(head: Image.Image, of: Locator) -> Image.Image:
    """A part of the page below its head, on the page's ground, as far to the right as it is."""
    box = of.bounding_box()
    part = _image(of.screenshot())
    size = (WIDTH, head.height + part.height + MARGIN)
    together = Image.new("RGB", size, head.getpixel((2, head.height - 2)))
    together.paste(head, (0, 0))
    together.paste(part, (int(box["x"]) if box else 0, head.height))
    return together


def _save(picture: Image.Image, name: str) -> None:
    picture.quantize(256, Image.Quantize.MEDIANCUT).save(DOCS / name, optimize=True)


if __name__ == "__main__":
    (take_fleet if "://" in sys.argv[1] else take_report)(sys.argv[1])
