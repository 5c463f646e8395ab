"""A case's repetitions at an address of their own."""

import pytest

from report.example import example
from web.served import ask, served


@pytest.fixture(scope="module")
def site(shared):
    shared.add(example())
    with served(shared) as running:
        yield running


def test_a_case_of_a_stored_run_has_its_repetitions_at_an_address(site):
    run = example()
    place = next(i for i, case in enumerate(run.cases) if case.has_figure)
    answer = ask(site.url, f"/runs/{run.id}/distributions/{place}")
    assert answer.json["name"] == run.cases[place].name
    assert len(answer.json["panels"]) >= 3


@pytest.mark.parametrize("path", [f"{example().id}/distributions/9999", "f00/distributions/0"])
def test_what_is_not_there_is_told(site, path):
    assert ask(site.url, f"/runs/{path}").status == 404
