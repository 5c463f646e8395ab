"""The viewer in a real browser: its canvases show numpy's values, and it is accessible."""

import re
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

from stend_tomo import StoredVolume, reconstruct
from stend_tomo.phantoms.faults import Images
from stend_tomo.phantoms.problems import circle
from stend_tomo.preparation import remove_stripes
from stend_tomo.view import Server, ShownVolume
from stend_tomo.view.server import redirect_to
from view_scans import ANGLES, CENTER, COLUMNS, PROBLEM, shown_scan, shown_volume, volume
from view_serving import served


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
    lines = page.locator(f"[data-pane={pane}] output:is(.under, .value)").all_inner_texts()
    said = " · ".join(reversed(lines)).replace("−", "-")
    script = "(one, [x, y]) => [...one.getContext('2d').getImageData(x, y, 1, 1).data]"
    return said, picture.evaluate(script, [x, y])


def settled(page, pane, expected, part=(0.45, 0.4)):
    """Wait until what is pointed at is one of these values; give it, its place and its grey."""
    for _ in range(100):
        said, colour = pointed(page, pane, part)
        at = {axis: int(place) for axis, place in re.findall(r"\b([xyz]) (\d+)", said)}
        found = re.search(r" mm · (\S+) 1/mm", said)
        if found:
            place = at["z"], at["y"], at["x"]
            if np.isclose(float(found[1]), expected[place], rtol=1e-3, atol=1e-6):
                return place, colour
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


def test_a_profile_is_shown_where_it_was_drawn(opened):
    canvas(opened, "slice").press("p")
    assert opened.locator("#profile-said").inner_text().startswith("Slice (x, y), from")
    opened.click("#tab-projections")
    assert opened.locator("#profile-said").inner_text().startswith("Choose Profile")
    assert opened.locator("#chart svg").count() == 0
    opened.click("#tab-slices")
    assert opened.locator("#chart polyline").count() == 1


def test_an_end_of_the_window_that_is_passed_goes_along(opened):
    window(opened, 1, 3)
    opened.fill("#low", "4.5")
    opened.press("#low", "Enter")
    assert limits(opened) == [4.5, 6.5]
    opened.fill("#high", "-1")
    opened.press("#high", "Enter")
    assert limits(opened) == [-3, -1]


def test_the_tab_is_the_same_after_a_reload(opened):
    opened.click("#tab-projections")
    opened.reload()
    opened.wait_for_selector("html[data-ready]")
    assert opened.locator("#tab-projections").get_attribute("aria-selected") == "true"
    pointed(opened, "sinogram", (0.5, 0.5))
    said = opened.locator("[data-pane=sinogram] .under", has_text="°")
    told = re.search(r"projection (\d+), row 12 · (\S+)°", said.inner_text())
    assert float(told[2]) == 2 * int(told[1])


def test_two_methods_stand_side_by_side_with_their_difference(opened):
    opened.click("#tab-compare")
    opened.wait_for_selector("[data-pane=difference][data-drawn=yes]")
    dfr, fbp = slices("dfr"), slices("fbp")
    settled(opened, "left", dfr)
    settled(opened, "right", fbp)
    settled(opened, "difference", fbp - dfr)
    off = (fbp - dfr)[12][circle(COLUMNS, 0)].astype(float)
    expected = f"RMS {np.sqrt(np.mean(off**2)):.3g} 1/mm inside the circle"
    assert opened.locator("#rms").inner_text() == expected
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
    assert "The center 900 is not from -45 to 108" in note.inner_text()


def test_each_view_is_accessible_and_as_wide_as_the_window(opened, axe):
    for name in ("slices", "compare", "projections"):
        opened.click(f"#tab-{name}")
        opened.wait_for_timeout(100)
        found = axe.run(opened).response["violations"]
        assert [v["id"] for v in found if v["impact"] in {"serious", "critical"}] == []
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


@contextmanager
def page_of(browser, shown, late="", **settings):
    """One page; complaints of its scripts are an error. One kind of plane can come late."""
    with served(shown) as address, redirect_to(address) as leading:
        page = browser.new_page(**settings)
        page.complaints, page.address = [], address
        page.on("console", lambda message: complain(page, message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        if late:
            page.route(f"**/{late}/**", lambda asked: (time.sleep(0.4), asked.continue_()))
        page.goto(leading)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_selector("[data-pane=sagittal][data-drawn=yes]")
        yield page
        page.close()
        assert page.complaints == []


def held(values, **more):
    return ShownVolume(StoredVolume(Images(values), unit="1/mm", pixel=0.1, **more), "held")


def test_a_volume_has_slices_only(browser):
    with page_of(browser, shown_volume()) as page:
        assert page.url == page.address, "the file for the browser leads here"
        assert page.locator("#tab-compare").is_hidden()
        assert page.locator("#name").inner_text() == "noise"


def test_the_axis_is_chosen_by_eye_and_told_as_a_command(browser):
    with page_of(browser, shown_scan()) as page:
        page.click("button[aria-label='Axis to the right']:visible")
        page.locator("#slices [name=center]").press("ArrowUp")
        page.locator("button[aria-label='Wider stripes']:visible").click()
        clean = remove_stripes(PROBLEM.projections(), 3)
        expected = reconstruct(clean, ANGLES, center=CENTER + 0.5, pixel=0.5)
        settled(page, "slice", expected)
        settled(page, "coronal", expected)  # what takes long, after a while
        page.locator(".show:visible").click()
        told = page.locator("#slices code").inner_text()
        assert told.startswith("stend-tomo reconstruct ")
        assert told.endswith("--algorithm dfr --center 30.5 --stripes 3")
        page.click("#tab-compare")
        assert page.locator("#compare [name=center]").first.input_value() == "30.5"
        headings = page.locator("#compare h2").all_inner_texts()
        assert headings[:2] == [
            "A: dfr, ram-lak, axis 30.5, stripes 3",
            "B: fbp, ram-lak, axis 30, stripes off",
        ]


def limits(page):
    return [float(page.input_value(f"#{name}") or "nan") for name in ("low", "high")]


def test_the_window_is_the_slices_and_its_ends_are_dragged_on_the_histogram(browser):
    inside = slices()[12][circle(COLUMNS, 0)]
    usual = np.quantile(inside, [0.01, 0.99])
    with page_of(browser, shown_scan(), late="slice") as page:
        page.wait_for_selector("[data-pane=slice][data-drawn=yes]")
        assert np.allclose(limits(page), usual, atol=0.01)
        black, bars = page.locator(".end").first, page.locator("#levels")
        end, box = black.bounding_box(), bars.bounding_box()
        x, y = end["x"] + end["width"] / 2, end["y"] + 20
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + box["width"] / 4, y)
        page.mouse.up()
        low, high = limits(page)
        assert low > usual[0] + 0.1
        assert high == pytest.approx(usual[1], abs=0.01)
        page.locator(".end").nth(1).press("ArrowLeft")
        assert limits(page)[1] < high
        page.locator("h1").click()
        page.keyboard.press("r")
        assert np.allclose(limits(page), usual, atol=0.01)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Shift+ArrowUp")
        assert number(page, "z") == 12 + 1 - 10
        settled(page, "slice", slices())


def test_two_fingers_zoom(browser):
    with page_of(browser, shown_volume(), has_touch=True) as page:
        box = canvas(page, "slice").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = page.context.new_cdp_session(page)

        def fingers(kind, *apart):
            points = [{"x": x + side * far, "y": y, "id": k} for far in apart
                      for k, side in enumerate((-1, 1))]  # fmt: skip
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        before = pointed(page, "slice", (0.1, 0.5))[0]
        fingers("touchStart", 30)
        fingers("touchMove", 60)
        fingers("touchMove", 120)
        fingers("touchEnd")
        after = pointed(page, "slice", (0.1, 0.5))[0]
        assert int(re.search(r"x (\d+)", after)[1]) > int(re.search(r"x (\d+)", before)[1])


def test_slices_far_apart_are_shown_so(browser):
    shown = held(volume())
    object.__setattr__(shown._volume, "spacing", 0.4)
    with page_of(browser, shown) as page:
        said = pointed(page, "coronal", (0.5, 0.5))[0]
        assert said.startswith("x 4, z 2, y 3 · 0, 0.8, 0 mm")
        # Nine pixels of 0.1 mm across, five of 0.4 mm down: a square holds its height first.
        box = canvas(page, "coronal").bounding_box()
        assert "z 4" in pointed(page, "coronal", (0.5, 0.97))[0]
        edge = 0.5 - 0.45 * (0.9 / 2.0) * box["height"] / box["width"]
        assert "x 0" in pointed(page, "coronal", (edge + 0.01, 0.5))[0]
        canvas(page, "coronal").press("Shift+P")
        ticks = page.locator("#chart text").all_text_contents()
        assert "mm" in ticks
        assert "1.6" in ticks, "four distances of slices"


def test_odd_slices_are_shown(browser):
    odd = np.where(np.eye(5) > 0, [np.nan, np.inf, 3, -np.inf, 2], 1)
    values = np.stack([np.full((5, 5), 7.5), np.full((5, 5), np.nan), odd]).astype(np.float32)
    with page_of(browser, held(values)) as page:
        for z, said, grey in ((1, "NaN", False), (0, "7.5", True), (2, "3", True)):
            fill(page, "z", z)
            pointed(page, "slice", (0.5, 0.5))
            value = page.locator("[data-pane=slice] .value", has_text=re.compile(f"^{said} 1/mm$"))
            value.wait_for()
            low, high = limits(page)
            assert (low <= float(said) <= high) == grey, "the window is none of one value for long"
            for button in ("#full", "#most", "#fit", "#reset"):
                page.click(button)
            canvas(page, "slice").press("p")
            colour = pointed(page, "slice", (0.5, 0.5))[1]
            assert (colour[1] == colour[2]) == grey, "no number is no grey"
    with page_of(browser, held(np.ones((1, 1, 1), np.float32))) as page:
        canvas(page, "sagittal").press("p")
        assert pointed(page, "slice", (0.5, 0.5))[0] == "x 0, y 0, z 0 · 0, 0, 0 mm · 1 1/mm"


def test_a_server_that_ended_and_a_file_that_changed_are_told(browser, tmp_path):
    path = tmp_path / "v.npy"
    np.save(path, volume())
    server = Server(shown_volume(), file=path)
    thread = threading.Thread(target=server.run)
    thread.start()
    page = browser.new_page()
    page.clock.install()
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]")
    path.unlink()
    state = page.locator("#state")
    page.clock.run_for(3500)
    state.wait_for(state="visible")
    assert state.inner_text().startswith("v.npy was removed")
    canvas(page, "slice").press("PageDown")
    note = page.locator("[data-pane=slice] .note")
    note.wait_for(state="visible")
    assert note.inner_text().startswith("v.npy was removed")
    server.stop()
    thread.join()
    page.clock.run_for(3500)
    state.filter(has_text="not answer").wait_for()
    page.close()
