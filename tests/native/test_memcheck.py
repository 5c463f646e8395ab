"""The ciphers, as they are built for users, touch no memory but their own."""

import pytest

from native.scripts import output

pytestmark = pytest.mark.full


def test_the_ciphers_as_they_are_built_are_clean_under_valgrind() -> None:
    assert "messages, each two ways" in output("memcheck.sh")
