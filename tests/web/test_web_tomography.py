"""Scans of a folder on the site: listed, opened, looked at; nothing else of the disk is shown."""

import os
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import numpy as np
import pytest
from starlette.exceptions import HTTPException

from patience import PATIENCE
from stend.store import Right
from stend.web.compute_slots import Turns
from web.served import HOST, ORIGIN, ask, served


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "scans"
    made.mkdir()
    projections = np.arange(4 * 32 * 32, dtype=np.float32).reshape(4, 32, 32)
    np.save(made / "cube.npy", projections)
    (made / "notes.txt").write_text("not a scan")
    (made / ".unseen.npy").write_bytes((made / "cube.npy").read_bytes())
    secret = tmp_path / "secret.npy"
    secret.write_bytes((made / "cube.npy").read_bytes())
    (made / "link.npy").symlink_to(secret)
    return made


@pytest.fixture
def site(empty, folder):
    with served(empty, scans=folder) as running:
        yield running


def opened(site, name="cube.npy"):
    answer = ask(site.url, f"/tomography/{name}")
    assert answer.status == 303
    return answer.headers["location"]


def raw(site, path):
    """As it is typed: http.client passes what browsers would tidy."""
    parts = urlsplit(site.url)
    connection = HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    status, body = answer.status, answer.read()
    connection.close()
    return status, body


def test_scans_are_listed_but_no_other_files_links_or_hidden_ones(site):
    text = ask(site.url, "/tomography").text
    assert "cube.npy" in text
    assert all(name not in text for name in ("notes", "unseen", "link.npy", "secret"))


def test_what_is_opened_gives_its_planes(site):
    where = opened(site)
    about = ask(site.url, f"{where}about.json").json
    assert (about["projections"], about["home"]) == (4, "/tomography")
    plane = np.frombuffer(ask(site.url, f"{where}projection/2").body, "<f4")
    assert plane.tolist() == (2 * 32 * 32 + np.arange(32 * 32)).tolist()
    page = ask(site.url, where)
    assert "script-src 'self'" in page.headers["content-security-policy"]


def test_a_changed_file_is_opened_anew_under_another_address(site, folder):
    before = opened(site)
    np.save(folder / "cube.npy", np.zeros((2, 8, 8), np.float32))
    assert ask(site.url, f"{before}projection/1").status == 404
    assert ask(site.url, before).headers["location"] == opened(site) != before
    assert ask(site.url, f"{opened(site)}about.json").json["projections"] == 2


@pytest.mark.parametrize(
    "path",
    ["..", "%2e%2e", "..%2fsecret.npy", "link.npy", ".unseen.npy", "notes.txt", "nothing",
     "%2fetc%2fpasswd", "cube.npy%00", "%ff", "a" * 3000, "../secret.npy"],
)  # fmt: skip
def test_nothing_but_what_is_listed_can_be_opened(site, path):
    for address in (f"/tomography/{path}", f"/tomography/{path}/x/about.json"):
        status, body = raw(site, address)
        assert status in (400, 404), address
        assert b"root:" not in body


def test_a_viewer_only_shows(site):
    answer = ask(site.url, f"{opened(site)}about.json", "POST", b"")
    assert answer.status == 405


def test_at_most_a_few_are_open(site, folder):
    first = opened(site)
    for i in range(4):
        np.save(folder / f"other{i}.npy", np.ones((1, 4, 4), np.float32))
        opened(site, f"other{i}.npy")
    assert ask(site.url, f"{first}about.json").status == 404
    assert opened(site) != first


def test_planes_are_made_and_scans_opened_in_turns(empty, folder, monkeypatch):
    busy = []

    @contextmanager
    def taken(self):
        if busy:
            raise HTTPException(503, "Busy.", {"retry-after": "5"})
        yield

    monkeypatch.setattr(Turns, "taken", taken)
    np.save(folder / "other.npy", np.ones((1, 4, 4), np.float32))
    with served(empty, scans=folder) as site:
        plane = f"{opened(site)}projection/1"
        tag = ask(site.url, plane).headers["etag"]
        busy.append(1)
        answer = ask(site.url, plane)
        assert (answer.status, answer.text, answer.headers["retry-after"]) == (503, "Busy.\n", "5")
        assert ask(site.url, plane, If_None_Match=tag).status == 304
        assert ask(site.url, "/tomography/other.npy").status == 503
        assert opened(site) in plane


def test_a_volume_that_is_cut_while_it_is_looked_at_ends_nobody(site, folder):
    """Not even where that was not seen in time."""
    where = opened(site)
    os.truncate(folder / "cube.npy", 5000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stend.web.scans.Held.fault", lambda self: None)
        answer = ask(site.url, f"{where}projection/3")
        assert answer.status == 500
        assert "It may be incomplete." in answer.text


def test_strangers_see_no_scan(empty, folder):
    _, text = empty.access.add("maria", Right.READ, None, "admin")
    with served(empty, scans=folder, origin=ORIGIN) as team:
        for path in ("/tomography", "/tomography/cube.npy", "/tomography/cube.npy/x/about.json"):
            assert "/login" in ask(team.url, path, **HOST).headers["location"]
        assert ask(team.url, "/tomography", token=text, **HOST).status == 200


def test_without_a_folder_the_page_says_how_to_show_one(empty):
    with served(empty) as running:
        assert "--scans FOLDER" in ask(running.url, "/tomography").text
        assert "Tomography</a>" not in ask(running.url, "/runs").text
        assert ask(running.url, "/tomography/cube.npy").status == 404


def test_names_that_are_markup_or_no_text_are_shown_as_text_or_not_at_all(site, folder):
    content = (folder / "cube.npy").read_bytes()
    for name in ("<img src=x onerror=alert(1)>.npy", os.fsdecode(b"\xff.npy")):
        (folder / name).write_bytes(content)
    text = ask(site.url, "/tomography").text
    assert "&lt;img src=x" in text
    assert "\ufffd" not in text


def test_a_browser_opens_a_scan_from_the_list_and_comes_back(site, page):
    page.goto(f"{site.url}/tomography")
    page.get_by_role("link", name="cube.npy").click()
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector("[data-pane=projection][data-drawn=yes]")
    assert page.locator("#name").inner_text() == "cube.npy"
    page.get_by_role("link", name="stend tomo view").click()
    page.wait_for_url(f"{site.url}/tomography")
