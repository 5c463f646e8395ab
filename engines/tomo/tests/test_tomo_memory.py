"""The cap on memory is kept whatever is done to a slab, as the process's own peak shows."""

import json
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo.preparation import HalfAcquisition, Paganin, Preparation
from tomo_support import PATIENCE

PROGRAM = """
import json, os, re, tempfile
import numpy as np
import scipy.ndimage
import stend_tomo as tomo
from stend_tomo.preparation import HalfAcquisition, Paganin, Preparation, find_center
from stend_tomo.preparation.center import bytes_finding
from stend_tomo.scan import chosen_rows

COUNT, COLUMNS, CAP = 128, 1024, 48_000_000

class Counts:
    dtype = np.dtype(np.uint16)
    def __init__(self, count, level=900):
        self.shape, self.level = (count, rows, COLUMNS), level
    def rows(self, first, last):
        random = np.random.default_rng(first)
        shape = self.shape[0], last - first, COLUMNS
        return random.integers(self.level, self.level + 100, shape, np.uint16)

class Nowhere:
    written = 0
    def __init__(self, shape):
        self.shape = shape
    def write(self, first, slices):
        self.written += len(slices)
    def finish(self):
        assert self.written == rows

def scan(turn):
    angles = np.arange(COUNT) * turn / COUNT
    return tomo.Scan(Counts(COUNT), angles, Counts(8), Counts(8, 0))

def reconstructed(given, prepare, **options):
    tomo.reconstruct_scan(given, Nowhere((rows, 4, 4)), memory=CAP, algorithm="fbp", size=4,
                          threads=2, prepare=prepare, **options)
    return CAP

def half(**steps):
    wide = HalfAcquisition(scan(2 * np.pi), Preparation(threads=2, **steps), 900.3)
    return reconstructed(wide.scan, wide, center=wide.center)

def plain(**steps):
    return reconstructed(scan(np.pi), Preparation(threads=2, **steps))

class Packed(Nowhere):
    def write(self, first, slices):
        slices.copy()  # packed as badly as can be
        super().write(first, slices)

def few_angles(number):
    given = tomo.Scan(Counts(8), np.arange(8) * np.pi / 8, Counts(8), Counts(8, 0), pixel=1.0)
    return chosen_rows(given, 0, number), Preparation(threads=2)

def slices():
    given, prepare = few_angles(rows)
    tomo.reconstruct_scan(given, Packed((rows, 512, 512)), memory=CAP, algorithm="fbp", size=512,
                          threads=2, prepare=prepare)
    return CAP

def dicom():
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])  # a slice is packed at a time
    few, cap = min(rows, 12), 95_000_000
    given, prepare = few_angles(few)
    with tempfile.TemporaryDirectory() as folder:
        volume = tomo.open_volume(folder + "/a", "dicom", (few, 1024, 1024), pixel=1.0)
        tomo.reconstruct_scan(given, volume, memory=cap, algorithm="fbp", size=1024, threads=2,
                              prepare=prepare)
    return cap

def cone():
    beam = tomo.ConeBeam(source_to_axis=2000, source_to_detector=3000, pitch=1)
    tomo.reconstruct_cone_scan(scan(2 * np.pi), Nowhere((rows, 4, 4)), beam, memory=CAP, size=4,
                               threads=2, slices=rows, prepare=Preparation(threads=2))
    return CAP

def center():
    find_center(np.ones((4 * COUNT, 1, COLUMNS), np.float32), np.arange(4 * COUNT) * np.pi / 512)
    return bytes_finding(4 * COUNT, COLUMNS) + 4 * 4 * COUNT * COLUMNS

WAYS = {
    "zingers": lambda: plain(zingers=0.2),
    "large stripes": lambda: plain(large_stripes=5),
    "phase": lambda: plain(phase=Paganin(20, 10, 0.01, 500)),
    "all of a half acquisition": lambda: half(
        zingers=0.2, stripes=5, large_stripes=5, dead_stripes=5
    ),
    "a cone beam": cone,
    "center": center,
    "large slices": slices,
    "slices packed into DICOM": dicom,
}

def peak():
    told = open("/proc/self/status").read()
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+) kB", told)[1])

for name, way in WAYS.items():
    if os.fork() == 0:  # what counts begins anew, without what this process once had
        rows = 1
        way()  # what the first call loads is not of this scan
        open("/proc/self/clear_refs", "w").write("5")  # proc(5): forget the peak
        rows, before = 100, peak()
        allowed = way()
        print(json.dumps([name, (peak() - before) / allowed]), flush=True)
        os._exit(0)
    assert os.wait()[1] == 0, name
"""


@pytest.fixture(scope="module")
def peaks():
    """Of each way to prepare: the part of what is allowed that it took."""
    program = [sys.executable, "-c", PROGRAM]
    # Arrays of this small scan shall lie where those of a large one do, and be given back alike.
    given = os.environ | {"MALLOC_MMAP_THRESHOLD_": "1000000"}
    done = subprocess.run(
        program, capture_output=True, text=True, timeout=PATIENCE, check=True, env=given
    )
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    "way", ["zingers", "large stripes", "phase", "all of a half acquisition", "a cone beam"]
)
def test_memory_stays_under_the_cap_with_every_step(peaks, way):
    assert 0.3 < peaks[way] < 1


def test_finding_an_axis_takes_what_is_told(peaks):
    assert 0.3 < peaks["center"] < 1


@pytest.mark.parametrize(
    ("way", "most"), [("large slices", 0.7), ("slices packed into DICOM", 0.65)]
)
def test_large_slices_and_their_packing_are_counted(peaks, way, most):
    # Without one of the slabs' slices, or without what packing takes, it is more than so much.
    assert 0.3 < peaks[way] < most


class Stored:
    """Frames of one value."""

    def __init__(self, count, level=900, dtype=np.uint16):
        self.shape, self.dtype, self.level = (count, 100, 512), np.dtype(dtype), level

    def rows(self, first, last):
        return np.full((self.shape[0], last - first, 512), self.level, self.dtype)


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(
    "steps", [{}, {"zingers": 0.2}, {"phase": Paganin(20, 10, 0.01, 500)}, {"large_stripes": 5}]
)
def test_what_preparing_takes_is_as_it_tells(dtype, half, steps):
    angles = np.arange(64) * 2 * np.pi / 64
    scan = tomo.Scan(
        Stored(64, dtype=dtype), angles, Stored(4, dtype=dtype), Stored(4, 0, dtype=dtype)
    )
    prepare = Preparation(threads=2, **steps)
    if half:
        prepare = HalfAcquisition(scan, prepare, 400.3)
    assert 0.75 < peak(prepare, scan, 100) < 1.02


def test_what_is_stored_as_line_integrals_is_counted_once_more():
    scan = tomo.Scan(Stored(64, dtype=np.float32), np.arange(64.0), normalized=True)
    assert 0.98 < peak(Preparation(stripes=5, threads=2), scan, 100) < 1.02
    scan = tomo.Scan(Stored(64), np.arange(64.0), normalized=True)
    assert 0.98 < peak(Preparation(stripes=5, threads=2), scan, 100) < 1.02


def peak(prepare, scan, rows):
    """What Python and NumPy had at the height, of what was told."""
    prepare(scan, 0, 2)  # what the first call loads
    tracemalloc.start()
    try:
        prepare(scan, 0, rows)
        return tracemalloc.get_traced_memory()[1] / prepare.bytes(scan, rows)
    finally:
        tracemalloc.stop()
