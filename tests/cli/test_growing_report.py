"""`stend run` with a budget and a page: what is refused, written and opened."""

import pytest

from in_process import stend
from made import machine
from stend.cli import run as run_verb
from stend.report import terminal

ONE = ("run", "clock.resolution", "--set", "timer=CLOCK_MONOTONIC", "--seconds", "0.05")


@pytest.fixture
def desktop(monkeypatch, tmp_path):
    """A browser that notes what it is to open, and starts at once."""
    opened = []
    monkeypatch.setattr(run_verb, "has_display", lambda: True)
    monkeypatch.setattr(run_verb, "open_browser", opened.append)
    monkeypatch.setattr(run_verb, "STARTING", 0.0)
    monkeypatch.setenv("STEND_STORE", str(tmp_path / "runs.db"))
    monkeypatch.chdir(tmp_path)
    return opened


def test_the_report_is_written_and_opened_once_while_the_run_goes_on(desktop, tmp_path):
    done = stend(*ONE, "--open", "--budget", "60s")
    assert done.returncode == 0, done.stderr
    assert desktop == [(tmp_path / "report.html").as_uri()]
    assert "report.html is updated during the run; opening it in a browser." in done.stderr
    assert "Wrote report.html" in done.stderr
    text = (tmp_path / "report.html").read_text()
    assert "clock.resolution" in text
    assert "data-written" not in text, "it is the finished page"


def test_without_a_display_the_path_is_told(desktop, tmp_path, monkeypatch):
    monkeypatch.setattr(run_verb, "has_display", lambda: False)
    done = stend(*ONE, "--open", "-o", "mine.html", "--json")
    assert desktop == []
    assert "mine.html is updated during the run; open it in a browser." in done.stderr
    assert done.stdout.startswith("{"), "what --json prints is JSON and nothing else"
    assert (tmp_path / "mine.html").is_file()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--budget", "soon"], "'soon' is not a time"),
        (["--budget", "0"], "is not a time"),
        (["-o", "report.pdf"], "ends in .pdf"),
        (["--open", "--hosts", "hosts.txt"], "do not work with --hosts"),
        (["--budget", "4m", "--hosts", "hosts.txt"], "do not work with --hosts"),
    ],
)
def test_what_can_not_be_is_refused_before_anything_is_measured(desktop, tmp_path, words, told):
    done = stend(*ONE, *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_another_file_of_that_name_is_left_alone(desktop, tmp_path):
    (tmp_path / "report.html").write_text("mine")
    done = stend(*ONE, "--open")
    assert done.returncode == 2
    assert (tmp_path / "report.html").read_text() == "mine"
    assert not (tmp_path / "runs.db").exists()


def test_a_budget_that_is_spent_leaves_cases_out_in_one_line(desktop, monkeypatch):
    done = stend("run", "clock", "--seconds", "0.05", "--budget", "0.001s")
    lines = " ".join(done.stdout.split())
    again = "stend run clock --seconds 0.05"
    assert f"It did not fit into 0.001 s; measure it with `{again}`." in lines
    assert "did not fit" not in done.stderr, "the progress says nothing of each"


def test_the_machine_verb_ends_with_one_command_for_what_is_missing(capsys):
    mpi = "No mpicxx is in PATH: `sudo apt-get install mpich libmpich-dev`."
    skips = [mpi, "fio is not installed: `sudo apt-get install fio`.", "this machine lacks amx."]
    terminal.print_machine(machine(), (), skips=skips)
    last = " ".join(capsys.readouterr().out.split())
    assert last.endswith("For 2 more cases: `sudo apt-get install mpich libmpich-dev fio`")
