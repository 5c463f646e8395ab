"""What a machine lacks is skipped with its reason, except where everything is installed."""

import pytest

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
