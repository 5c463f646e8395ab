"""With NumPy alone, its files are read, and others are one sentence with the command."""

import subprocess
import sys

import numpy as np
import pytest

EXTRAS = ("h5py", "zarr", "numcodecs", "pydicom", "tifffile", "PIL", "imagecodecs", "scipy", "dask")
PROGRAM = f"""
import sys

class Lacks:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {EXTRAS}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Lacks())
from stend_tomo.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(*words):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_numpys_files_are_read(tmp_path):
    scan = tmp_path / "scan.npy"
    np.save(scan, np.ones((4, 3, 5), np.float32))
    done = run("info", scan)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "begins", "library"),
    [
        ("scan.h5", b"\x89HDF\r\n\x1a\n", "h5py"),
        ("scan/zarr.json", b"{}", "zarr"),
        ("scan/0.png", b"\x89PNG\r\n\x1a\n", "pillow"),
        ("scan/0.tif", b"II*\0\x08\0\0\0", "tifffile"),
        ("scan/0.dcm", bytes(128) + b"DICM", "pydicom"),
    ],
)
def test_other_files_are_one_sentence_with_the_command(tmp_path, name, begins, library):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(begins)
    done = run("info", tmp_path / name.partition("/")[0])
    assert done.returncode == 6
    assert done.stderr == (
        f"stend-tomo: Files of this format need {library}; install it with "
        "`pip install 'stend-tomo[files]'`.\n"
    )
