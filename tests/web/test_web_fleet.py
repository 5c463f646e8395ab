"""Machines, a fleet, history and changes in the browser: each page, each flow, odd names."""

import csv
import io
import re
from itertools import pairwise
from urllib.parse import quote

import msgspec
import pytest

from made import case, machine, run
from stend.store import Store
from stend.web import addresses
from web import fleets
from web.served import ask, served
from web.watched import WINDOWS, fits, watched

HOSTILE = (
    "a/b?c=d&e%2f#g",
    "..",
    ".",
    "",
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "two words",
    "ночь",
    "'; DROP TABLE stend_runs; --",
    "%",
)


@pytest.fixture(scope="module")
def site(shared):
    """Nine machines on twelve days."""
    for one in fleets.fleet(9, 12, 8, update=6):
        shared.add(one)
    with served(shared) as running:
        yield running


def test_machines_are_listed_and_lead_to_one(site, page):
    page.goto(f"{site.url}/machines")
    assert page.locator("table.machines tbody tr").count() == 9
    assert fits(page)
    page.get_by_role("link", name="node003", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "node003"
    assert fleets.NEW in page.locator("#changed").inner_text()
    assert page.locator(".sparks svg circle").count() == 4 * 12
    assert page.locator(".sparks .mark.slower").count() == 1
    assert fits(page)


def test_a_machines_figure_leads_to_its_history(site, page):
    page.goto(f"{site.url}/machines/node003")
    page.locator(".sparks a", has_text="mpi").click()
    assert "node003" in page.locator(".headline").inner_text()
    assert page.locator("#changes .verdict").first.inner_text().endswith("slower")
    assert "kernel" in page.locator("#changes").inner_text()
    page.wait_for_selector("html[data-drawn=yes]")
    assert fits(page)


def test_the_table_of_machines_is_sorted_by_its_heads(site, page):
    page.goto(f"{site.url}/machines")
    head = page.get_by_role("button", name="State")
    head.click()
    first = page.locator("table.machines tbody th").first
    assert first.inner_text() == "node005"
    head.click()
    assert first.inner_text() != "node005"
    assert page.locator("th[aria-sort=descending]").count() == 1


def test_a_fleet_names_who_stands_apart_and_shows_the_map(site, page):
    page.goto(f"{site.url}/fleet?days=0")
    said = page.locator("#apart").inner_text()
    assert "node007" in said
    assert "worse in" in said
    figures = page.locator("#headlines")
    heads = figures.locator("thead th:visible").count()
    assert figures.locator("tbody tr").first.locator("> :visible").count() == heads > 2
    assert page.locator(".heat tbody tr").count() == 9
    assert fits(page)
    page.locator(".heat thead a", has_text="stream").click()
    sick = page.locator(".heat tbody tr", has_text="node007").locator("td").first
    sick.click()
    telling = page.locator(".telling")
    assert "node007 · stream." in telling.inner_text()
    assert "GB/s" in telling.inner_text()
    assert telling.get_by_role("link").get_attribute("href").startswith("/runs/")
    assert fits(page)


@pytest.fixture
def partly(empty):
    """Three machines, of which the first measured storage alone of late."""
    nightly = list(fleets.fleet(3, 2, 4))
    for one in nightly:
        empty.add(one)
    storage = msgspec.structs.replace(nightly[0].cases[0], benchmark="storage.randread")
    empty.add(
        msgspec.structs.replace(
            nightly[0], id="e" * 32, started="2026-11-09T00:00:00Z", cases=(storage,)
        )
    )
    with served(empty) as running:
        yield running, nightly[3].id


def test_a_figure_that_the_newest_run_lacks_tells_which_run_it_is_of(partly, browser):
    site, before = partly
    with watched(browser, site.address) as page:
        page.goto(f"{site.url}/fleet?days=0")
        row = page.locator("#headlines tbody tr").first
        dated = row.get_by_role("link", name="of 2026-11-02 02:01")
        assert dated.count() == 4
        assert dated.first.get_attribute("href") == f"/runs/{before}"
        assert row.locator("td").last.inner_text().endswith("2026-11-09 00:00")
        page.goto(f"{site.url}/fleet?days=0&of=stream")
        page.locator(".heat td").first.click()
        assert page.locator(".telling a").get_attribute("href") == f"/runs/{before}"
    figures = csv.DictReader(io.StringIO(ask(site.url, "/fleet.csv?days=0").text))
    runs = {
        row["case"].partition(" ")[0]: row["run"] for row in figures if row["machine"] == "node001"
    }
    assert (runs["stream.triad"], runs["storage.randread"]) == (before, "e" * 32)
    told = ask(site.url, "/api/v1/fleet?days=0").json
    assert told["earlier"][before]["started"].startswith("2026-11-02")


def test_the_map_is_walked_with_the_arrow_keys(site, page):
    page.goto(f"{site.url}/fleet?days=0&of=stream")
    page.locator(".heat td").first.click()
    page.get_by_role("group", name="Map of figures").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".telling").inner_text().startswith("node002 ·")


def test_two_days_tell_the_kernel_and_verdicts_come_when_asked(site, page):
    page.goto(f"{site.url}/changes?from=2026-11-05&to=2026-11-12")
    assert f"3 machines: kernel {fleets.OLD} → {fleets.NEW}" in page.locator("#common").inner_text()
    assert fits(page)
    page.get_by_role("button", name="Judge these machines").click()
    page.get_by_text("Done.", exact=True).wait_for()  # a comparison a machine
    first = page.locator(".steps tbody tr").first
    assert first.locator(".verdict.slower").count() == 1


def test_a_form_asks_for_other_days(site, page):
    page.goto(f"{site.url}/changes?from=2026-11-05&to=2026-11-12")
    page.get_by_label("To the end of").fill("2026-11-06")
    page.get_by_role("button", name="Show").click()
    assert "stayed as they were" in page.locator("#common").inner_text()


def test_history_begins_with_what_was_measured(site, page):
    page.goto(f"{site.url}/history")
    page.get_by_role("link", name="stream.triad").click()
    assert page.get_by_role("heading", level=1).inner_text() == "stream.triad"
    page.get_by_label("Machine").select_option("node004")
    page.get_by_role("button", name="Show").click()
    assert "12 runs of node004" in page.locator(".headline").inner_text()


@pytest.mark.parametrize("window", WINDOWS)
def test_the_history_of_one_run_has_whole_minutes_that_do_not_overlap(empty, browser, window):
    empty.add(run(started="2026-11-20T22:32:36.9995Z", machine=machine(host="one")))
    path = "/history?metric=stream.triad&host=one"
    with served(empty) as site, watched(browser, site.address, window) as page:
        page.goto(site.url + path)
        ticks = page.locator("[data-chart] .xtick text")
        ticks.first.wait_for()
        said = [one.text_content() for one in ticks.all()]
        assert said[0].startswith("22:30Nov 20")
        assert all(len(one) == len("22:30") for one in said[1:])
        ends = [(box["x"], box["x"] + box["width"]) for one in ticks.all()
                if (box := one.bounding_box())]  # fmt: skip
        assert all(a[1] < b[0] for a, b in pairwise(sorted(ends)))


@pytest.mark.parametrize("path", ["/machines", "/fleet", "/history", "/changes"])
def test_an_empty_store_is_told_in_a_sentence(empty, path):
    with served(empty) as site:
        answer = ask(site.url, path)
    assert answer.status == 200
    assert re.search(r"No (finished )?run|No machine", answer.text)


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/fleet?days=-1", 400, "days"),
        ("/fleet?size=huge", 400, "size"),
        ("/changes?from=yesterday", 400, "from"),
        ("/changes?from=2026-11-05&to=2026-11-05", 400, "is not before"),
        ("/changes?from=0001-01-01&to=9999-12-31", 400, "9999"),
        ("/changes?to=0001-01-02", 400, "0001"),
        ("/history?metric=nothing", 404, "No stored run has the benchmark"),
        ("/history?metric=stream.triad&host=nobody", 404, "nobody"),
        ("/history?metric=stream.triad&limit=0", 400, "limit"),
        ("/machines/nobody", 404, "No machine of this name"),
        ("/machine", 404, "No machine of this name"),
        ("/fleet?of=nothing&days=0", 200, "No machine has a figure of nothing"),
        (f"/fleet?label={quote(chr(0) + chr(27))}", 200, "no machine to show"),
        (f"/machine?host={quote(HOSTILE[8])}", 404, "No machine of this name"),
    ],
)
def test_what_makes_no_sense_is_answered_in_a_sentence(site, path, status, said):
    answer = ask(site.url, path)
    assert answer.status == status, answer.text
    assert said in answer.text


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A machine for each odd name, and one that told none."""
    with Store.open(str(tmp_path_factory.mktemp("odd") / "stend.db")) as store:
        for i, host in enumerate((*HOSTILE, None)):
            name = "<b>x</b>" if i % 2 else "a.b"
            cases = (case(benchmark=name, variant="<i>v</i>", parameters={"<u>": "]*?[ '"}),)
            about = machine(host=host, cpu_model=f"<img src=x>{i}", kernel="<s>k</s>")
            store.begin(run(id=f"{i + 1:02x}" * 16, machine=about, label=f"<p>{i}", cases=cases))
            later = {"id": f"{i + 99:02x}" * 16, "started": "2026-11-22T10:00:00Z"}
            store.begin(run(machine=about, cases=cases, finished="2026-11-22T11:00:00Z", **later))
        with served(store) as running:
            yield running


@pytest.mark.parametrize("host", [*HOSTILE, None])
def test_a_machine_of_an_odd_name_has_a_page(odd, host, browser):
    answer = ask(odd.url, addresses.of_machine(host))
    assert answer.status == 200
    assert "<img src=x>" not in answer.text
    with watched(browser, odd.url + addresses.of_machine(host)) as page:
        assert page.get_by_role("heading", level=1).inner_text() == (addresses.name_of(host))
        with page.expect_navigation():
            page.locator(".sparks a").first.click()
        assert "2 runs of" in page.locator(".headline").inner_text()


@pytest.mark.parametrize(
    "path",
    [
        "/machines",
        "/fleet?days=0",
        "/fleet?days=0&of=a.b",
        "/changes?from=2026-11-21&to=2026-11-22",
    ],
)
def test_odd_names_are_no_markup(odd, browser, path):
    with watched(browser, odd.url + path) as page:
        assert page.locator("img, b > x, main i, main u, main s").count() == 0
        for host in ("<script>alert(1)</script>", "two words", ".."):
            page.get_by_role("link", name=host, exact=True).first.wait_for(state="attached")


def test_the_figures_come_as_csv_that_no_spreadsheet_computes(empty):
    empty.add(run(machine=machine(host="=1+1")))
    with served(empty) as site:
        answer = ask(site.url, "/fleet.csv?days=0")
    head, row = csv.reader(io.StringIO(answer.text))
    told = dict(zip(head, row, strict=True))
    assert (told["machine"], told["unit"]) == ("'=1+1", "B/s")
    assert float(told["value"]) == pytest.approx(24e6)


def test_the_api_gives_machines_a_fleet_and_changes(site):
    machines = ask(site.url, "/api/v1/machines").json["machines"]
    assert [one["host"] for one in machines] == [fleets.name(i) for i in range(1, 10)]
    told = ask(site.url, "/api/v1/machines/node003").json
    assert (told["machine"]["kernel"], len(told["changes"])) == (fleets.NEW, 1)
    fleet = ask(site.url, "/api/v1/fleet?days=0").json
    assert len(fleet["machines"]) == 9
    assert len(fleet["said"]) == len(fleet["fleet"]["apart"]) > 0
    changed = ask(site.url, "/api/v1/changes?from=2026-11-05&to=2026-11-12").json
    assert changed["common"][0]["hosts"] == ["node003", "node006", "node009"]
    step = changed["steps"][2]
    judged = ask(site.url, f"/api/v1/changes/{step['before']}/{step['after']}").json
    assert judged["counts"]["slower"] == 2
    assert {one["name"].partition(" ")[0] for one in judged["largest"]} == {"mpi.pingpong"}


def test_the_api_refuses_in_sentences(site):
    for path, status in (
        ("/api/v1/machines/nobody", 404),
        ("/api/v1/changes", 400),
        ("/api/v1/changes?from=2026-11-05&to=2026-11-04", 400),
        (f"/api/v1/changes/{'e' * 32}/{'f' * 32}", 404),
        ("/api/v1/fleet?days=x", 400),
    ):
        answer = ask(site.url, path)
        assert (answer.status, answer.json["status"]) == (status, status), path
        assert msgspec.json.decode(answer.body)["detail"]
