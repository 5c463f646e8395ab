"""The viewer in a real browser: its canvases show numpy's values, and it is accessible."""

import re

import numpy as np
import pytest

from conftest import missing, needs
from stend.tomo import reconstruct
from tomo_view.scans import ANGLES, CENTER, PROBLEM, shown_scan, shown_volume
from tomo_view.serving import served

QUIET = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install playwright")
    chromium = needs("chromium", "chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(params=["desktop light", "phone dark"])
def opened(request, browser):
    width, scheme = {"desktop light": (1280, "light"), "phone dark": (390, "dark")}[request.param]
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.complaints, page.requests = [], []
    page.on("console", lambda message: complain(page, message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda asked: page.requests.append(asked.url))
    with served(shown_scan()) as address:
        page.address = address
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_selector("[data-pane=sagittal][data-drawn=yes]")
        yield page
        page.close()


def complain(page, text):
    if "willReadFrequently" not in text:  # it is this test that reads canvases back
        page.complaints.append(text)


def canvas(page, pane):
    return page.locator(f"[data-pane={pane}] canvas.image")


def pointed(page, pane, part):
    """Point at a place of a picture: what is said there, and the grey that is there."""
    picture = canvas(page, pane)
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    x, y = round(box["width"] * part[0]), round(box["height"] * part[1])
    page.mouse.move(box["x"] + x, box["y"] + y)
    said = page.locator(f"[data-pane={pane}] .under").inner_text().replace("−", "-")
    script = "(one, [x, y]) => [...one.getContext('2d').getImageData(x, y, 1, 1).data]"
    return said, picture.evaluate(script, [x, y])


def settled(page, pane, expected, part=(0.45, 0.4)):
    """Wait until what is pointed at is one of these values; give it, its place and its grey."""
    for _ in range(100):
        said, colour = pointed(page, pane, part)
        found = re.match(r"x (\d+), y (\d+), z (\d+) · (\S+) 1/mm", said)
        if found:
            x, y, z = (int(found[k]) for k in (1, 2, 3))
            if np.isclose(float(found[4]), expected[z, y, x], rtol=1e-3, atol=1e-6):
                return (z, y, x), colour
        page.wait_for_timeout(30)
    raise AssertionError(f"{said!r} is not what numpy has")


def slices(algorithm="dfr"):
    return reconstruct(PROBLEM.projections(), ANGLES, algorithm=algorithm, center=CENTER, pixel=0.5)


def grey(value, low, high):
    return np.clip((value - low) / (high - low), 0, 1) * 255


def fill(page, key, value):
    """A slider's number, of the tab that is shown."""
    page.locator(f"input[type=number][data-key={key}]:visible").first.fill(str(value))


def number(page, key):
    return int(page.locator(f"input[type=number][data-key={key}]:visible").first.input_value())


def window(page, low, high):
    for name, value in (("low", low), ("high", high)):
        page.fill(f"#{name}", str(value))
        page.press(f"#{name}", "Enter")


def test_pictures_show_the_values_that_numpy_has(opened):
    fill(opened, "z", 9)
    window(opened, -0.5, 2.5)
    for algorithm in ("dfr", "fbp"):
        opened.locator("#slices [name=algorithm]").select_option(algorithm)
        expected = slices(algorithm)
        place, colour = settled(opened, "slice", expected)
        assert place[0] == 9
        assert abs(colour[0] - grey(expected[place], -0.5, 2.5)) <= 1
        assert colour[0] == colour[1] == colour[2]
    window(opened, expected[place] + 1, expected[place] + 2)
    assert pointed(opened, "slice", (0.45, 0.4))[1][0] == 0
    opened.click("#full")
    low, high = expected[9].min(), expected[9].max()
    assert abs(pointed(opened, "slice", (0.45, 0.4))[1][0] - grey(expected[place], low, high)) <= 1
    assert opened.complaints == []
    assert all(asked.startswith((opened.address, "data:")) for asked in opened.requests)


def test_the_crosshair_is_one_in_all_planes_and_keys_move_it(opened):
    picture = canvas(opened, "coronal")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    picture.click(position={"x": box["width"] * 0.3, "y": box["height"] * 0.5 + 20})
    x = number(opened, "x")
    z = number(opened, "z")
    assert 10 < x < 25
    assert z > 12
    picture.press("ArrowRight")
    picture.press("PageDown")
    assert number(opened, "x") == x + 1
    assert number(opened, "y") == 33
    assert opened.complaints == []


def test_a_dragged_line_is_a_profile_with_units(opened):
    picture = canvas(opened, "slice")
    opened.locator("label:has([value=profile])").click()
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    y = box["y"] + box["height"] / 2
    opened.mouse.move(box["x"] + box["width"] * 0.3, y)
    opened.mouse.down()
    opened.mouse.move(box["x"] + box["width"] * 0.5, y)
    opened.mouse.move(box["x"] + box["width"] * 0.7, y)
    opened.mouse.up()
    chart = opened.locator("#chart svg")
    assert {"mm", "1/mm"} <= set(chart.locator("text").all_text_contents())
    assert chart.locator("polyline").count() == 1
    said = re.search(r"from (\S+) to (\S+)$", chart.get_attribute("aria-label").replace("−", "-"))
    ends = opened.locator("#profile-said").inner_text()
    first, row, last = map(float, re.search(r"\((\S+), (\S+)\) to \((\S+),", ends).groups())
    # Values between pixels of the row, and of its neighbour where it lies between two.
    top = int(np.floor(row))
    lines = slices()[12, top : top + 2]
    line = lines[0] + (row - top) * (lines[1] - lines[0])
    x = np.linspace(first, last, int(np.ceil(last - first)) + 1)
    values = np.interp(x, np.arange(64), line)
    assert float(said[1]) == pytest.approx(values.min(), abs=0.01)
    assert float(said[2]) == pytest.approx(values.max(), abs=0.02)


def test_two_methods_stand_side_by_side_with_their_difference(opened):
    opened.click("#tab-compare")
    opened.wait_for_selector("[data-pane=difference][data-drawn=yes]")
    dfr, fbp = slices("dfr"), slices("fbp")
    settled(opened, "left", dfr)
    settled(opened, "right", fbp)
    settled(opened, "difference", fbp - dfr)
    canvas(opened, "right").focus()
    opened.keyboard.press("+")
    zoomed = [pointed(opened, name, (0.2, 0.2))[0].split(" · ")[0] for name in ("left", "right")]
    assert zoomed[0] == zoomed[1]
    assert opened.complaints == []


def test_a_method_that_cannot_be_is_said_in_the_picture(opened):
    opened.evaluate("document.querySelector('#slices [name=center]').max = 1000")
    opened.fill("#slices [name=center]", "900")
    opened.press("#slices [name=center]", "Enter")
    note = opened.locator("[data-pane=slice] .note")
    note.wait_for(state="visible")
    assert "The center 900 is not from 0 to 63" in note.inner_text()


def test_each_view_is_accessible_and_as_wide_as_the_window(opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    for name in ("slices", "compare", "projections"):
        opened.click(f"#tab-{name}")
        opened.wait_for_timeout(100)
        found = axe.Axe().run(opened).response["violations"]
        assert [v["id"] for v in found if v["impact"] in {"serious", "critical"}] == []
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_volume_has_slices_only(browser):
    with served(shown_volume()) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("[data-pane=sagittal][data-drawn=yes]")
        assert page.locator("#tab-compare").is_hidden()
        assert page.locator("#name").inner_text() == "noise"
        page.close()
