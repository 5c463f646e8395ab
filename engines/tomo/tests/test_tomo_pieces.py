"""Projection, its transpose and the filter: beside exact formulas, scikit-image and each other."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage.transform import iradon, radon

import stend_tomo as tomo
from blobs import OBJECT, half_turn, picture, sinogram, volume
from stend_tomo import phantoms

ANGLES = half_turn(40)
NOISE = np.random.default_rng(1).standard_normal((40, 3, 37)).astype(np.float32)
SLICES = np.random.default_rng(2).standard_normal((3, 30, 30)).astype(np.float32)


def test_a_disc_casts_the_shadow_of_its_chords() -> None:
    """A chord at the distance s from the middle of a disc of radius r is 2 √(r² - s²) long."""
    radius, x, y, center = 9.3, 4.0, -3.5, 25.2
    disc = phantoms.Ellipsoid(0.7, radius / 20, radius / 20, np.inf, x / 20, y / 20)
    drawn = phantoms.picture([disc], 40, unit=20)
    found = tomo.project(drawn, ANGLES, columns=53, center=center)
    s = np.arange(53) - center - (x * np.cos(ANGLES) + y * np.sin(ANGLES))[:, None]
    chords = 0.7 * 2 * np.sqrt(np.maximum(radius**2 - s**2, 0))
    inside = np.abs(s) < radius - 2
    assert np.abs(found[:, 0] - chords)[inside].max() < 0.02 * chords.max()
    np.testing.assert_allclose(found.sum(2)[:, 0], 0.7 * np.pi * radius**2, rtol=4e-3)
    at = (found[:, 0] @ np.arange(53)) / found[:, 0].sum(1)
    np.testing.assert_allclose(
        at, center + x * np.cos(ANGLES) + y * np.sin(ANGLES), rtol=0, atol=0.01
    )


GEOMETRIES = [{}, {"center": 11.3}, {"zoom": 1.7, "pixel": 0.02}, {"zoom": 0.6, "center": 20.0}]


@pytest.mark.parametrize("options", GEOMETRIES)
@pytest.mark.parametrize("variant", tomo.variants("project"))
def test_back_projection_is_the_transpose(options: dict[str, Any], variant: str) -> None:
    projected = tomo.project(SLICES, ANGLES, columns=37, variant=variant, **options)
    back = tomo.backproject(NOISE, ANGLES, size=30, variant=variant, **options)
    there = np.sum(projected.astype(np.float64) * NOISE)
    here = np.sum(back.astype(np.float64) * SLICES)
    length = np.linalg.norm(projected) * np.linalg.norm(NOISE)
    assert abs(there - here) < 1e-7 * length


@pytest.mark.filterwarnings("ignore:Radon transform")  # blobs fade, and are nowhere quite 0
def test_projections_are_scikit_images() -> None:
    expected = radon(picture(OBJECT, 41), np.degrees(ANGLES), circle=True).T
    found = tomo.project(picture(OBJECT, 41)[None], ANGLES)[:, 0]
    assert np.abs(found - expected).max() < 0.02 * expected.max()
    assert np.abs(found - sinogram(OBJECT, ANGLES, 41)).max() < 0.02 * expected.max()


def on_average(found: NDArray[np.float32], expected: NDArray[np.float64]) -> float:
    """How far apart; of rays about as many as pixels each one meets some pixels more than others,
    so that single ones differ by a tenth."""
    along = np.arange(len(expected)) - (len(expected) - 1) / 2
    inside = np.hypot(along[None, :], along[:, None]) < len(expected) / 2 - 1
    return float(np.sqrt(np.mean(np.square(found - expected)[inside])))


def test_unfiltered_back_projections_are_scikit_images() -> None:
    smooth = sinogram(OBJECT, ANGLES, 41)
    unfiltered = iradon(smooth.T, np.degrees(ANGLES), filter_name=None, circle=True)
    expected = unfiltered * 2 * len(ANGLES) / np.pi
    found = tomo.backproject(smooth[:, None], ANGLES)[0]
    assert on_average(found, expected) < 0.01 * expected.max()


def test_the_filter_is_the_textbooks_convolution() -> None:
    """Kak and Slaney 1988, equation 61: 1/4 in the middle, -1/(π j)² at odd distances j."""
    distance = np.abs(np.arange(-36, 37))
    odd = distance % 2 == 1
    kernel = np.where(distance == 0, 0.25, 0.0)
    kernel[odd] = -1 / (np.pi * distance[odd]) ** 2
    expected = [[np.convolve(row, kernel)[36:73] for row in image] for image in NOISE]
    for variant in tomo.variants("filter"):
        np.testing.assert_allclose(tomo.filter(NOISE, variant=variant), expected, atol=2e-6)


@pytest.mark.parametrize("name", tomo.filters())
def test_filtered_and_projected_back_is_filtered_back_projection(name: str) -> None:
    projections = sinogram(OBJECT, ANGLES, 41)[:, None]
    filtered = tomo.filter(projections, filter=name, cutoff=0.8)
    found = tomo.backproject(filtered, ANGLES)[0] * np.float32(np.pi / len(ANGLES))
    expected = tomo.reconstruct(projections, ANGLES, algorithm="fbp", filter=name, cutoff=0.8)
    assert on_average(found, expected[0].astype(np.float64)) < 0.01


def test_what_is_reconstructed_per_mm_projects_to_what_was_measured() -> None:
    projections = volume(2, ANGLES, 48)
    slices = tomo.reconstruct(projections, ANGLES, pixel=0.05, zoom=1.5, size=72)
    found = tomo.project(slices, ANGLES, columns=48, pixel=0.05, zoom=1.5)
    assert np.abs(found - projections)[:, :, 3:-3].max() < 0.02 * projections.max()


PIECES = {
    "project": lambda **named: tomo.project(SLICES, ANGLES, **named),
    "backproject": lambda **named: tomo.backproject(NOISE, ANGLES, **named),
    "filter": lambda **named: tomo.filter(NOISE, **named),
}
each_piece = pytest.mark.parametrize("piece", PIECES)


@each_piece
def test_threads_and_variants_change_nothing(piece: str) -> None:
    one = PIECES[piece](threads=1)
    assert np.array_equal(PIECES[piece](threads=3), one)
    for variant in tomo.variants("filter" if piece == "filter" else "project"):
        np.testing.assert_allclose(PIECES[piece](variant=variant), one, rtol=0, atol=1e-4)


@each_piece
def test_the_result_goes_where_it_shall(piece: str) -> None:
    expected = PIECES[piece]()
    room = np.zeros((*expected.shape[:2], expected.shape[2] + 3), np.float32)
    given = room[:, :, 1:-2]
    assert PIECES[piece](out=given) is given
    assert np.array_equal(given, expected)
    assert not room[:, :, [0, -2, -1]].any()


def turned(array: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(array.transpose(1, 0, 2))


def test_sinograms_are_the_same_in_their_order() -> None:
    same = {"sinogram_order": True}
    found = tomo.project(SLICES.astype(np.float64), ANGLES, **same)  # type: ignore[arg-type]
    assert np.array_equal(turned(found), tomo.project(SLICES, ANGLES))
    again = tomo.backproject(turned(NOISE), ANGLES, sinogram_order=True)
    assert np.array_equal(again, tomo.backproject(NOISE, ANGLES))
    filtered = tomo.filter(turned(NOISE), sinogram_order=True)
    assert np.array_equal(turned(filtered), tomo.filter(NOISE))


def test_many_slices_are_read_a_batch_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stend_tomo.memory.CONVERTED", 1)
    many = np.random.default_rng(3).random((37, 12, 12))
    projected = tomo.project(many, ANGLES)
    one_by_one = [tomo.project(each[None], ANGLES) for each in many]
    assert np.array_equal(projected, np.concatenate(one_by_one, axis=1))


def spoilt(array: NDArray[np.float32], at: tuple[int, int, int]) -> NDArray[np.float32]:
    copy = array.copy()
    copy[at] = np.nan
    return copy


def test_a_value_that_is_no_number_is_named() -> None:
    with pytest.raises(tomo.BadSlices, match=r"slices\[2, 29, 0\] is nan"):
        tomo.project(spoilt(SLICES, (2, 29, 0)), ANGLES)
    with pytest.raises(tomo.BadProjections, match=r"projections\[5, 1, 36\] is nan"):
        tomo.backproject(spoilt(NOISE, (5, 1, 36)), ANGLES)
    with pytest.raises(tomo.BadProjections, match=r"projections\[1, 5, 0\] is nan"):
        tomo.filter(spoilt(turned(NOISE), (1, 5, 0)), sinogram_order=True)


@pytest.mark.parametrize(
    ("slices", "said"),
    [
        (SLICES[0], r"not of shape \(30, 30\); a single one is image\[None\]"),
        (SLICES[:, :5], r"not of shape \(3, 5, 30\)"),
        (SLICES[:0], "no data in slices"),
        (SLICES > 0, "not bool"),
        ([[[1.0], [1.0, 2.0]]], "slices are not an array"),
    ],
)
def test_slices_that_are_none(slices: Any, said: str) -> None:
    with pytest.raises(tomo.BadSlices, match=said):
        tomo.project(slices, ANGLES)


@pytest.mark.parametrize(
    ("gives", "said"),
    [
        (SLICES * 1j, "came as complex"),
        (np.ma.masked_less(SLICES, np.inf), "slices are masked"),
        (SLICES[:, :, :9], r"of shape \(3, 30, 9\), not as real numbers of shape \(3, 30, 30\)"),
    ],
)
def test_slices_that_are_not_what_they_promise(gives: Any, said: str) -> None:
    class Promising:
        shape, dtype = SLICES.shape, SLICES.dtype
        __getitem__ = staticmethod(gives.__getitem__)

    given: Any = Promising()
    with pytest.raises(tomo.BadSlices, match=said):
        tomo.project(given, ANGLES)
    with pytest.raises(tomo.BadSlices, match=said):
        tomo.sirt(NOISE, ANGLES, size=30, start=given)


@pytest.mark.parametrize(
    ("piece", "options", "said"),
    [
        ("project", {"columns": 0}, "number of detector columns is 0"),
        ("project", {"center": 1e6}, "more than a detector's width away"),
        ("project", {"pixel": -1}, "size of a pixel is -1"),
        ("project", {"variant": "magic"}, 'no variant "magic"'),
        ("backproject", {"size": 0}, "size of a slice is 0"),
        ("backproject", {"zoom": 0}, "zoom is 0"),
        ("backproject", {"threads": 0}, "number of threads is 0"),
        ("filter", {"filter": "ramp"}, 'no filter "ramp"'),
        ("filter", {"cutoff": 1.5}, "must be at most 1"),
        ("filter", {"variant": "magic"}, 'no variant "magic"'),
    ],
)
def test_options_that_cannot_be(piece: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(tomo.BadOption, match=said):
        PIECES[piece](**options)


def test_what_cannot_go_together() -> None:
    with pytest.raises(tomo.BadAngles, match="39 angles for 40 projections"):
        tomo.backproject(NOISE, ANGLES[1:])
    with pytest.raises(tomo.BadBuffer, match="projections go to an array of float32 of shape"):
        tomo.project(SLICES, ANGLES, out=SLICES)
    with pytest.raises(tomo.BadBuffer, match="overlaps the projections"):
        tomo.filter(NOISE, out=NOISE)
