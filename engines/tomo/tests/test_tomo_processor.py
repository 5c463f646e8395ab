"""A NumPy that can't run on the processor is one sentence, and no crash."""

import os
import subprocess
import sys

import pytest

DIES = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
REFUSES = "raise RuntimeError('NumPy was built with baseline optimizations')"
RUNS = "loaded = True"
SENTENCE = "NumPy 9.9 can't run on this processor, which lacks x86-64-v2 instructions "


@pytest.fixture
def import_numpy(tmp_path):
    """Imports a NumPy of one line where the processor lacks or has x86-64-v2."""

    def run(line, has_x86_64_v2=False):
        (tmp_path / "numpy.py").write_text(line)
        described = tmp_path / "numpy-9.9.dist-info"
        described.mkdir(exist_ok=True)
        (described / "METADATA").write_text("Name: numpy\nVersion: 9.9\n")
        program = (
            f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
            "import stend_tomo._tomo\n"
            f"stend_tomo._tomo.x86_64_v2 = lambda: {has_x86_64_v2}\n"
            "for attempt in range(2):\n"
            "    try:\n"
            "        import numpy\n"
            "        print('loaded')\n"
            "    except ImportError as error:\n"
            "        print(error, error.exit_code)\n"
        )
        return subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize("numpy", [DIES, REFUSES])
def test_a_numpy_for_newer_processors_is_refused_each_time(import_numpy, numpy):
    done = import_numpy(numpy)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first == second
    assert first.startswith(SENTENCE)
    assert first.endswith(" 6")


def test_a_numpy_for_old_processors_is_loaded(import_numpy):
    assert import_numpy(RUNS).stdout == "loaded\nloaded\n"


def test_nothing_is_tried_where_the_processor_suffices(import_numpy):
    assert import_numpy(DIES, has_x86_64_v2=True).returncode < 0


def test_an_error_before_the_trial_does_not_return_into_the_program(import_numpy, tmp_path):
    (tmp_path / "resource.py").write_text("raise OSError('another module of this name')")
    done = import_numpy(RUNS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(SENTENCE) == 2
