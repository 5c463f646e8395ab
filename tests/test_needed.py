"""What a machine lacks is skipped with its reason, except where everything is installed."""

import pytest

import journal
import needed
from needed import needs


def test_a_program_that_is_there_is_found() -> None:
    assert needs("sh", "dash").endswith("/sh")


def test_a_missing_program_is_a_skip_with_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "skipping", True)
    with pytest.raises(pytest.skip.Exception, match="apt-get install the-package"):
        needs("no-such-program", "the-package")


def test_where_all_should_be_installed_it_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(needed, "skipping", False)
    with pytest.raises(pytest.fail.Exception, match="the-package"):
        needs("no-such-program", "the-package")


@pytest.mark.parametrize(("skipping", "outcome"), [(True, "skipped"), (False, "failed")])
def test_an_engines_skip_for_want_of_a_program_fails_where_all_should_be_installed(
    monkeypatch: pytest.MonkeyPatch, skipping: bool, outcome: str
) -> None:
    monkeypatch.setattr(needed, "skipping", skipping)
    reason = "Skipped: openssl is not installed: sudo apt-get install openssl"
    report = pytest.TestReport("a", ("a", 1, "a"), {}, "skipped", ("a", 1, reason), "call")
    hook = journal.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as ended:
        hook.send(report)
    assert ended.value.value.outcome == outcome
