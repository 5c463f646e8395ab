"""Where runs may be sent: a token goes to no address at which others could read it."""

import pytest

from stend.errors import BadValue
from stend.web.push import server_of


@pytest.mark.parametrize(
    ("url", "name", "tls", "path"),
    [
        ("https://perf.example.org", "perf.example.org:443", True, ""),
        ("https://perf.example.org:8443/stend/", "perf.example.org:8443", True, "/stend"),
        ("http://localhost:8000", "localhost:8000", False, ""),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000", False, ""),
        ("http://[::1]:8000", "[::1]:8000", False, ""),
    ],
)
def test_an_address_is_taken_apart(url, name, tls, path):
    server = server_of(url, "stend_x")
    assert (server.name, server.tls, server.path) == (name, tls, path)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://perf.example.org", "https://"),
        ("http://10.0.0.1:8000", "https://"),
        ("http://localhost.example.org", "https://"),
        ("https://me:secret@perf.example.org", "STEND_TOKEN"),
        ("perf.example.org", "looks like"),
        ("ftp://perf.example.org", "looks like"),
        ("https://", "looks like"),
        ("https://perf.example.org/?token=x", "looks like"),
        ("https://perf.example.org:x", "not a server's address"),
        ("https://[::1", "not a server's address"),
        ("", "looks like"),
    ],
)
def test_what_is_none_or_not_safe_is_refused_in_a_sentence(url, said):
    with pytest.raises(BadValue, match=said) as refused:
        server_of(url, "")
    assert "secret" not in str(refused.value)


def test_a_token_that_would_break_a_header_is_refused():
    with pytest.raises(BadValue) as refused:
        server_of("https://perf.example.org", "stend_a\r\nX: y")
    assert "stend_a" not in str(refused.value)


def test_a_token_is_not_shown_with_its_server():
    assert "stend_secret" not in repr(server_of("https://perf.example.org", "stend_secret"))
