"""The list of runs: found, narrowed, paged, labelled, removed and put back, picked."""

from datetime import UTC, datetime, timedelta

import pytest

import made
from stend.record import Status
from stend.web.pages import runs as listed
from web.served import ask, owner, served
from web.watched import WINDOWS, fits, watched

BEGUN = datetime(2026, 3, 2, 8, tzinfo=UTC)


def _time(hours):
    return (BEGUN + timedelta(hours=hours)).isoformat()


def _run(i, **also):
    fields = {
        "id": f"{i:032x}",
        "label": f"run-{i}",
        "started": _time(i),
        "finished": _time(i + 0.1),
        "command": ("stend", "run", "stream"),
    }
    return made.run(**(fields | also))


@pytest.fixture
def store(empty):
    wrong = made.case(status=Status.WRONG, reason="The sum differs.")
    empty.add(_run(1, label="before"))
    empty.add(_run(2, label="after", machine=made.machine(host="other")))
    empty.add(_run(3, label="", size="full"))
    empty.add(_run(4, label="broken", cases=(wrong,)))
    return empty


def _names(page):
    return page.locator(".runs .name").all_inner_texts()


def test_runs_are_listed_newest_first_with_what_went_wrong(page):
    assert _names(page) == ["broken", "00000000", "after", "before"]
    assert "1 wrong" in page.locator(".runs tr", has_text="broken").inner_text()


def test_the_list_fits_its_window(page):
    assert fits(page)


LONG = "h" * 250
"""A host's name; what `uname` gives has 64 characters at most, but a run file may say more."""


@pytest.fixture
def named_long(empty):
    for i, host in enumerate([LONG, "nas", "other"]):
        empty.add(_run(i, machine=made.machine(host=host)))
    with served(empty) as site:
        yield site


@pytest.mark.parametrize("window", WINDOWS)
def test_a_long_name_of_a_machine_leaves_room_for_all_else(named_long, browser, window):
    with watched(browser, named_long.address, window) as page:
        for path, table in (
            ("/runs", ".runs"), ("/machines", ".sortable"), ("/fleet?days=0", "#headlines table"),
            ("/fleet?days=0", ".heat"), (f"/history?metric=stream.triad&host={LONG}", "table"),
            (f"/runs/{0:032x}", "table"), (f"/machines/{LONG}", "table"),
        ):  # fmt: skip
            page.goto(named_long.url + path)
            assert fits(page), path
            named = page.locator(f"{table} tbody a", has_text=LONG)
            for one in named.all():
                cell = one.locator("xpath=ancestor::*[self::td or self::th][1]")
                assert cell.bounding_box()["width"] < 0.93 * page.viewport_size["width"], path
                assert one.get_attribute("title") == LONG, path
        page.goto(f"{named_long.url}/runs")
        assert page.locator(".runs [title='" + LONG + "']").count() == 1
        for column in page.locator(".runs tbody tr").last.locator("> :visible").all():
            right = column.bounding_box()
            assert right["x"] + right["width"] <= page.viewport_size["width"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("search=bef", ["before"]),
        ("host=other", ["after"]),
        ("label=before", ["before"]),
        ("benchmark=stream&size=full", ["00000000"]),
        ("trouble=any", ["broken"]),
        ("trouble=crashed", []),
        ("since=2026-03-02&until=2026-03-02", ["broken", "00000000", "after", "before"]),
        ("until=2026-03-01", []),
        ("search=%25", []),
        ("search=' or 1=1 --", []),
    ],
)
def test_an_address_narrows_the_list_without_scripts(browser, site, query, names):
    with watched(browser, f"{site.url}/runs?{query}", javascript=False) as page:
        assert _names(page) == names


@pytest.mark.parametrize("query", ["since=yesterday", "trouble=nothing", "after=x"])
def test_a_wrong_field_is_answered_in_a_sentence(site, query):
    answer = ask(site.url, f"/runs?{query}")
    assert answer.status == 400
    assert "Bad Request" in answer.text


def test_what_is_chosen_narrows_the_list_in_its_place_and_can_be_gone_back_from(browser, site):
    with watched(browser, site.address) as page:
        page.get_by_label("Machine").select_option("other")
        page.wait_for_url("**/runs?host=other")
        assert _names(page) == ["after"]
        page.go_back()
        page.locator(".name", has_text="before").wait_for()
        assert len(_names(page)) == 4


def test_pages_follow_each_other_and_what_was_picked_stays(browser, store, site, monkeypatch):
    monkeypatch.setattr(listed, "AT_ONCE", 2)
    with watched(browser, site.address) as page:
        page.get_by_label("Pick broken").check()
        page.get_by_role("link", name="Older").click()
        page.wait_for_url("**/runs?after=*")
        assert _names(page) == ["after", "before"]
        page.get_by_label("Pick before").check()
        assert page.locator(".picked li").all_inner_texts() == ["A\nbroken\n×", "B\nbefore\n×"]
        page.get_by_role("link", name="Newest").click()
        page.locator(".name", has_text="broken").wait_for()
        assert page.get_by_role("checkbox", name="Pick broken").is_checked()


def test_one_steps_back_to_newer_runs_of_the_same_kind(browser, site, monkeypatch):
    monkeypatch.setattr(listed, "AT_ONCE", 1)
    with watched(browser, f"{site.url}/runs?size=quick", javascript=False) as page:
        seen = [_names(page)]
        for step in ("Older", "Older", "Newer", "Newer"):
            page.get_by_role("link", name=step, exact=True).click()
            seen.append(_names(page))
        assert seen == [["broken"], ["after"], ["before"], ["after"], ["broken"]]
        assert page.get_by_role("link", name="Newer", exact=True).count() == 0


def test_runs_of_machines_that_told_no_name_are_listed_together(browser, store, site):
    store.add(_run(5, label="nameless", machine=made.machine(host=None)))
    with watched(browser, f"{site.url}/machines") as page:
        page.locator("tr", has_text="unknown machine").get_by_role("link", name="1").click()
        assert _names(page) == ["nameless"]
        assert page.get_by_label("Machine").input_value() == "unknown"


def test_a_label_is_changed_in_its_place(page, store):
    row = page.locator(".runs tr", has_text="before")
    row.locator("summary").click()
    row.get_by_role("textbox").fill("  later ")
    page.keyboard.press("Enter")
    page.locator(".name", has_text="later").wait_for()
    assert store.load(f"{1:032x}").label == "later"


def test_a_label_that_means_something_else_is_refused_and_the_page_stays(page, store):
    row = page.locator(".runs tr", has_text="before")
    row.locator("summary").click()
    row.get_by_role("textbox").fill("last~1")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    assert "last~1" in page.get_by_role("alert").inner_text()
    assert store.load(f"{1:032x}").label == "before"
    page.complaints.clear()  # the browser tells of the status


def test_a_run_is_deleted_and_the_deletion_undone(page, store):
    page.get_by_role("button", name="Delete broken").click()
    page.get_by_role("button", name="Undo").wait_for()
    assert "broken" not in _names(page)
    assert "removed" not in page.url
    page.get_by_role("button", name="Undo").click()
    page.locator(".name", has_text="broken").wait_for()
    assert len(store.find()) == 4


def test_everything_works_without_scripts(browser, store, site):
    with watched(browser, site.address, javascript=False) as page:
        page.get_by_role("button", name="Delete broken").click()
        assert "broken" not in _names(page)
        page.get_by_role("link", name="Removed runs").click()
        page.get_by_role("button", name="Put back broken").click()
        page.goto(f"{site.url}/runs?size=quick")
        page.locator(".runs tr", has_text="before").locator("summary").click()
        page.get_by_label("New label of before").fill("later")
        with page.expect_navigation():  # to where it is already
            page.get_by_role("button", name="Save").locator("visible=true").click()
        assert page.url.endswith("/runs?size=quick")
        assert _names(page) == ["broken", "after", "later"]


def test_several_picked_runs_are_deleted_together(browser, store, site):
    with watched(browser, site.address) as page:
        for name in ("before", "after"):
            page.get_by_label(f"Pick {name}").check()
        page.locator(".picked").get_by_role("button", name="Delete").click()
        page.get_by_text("Removed 2 runs.").wait_for()
        assert page.locator(".picked").is_hidden()
    assert len(store.trash.list()) == 2


def test_a_removed_run_is_forgotten_for_good(browser, store, site):
    store.trash.put("broken", "me")
    with watched(browser, site.address) as page:
        page.goto(f"{site.url}/trash")
        page.get_by_role("button", name="Forget broken for good").click()
        page.get_by_text("No run was removed.").wait_for()
    assert store.trash.list() == ()


def test_who_did_what_is_in_the_audit_log(browser, store, site):
    with watched(browser, site.address) as page:
        page.get_by_role("button", name="Delete broken").click()
        page.get_by_role("button", name="Undo").click()
        page.locator(".name", has_text="broken").wait_for()
    assert [entry.did for entry in store.audit.read(9)] == ["run restore", "run remove"]


def test_a_reader_sees_no_way_to_change_anything_and_has_none(site, store):
    text = ask(site.url, "/runs").text
    assert "Delete" not in text
    form = {"content_type": "application/x-www-form-urlencoded"}
    for path in ("/runs/label", "/runs/remove", "/trash/restore", "/trash/forget"):
        answer = ask(site.url, path, "POST", b"run=before&label=mine", **form)
        assert answer.status in (401, 403)
    assert len(store.find(label="before")) == 1


@pytest.mark.parametrize("back", ["https://evil.example/runs", "//evil.example/runs", "/runsx", ""])
def test_one_is_led_back_to_a_page_of_lists_only(site, back):
    answer = ask(
        site.url, f"/runs/label?back={back}", "POST", b"run=before&label=x", cookie=owner(site),
        content_type="application/x-www-form-urlencoded", sec_fetch_site="same-origin",
    )  # fmt: skip
    assert answer.status == 303
    assert answer.headers["location"] == "/runs"


def test_an_empty_store_says_what_to_do_first(empty):
    with served(empty) as site:
        assert "stend run" in ask(site.url, "/runs").text
