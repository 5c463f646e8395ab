"""`stend trend` and `stend runs` as they are typed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from planted import kernel_update, planted, store
from stend.cli import app
from stend.errors import StendError


class Said(NamedTuple):
    """How a call of a verb ended."""

    returncode: int
    stdout: str
    stderr: str


def stend(*words: str) -> Said:
    done = CliRunner(env={"COLUMNS": "100"}).invoke(app, words)
    if isinstance(done.exception, StendError):
        return Said(done.exception.exit_code, done.stdout, str(done.exception))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return Said(done.exit_code, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    runs = planted(24, lambda i: 1.1 if i >= 14 else 1.0, machine=kernel_update(14))
    return store(str(tmp_path_factory.mktemp("trend") / "a.db"), runs)


def test_a_trend_is_printed_and_written(url: str, tmp_path: Path) -> None:
    page = tmp_path / "trend.html"
    done = stend("trend", "stream.triad", "threads=2", "--store", url, "-o", str(page))
    assert (done.returncode, done.stderr) == (0, "")
    assert "slower by" in done.stdout
    assert f"Wrote {page}" in done.stdout
    assert page.read_bytes().startswith(b"<!doctype html>")


def test_a_trend_is_told_as_json(url: str) -> None:
    told = json.loads(stend("trend", "stream.*", "--store", url, "--json").stdout)
    (trend,) = told["trends"]
    assert len(trend["points"]) == 24
    (change,) = trend["changes"]
    assert (change["index"], change["verdict"]) == (14, "slower")
    assert change["differences"][0]["what"] == "kernel"


def test_only_the_runs_that_are_asked_for_are_followed(url: str) -> None:
    newest = json.loads(stend("trend", "stream.triad", "--store", url, "--json", "-n", "5").stdout)
    assert (newest["runs"], newest["stored"]) == (5, 24)
    since = json.loads(
        stend("trend", "stream.triad", "--store", url, "--json", "--since", "2026-06-01").stdout
    )
    assert since["runs"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["strem.triad"], "There is stream.triad."),
        (["stream.triad", "--since", "yesterday"], "'yesterday' is not a date"),
        (["stream.triad", "--host", "elsewhere"], "there are runs of bench (24)"),
        (["stream.triad", "--label", "none"], "with this label"),
        ([" "], "a trend needs a metric"),
        (
            ["stream.triad", "-o", "a.pdf"],
            "a.pdf ends in .pdf, but its charts are a page of HTML; "
            "give a name that ends in .html.",
        ),
    ],
)
def test_what_can_not_be_followed_is_one_sentence(words: list[str], said: str, url: str) -> None:
    done = stend("trend", *words, "--store", url)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["report", "-o", "r.pdf"], "r.pdf ends in .pdf, but a report is a page of HTML; give a"),
        (["export", "-o", "r.json.gz"], "but a run file is JSON; give a name that ends in .json."),
    ],
)
def test_a_file_that_would_be_of_another_kind_is_refused(
    words: list[str], said: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = stend(*words, "--store", url)
    assert (done.returncode, said in done.stderr) == (2, True)
    assert not list(tmp_path.iterdir())


def test_an_empty_store_is_not_made(tmp_path: Path) -> None:
    done = stend("trend", "stream.triad", "--store", str(tmp_path / "none.db"))
    assert done.returncode == 2
    assert "run `stend run` first" in done.stderr
    assert not (tmp_path / "none.db").exists()


def test_listing_runs_imports_nothing_that_draws_or_computes() -> None:
    """What `stend runs` waits for: 1,000 runs are to be listed in half a second."""
    code = (
        "import sys; from stend.store import Store; from stend.report import terminal; "
        "terminal.print_runs; print(*[m for m in ('numpy', 'scipy', 'stend.comparing', "
        "'stend.report.charts', 'jinja2') if m in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_a_long_list_of_runs_reads_as_a_short_one(url: str, tmp_path: Path) -> None:
    long = store(str(tmp_path / "long.db"), planted(60))
    short = [line.split() for line in stend("runs", "--store", url).stdout.splitlines()]
    lines = [
        line.split() for line in stend("runs", "--store", long, "-n", "60").stdout.splitlines()
    ]
    assert len(lines) == 61
    assert lines[0] == short[0]
    assert [len(line) for line in lines[1:3]] == [len(line) for line in short[1:3]]
