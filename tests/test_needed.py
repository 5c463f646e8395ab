"""What a machine lacks is skipped with its reason, except in CI."""

import pytest

from needed import needs


def test_a_program_that_is_there_is_found() -> None:
    assert needs("sh", "dash").endswith("/sh")


def test_a_missing_program_is_a_skip_with_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install the-package"):
        needs("no-such-program", "the-package")


def test_a_missing_program_is_a_failure_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="the-package"):
        needs("no-such-program", "the-package")
