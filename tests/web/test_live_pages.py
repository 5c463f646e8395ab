"""The live view: a run that grows is followed to its end, in a browser and over the API."""

import subprocess
import sys
import time

import pytest

import made
from stend.record import Conditions, Status
from stend.store import Store
from web.served import ask

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def store(empty):
    return empty


def begun(store, **also):
    run = made.run((), finished=None, **also)
    store.begin(run)
    store.progress.tell(run.id, 0.25, "stream.triad threads=2")
    return run


def test_a_run_under_way_is_listed_with_how_far_it_is(site, store):
    run = begun(store, label="mine")
    (one,) = ask(site.url, "/api/v1/live").json["runs"]
    assert (one["id"], one["share"], one["doing"]) == (run.id, 0.25, "stream.triad threads=2")
    assert one["left"] == pytest.approx(3 * (one["seconds"] - one["silent"]), rel=0.1)
    assert "25%" in ask(site.url, "/live").text


def test_a_run_that_was_killed_is_not_under_way(site, store):
    store.begin(made.run((), finished=None, label="killed"))
    (one,) = ask(site.url, "/api/v1/live").json["runs"]
    assert one["killed"]
    text = ask(site.url, "/live").text
    assert "No run is in progress" in text
    assert "killed</a>" in text


def test_only_what_is_new_is_told(site, store):
    run = begun(store)
    number = store.append(run.id, made.case((made.sample(),)))
    first = ask(site.url, f"/api/v1/live/{run.id}").json
    again = ask(site.url, f"/api/v1/live/{run.id}?after={first['after']}").json
    store.extend(number, made.case((made.sample(), made.sample(process=1))))
    news = ask(site.url, f"/api/v1/live/{run.id}?after={first['after']}").json
    assert [len(told["lines"]) for told in (first, again, news)] == [1, 0, 1]
    assert news["lines"][0]["processes"] == 2


def test_a_run_that_ended_is_shown_as_it_ended(site, store):
    run = begun(store)
    store.finish(run.id, "2026-01-02T03:04:05Z", Conditions())
    assert ask(site.url, f"/live/{run.id}").headers["location"] == f"/runs/{run.id}"
    assert ask(site.url, "/api/v1/live").json["runs"] == []
    assert ask(site.url, f"/api/v1/live/{run.id}").status == 404


@pytest.mark.parametrize("after", ["x", "1", "-1-2", "1-2-3", "9" * 40 + "-1", "1-2'"])
def test_a_wrong_place_to_go_on_from_is_refused(site, store, after):
    run = begun(store)
    assert ask(site.url, f"/api/v1/live/{run.id}?after={after}").status == 400


def test_a_browser_follows_a_run_to_its_end(site, store, page):
    run = begun(store, label=HOSTILE)
    page.goto(f"{site.url}/live")
    page.get_by_role("link", name=HOSTILE).click()
    skipped = made.case((), status=Status.SKIPPED, reason=HOSTILE, parameters={"n": 2})
    store.append(run.id, made.case((made.sample(),)))
    store.append(run.id, skipped)
    store.progress.tell(run.id, 0.75, HOSTILE)
    page.get_by_text("75%", exact=True).wait_for()
    assert page.locator("[data-lines] tr").count() == 2
    assert page.locator("[data-doing]").inner_text() == HOSTILE
    store.finish(run.id, "2026-01-02T03:04:05Z", Conditions())
    page.wait_for_url(f"{site.url}/runs/{run.id}")


def test_a_real_run_tells_how_far_it_is(tmp_path):
    store = str(tmp_path / "real.db")
    words = [sys.executable, "-m", "stend", "run", "clock.overhead", "--seconds", "0.1"]
    words += ["--store", store]
    measuring = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = set()
    try:
        with Store.open(store) as runs:
            while measuring.poll() is None:
                under_way = runs.progress.under_way()
                told |= {(one.doing.split()[0], one.share) for one in under_way if one.doing}
                time.sleep(0.05)
            assert runs.progress.under_way() == []
    finally:
        measuring.kill()
        measuring.wait()
    assert {doing for doing, _ in told} == {"clock.overhead"}
    assert len({share for _, share in told}) > 1
