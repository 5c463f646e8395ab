"""How `stend-tomo` ends when it is cut short, or the disk is full; and its progress."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import stend_tomo
from tomo_support import PATIENCE, on_terminal

COMMAND = [sys.executable, "-m", "stend_tomo"]


def ended(*words, code=0, **more):
    done = subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=PATIENCE, check=False, **more
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture
def scan(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended("phantom", "shepp-logan-3d", "-o", "p.h5", "--columns", "256")
    return tmp_path


WORDS = ["reconstruct", "p.h5", "-o", "out", "--format", "png", "--size", "512"]

PRESSING_CTRL_C = """
import os, signal, sys
from stend_tomo.cli import main
from stend_tomo.writing.atomic_output import Unfinished

record = Unfinished.record

def record_and_press(self, written):
    record(self, written)
    if written:
        os.kill(os.getpid(), signal.SIGINT)

Unfinished.record = record_and_press
sys.exit(main())
"""
"""The command, with Ctrl-C when its first slices are on the disk, however fast it is."""


def interrupt_after_some_slices(words):
    """Give what was said, and the code."""
    done = subprocess.run(
        [sys.executable, "-c", PRESSING_CTRL_C, *words],
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.stderr, done.returncode


def test_ctrl_c_leaves_slices_that_the_same_command_goes_on_with(scan):
    words = WORDS
    said, code = interrupt_after_some_slices(words)
    assert code == 130
    assert (
        "of 256 slices are kept in out.unfinished; the same command continues with the rest" in said
    )
    assert not Path("out").exists()
    refused = ended(*words, "--filter", "hann", code=2)
    said = " ".join(refused.stderr.split())
    assert "was begun with other settings (filter)" in said
    assert "start over with --restart" in said
    changed = Path("p.h5").stat().st_mtime_ns
    os.utime("p.h5", ns=(changed, changed + 1))  # another scan of the same name
    assert "was begun with other settings" in ended(*words, code=2).stderr
    os.utime("p.h5", ns=(changed, changed))
    told = json.loads(ended(*words, "--json").stdout)
    assert told["before"] > 0
    assert told["slices"] == 256 - told["before"]
    assert len(list(Path("out").iterdir())) == 256
    assert not Path("out.unfinished").exists()


def test_what_was_cut_short_is_begun_anew_when_asked_for(scan):
    words = WORDS
    assert interrupt_after_some_slices(words)[1] == 130
    words = [*words, "--filter", "hann", "--rows", "0:8", "--restart", "--json"]
    assert json.loads(ended(*words).stdout)["before"] == 0


def test_a_full_disk_is_one_sentence_and_slices_are_kept(scan):
    line = f"ulimit -f 4000; exec {shlex.join(COMMAND)} "
    words = "reconstruct p.h5 -o out.tif"
    done = subprocess.run(
        ["bash", "-c", line + words], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 4
    assert done.stderr.startswith("stend-tomo: No space is left for out.tif.")
    assert Path("out.tif.unfinished").is_dir()
    words = "phantom may-beetle -o b.h5 --columns 128"
    done = subprocess.run(
        ["bash", "-c", line + words], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 4
    assert done.stderr == "stend-tomo: No space is left for b.h5; nothing of it was kept.\n"
    assert not list(Path().glob("b.h5*"))


def test_progress_is_a_bar_with_speed_and_time_left_on_a_terminal_only(scan):
    assert ended("reconstruct", "p.h5", "-o", "a", "--rows", "0:32").stderr == ""
    code, _, shown = on_terminal([*COMMAND, "reconstruct", "p.h5", "-o", "b"], columns=100)
    assert code == 0
    assert "reconstructing 256 of 256" in shown
    assert "slices/s" in shown
    assert " left" in shown


def test_numpy_is_not_needed_to_explain_itself():
    """Help comes at once: no verb imports an array library before it works."""
    loaded = (
        "import sys; from stend_tomo.cli import parser; parser('stend-tomo').format_help();"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True)
    assert done.stdout == b"False\n"


def test_every_public_name_is_found_where_it_is_said_to_be():
    missing = [name for name in stend_tomo.__all__ if not hasattr(stend_tomo, name)]
    assert missing == []
    assert set(stend_tomo._HOMES) | set(stend_tomo._ROOMS) == set(stend_tomo.__all__)
