"""The server behind nginx with TLS, by the example in docs/nginx as it stands there."""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

import made
from chromium import chromium
from needed import needs
from patience import PATIENCE
from ports import free_port
from stend.cli import app
from stend.errors import ServerError
from stend.store import Right, Store
from stend.web.push import Patience, Sender, server_of
from web import sent
from web.served import Answer, served

NAME = "perf.example.org"
DOCS = Path(__file__).parents[2] / "docs/nginx"
MAIN = """\
daemon off; pid {folder}/nginx.pid; error_log stderr warn; {user}events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/stend.conf;
}}
"""
"""What Debian's own nginx.conf is to the example, and all that is written to in one folder."""


class Team(NamedTuple):
    """A server behind nginx."""

    store: Store
    plain: int
    """Ports."""
    tls: int
    certificate: Path


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or needs(
        "nginx", "nginx-light"
    )
    folder = tmp_path_factory.mktemp("nginx")
    certificate = certified(folder)
    plain, tls = free_port(), free_port()
    with (
        Store.open(str(folder / "stend.db")) as store,
        served(store, origin=f"https://{NAME}") as running,
    ):
        store.begin(made.run())
        substituted = {
            r"listen \[::\]:\d+.*;": "",
            r"listen 80;": f"listen 127.0.0.1:{plain};",
            r"listen 443 ": f"listen 127.0.0.1:{tls} ",
            r"/etc/letsencrypt/live/.*/fullchain.pem": str(certificate),
            r"/etc/letsencrypt/live/.*/privkey.pem": str(folder / "key.pem"),
            r"http://127\.0\.0\.1:8000": running.url,
        }
        text = (DOCS / "stend.conf").read_text()
        for pattern, instead in substituted.items():
            text, count = re.subn(pattern, instead, text)
            assert count, pattern
        (folder / "stend.conf").write_text(text)
        user = "user root; " if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
        command = [nginx, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        assert "[warn]" not in checked.stderr
        with subprocess.Popen(command) as process:
            try:
                wait_for(tls)
                yield Team(store, plain, tls, certificate)
            finally:
                process.terminate()


def certified(folder):
    """Make a certificate of this name, and of this machine, that signs itself."""
    made_by = [needs("openssl", "openssl"), "req", "-x509", "-nodes", "-days", "2"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", f"/CN={NAME}"]
    names = ["-addext", f"subjectAltName=DNS:{NAME},DNS:localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*made_by, *kind, *names, *files], check=True, capture_output=True)
    return folder / "certificate.pem"


def wait_for(port):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("nginx doesn't answer")


def connected(team, source="127.0.0.1", protocols=("http/1.1",)):
    """A connection through TLS, checked as a machine of the team would."""
    context = ssl.create_default_context(cafile=str(team.certificate))
    context.set_alpn_protocols(list(protocols))
    plain = socket.create_connection(
        ("127.0.0.1", team.tls), timeout=PATIENCE, source_address=(source, 0)
    )
    return context.wrap_socket(plain, server_hostname=NAME)


def ask(team, path, method="GET", body=None, source="127.0.0.1", **headers):
    connection = http.client.HTTPSConnection(NAME)
    connection.sock = connected(team, source)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def test_pages_and_the_api_take_a_token_though_the_server_listens_on_loopback(team):
    _, text = team.store.access.add("bench7", Right.READ, None, by="admin")
    assert ask(team, "/runs").headers["location"] == "/login?next=%2Fruns"
    assert ask(team, "/api/v1/runs").status == 401
    answer = ask(team, "/api/v1/runs", Authorization=f"Bearer {text}")
    assert (answer.status, len(answer.json["runs"])) == (200, 1)


def test_a_machine_sends_a_run_of_several_parts(team, tmp_path, monkeypatch):
    path, run = str(tmp_path / "bench8.db"), sent.run(8, 200_000)
    with Store.open(path) as store:
        store.begin(run)
    monkeypatch.setenv("STEND_TOKEN", sent.token(team.store, "bench8"))
    monkeypatch.setenv("SSL_CERT_FILE", str(team.certificate))
    words = ["push", "--store", path, "--to", f"https://localhost:{team.tls}"]
    assert CliRunner().invoke(app, words).stdout == "Run 00000000 sent (1.8 MB).\n"
    assert CliRunner().invoke(app, words).stdout == "Run 00000000 was there already.\n"
    assert team.store.load(run.id) == run
    assert team.store.audit.read(1)[0].address == "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "trusted", "said"),
    [("localhost", False, "self-signed"), ("127.0.0.1", True, "IP address mismatch")],
)
def test_a_certificate_that_proves_nothing_is_told_and_shown_no_token(
    team, monkeypatch, host, trusted, said
):
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(team.certificate))
    entries = team.store.audit.read(1)
    to = Sender(server_of(f"https://{host}:{team.tls}", "stend_x"), Patience())
    with pytest.raises(ServerError, match=rf"can't prove.*{said}.*SSL_CERT_FILE"):
        to.known(["a"])
    assert team.store.audit.read(1) == entries


def test_answers_say_to_stay_with_https_and_not_what_answers(team):
    answer = ask(team, "/login")
    assert answer.headers["strict-transport-security"] == "max-age=63072000"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers.get_all("server") == ["nginx"]


def test_browsers_are_spoken_to_by_http_2(team):
    with connected(team, protocols=("h2", "http/1.1")) as connection:
        assert connection.selected_alpn_protocol() == "h2"


def test_the_log_has_the_address_of_who_asked_whatever_they_say(team):
    said = {"Authorization": "Bearer wrong", "X_Forwarded_For": "192.0.2.7", "Forwarded": "for=::1"}
    assert ask(team, "/api/v1/runs", source="127.0.0.9", **said).status == 401
    assert team.store.audit.read(1)[0].address == "127.0.0.9"


def test_what_is_too_large_is_refused_by_the_server_in_a_sentence(team):
    kind = "application/x-www-form-urlencoded"
    answer = ask(team, "/login", "POST", b"a" * (2 << 20), Content_Type=kind)
    assert answer.status == 413
    assert b"too large" in answer.body


def test_without_tls_pages_lead_to_it_and_the_api_does_not(team):
    def plain(path):
        connection = http.client.HTTPConnection("127.0.0.1", team.plain, timeout=PATIENCE)
        connection.request("GET", path, headers={"Host": NAME})
        answer = connection.getresponse()
        connection.close()
        return answer.status, answer.headers["location"]

    assert plain("/runs?search=a") == (301, f"https://{NAME}/runs?search=a")
    assert plain("/api/v1/runs") == (403, None)


@pytest.fixture(scope="module")
def browsing(browser, team):
    """Chromium, which finds the name on this machine."""
    rule = f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{team.tls}"
    with chromium(browser.browser_type, rule) as running:
        yield running


def test_a_person_signs_in_and_out_in_a_browser(team, browsing):
    _, text = team.store.access.add("maria", Right.ADMIN, None, by="admin")
    context = browsing.new_context(ignore_https_errors=True)
    page = context.new_page()
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"https://{NAME}/benchmarks?x=1")
    page.get_by_label("Token").fill(text)
    page.get_by_role("button", name="Sign in").click()
    assert page.url == f"https://{NAME}/benchmarks?x=1"
    assert "maria" in page.locator("header").first.inner_text()
    (cookie,) = context.cookies()
    assert cookie["name"] == "__Host-stend"
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login?next=**")
    assert context.cookies() == []
    assert complaints == []
    context.close()


def test_the_unit_of_systemd_is_sound(tmp_path):
    systemd = needs("systemd-analyze", "systemd")
    unit = tmp_path / "stend.service"
    text = (DOCS / "stend.service").read_text()
    text, count = re.subn(r"ExecStart=\S+", f"ExecStart={shutil.which('true')}", text)
    assert count == 1
    unit.write_text(text)
    done = subprocess.run(
        [systemd, "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
