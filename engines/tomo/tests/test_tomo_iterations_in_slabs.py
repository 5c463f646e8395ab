"""SIRT and CGLS wherever slices are made: bit by bit what `sirt` and `cgls` give, and resumed."""

import os
import signal
import subprocess
import sys
import time
from typing import Any

import dask.array as da
import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from blobs import half_turn, volume
from stend_tomo.memory import least_cap
from stend_tomo.scan_reconstruction import ScanReconstruction
from tomo_support import PATIENCE

ANGLES = half_turn(12)
ROWS, COLUMNS = 40, 14
PROJECTIONS = volume(ROWS, ANGLES, COLUMNS)
FUNCTIONS = {"sirt": tomo.sirt, "cgls": tomo.cgls}
each_method = pytest.mark.parametrize("method", FUNCTIONS)


class Frames:
    """Projections in memory, which note what was read."""

    shape, dtype = PROJECTIONS.shape, PROJECTIONS.dtype

    def __init__(self) -> None:
        self.read: list[tuple[int, int]] = []

    def rows(self, first: int, last: int) -> NDArray[np.float32]:
        self.read.append((first, last))
        return PROJECTIONS[:, first:last]

    def frame(self, index: int) -> NDArray[np.float32]:
        return PROJECTIONS[index]


class Kept:
    """A volume in memory."""

    shape = (ROWS, COLUMNS, COLUMNS)

    def __init__(self) -> None:
        self.slices = np.full(self.shape, np.nan, np.float32)
        self.written, self.finished = 0, False

    def write(self, first: int, slices: NDArray[np.float32]) -> None:
        self.slices[first : first + len(slices)] = slices
        self.written = first + len(slices)

    def finish(self) -> None:
        self.finished = True


def scan() -> tomo.Scan:
    return tomo.Scan(Frames(), angles=ANGLES, normalized=True, pixel=0.5)


def whole(method: str, iterations: int = 6, **options: Any) -> NDArray[np.float32]:
    return FUNCTIONS[method](PROJECTIONS, ANGLES, iterations=iterations, **options)


@each_method
@pytest.mark.parametrize(
    "options",
    [{}, {"non_negative": True, "center": 6.1, "size": 17, "zoom": 1.5, "pixel": 0.3}],
)
def test_an_algorithm_gives_what_its_function_gives(method: str, options: dict[str, Any]) -> None:
    found = tomo.reconstruct(PROJECTIONS, ANGLES, algorithm=method, iterations=6, **options)
    assert np.array_equal(found, whole(method, **options))
    turned = PROJECTIONS.transpose(1, 0, 2)
    made = tomo.Reconstructor(COLUMNS, ANGLES, algorithm=method, iterations=6, **options)
    for _ in range(2):  # the second time with what the first has left
        assert np.array_equal(made(turned, sinogram_order=True), found)
    again = made(PROJECTIONS, start=found)
    assert np.array_equal(again, whole(method, start=found, **options))


@pytest.mark.parametrize(("method", "iterations"), [("sirt", 100), ("cgls", 20)])
def test_iterations_are_by_default_as_many_as_the_functions(method: str, iterations: int) -> None:
    assert tomo.Reconstructor(COLUMNS, ANGLES, algorithm=method).iterations == iterations
    few, by_default = PROJECTIONS[:, :1], FUNCTIONS[method](PROJECTIONS[:, :1], ANGLES, threads=1)
    for asked in (None, iterations):
        found = tomo.reconstruct(few, ANGLES, algorithm=method, iterations=asked, threads=1)
        assert np.array_equal(found, by_default)


@each_method
def test_what_iterates_is_among_algorithms_with_variants(method: str) -> None:
    assert method in tomo.algorithms()
    assert tomo.variants(method) == tomo.variants("project")
    for variant in tomo.variants(method):
        made = tomo.Reconstructor(COLUMNS, ANGLES, algorithm=method, variant=variant)
        assert made.variant == variant
        assert made.together in (1, 4, 8, 16)
        # x, s and b, q of a lane each; CGLS's d and r; what SIRT weighs by has none.
        slices, sinograms = 4 * COLUMNS**2, 4 * ANGLES.size * COLUMNS
        lanes = 2 * made.together + {"sirt": 1, "cgls": made.together}[method]
        assert made.bytes >= lanes * (slices + sinograms)


@each_method
@pytest.mark.parametrize(("room", "enough"), [(17_000, False), (10**9, True)])
def test_slabs_of_a_batch_or_less_give_what_the_whole_gives(
    method: str, room: int, enough: bool
) -> None:
    options: Any = {"algorithm": method, "iterations": 6, "variant": "portable", "threads": 1}
    memory = least_cap(tomo.Reconstructor(COLUMNS, ANGLES, **options).bytes + room)
    given, kept = scan(), Kept()
    tomo.reconstruct_scan(given, kept, memory=memory, **options)
    assert kept.finished
    assert np.array_equal(kept.slices, whole(method, variant="portable", pixel=0.5))
    assert isinstance(given.projections, Frames)
    rows = max(last - first for first, last in given.projections.read)
    assert rows == 4 if enough else rows < 4


@each_method
def test_an_interrupt_between_iterations_loses_one_slab(method: str) -> None:
    options: Any = {"algorithm": method, "iterations": 6, "variant": "portable"}
    told: list[tuple[int, int]] = []

    kept = Kept()

    def press(done: int, of: int, residual: float) -> None:
        told.append((done, of))
        if done == 6 * 20 + 3 * 4:  # half-way through the sixth slab
            while kept.written < 20:
                time.sleep(0.001)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        tomo.reconstruct_scan(scan(), kept, iterating=press, **options)
    assert kept.written == 20
    assert not kept.finished
    assert told[-1] == (132, 6 * ROWS)
    again: list[tuple[int, int]] = []
    tomo.reconstruct_scan(
        scan(), kept, iterating=lambda done, of, _: again.append((done, of)), **options
    )
    assert np.array_equal(kept.slices, whole(method, variant="portable", pixel=0.5))
    assert again[0] == (120, 6 * ROWS)
    done = [each for each, _ in told[:-4] + again]
    assert done == [6 * slab + 4 * k for slab in range(0, ROWS, 4) for k in range(6)]


def test_one_slice_is_told_of_alone() -> None:
    work = ScanReconstruction(scan(), algorithm="sirt", iterations=3)
    told: list[tuple[int, int]] = []
    found = work.slice(7, lambda done, of, _: told.append((done, of)))
    assert told == [(0, 3), (1, 3), (2, 3)]
    assert np.array_equal(found, whole("sirt", 3, pixel=0.5)[7])


@each_method
def test_blocks_of_dask_give_what_the_whole_gives(method: str) -> None:
    blocks: Any = da.from_array(PROJECTIONS, chunks=(12, 15, COLUMNS))
    lazy: Any = tomo.reconstruct(blocks, ANGLES, algorithm=method, iterations=6, non_negative=True)
    assert isinstance(lazy, da.Array)
    assert np.array_equal(lazy.compute(), whole(method, non_negative=True))


def test_what_arrives_is_iterated_anew_at_each_look() -> None:
    monitored = tomo.Anytime(COLUMNS, rows=ROWS, algorithm="sirt", iterations=6)
    for part in (slice(0, 5), slice(5, 12)):
        monitored.add(PROJECTIONS[part], ANGLES[part])
        expected = tomo.sirt(PROJECTIONS[: part.stop], ANGLES[: part.stop], iterations=6)
        assert np.array_equal(monitored.slices(), expected)


@each_method
def test_what_is_raised_while_told_passes_as_it_is(method: str) -> None:
    class Own(ValueError):
        pass

    def refuse(done: int, of: int, residual: float) -> None:
        raise Own("of the caller")

    with pytest.raises(Own, match="of the caller"):
        whole(method, progress=refuse)


def test_a_result_whose_slices_lie_on_each_other_is_refused() -> None:
    room = np.zeros((COLUMNS, COLUMNS), np.float32)
    on_each_other = np.lib.stride_tricks.as_strided(room, Kept.shape, (0, 4 * COLUMNS, 4))
    with pytest.raises(tomo.BadBuffer):
        whole("sirt", out=on_each_other)


def test_a_start_is_for_what_iterates() -> None:
    made = tomo.Reconstructor(COLUMNS, ANGLES)
    with pytest.raises(tomo.BadOption, match="leave it out"):
        made(PROJECTIONS, start=np.zeros(Kept.shape))


PEAKS = """
import os, re
import numpy as np
import stend_tomo as tomo

COUNT, COLUMNS = 60, 400

class Frames:
    dtype = np.dtype(np.float32)
    def __init__(self, rows):
        self.shape = COUNT, rows, COLUMNS
    def rows(self, first, last):
        return np.full((COUNT, last - first, COLUMNS), 9, np.float32)

class Nowhere:
    written = 0
    def __init__(self, rows):
        self.shape = rows, COLUMNS, COLUMNS
    def write(self, first, slices):
        self.written += len(slices)
    def finish(self):
        pass

def run(rows, memory, algorithm):
    scan = tomo.Scan(Frames(rows), angles=np.arange(COUNT) * np.pi / COUNT, normalized=True)
    tomo.reconstruct_scan(scan, Nowhere(rows), memory=memory, algorithm=algorithm, iterations=1)

def peak():
    told = open("/proc/self/status").read()
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+) kB", told)[1])

for algorithm, cap, much in (
    ("sirt", 45_000_000, True),
    ("cgls", 54_000_000, True),
    ("sirt", 20_000_000, False),
):
    if os.fork() == 0:  # what counts begins anew, without what this process once had
        run(1, 10**9, algorithm)  # pages of libraries are no memory that a scan takes
        with open("/proc/self/clear_refs", "w") as peaks:
            peaks.write("5")
        before = peak()
        try:
            run(24, cap, algorithm)
        except tomo.TooLittleMemory:
            assert not much
        print((peak() - before) / cap, flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""


def test_memory_stays_under_the_cap_and_what_would_not_takes_none() -> None:
    # Arrays of this small scan shall lie where those of a large one do, and be given back alike.
    given = os.environ | {"MALLOC_MMAP_THRESHOLD_": "1000000"}
    program = [sys.executable, "-c", PEAKS]
    done = subprocess.run(
        program, capture_output=True, text=True, timeout=PATIENCE, check=True, env=given
    )
    sirt, cgls, refused = map(float, done.stdout.split())
    assert 0.5 < sirt < 1
    assert 0.5 < cgls < 1
    assert refused < 0.1
