"""Scans larger than memory: slabs under a cap, resumed where they ended, read while computing."""

import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import in_memory
import stend_tomo as tomo
from blobs import half_turn, volume
from in_memory import Stored
from stend_tomo import slab_pipeline
from stend_tomo.scan import chosen_rows
from stend_tomo.scan_reconstruction import ScanReconstruction
from tomo_support import PATIENCE

ANGLES = half_turn(30)
COLUMNS = 24
ROWS = 40
SMALL: Any = {"algorithm": "fbp", "variant": "reference"}
"""One slice at a time and no tables to speak of: a small cap makes small slabs."""
PROJECTIONS = volume(ROWS, ANGLES, COLUMNS)


class Kept(in_memory.Kept):
    """A volume of the scan's slices."""

    def __init__(self) -> None:
        super().__init__((ROWS, COLUMNS, COLUMNS))


def scan(projections: NDArray[np.generic] = PROJECTIONS, **about: Any) -> tomo.Scan:
    return tomo.Scan(Stored(projections), **{"angles": ANGLES, "normalized": True, **about})


def run(given: tomo.Scan, kept: Kept, **options: Any) -> Kept:
    tomo.reconstruct_scan(given, kept, **{**SMALL, **options})
    return kept


WHOLE = tomo.reconstruct(PROJECTIONS, ANGLES, **SMALL)


@pytest.mark.parametrize("memory", [70_000, "100 kB", "4 GB"])
def test_slabs_give_what_the_whole_gives(memory: int | str) -> None:
    kept = run(scan(), Kept(), memory=memory)
    assert kept.finished
    assert np.array_equal(kept.slices, WHOLE)


def test_a_smaller_cap_makes_smaller_slabs_read_by_another_thread() -> None:
    slabs = []
    for memory in (70_000, "4 GB"):
        given = scan()
        run(given, Kept(), memory=memory)
        assert isinstance(given.projections, Stored)
        slabs.append(max(last - first for first, last, _ in given.projections.read))
        assert {name for _, _, name in given.projections.read} != {"MainThread"}
    assert slabs[0] < slabs[1] < ROWS


def test_what_was_interrupted_goes_on_where_it_ended() -> None:
    def interrupt(done: int, of: int, speed: float) -> None:
        if done > ROWS // 2:
            raise KeyboardInterrupt

    kept, given = Kept(), scan()
    with pytest.raises(KeyboardInterrupt):
        run(given, kept, progress=interrupt)
    assert ROWS // 2 < kept.written < ROWS
    assert not kept.finished
    begin, again = kept.written, scan()
    run(again, kept)
    assert isinstance(again.projections, Stored)
    assert again.projections.read[0][0] == begin
    assert kept.finished
    assert np.array_equal(kept.slices, WHOLE)


def test_an_interrupt_does_not_wait_for_what_is_read_ahead() -> None:
    read = []

    def prepare(given: tomo.Scan, first: int, last: int) -> NDArray[np.float32]:
        for _ in range(2000 if first else 1):
            time.sleep(0.01)
        read.append(first)
        return given.projections.rows(first, last).astype(np.float32)

    def interrupt(done: int, of: int, speed: float) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(scan(), Kept(), prepare=prepare, progress=interrupt, memory="100 kB")
    assert read == [0]
    assert "stend-tomo-ahead" not in {thread.name for thread in threading.enumerate()}


def test_a_volume_that_is_there_is_only_finished() -> None:
    kept = Kept()
    kept.written = ROWS
    assert run(scan(), kept).finished


@pytest.mark.parametrize("written", [-1, ROWS + 1])
def test_a_volume_that_tells_of_slices_it_cannot_have_is_not_finished(written: int) -> None:
    kept = Kept()
    kept.written = written
    with pytest.raises(tomo.BadOption, match=f"has {written} of {ROWS} slices written"):
        run(scan(), kept)
    assert not kept.finished


def test_a_full_disk_is_told_before_the_next_slab_is_computed() -> None:
    class Full(Kept):
        def write(self, first: int, slices: NDArray[np.float32]) -> None:
            raise OSError("full")

    read: list[int] = []

    def slowly(given: tomo.Scan, first: int, last: int) -> NDArray[np.float32]:
        read.append(first)
        time.sleep(0.05)
        return tomo.line_integrals(given, first, last)

    with pytest.raises(OSError, match="full"):
        run(scan(), Full(), prepare=slowly)
    assert len(read) == 2


def test_what_prepares_nothing_is_named() -> None:
    with pytest.raises(tomo.BadProjections, match="What was prepared is NoneType"):
        run(scan(), Kept(), prepare=lambda *_: None)


def test_imaginary_parts_are_not_dropped() -> None:
    with pytest.raises(tomo.BadProjections, match="not complex128"):
        run(scan(PROJECTIONS.astype(np.complex128)), Kept())


def test_progress_counts_slices_and_their_speed() -> None:
    told: list[tuple[int, int, float]] = []
    run(scan(), Kept(), progress=lambda *said: told.append(said))
    done = [each for each, _, _ in told]
    assert done == sorted(done)
    assert done[-1] == ROWS
    assert all(of == ROWS and speed > 0 for _, of, speed in told)


def test_speed_is_of_what_this_call_made(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count()
    clock = SimpleNamespace(perf_counter=lambda: next(seconds))
    monkeypatch.setattr(slab_pipeline, "time", clock)
    kept, told = Kept(), []
    kept.written = 30
    run(scan(), kept, progress=lambda done, of, speed: told.append((done, speed)))
    assert told == [(done, (done - 30) / after) for after, (done, _) in enumerate(told, 1)]


def test_what_is_written_slowly_is_not_overwritten_by_the_next_slab() -> None:
    class Slow(Kept):
        def write(self, first: int, slices: NDArray[np.float32]) -> None:
            time.sleep(0.02)
            super().write(first, slices)

    assert np.array_equal(run(scan(), Slow(), memory="100 kB").slices, WHOLE)


def test_some_rows_are_a_scan_of_their_own() -> None:
    flats, darks = PROJECTIONS[:5] + 1, PROJECTIONS[:3] - 1
    whole = scan(flats=Stored(flats), darks=Stored(darks))
    some = chosen_rows(whole, 10, 30)
    for frames, right in (
        (some.projections, PROJECTIONS),
        (some.flats, flats),
        (some.darks, darks),
    ):
        assert frames.shape == (len(right), 20, COLUMNS)
        assert np.array_equal(frames.rows(2, 5), right[:, 12:15])
        assert np.array_equal(frames.frame(1), right[1, 10:30])
    with pytest.raises(tomo.BadOption, match="no rows 30 up to 41 of 40"):
        chosen_rows(whole, 30, 41)


def test_intensities_are_prepared_a_slab_at_a_time() -> None:
    def prepare(given: tomo.Scan, first: int, last: int) -> NDArray[np.float32]:
        return -np.log(given.projections.rows(first, last), dtype=np.float32)

    transmitted = np.exp(-PROJECTIONS.astype(np.float64))
    kept = run(scan(transmitted, normalized=False), Kept(), prepare=prepare)
    np.testing.assert_allclose(kept.slices, WHOLE, atol=1e-5)


def test_the_pixel_of_the_scan_makes_it_attenuation_per_mm() -> None:
    kept = run(scan(pixel=0.5), Kept())
    np.testing.assert_allclose(kept.slices, 2 * WHOLE, rtol=1e-6)


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        (lambda: scan(angles=None), {}, "has no angles"),
        (lambda: scan(angles=ANGLES[1:]), {}, "29 angles for 30 projections"),
        (lambda: scan(normalized=False), {}, "intensities, not line integrals"),
        (lambda: scan(PROJECTIONS[:, :0]), {}, "no data in projections of shape (30, 0, 24)"),
        (scan, {"memory": "20 kB"}, "Under 20,000 bytes not even one slice"),
        (scan, {"size": 20}, r"shape is (40, 24, 24); the scan makes (40, 20, 20)"),
        (scan, {"prepare": lambda s, a, b: PROJECTIONS}, "What was prepared is of shape"),
    ],
)
def test_scans_that_cannot_be(
    given: Callable[[], tomo.Scan], options: dict[str, Any], said: str
) -> None:
    kept = Kept()
    with pytest.raises(tomo.TomoError) as raised:
        run(given(), kept, **options)
    assert said in str(raised.value)
    assert not kept.finished


@pytest.mark.parametrize("algorithm", ["dfr", "fbp", "hfbp_fine", "sirt", "cgls"])
@pytest.mark.parametrize("size", [1, 24, 90])
def test_the_memory_that_is_advised_is_enough(algorithm: str, size: int) -> None:
    def advised(memory: int) -> int:
        with pytest.raises(tomo.TooLittleMemory) as raised:
            ScanReconstruction(scan(), memory=memory, algorithm=algorithm, size=size)
        found = re.search(r"([\d,]+) bytes(?: will do)?\.$", str(raised.value))
        assert found, raised.value
        return int(found[1].replace(",", ""))

    before_tables = advised(1000)
    ScanReconstruction(scan(), memory=before_tables, algorithm=algorithm, size=size)
    row = ScanReconstruction(scan(), algorithm=algorithm, size=size)._bytes(1, 1)
    with_tables = advised(row * 9 // 8)
    ScanReconstruction(scan(), memory=with_tables, algorithm=algorithm, size=size)
    assert with_tables <= before_tables


def test_a_bad_value_is_named_by_its_place_in_the_scan() -> None:
    spoilt = PROJECTIONS.copy()
    spoilt[7, 33, 5] = np.nan
    with pytest.raises(
        tomo.BadProjections, match=r"row 30 of the scan as row 0: .*\[7, 3, 5\] is nan"
    ):
        run(scan(spoilt), Kept())


LARGE = """
import os, resource
import numpy as np
import stend_tomo as tomo

ROWS, COUNT, COLUMNS, CAP = 8000, 256, 32, 64_000_000

class Frames:
    shape, dtype = (COUNT, ROWS, COLUMNS), np.dtype(np.uint16)
    def rows(self, first, last):
        return np.full((COUNT, last - first, COLUMNS), 9, np.uint16)

class Nowhere:
    shape, written = (ROWS, 4, 4), 0
    def write(self, first, slices):
        self.written += len(slices)
    def finish(self):
        pass

def peak():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

scan = tomo.Scan(Frames(), angles=np.arange(COUNT) * np.pi / COUNT, normalized=True)
if os.fork() == 0:  # what counts begins anew, without what this process or its parent once had
    before = peak()
    tomo.reconstruct_scan(scan, Nowhere(), memory=CAP, algorithm="fbp", size=4)
    print(4 * ROWS * COUNT * COLUMNS / CAP, (peak() - before) / CAP, flush=True)
    os._exit(0)
os.wait()
"""


def test_memory_stays_under_the_cap() -> None:
    program = [sys.executable, "-c", LARGE]
    # Arrays of this small scan shall lie where those of a large one do, and be given back alike.
    given = os.environ | {"MALLOC_MMAP_THRESHOLD_": "1000000"}
    done = subprocess.run(
        program, capture_output=True, text=True, timeout=PATIENCE, check=True, env=given
    )
    scan_size, peak = map(float, done.stdout.split())
    assert scan_size > 3
    assert 0.1 < peak < 1


@pytest.mark.parametrize(
    ("of_volume", "of_slices", "said"),
    [
        ({"pixel": 0.01}, {}, "The volume is in 1/mm, but the slices are in 1/pixel"),
        ({}, {"pixel": 0.01}, "The volume is in 1/pixel, but the slices are in 1/mm"),
        ({"pixel": 0.01}, {"pixel": 0.02}, "A pixel of the volume is 0.01 mm.* slices 0.02 mm"),
        ({"pixel": 0.01}, {"pixel": 0.01, "zoom": 2}, "slices 0.005 mm; give"),
    ],
)
def test_a_volume_does_not_tell_a_unit_that_its_values_are_not_in(
    tmp_path: Path, of_volume: Any, of_slices: Any, said: str
) -> None:
    shape = ROWS, COLUMNS, COLUMNS
    volume = tomo.open_volume(tmp_path / "a.h5", "hdf5", shape, **of_volume)
    with pytest.raises(tomo.BadOption, match=said):
        tomo.reconstruct_scan(scan(), volume, **SMALL, **of_slices)
    assert volume.written == 0


def test_an_interrupt_ends_the_writer_between_two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stend_tomo.slab_pipeline.WRITTEN", 1)  # a slice at a time
    kept = Kept()

    def interrupt(done: int, of: int, speed: float) -> None:
        if done == 1:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)

    with pytest.raises(KeyboardInterrupt):
        run(scan(), kept, progress=interrupt)
    assert 0 < kept.written < ROWS
    assert "stend-tomo-ahead" not in {thread.name for thread in threading.enumerate()}
