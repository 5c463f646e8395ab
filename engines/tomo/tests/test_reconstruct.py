"""Slices from arrays in memory: what goes in, in any layout, and what comes out."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from blobs import OBJECT, difference, each_algorithm, half_turn, picture, sinogram, volume
from tomo_support import PATIENCE

ANGLES = half_turn(90)
COLUMNS = 48
ROWS = 5
PROJECTIONS = volume(ROWS, ANGLES, COLUMNS)


def slices(projections: NDArray[np.generic], **options: object) -> NDArray[np.float32]:
    named = {"algorithm": "fbp", **options}
    return tomo.reconstruct(projections, ANGLES, **named)  # type: ignore[arg-type]


@each_algorithm
@pytest.mark.parametrize("columns", [47, 48])
def test_blobs_come_back_where_they_are(algorithm: str, columns: int) -> None:
    projections = sinogram(OBJECT, ANGLES, columns)[:, None]
    found = slices(projections, algorithm=algorithm)
    assert found.shape == (1, columns, columns)
    assert found.dtype == np.float32
    assert difference(found[0], picture(OBJECT, columns)) < 0.08


@each_algorithm
@pytest.mark.parametrize("center", [18.0, 25.3])
def test_the_axis_may_be_anywhere(algorithm: str, center: float) -> None:
    projections = sinogram(OBJECT, ANGLES, COLUMNS, center)[:, None]
    found = slices(projections, algorithm=algorithm, center=center, size=33)
    assert difference(found[0], picture(OBJECT, 33)) < 0.08


@each_algorithm
def test_a_zoom_shows_more_pixels_of_the_same(algorithm: str) -> None:
    found = slices(PROJECTIONS[:, :1], algorithm=algorithm, size=60, zoom=1.5)
    assert difference(found[0], picture(OBJECT, 60, 1.5)) < 0.08


@each_algorithm
def test_every_row_is_its_own_slice_in_both_orders(algorithm: str) -> None:
    found = slices(PROJECTIONS, algorithm=algorithm)
    most = 2e-3 if algorithm == "dfr_half" else 3e-4  # eleven bits of what a slice comes from
    for row in range(ROWS):
        np.testing.assert_allclose(found[row], found[0] / (1 + row), atol=most)
    turned = np.ascontiguousarray(PROJECTIONS.transpose(1, 0, 2))
    assert np.array_equal(slices(turned, algorithm=algorithm, sinogram_order=True), found)


def test_a_pixel_in_mm_gives_attenuation_per_mm() -> None:
    np.testing.assert_allclose(slices(PROJECTIONS, pixel=0.25), 4 * slices(PROJECTIONS), rtol=1e-6)


def test_half_a_turn_more_changes_little() -> None:
    angles = half_turn(130, 1.4 * np.pi)
    projections = sinogram(OBJECT, angles, COLUMNS)[:, None]
    found = tomo.reconstruct(projections, angles, algorithm="fbp")
    assert difference(found[0], picture(OBJECT, COLUMNS)) < 0.08


LAYOUTS = {
    "backwards": lambda p: p[::-1, ::-1].copy()[::-1, ::-1],
    "every second column of a wider array": lambda p: np.repeat(p, 2, axis=2)[:, :, ::2],
    "columns backwards": lambda p: p[:, :, ::-1].copy()[:, :, ::-1],
    "columns first in memory": np.asfortranarray,
    "read only": lambda p: np.frombuffer(p.tobytes(), np.float32).reshape(p.shape),
    "the other byte order": lambda p: p.astype(p.dtype.newbyteorder()),
    "not aligned": lambda p: np.frombuffer(b"x" + p.tobytes(), np.float32, -1, 1).reshape(p.shape),
    "float64": lambda p: p.astype(np.float64),
    "lists": lambda p: p.tolist(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_gives_the_same(layout: str) -> None:
    assert np.array_equal(slices(LAYOUTS[layout](PROJECTIONS)), slices(PROJECTIONS))


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32, np.float16, np.float64])
def test_any_type_of_pixel_is_reconstructed_as_its_values_are(kind: type[np.generic]) -> None:
    counted = np.rint(PROJECTIONS).astype(kind)
    assert np.array_equal(slices(counted), slices(counted.astype(np.float32)))


class OnDisk:
    """An array that is read by indexing alone, as those of h5py and zarr are."""

    def __init__(self, content: NDArray[np.generic]) -> None:
        self._content = content
        self.shape, self.dtype, self.most = content.shape, content.dtype, 0

    def __getitem__(self, index: tuple[slice, ...]) -> NDArray[np.generic]:
        part = self._content[index]
        self.most = max(self.most, part.nbytes)
        return part


def test_what_is_on_a_disk_is_read_a_slab_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stend_tomo.memory.CONVERTED", PROJECTIONS[:, :2].nbytes)
    on_disk = OnDisk(PROJECTIONS.astype(np.float64))
    together = tomo.Reconstructor(COLUMNS, ANGLES, algorithm="fbp").together
    assert np.array_equal(slices(on_disk), slices(PROJECTIONS))  # type: ignore[arg-type]
    assert on_disk.most <= max(together, 2) * on_disk[:, :1].nbytes


def test_the_result_goes_where_it_shall() -> None:
    room = np.zeros((2 * ROWS, COLUMNS, COLUMNS + 3), np.float32)
    given = room[::2, :, 1:-2]
    assert slices(PROJECTIONS, out=given) is given
    assert np.array_equal(given, slices(PROJECTIONS))
    assert not room[1::2].any()
    assert not room[:, :, 0].any()


@each_algorithm
def test_a_reconstructor_serves_slab_after_slab(algorithm: str) -> None:
    made = tomo.Reconstructor(COLUMNS, ANGLES, algorithm=algorithm)
    found = [made(PROJECTIONS[:, :3]), made(PROJECTIONS[:, 3:])]
    assert np.array_equal(np.concatenate(found), slices(PROJECTIONS, algorithm=algorithm))
    assert made.variant == tomo.variants(algorithm)[-1]
    assert made.size == COLUMNS
    assert made.bytes > 0


@each_algorithm
def test_every_variant_can_be_asked_for(algorithm: str) -> None:
    expected = slices(PROJECTIONS, algorithm=algorithm)
    for variant in tomo.variants(algorithm):
        made = tomo.Reconstructor(COLUMNS, ANGLES, algorithm=algorithm, variant=variant)
        assert made.variant == variant
        np.testing.assert_allclose(made(PROJECTIONS), expected, atol=2e-3)


@each_algorithm
def test_threads_change_nothing(algorithm: str) -> None:
    one = slices(PROJECTIONS, algorithm=algorithm, threads=1)
    assert np.array_equal(slices(PROJECTIONS, algorithm=algorithm, threads=3), one)


def test_threads_of_python_share_a_reconstructor_one_after_the_other() -> None:
    made = tomo.Reconstructor(COLUMNS, ANGLES, algorithm="fbp", threads=1)
    found: list[NDArray[np.float32]] = []
    workers = [threading.Thread(target=lambda: found.append(made(PROJECTIONS))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    assert all(np.array_equal(each, found[0]) for each in found)


def test_other_threads_of_python_run_meanwhile() -> None:
    made = tomo.Reconstructor(COLUMNS, ANGLES, algorithm="fbp", variant="reference", threads=1)
    assert turns_during(made, np.repeat(PROJECTIONS, 20, axis=1)) > 10


def test_other_threads_of_python_run_while_tables_are_made() -> None:
    assert turns_during(tomo.Reconstructor, 1024, half_turn(700)) > 10


def turns_during(work: Callable[..., object], *arguments: object) -> int:
    """How often this thread gets a turn while another one works."""
    turns = 0
    worker = threading.Thread(target=work, args=arguments)
    before = sys.getswitchinterval()
    sys.setswitchinterval(60)  # the lock is not taken from who doesn't give it
    try:
        worker.start()
        while worker.is_alive():
            time.sleep(0.001)
            turns += 1
    finally:
        sys.setswitchinterval(before)
        worker.join()
    return turns


INTERRUPTED = """
import os, signal, threading, numpy as np
import stend_tomo as tomo
made = tomo.Reconstructor(64, np.arange(64) * np.pi / 64, algorithm="fbp", variant="reference")
endless = np.broadcast_to(np.float32(1), (64, 1 << 14, 64))
out = np.empty((1 << 14, 64, 64), np.float32)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    made(endless, out=out)
except KeyboardInterrupt:
    print("interrupted", bool(out[-1].any()))
"""


def test_ctrl_c_ends_it_between_batches() -> None:
    program = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "interrupted False\n"


def test_by_default_threads_are_as_many_as_cpus_that_may_be_used() -> None:
    from stend_tomo.validation import checked_threads

    assert checked_threads(None) == len(os.sched_getaffinity(0))
