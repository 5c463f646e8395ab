"""Slices while the scan goes on: the same as from all at once, and when more change nothing."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from blobs import OBJECT, Blob, difference, each_algorithm, half_turn, picture, sinogram

COLUMNS = 40
GOLDEN = np.pi * (np.sqrt(5) - 1) / 2
ROUGH = tuple(Blob(13 * np.cos(k), 13 * np.sin(2.4 * k), 1.2, (-1) ** k) for k in range(12))


def golden(first: int, last: int) -> NDArray[np.float64]:
    """Angles that fill the half circle evenly at any time."""
    return np.arange(first, last) * GOLDEN % np.pi


def two_rows(angles: NDArray[np.float64]) -> NDArray[np.float32]:
    one = sinogram(OBJECT, angles, COLUMNS)
    return np.stack([one, one[:, ::-1] / 2], axis=1)


@each_algorithm
def test_any_order_and_any_parts_give_what_all_at_once_gives(algorithm: str) -> None:
    angles = np.random.default_rng(5).permutation(half_turn(60, 1.3 * np.pi))
    projections = two_rows(angles)
    monitored = tomo.Anytime(COLUMNS, rows=2, algorithm=algorithm, pixel=0.5)
    for first, last in [(0, 1), (1, 2), (2, 20), (20, 21), (21, 60)]:
        if last - first == 1:
            monitored.add(projections[first], angles[first])
        else:
            monitored.add(projections[first:last], angles[first:last])
        some, so_far = projections[:last], angles[:last]
        expected = tomo.reconstruct(some, so_far, algorithm=algorithm, pixel=0.5)
        assert monitored.arrived == last
        np.testing.assert_allclose(monitored.slices(), expected, atol=2e-5 * np.ptp(expected))


def test_back_projection_looks_at_neighbours_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monitored = tomo.Anytime(COLUMNS, algorithm="fbp")
    angles = half_turn(50)
    monitored.add(sinogram(OBJECT, angles, COLUMNS)[:, None], angles)
    monitored.slices()
    projected: list[int] = []

    class Counting(tomo.Reconstructor):
        def __init__(self, columns: int, angles: Any, **options: Any) -> None:
            projected.append(len(angles))
            super().__init__(columns, angles, **options)

    monkeypatch.setattr("stend_tomo.anytime.Reconstructor", Counting)
    monitored.add(sinogram(OBJECT, angles[:1] + 0.03, COLUMNS), angles[:1] + 0.03)
    monitored.slices()
    assert projected == [3]


def test_nothing_has_arrived_yet() -> None:
    monitored = tomo.Anytime(8, rows=3, size=10, algorithm="fbp")
    assert np.array_equal(monitored.slices(), np.zeros((3, 10, 10), np.float32))
    assert monitored.expected_change() == np.inf
    assert not monitored.enough(1e6)


def test_slices_are_the_callers_own() -> None:
    monitored = tomo.Anytime(COLUMNS, algorithm="fbp")
    monitored.add(sinogram(OBJECT, half_turn(9), COLUMNS)[:, None], half_turn(9))
    monitored.slices()[:] = 7
    assert monitored.slices().max() < 7


def stopped(blobs: tuple[Blob, ...], tolerance: float) -> tuple[tomo.Anytime, int]:
    """Scan four projections at a time until they are enough."""
    monitored = tomo.Anytime(COLUMNS, algorithm="fbp")
    while not monitored.enough(tolerance):
        angles = golden(monitored.arrived, monitored.arrived + 4)
        monitored.add(sinogram(blobs, angles, COLUMNS)[:, None], angles)
    return monitored, monitored.arrived


def test_when_projections_are_enough_more_would_change_little() -> None:
    monitored, count = stopped(OBJECT, 0.05)
    before = monitored.slices()
    assert 12 < count < 80
    angles = golden(count, count + 4)
    monitored.add(sinogram(OBJECT, angles, COLUMNS)[:, None], angles)
    after = monitored.slices()
    assert np.linalg.norm(after - before) < 0.1 * np.linalg.norm(after)
    assert difference(after[0], picture(OBJECT, COLUMNS)) < 0.15


def test_a_smaller_tolerance_and_a_rougher_object_take_more_projections() -> None:
    coarse, fine, rough = stopped(OBJECT, 0.1)[1], stopped(OBJECT, 0.03)[1], stopped(ROUGH, 0.1)[1]
    assert coarse < fine
    assert coarse < rough


def test_the_expected_change_is_the_mean_of_the_last_three() -> None:
    monitored = tomo.Anytime(COLUMNS, algorithm="fbp")
    pictures = []
    for k in range(5):
        angles = golden(6 * k, 6 * k + 6)
        monitored.add(sinogram(OBJECT, angles, COLUMNS)[:, None], angles)
        pictures.append(monitored.slices())
    along = np.arange(COLUMNS) - (COLUMNS - 1) / 2
    inside = np.hypot(along[None, :], along[:, None]) <= COLUMNS / 2
    changes = [
        np.linalg.norm((after - before)[0][inside]) / np.linalg.norm(after[0][inside])
        for before, after in pairwise(pictures[1:])
    ]
    assert monitored.expected_change() == pytest.approx(np.mean(changes), rel=1e-4)


def test_what_cannot_be_added_changes_nothing() -> None:
    monitored = tomo.Anytime(8, algorithm="fbp")
    spoilt = np.ones((3, 1, 8), np.float32)
    spoilt[1, 0, 5] = np.nan
    refused: list[tuple[Any, Any, str]] = [
        (spoilt, half_turn(3), r"projections\[1, 0, 5\] is nan"),
        (spoilt[:1], half_turn(2), "2 angles for 1 projections"),
        (np.ones((1, 9)), 0.0, r"\(1, 9\); \(1, 8\) are expected"),
        (np.ones(8), 0.0, "three sides"),
        (np.ones((1, 8)), 90.0, "If they are degrees"),
    ]
    for projections, angles, said in refused:
        with pytest.raises(tomo.TomoError, match=said):
            monitored.add(projections, angles)
    assert monitored.arrived == 0
    with pytest.raises(tomo.BadOption, match="no ends yet"):
        tomo.Anytime(8, algorithm="fbp", taper=0.1)
    with pytest.raises(tomo.BadOption, match="The tolerance is 0"):
        monitored.enough(0)
