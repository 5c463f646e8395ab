"""The axis of rotation is found, to a part of a pixel; where it isn't, that is told."""

from pathlib import Path

import h5py
import numpy as np
import pytest

import stend_tomo as tomo
from ellipses import ellipses, noisy
from stend_tomo.phantoms import Images
from stend_tomo.preparation import (
    Center,
    HalfAcquisition,
    Preparation,
    fields,
    find_center,
    find_overlap,
    normalize,
    pictures,
    remove_stripes,
    sharpen_center,
    stitch,
)

COLUMNS = 200
TOOTH = Path(__file__).parents[4] / "shared/data/tooth.h5"


def turn(degrees: float, count: int) -> np.ndarray:
    return np.radians(degrees) * np.arange(count) / count


@pytest.mark.parametrize(
    ("degrees", "error"), [(180, 0.03), (176, 0.1), (200, 0.03), (210, 0.03), (360, 0.03)]
)
@pytest.mark.parametrize("center", [99.5, 84.27, 131.4])
def test_the_axis_is_found_without_noise(degrees: float, error: float, center: float) -> None:
    angles = turn(degrees, int(degrees))
    radius = 0.9 * min(center, COLUMNS - 1 - center)
    found = find_center(ellipses(angles, COLUMNS, center, 5, radius), angles)
    assert abs(found.position - center) < error
    assert found.found
    assert found.agreement > 0.95


@pytest.mark.parametrize("degrees", [180, 200])
@pytest.mark.parametrize("seed", range(4))
def test_the_axis_is_found_in_noise(degrees: float, seed: int) -> None:
    angles, center = turn(degrees, int(degrees)), 95.3 + 3.21 * seed
    exact = ellipses(angles, COLUMNS, center, seed, 85)
    found = find_center(noisy(exact, 2000, seed), angles)
    assert found.found
    assert abs(found.position - center) < 0.25
    assert abs(found.position - center) < 4 * found.uncertainty


@pytest.mark.parametrize("degrees", [180, 200])
def test_the_uncertainty_is_as_large_as_errors_are(degrees: float) -> None:
    angles, of_uncertainty = turn(degrees, int(degrees)), []
    for seed in range(24):
        center = 95.3 + 0.321 * seed
        exact = ellipses(angles, COLUMNS, center, seed, 85)
        found = find_center(noisy(exact, 500, seed), angles)
        of_uncertainty.append((found.position - center) / found.uncertainty)
    assert 0.7 < np.sqrt(np.mean(np.square(of_uncertainty))) < 1.5


def test_the_axis_is_found_an_eighth_of_the_detector_from_its_side() -> None:
    angles = turn(180, 180)
    for center in (30.2, 169.6):
        row = ellipses(angles, COLUMNS, center, 5, 0.9 * min(center, COLUMNS - 1 - center))
        assert abs(find_center(row, angles).position - center) < 0.1


def test_what_is_a_little_beyond_half_a_turn_changes_nothing() -> None:
    row, angles = ellipses(turn(183, 183), COLUMNS, 104.6, 5, 80), turn(183, 183)
    assert find_center(row, angles) == find_center(row[:180], angles[:180])


def test_an_axis_that_is_uncertain_by_more_than_half_a_column_is_not_found() -> None:
    assert Center(99.0, agreement=0.9, uncertainty=0.5, chance=0.1).found
    assert not Center(99.0, agreement=0.9, uncertainty=0.51, chance=0.1).found
    assert not Center(99.0, agreement=0.1, uncertainty=0.1, chance=0.1).found


def test_angles_in_any_order_from_anywhere_and_uneven_ones() -> None:
    random = np.random.default_rng(2)
    angles = 1.3 + random.permutation(turn(180, 180)) + random.uniform(-0.004, 0.004, 180)
    found = find_center(ellipses(angles, COLUMNS, 104.6, 8, 80), angles)
    assert abs(found.position - 104.6) < 0.1


@pytest.mark.parametrize("degrees", [180, 360])
def test_pure_noise_has_no_axis(degrees: float) -> None:
    angles = turn(degrees, 180)
    noise = np.random.default_rng(4).normal(0, 1, (180, 2, COLUMNS))
    assert not find_center(noise, angles).found
    assert not find_overlap(noise, turn(360, 180)).found
    assert not find_center(np.zeros((180, 1, COLUMNS)), angles).found


@pytest.mark.parametrize("center", [186.3, 20.8, 130.4])
def test_a_whole_turn_is_stitched_to_half_a_turn_of_a_wider_detector(center: float) -> None:
    angles, wide = turn(360, 360) + 0.3, 420
    middle = 210 + center % 1
    exact = ellipses(angles, wide, middle, 6, 0.95 * max(center, COLUMNS - 1 - center))
    first = round(middle - center)
    seen = exact[:, :, first : first + COLUMNS]
    found = find_overlap(seen, angles)
    assert found.found
    assert abs(found.position - center) < 0.05
    assert abs(find_overlap(noisy(seen, 5000, 1), angles).position - center) < 0.25
    joined = stitch(seen, angles)
    assert abs(joined.center - stitch(seen, angles, center).center) < 0.05
    joined = stitch(seen, angles, center)
    assert len(joined.angles) == 180
    np.testing.assert_allclose(joined.angles, angles[:180])
    place = np.arange(joined.projections.shape[2]) - joined.center + middle
    right = [np.interp(place, np.arange(wide), row) for row in exact[:180, 0]]
    # Linear interpolation of edges; the middle of the mirrored half, where it is smooth, is exact.
    assert np.abs(joined.projections[:, 0] - right).mean() < 2e-3
    assert joined.projections.shape[2] == int(2 * max(center, COLUMNS - 1 - center)) + 1


def test_a_stitched_scan_is_the_same_a_slab_at_a_time() -> None:
    angles, center = turn(360, 90), 86.3
    rows = [ellipses(angles, 100, center, seed, 60) for seed in range(4)]
    scan = tomo.Scan(Images(np.concatenate(rows, axis=1)), angles, pixel=0.5, normalized=True)
    wide = HalfAcquisition(scan, Preparation(), center)
    whole = stitch(np.concatenate(rows, axis=1), angles, center)
    assert wide.shape == whole.projections.shape
    assert (wide.center, wide.scan.pixel) == (whole.center, 0.5)
    np.testing.assert_array_equal(wide.scan.angles, whole.angles)
    np.testing.assert_array_equal(wide(wide.scan, 1, 3), whole.projections[:, 1:3])
    np.testing.assert_array_equal(wide.frame(7), whole.projections[7])
    with pytest.raises(tomo.BadAngles, match="has no angles"):
        HalfAcquisition(tomo.Scan(scan.projections), Preparation(), center)


def test_the_sharpest_slice_has_the_axis() -> None:
    angles, center = turn(180, 120), 50.7
    row = noisy(ellipses(angles, 100, center, 9, 44), 20000, 2)

    def slices(projections: np.ndarray, about: float) -> np.ndarray:
        return tomo.reconstruct(projections, angles, center=about, algorithm="fbp")

    assert abs(sharpen_center(row, angles, 51.5, slices=slices) - center) < 0.15
    shown = pictures(row, angles, [49.0, center, 52.0], slices=slices)
    assert shown.shape[0] == 3
    assert np.argmin(np.abs(shown).sum(axis=(1, 2))) == 1


@pytest.mark.parametrize(
    ("shape", "options", "said"),
    [
        ((4, 1, 64), {}, "4 projections"),
        ((20, 1, 9), {}, "9 columns"),
        ((20, 1, 64), {"within": (5, 3)}, "the first comes before the last"),
        ((20, 1, 64), {"within": (5, 90)}, "1 to 62 on this detector"),
        ((20, 1, 64), {"within": (0.5, 30)}, "1 to 62 on this detector"),
        ((20, 1, 64), {"within": (5, 62.5)}, "1 to 62 on this detector"),
        ((20, 1, 64), {"within": (30.01, 30.02)}, "by 0.125 pixels at least"),
        ((20, 1, 64), {"within": 30}, "are (first, last), not 30"),
    ],
)
def test_too_little_to_find_an_axis_in(shape: tuple[int, ...], options: dict, said: str) -> None:
    with pytest.raises(tomo.TomoError) as raised:
        find_center(np.ones(shape), turn(180, shape[0]), **options)
    assert said in str(raised.value)


def test_stitching_takes_a_whole_turn_and_an_axis_on_the_detector() -> None:
    projections = np.random.default_rng(1).normal(0, 1, (90, 1, 100))
    for angles, center, said in (
        (turn(200, 90), 80.0, "takes a whole turn"),
        (turn(352, 90), 80.0, "The scan turns by 348.1°; stitching takes a whole turn"),
        (turn(360, 90), 120.0, "not between the 100 columns"),
        (turn(360, 90), None, "overlap was not found"),
    ):
        with pytest.raises(tomo.TomoError) as raised:
            stitch(projections, angles, center)
        assert said in str(raised.value)


@pytest.mark.skipif(not TOOTH.exists(), reason="the scan of a tooth is not here (shared/data)")
def test_a_real_tooth_has_its_axis_at_296() -> None:
    with h5py.File(TOOTH) as file:
        scan = file["exchange"]
        field = fields(scan["data_white"][:], scan["data_dark"][:])
        integrals, mended = normalize(scan["data"][:], field, logarithm=True)
        angles = np.radians(scan["theta"][:])
    assert mended.dead == 0
    found = find_center(remove_stripes(integrals), angles)
    assert found.found
    assert abs(found.position - 296) < 0.5  # TomoPy's documentation has 295 to 296
