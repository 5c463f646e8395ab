"""SIRT and CGLS: beside their textbook forms, told and ended at each iteration."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import lsqr

import stend_tomo as tomo
from blobs import OBJECT, difference, half_turn, picture, sinogram, volume
from tomo_support import PATIENCE

ANGLES = half_turn(14)
SIZE, COLUMNS = 11, 13
MEASURED = np.random.default_rng(5).random((14, 2, COLUMNS)).astype(np.float32)
METHODS = {"sirt": tomo.sirt, "cgls": tomo.cgls}
each_method = pytest.mark.parametrize("method", METHODS)


def iterated(method: str, iterations: int, **options: Any) -> NDArray[np.float32]:
    named = {"size": SIZE, "center": 6.4, **options}
    return METHODS[method](MEASURED, ANGLES, iterations=iterations, **named)


@pytest.fixture(scope="module")
def matrix() -> csr_matrix:
    """Of line integrals: one column a pixel."""
    units = np.eye(SIZE * SIZE).reshape(-1, SIZE, SIZE)
    rows = tomo.project(units, ANGLES, columns=COLUMNS, center=6.4, sinogram_order=True)
    return csr_matrix(rows.reshape(SIZE * SIZE, -1).T.astype(np.float64))


def measured(row: int) -> NDArray[np.float64]:
    return MEASURED[:, row].ravel().astype(np.float64)


def reciprocals(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(1, sums, out=np.zeros_like(sums), where=sums > 1e-3 * sums.max())


@pytest.mark.parametrize("non_negative", [False, True])
def test_sirt_is_the_textbooks(matrix: csr_matrix, non_negative: bool) -> None:
    """x ← x + C Aᵀ R (b - A x) (Gregor and Benson 2008, equation 1)."""
    rays, pixels = reciprocals(matrix @ np.ones(121)), reciprocals(matrix.T @ np.ones(14 * 13))
    found = iterated("sirt", 12, non_negative=non_negative)
    for row in range(2):
        x = np.zeros(121)
        for _ in range(12):
            x = x + pixels * (matrix.T @ (rays * (measured(row) - matrix @ x)))
            x = np.maximum(x, 0) if non_negative else x
        np.testing.assert_allclose(found[row].ravel(), x, atol=2e-5)


def test_cgls_is_scipys_lsqr(matrix: csr_matrix) -> None:
    """Which iterates to the same in exact arithmetic (Paige and Saunders 1982)."""
    found = iterated("cgls", 7)
    for row in range(2):
        expected = lsqr(matrix, measured(row), iter_lim=7, atol=0, btol=0, conlim=0)[0]
        np.testing.assert_allclose(found[row].ravel(), expected, atol=1e-3 * np.abs(expected).max())


@each_method
def test_an_object_comes_back(method: str) -> None:
    angles = half_turn(48)
    projections = sinogram(OBJECT, angles, 48)[:, None]
    iterations = {"sirt": 150, "cgls": 25}[method]
    slices = METHODS[method](projections, angles, iterations=iterations)
    assert difference(slices[0], picture(OBJECT, 48)) < 0.08
    positive = METHODS[method](projections, angles, iterations=8, non_negative=True)
    assert positive.min() == 0


@each_method
def test_each_iteration_is_told_with_what_is_left(method: str) -> None:
    told: list[tuple[int, int, float]] = []
    given = volume(18, ANGLES, 24)
    METHODS[method](given, ANGLES, iterations=5, progress=lambda *each: told.append(each))
    assert [done for done, _, _ in told] == sorted({done for done, _, _ in told})
    assert {of for _, of, _ in told} == {5 * 18}
    last = [each for each in told if each[0] + 5 > 85][-1]  # the last iteration of the last slices
    count = 90 - last[0]
    before = METHODS[method](given[:, -count:], ANGLES, iterations=4)
    left = given[:, -count:] - tomo.project(before, ANGLES)
    assert last[2] == pytest.approx(np.sqrt(np.mean(np.square(left))), rel=1e-4)


@each_method
def test_what_is_raised_while_told_ends_it(method: str) -> None:
    told: list[int] = []

    def stop(done: int, of: int, residual: float) -> None:
        told.append(done)
        if len(told) == 3:
            raise StopIteration("far enough")

    with pytest.raises(StopIteration, match="far enough"):
        iterated(method, 50, progress=stop)
    assert len(told) == 3


def test_sirt_goes_on_from_where_it_was() -> None:
    whole = iterated("sirt", 9, pixel=0.25)
    room = iterated("sirt", 5, pixel=0.25)
    again = iterated("sirt", 4, pixel=0.25, start=room.astype(np.float64))
    assert iterated("sirt", 4, pixel=0.25, start=room, out=room) is room
    assert np.array_equal(room, whole)
    assert np.array_equal(again, whole)
    np.testing.assert_allclose(whole, 4 * iterated("sirt", 9), rtol=1e-6)


@each_method
def test_order_threads_and_variants_change_nothing(method: str) -> None:
    expected = iterated(method, 6)
    turned = np.ascontiguousarray(MEASURED.transpose(1, 0, 2))
    found = METHODS[method](
        turned, ANGLES, iterations=6, size=SIZE, center=6.4, sinogram_order=True, threads=3
    )
    assert np.array_equal(found, expected)
    for variant in tomo.variants("project"):
        np.testing.assert_allclose(iterated(method, 6, variant=variant), expected, atol=1e-4)


START = np.zeros((2, SIZE, SIZE), np.float32)


@each_method
@pytest.mark.parametrize(
    ("options", "refusal", "said"),
    [
        ({"iterations": 0}, tomo.BadOption, "number of iterations is 0"),
        ({"iterations": 2.5}, tomo.BadOption, "whole number, not float"),
        ({"size": 0}, tomo.BadOption, "size of a slice is 0"),
        ({"variant": "magic"}, tomo.BadOption, 'no variant "magic"'),
        ({"start": START[:1]}, tomo.BadSlices, r"start has shape \(1, 11, 11\)"),
        ({"start": START + np.inf}, tomo.BadSlices, r"slices\[0, 0, 0\] is inf"),
        ({"out": START[:, :5]}, tomo.BadBuffer, r"of shape \(2, 11, 11\)"),
    ],
)
def test_what_cannot_be(
    method: str, options: dict[str, Any], refusal: type[Exception], said: str
) -> None:
    with pytest.raises(refusal, match=said):
        iterated(method, **{"iterations": 2, **options})


def test_a_value_that_is_no_number_is_named() -> None:
    bad = MEASURED.copy()
    bad[3, 1, 12] = np.inf
    for method in METHODS.values():
        with pytest.raises(tomo.BadProjections, match=r"projections\[3, 1, 12\] is inf"):
            method(bad, ANGLES)


def test_a_start_that_overlaps_the_result_is_refused() -> None:
    room = np.zeros((3, SIZE, SIZE), np.float32)
    with pytest.raises(tomo.BadBuffer, match="start overlaps"):
        iterated("sirt", 2, start=room[1:], out=room[:2])


INTERRUPTED = """
import os, signal, threading, numpy as np
import stend_tomo as tomo
angles = np.arange(64) * np.pi / 32
projections = np.ones((64, 64, 64), np.float32)
beam = tomo.ConeBeam(source_to_axis=1000, source_to_detector=1000, pitch=1)
many = np.broadcast_to(projections[0], (1 << 14, 64, 64))
for work in (
    lambda: tomo.sirt(projections, angles, iterations=1 << 20, threads=1),
    lambda: tomo.fdk(many, np.arange(1 << 14) * 2e-4, beam, size=160, variant="reference"),
):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        work()
        print("finished")
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_ctrl_c_ends_iterations_and_cone_beams() -> None:
    program = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "interrupted\ninterrupted\n"
