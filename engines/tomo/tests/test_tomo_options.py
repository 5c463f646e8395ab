"""What words on the command line of `stend-tomo` mean, and what is told of angles."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from stend_tomo import cli
from stend_tomo.cli import run
from stend_tomo.cli.info import _gap
from stend_tomo.cli.output import FormatName, format_of
from stend_tomo.cli.scan_options import rows_of


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.h5", "hdf5"), ("a.HDF5", "hdf5"), ("a.zarr", "zarr"), ("a.tif", "tiff"), ("a", "tiff")],
)
def test_an_outputs_ending_tells_its_format(name, format):
    assert format_of(Path(name), None) == format
    assert format_of(Path(name), FormatName(format)) == format


def test_either_end_of_rows_may_be_left_out():
    found = [rows_of(given, 40) for given in (None, ":", "5:", ":7", "5:7")]
    assert found == [(0, 40), (0, 40), (5, 40), (0, 7), (5, 7)]


def test_few_or_golden_angles_lack_no_directions():
    even, golden = np.arange(0, 360, 24.0), np.arange(200) * 111.246
    assert [_gap(angles) for angles in (even, golden, np.zeros(1))] == [None] * 3


def test_what_pydicom_warns_of_is_dropped_while_a_verb_works_and_nothing_else(monkeypatch):
    def warn() -> None:
        """Warn.

        Example: `warn`.
        """
        for module in ("pydicom.values", "zarr"):
            warnings.warn_explicit(module, UserWarning, "a.py", 1, module=module)

    monkeypatch.setattr(cli, "verbs", lambda: {"warn": warn})
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run(["warn"])
        assert [str(one.message) for one in said] == ["zarr"]
        warn()
    assert [str(one.message) for one in said] == ["zarr", "pydicom.values", "zarr"]
