"""`stend tomo view` from the outside: it tells its address, answers there, and Ctrl-C ends it."""

import signal
import subprocess
import sys

import numpy as np
import pytest

from stend.errors import SetupError
from stend.tomo_view import Server
from tomo_view.scans import shown_volume
from tomo_view.serving import get, plane


def test_the_command_serves_until_ctrl_c(tmp_path):
    path = tmp_path / "scan.npy"
    values = np.random.default_rng(1).random((20, 4, 32), np.float32)
    np.save(path, values)
    words = ["tomo", "view", str(path), "--angles", "0:171:20", "--line-integrals", "--no-open"]
    default_int = "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    command = [sys.executable, "-c", default_int + "runpy.run_module('stend', run_name='__main__')"]
    with subprocess.Popen([*command, *words], stdout=subprocess.PIPE, text=True) as viewer:
        address = viewer.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert np.array_equal(plane(address + "projection/19")[0], values[19])
        assert get(address)[2].count(b"<!doctype html>") == 1
        viewer.send_signal(signal.SIGINT)
        said, _ = viewer.communicate(timeout=20)
    assert viewer.returncode == 0
    assert said.endswith("Ended.\n")


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_a_missing_library_is_a_sentence_with_the_command(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SetupError, match=rf"needs {library}: .*pip install 'stend\[tomo,web\]'"):
        Server(shown_volume())
