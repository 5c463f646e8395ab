"""`stend serve` from its first line to Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

import made
from patience import PATIENCE
from stend.store import Right, Store
from web.served import ask, served


@pytest.fixture
def url(tmp_path):
    path = str(tmp_path / "stend.db")
    with Store.open(path) as store:
        store.begin(made.run())
    return path


@contextmanager
def serving(url, *words):
    """The process, and what it printed until it answered."""
    command = [sys.executable, "-m", "stend", "serve", "--store", url, "--port", "0", *words]
    hidden = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=hidden
    ) as process:
        try:
            said = process.stdout.readline()
            assert process.stdout.readline() == "Press Ctrl-C to stop.\n", process.stderr.read()
            yield process, said.strip()
        finally:
            process.kill()


def ended(process, number):
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_when_it_is_told_to(url, number):
    with serving(url) as (process, address):
        assert ask(address, "/runs").status == 200
        assert ended(process, number) == (0, "\nEnded.\n", "")


def test_who_serves_others_is_told_what_they_may_have_overlooked(url):
    with serving(url, "--address", "0.0.0.0") as (process, address):
        assert re.fullmatch(r"http://[^:/]+:\d+/", address)
        assert ask("http://127.0.0.1:" + address.strip("/").split(":")[2], "/login").status == 200
        _, _, err = ended(process, signal.SIGTERM)
    assert "unencrypted" in err
    assert "stend token add" in err


def test_behind_a_proxy_with_tls_and_with_a_token_only_the_way_in_is_told(url):
    with Store.open(url) as store:
        store.access.add("maria", Right.ADMIN, None, by="admin")
    with serving(url, "--origin", "https://perf.example.org") as (process, address):
        assert address == "https://perf.example.org/"
        told = process.stderr.readline()
        listening = re.fullmatch(
            r"stend: The proxy reaches it at (http://127\.0\.0\.1:\d+)\.\n", told
        )
        assert ask(listening[1], "/runs").status == 303
        assert ended(process, signal.SIGTERM) == (0, "\nEnded.\n", "")


def test_what_can_not_be_served_is_refused_in_a_sentence(url):
    command = [sys.executable, "-m", "stend", "serve", "--store", url]
    for words in (["--address", "localhost"], ["--origin", "perf.example.org"]):
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("stend: ")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("what", ["pages.benchmarks.find", "visitor.address_of"])
def test_what_fails_unforeseen_is_in_the_log_under_the_name_that_the_answer_tells(
    tmp_path, capsys, monkeypatch, what
):
    with Store.open(str(tmp_path / "stend.db")) as store, served(store) as running:
        monkeypatch.setattr(f"stend.web.{what}", None)
        said = ask(running.url, "/benchmarks")
    name = re.search(r"at ([0-9a-f]{8})\.", said.text)[1]
    assert (said.status, "TypeError" in said.text) == (500, False)
    assert "default-src 'none'" in said.headers["content-security-policy"]
    told = capsys.readouterr().err
    assert told.startswith(f"stend: request {name} failed:\nTraceback")
    assert told.count("Traceback") == 1
