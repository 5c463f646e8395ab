"""The page of one run, and of several: the report's, in the site's frame, with what can be done."""

import sqlite3

import pytest

import made
from report.example import example
from stend.store import Store
from stend.web import verdicts
from stend.web.compute_slots import Turns
from web.served import ask, owner
from web.watched import fits, watched

FIRST, SECOND = f"{1:032x}", f"{2:032x}"
EARLY = {"started": "2026-03-01T08:00:00Z", "finished": "2026-03-01T08:05:00Z"}


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "stend.db"
    with Store.open(str(path)) as store:
        store.add(example(1, label="before", processes=2, **EARLY))
        store.add(example(2, 1.1, label="after", processes=2))
    return path


@pytest.fixture
def store(stored, tmp_path):
    copy = tmp_path / "stend.db"
    copy.write_bytes(stored.read_bytes())
    with Store.open(str(copy)) as store:
        yield store


def test_a_run_is_shown_as_its_report_shows_it(site, page):
    page.goto(f"{site.url}/runs/after")
    assert page.url == f"{site.url}/runs/{SECOND}"
    assert page.get_by_role("heading", level=1).inner_text() == "after"
    assert page.get_by_role("heading", name="Summary").is_visible()
    page.locator("[data-chart]").first.scroll_into_view_if_needed()
    page.locator("[data-chart] .main-svg").first.wait_for()
    assert fits(page)


def test_a_case_leads_to_its_history(browser, site):
    with watched(browser, f"{site.url}/runs/{SECOND}") as page:
        page.locator(".family > summary").first.click()
        page.locator("[data-case]:visible").first.click()
        link = page.get_by_role("link", name="Its history on this machine")
        link.wait_for()
        name = page.locator("#distribution-title").inner_text()
        link.click()
        page.wait_for_url("**/history?metric=*")
        assert page.locator("figcaption", has_text=name).count() == 1


def test_the_run_before_it_of_its_machine_is_set_beside_it(browser, site):
    with watched(browser, f"{site.url}/runs/{SECOND}") as page:
        link = page.get_by_role("link", name="Compare with the one before")
        assert link.get_attribute("href") == f"/compare?a={FIRST}&b={SECOND}"


def test_a_new_label_is_on_the_page_at_once(browser, site):
    with watched(browser, site.address) as page:
        page.goto(f"{site.url}/runs/{FIRST}")
        page.locator("summary", has_text="Label").click()
        page.get_by_label("New label of this run").fill("first of all")
        page.keyboard.press("Enter")
        page.locator("h1", has_text="first of all").wait_for()
        assert page.url == f"{site.url}/runs/{FIRST}"


def test_a_run_that_is_deleted_leads_to_the_list_where_it_can_be_put_back(browser, site, store):
    with watched(browser, site.address) as page:
        page.goto(f"{site.url}/runs/{FIRST}")
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("button", name="Undo").click()
        page.locator(".name", has_text="before").wait_for()
    assert len(store.find()) == 2


@pytest.mark.parametrize("path", [f"/runs/{FIRST}", f"/api/v1/runs/{FIRST}/figures"])
def test_what_is_made_of_a_run_is_made_once_and_waits_for_no_turn_then(site, monkeypatch, path):
    first = ask(site.url, path)
    monkeypatch.setattr(Turns, "taken", None)
    monkeypatch.setattr(Store, "load", None)
    assert (first.status, ask(site.url, path).text) == (200, first.text)


def test_who_looks_is_not_kept_with_the_page(site):
    mine = ask(site.url, f"/runs/{FIRST}", cookie=owner(site)).text
    others = ask(site.url, f"/runs/{FIRST}").text
    assert "Delete" in mine
    assert "Delete" not in others
    assert verdicts._WHO not in mine + others


def test_a_run_under_way_is_made_anew_each_time(site, store, monkeypatch):
    store.begin(made.run(id=f"{3:032x}", finished=None))
    assert "Follow it" in ask(site.url, f"/runs/{3:032x}").text
    monkeypatch.setattr("stend.web.pages.run.page", lambda runs, frame: "anew")
    assert ask(site.url, f"/runs/{3:032x}").text == "anew"


def test_a_damaged_run_is_told_and_can_be_deleted(store, site, tmp_path):
    with sqlite3.connect(tmp_path / "stend.db") as file:
        file.execute("UPDATE stend_runs SET record = '{' WHERE id = ?", (FIRST,))
    answer = ask(site.url, f"/runs/{FIRST}")
    assert answer.status == 503
    assert "is damaged" in answer.text
    assert ask(site.url, f"/runs/{SECOND}").status == 200


def test_a_published_run_has_a_page_like_any_other(browser, site):
    with watched(browser, f"{site.url}/runs/published:elbrus-16c") as page:
        assert page.get_by_role("heading", name="Published figures").is_visible()


def test_several_runs_are_on_one_page_with_their_comparison(browser, site):
    with watched(browser, f"{site.url}/report?run=before&run=after") as page:
        page.wait_for_selector("html[data-drawn]")
        assert page.locator("section").count() > 4


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/runs/nothing", 404),
        ("/runs/published:nothing", 404),
        ("/report", 400),
        ("/report?" + "&".join(f"run={i}" for i in range(9)), 400),
        ("/report?run=nothing", 404),
        ("/runs/..%2f..%2fetc%2fpasswd", 404),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(site, path, status):
    assert ask(site.url, path).status == status
