"""The site as a whole: its pages answer, in a browser too, and the API describes itself."""

from importlib.resources import files

import pytest

import made
from web.served import ask


@pytest.fixture
def store(empty):
    empty.add(made.run(label="<b>mine</b>"))
    return empty


@pytest.mark.parametrize("path", ["/runs", "/benchmarks", "/benchmarks/stream.triad"])
def test_pages_answer_with_a_strict_policy(site, path):
    answer = ask(site.url, path)
    assert answer.status == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_a_label_is_no_markup(site):
    assert "&lt;b&gt;mine" in ask(site.url, "/runs").text


def test_the_api_lists_runs_and_gives_them_whole(site):
    (run,) = ask(site.url, "/api/v1/runs").json["runs"]
    assert run["label"] == "<b>mine</b>"
    assert ask(site.url, f"/api/v1/runs/{run['id']}").json["run"]["id"] == run["id"]


@pytest.mark.parametrize(
    "path", ["/nothing", "/benchmarks/nothing", "/benchmarks/stream", "/static/x/site.css"]
)
def test_an_address_with_nothing_is_a_page_that_says_so(site, path):
    answer = ask(site.url, path)
    assert answer.status == 404
    assert "<h1>Not Found</h1>" in answer.text


def test_a_wrong_parameter_is_a_problem_in_a_sentence(site):
    answer = ask(site.url, "/api/v1/runs?limit=0")
    assert answer.status == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert "limit" in answer.json["detail"]


def test_the_list_of_runs_opens_in_a_browser_without_complaint(page):
    assert page.get_by_role("heading", level=1).inner_text() == "Runs"


def test_no_template_of_the_site_hides_one_of_the_reports():
    own, reports = (
        {one.name for one in (files(room) / "template").iterdir()}
        for room in ("stend.web", "stend.report")
    )
    assert own & reports == set()
