"""`stend push`: runs of this machine arrive on a server, whatever breaks on the way."""

import http.server
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from needed import needs
from ports import free_port
from stend.cli import app
from stend.errors import ServerError
from stend.store import Right, Store
from stend.web.push import Patience, Sender, server_of
from stend.web.push import sender as sending
from web import sent
from web.served import served


@pytest.fixture
def site(empty):
    with served(empty) as running:
        yield running


@pytest.fixture
def here(tmp_path, monkeypatch):
    """This machine's store, with three runs."""
    path = str(tmp_path / "here.db")
    with Store.open(path) as store:
        for number in (1, 2, 3):
            started = f"2026-11-2{number}T10:00:00Z"
            store.begin(msgspec.structs.replace(sent.run(number), started=started))
    monkeypatch.setenv("STEND_STORE", path)
    return path


@pytest.fixture
def shown(site, monkeypatch):
    token = sent.token(site.store)
    monkeypatch.setenv("STEND_TOKEN", token)
    return token


def push(*words):
    return CliRunner().invoke(app, ["push", *words], catch_exceptions=True)


def sender(site, shown, seconds=30.0, **more):
    pauses = []
    patience = Patience(seconds, sleep=pauses.append, chance=lambda: 0.0)
    return Sender(server_of(site.url, shown), patience, **more)


def test_the_last_run_is_sent_once(site, here, shown):
    assert push("--to", site.url).stdout.startswith("Run 00000000 sent (0.0 MB).")
    assert push("--to", site.url, "last").stdout == "Run 00000000 was there already.\n"
    with Store.open(here) as store:
        assert site.store.load("last") == store.load("last")


def test_all_runs_that_are_lacking_are_sent(site, here, shown):
    push("--to", site.url, "last~1")
    answer = push("--to", site.url, "--all")
    assert answer.stdout.splitlines()[-1] == "2 sent, 1 was there already"
    assert len(site.store.find()) == 3
    assert push("--to", site.url, "--all").stdout == "3 was there already\n"


def test_what_became_of_each_run_is_told_to_programs(site, here, shown):
    push("--to", site.url)
    told = json.loads(push("--to", site.url, "last", "last~1", "--json").stdout)
    assert [one["what"] for one in told] == ["was there already", "sent"]
    assert told[0]["run"] == f"{3:032x}"


def test_a_token_may_come_from_a_file(site, here, shown, monkeypatch, tmp_path):
    (tmp_path / "token").write_text(shown + "\n")
    monkeypatch.delenv("STEND_TOKEN")
    assert push("--to", site.url).exception.exit_code == 7
    assert push("--to", site.url, "--token-file", str(tmp_path / "token")).exit_code == 0
    refused = push("--to", site.url, "--token-file", str(tmp_path / "none"))
    assert refused.exception.exit_code == 2


@pytest.mark.parametrize("of", ["reader", "revoked", "wrong"])
def test_a_token_that_does_not_allow_it_ends_it_in_a_sentence(site, here, shown, monkeypatch, of):
    if of == "revoked":
        site.store.access.revoke("bench1", "test")
    elif of == "reader":
        monkeypatch.setenv("STEND_TOKEN", sent.token(site.store, "reader", Right.READ))
    else:
        monkeypatch.setenv("STEND_TOKEN", shown[:-1])
    error = push("--to", site.url).exception
    assert isinstance(error, ServerError)
    assert "refuses this (40" in str(error)
    assert site.store.find() == []


def test_a_run_that_the_server_refuses_is_told_and_the_others_are_sent(site, here, shown):
    site.store.begin(sent.run(2))
    site.store.trash.put(f"{2:032x}", "someone")
    answer = push("--to", site.url, "--all")
    assert answer.exit_code == 7
    assert "Run 00000000 refused: The run" in answer.stdout
    assert answer.stdout.endswith("2 sent, 1 refused\n")


def test_a_run_that_is_being_measured_is_not_sent(site, here, shown):
    with Store.open(here) as store:
        now = msgspec.structs.replace(sent.run(4), started="2999-01-01T00:00:00Z", finished=None)
        store.begin(now)
    assert push("--to", site.url, "--all").stdout.endswith("3 sent\n")
    assert push("--to", site.url, "last").exception.exit_code == 2


def test_published_runs_and_names_beside_all_are_refused(site, here, shown):
    assert push("--to", site.url, "published:elbrus-16c").exception.exit_code == 2
    assert push("--to", site.url, "--all", "last").exception.exit_code == 2


def test_a_large_run_goes_in_parts(site, shown, monkeypatch):
    monkeypatch.setattr(sending, "PART", 500)
    seen = []
    with sender(site, shown, reached=lambda done, of: seen.append(done)) as to:
        outcome = to.send(sent.run())
    assert outcome.what == "sent"
    assert seen[1:4] == [0, 500, 1000]
    assert seen[-1] == outcome.bytes
    assert site.store.load("last") == sent.run()


def test_what_broke_off_is_gone_on_with(site, shown, monkeypatch):
    monkeypatch.setattr(sending, "PART", 500)
    content = sent.packed(sent.run())
    upload = sent.begin(site, shown, content).json["id"]
    sent.append(site, shown, upload, 0, content[:700])
    seen = []
    with sender(site, shown, reached=lambda done, of: seen.append(done)) as to:
        assert to.send(sent.run()).what == "sent"
    assert seen[:3] == [0, 700, 1200]


class Lossy(http.server.BaseHTTPRequestHandler):
    """Stands between, and loses every second answer after it was acknowledged behind it."""

    site = None
    count = 0

    def _pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        answer = sent.ask(
            self.site.url, self.path, self.command, body,
            Authorization=self.headers["authorization"], Content_Type=self.headers["content-type"],
        )  # fmt: skip
        type(self).count += 1
        if self.count % 2:
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_POST = do_PUT = do_PATCH = _pass_on  # noqa: N815 - the library's names

    def log_message(self, *_):
        """Print nothing."""


@contextmanager
def listening(handler: type) -> Iterator[str]:
    """The address of a server that the handler answers for."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.mark.parametrize("part", [500, 10_000])
def test_answers_that_get_lost_lose_and_double_nothing(site, shown, monkeypatch, part):
    monkeypatch.setattr(sending, "PART", part)
    waits = []
    with listening(type("Here", (Lossy,), {"site": site})) as url:
        patience = Patience(sleep=lambda _: None)
        with Sender(server_of(url, shown), patience, waits=waits.append) as to:
            assert to.send(sent.run()).what in ("sent", "was there already")
    assert waits
    assert site.store.load("last") == sent.run()
    assert len(site.store.find()) == 1


def answers(*said):
    """A handler that says these statuses with these headers, one a request, the last for ever."""
    left = list(said)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        asked = []

        def do_POST(self):
            self.asked.append(dict(self.headers))
            self.rfile.read(int(self.headers["content-length"]))
            status, headers, body = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_PUT = do_PATCH = do_POST  # noqa: N815

        def log_message(self, *_):
            pass

    return Handler


def test_a_server_that_is_busy_is_asked_again_when_it_says():
    busy = 503, {"Retry-After": "7"}, b'{"detail": "Too busy."}'
    handler = answers(busy, (429, {}, b""), (200, {}, b'{"runs": []}'))
    pauses, waits = [], []
    with listening(handler) as url:
        patience = Patience(sleep=pauses.append, chance=lambda: 0.0)
        with Sender(server_of(url, ""), patience, waits=waits.append) as to:
            assert to.known(["a"]) == set()
    assert pauses == [7.25, 0.5]
    assert waits[0].endswith(": Too busy; trying again")


def test_a_server_that_stays_busy_is_given_up_in_a_sentence():
    with listening(answers((503, {}, b""))) as url:
        clock = iter(range(0, 10_000, 20))
        patience = Patience(now=lambda: next(clock), sleep=lambda _: None)
        with Sender(server_of(url, ""), patience) as to, pytest.raises(ServerError, match="300 s"):
            to.known(["a"])


@pytest.mark.parametrize("status", [404, 409])
def test_a_server_that_knows_nothing_of_what_was_begun_is_given_up(monkeypatch, status):
    monkeypatch.setattr(sending, "PART", 500)
    begun = 200, {}, b'{"id": "1", "received": 0}'
    said = [begun, (status, {}, b""), (200, {}, b'{"runs": []}')] * 9
    with listening(answers(*said)) as url:
        patience = Patience(sleep=lambda _: None)
        with Sender(server_of(url, ""), patience) as to, pytest.raises(ServerError, match="forgot"):
            to.send(sent.run())


def test_nobody_who_listens_is_given_up_in_a_sentence():
    to = Sender(server_of(f"http://127.0.0.1:{free_port()}", ""), Patience(seconds=0))
    with pytest.raises(ServerError, match="Connection refused"):
        to.known(["a"])


def test_a_redirect_is_not_followed_with_the_token():
    elsewhere = answers((200, {}, b'{"runs": []}'))
    with listening(elsewhere) as other:
        lead = answers((307, {"Location": f"{other}/api/v1/runs/known"}, b""))
        with (
            listening(lead) as url,
            Sender(server_of(url, "stend_x"), Patience()) as to,
            pytest.raises(ServerError, match="another address"),
        ):
            to.known(["a"])
    assert elsewhere.asked == []


def test_the_environments_proxies_are_not_asked(site, shown, monkeypatch):
    proxy = answers((200, {}, b"{}"))
    with listening(proxy) as url:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, url)
        with sender(site, shown) as to:
            assert to.known([f"{1:032x}"]) == set()
    assert proxy.asked == []


@pytest.mark.parametrize("said", [b"", b"<html>", b"[]", b'{"a": 1}', b"[" * 100_000, b"\xff"])
def test_a_server_of_another_kind_is_told_in_a_sentence(said):
    with listening(answers((200, {}, said))) as url, Sender(server_of(url, ""), Patience()) as to:
        with pytest.raises(ServerError, match="no stend server"):
            to.known(["a"])
        with pytest.raises(ServerError, match="200"):
            to.send(sent.run())


def test_a_server_without_a_trusted_certificate_is_told_nothing(tmp_path: Path):
    key, certificate = tmp_path / "key", tmp_path / "certificate"
    command = [needs("openssl", "openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes"]
    names = ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *names], check=True, capture_output=True)
    handler = answers((200, {}, b'{"runs": []}'))
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        to = Sender(server_of(f"https://localhost:{server.server_port}", "stend_x"), Patience())
        with pytest.raises(ServerError, match="can't prove"):
            to.known(["a"])
        server.shutdown()
    assert handler.asked == []


def test_a_host_that_is_none_is_told_at_once(monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    to = Sender(server_of("https://perf.invalid", ""), Patience())
    with pytest.raises(ServerError, match=r"perf\.invalid"):
        to.known(["a"])


def test_https_where_nobody_speaks_tls_ends_at_once_in_a_sentence(site):
    url = site.url.replace("http:", "https:")
    with (
        Sender(server_of(url, ""), Patience()) as to,
        pytest.raises(ServerError, match="does not speak TLS"),
    ):
        to.known(["a"])


def test_what_a_proxy_says_in_plain_text_is_told():
    said = 403, {"Content-Type": "text/plain"}, b"Use https://perf.example.org.\n"
    with (
        listening(answers(said)) as url,
        Sender(server_of(url, "x"), Patience()) as to,
        pytest.raises(ServerError, match=r"\(403\): Use https://perf.example.org.$"),
    ):
        to.known(["a"])


def test_who_shows_no_token_is_told_how_to(site, here, monkeypatch):
    monkeypatch.delenv("STEND_TOKEN", raising=False)
    assert "STEND_TOKEN or by --token-file" in str(push("--to", site.url).exception)
