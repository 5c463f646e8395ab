"""Counts become the line integrals that they were made from; what is broken is mended and told."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from ellipses import ellipses
from stend_tomo import native
from stend_tomo.preparation import (
    Paganin,
    Preparation,
    fields,
    lit_rows,
    minus_log,
    normalize,
    remove_dead_stripes,
    remove_large_stripes,
    remove_stripes,
    remove_zingers,
    retrieve,
)
from stend_tomo.preparation.stripes import outliers

ANGLES = np.arange(90) * np.pi / 90
SINOGRAM = ellipses(ANGLES, 96, 47.5, 3, 44)
RANDOM = np.random.default_rng(1)
BEAM = RANDOM.uniform(20000, 50000, (1, 2, 96))
DARK = RANDOM.uniform(50, 150, (1, 2, 96))


class InMemory:
    """Frames of an array."""

    def __init__(self, images: NDArray[Any]) -> None:
        self.images = images

    @property
    def shape(self) -> tuple[int, int, int]:
        a, b, c = self.images.shape
        return a, b, c

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.images.dtype

    def rows(self, first: int, last: int) -> NDArray[Any]:
        return self.images[:, first:last]

    def frame(self, index: int) -> NDArray[Any]:
        return self.images[index]


def counted() -> NDArray[np.uint16]:
    exact = DARK + BEAM * np.exp(-np.repeat(SINOGRAM, 2, axis=1))
    return np.rint(exact).astype(np.uint16)


def flats() -> NDArray[np.uint16]:
    return np.rint(np.repeat(DARK + BEAM, 5, axis=0)).astype(np.uint16)


def darks() -> NDArray[np.uint16]:
    return np.rint(np.repeat(DARK, 5, axis=0)).astype(np.uint16)


@pytest.mark.parametrize("kind", [np.uint16, np.float32, np.int64, ">u2"])
def test_counts_become_the_line_integrals_they_were_made_from(kind: Any) -> None:
    found, mended = normalize(counted().astype(kind), fields(flats(), darks()), logarithm=True)
    assert found.dtype == np.float32
    # Half a count of 3,000 or more, and of the flat and the dark field.
    assert np.abs(found - SINOGRAM).max() < 6e-4
    assert (mended.dead, mended.limited) == (0, 0)


def test_the_fused_pass_is_both_steps() -> None:
    field = fields(flats(), darks())
    transmission, _ = normalize(counted(), field)
    fused, _ = normalize(counted(), field, logarithm=True)
    np.testing.assert_array_equal(minus_log(transmission), fused)
    exact = -np.log(transmission.astype(np.float64))
    assert np.abs(fused - exact).max() < 3e-7


def test_a_slab_is_a_part_of_the_whole_and_threads_change_nothing() -> None:
    field = fields(flats(), darks())
    whole, _ = normalize(counted(), field, threads=1)
    more, _ = normalize(counted(), field, threads=3)
    part, _ = normalize(counted()[:, 1:], fields(flats()[:, 1:], darks()[:, 1:]))
    np.testing.assert_array_equal(whole, more)
    np.testing.assert_array_equal(whole[:, 1:], part)


def test_dead_pixels_are_filled_from_their_row_and_counted() -> None:
    bright, counts = flats(), counted()
    bright[:, 0, [0, 40, 41]] = darks()[0, 0, [0, 40, 41]]
    counts[:, 0, [0, 40, 41]] = 0
    counts[7, 1, 5] = 0
    found, mended = normalize(counts, fields(bright, darks()), logarithm=True)
    assert (mended.dead, mended.limited) == (3, 1)
    assert found[7, 1, 5] == pytest.approx(-np.log(1e-4))
    left, right = found[:, 0, 39], found[:, 0, 42]
    np.testing.assert_allclose(found[:, 0, 40], (2 * left + right) / 3, rtol=1e-5)
    np.testing.assert_array_equal(found[:, 0, 0], found[:, 0, 1])
    assert np.abs(found[:, 0] - SINOGRAM[:, 0])[:, [0, 40, 41]].max() < 0.1


def test_a_row_without_a_beam_is_empty() -> None:
    bright = flats()
    bright[:, 1] = 0
    found, mended = normalize(counted(), fields(bright, darks()), logarithm=True)
    assert mended.dead == 96
    assert not found[:, 1].any()
    assert (normalize(counted(), fields(bright, darks()))[0][:, 1] == 1).all()


def test_a_pixel_is_dead_below_a_fiftieth_of_the_usual_beam() -> None:
    found = fields(np.array([[100.0, 100, 100, 1.9, 2.1, 9000, 0, np.nan]]))
    assert found.dead[0].tolist() == [False, False, False, True, False, False, True, True]


def test_a_median_of_flats_does_not_see_a_zinger() -> None:
    struck = flats()
    struck[2, 1, 30] = 65535
    clean = fields(flats(), darks(), by="median")
    np.testing.assert_array_equal(fields(struck, darks(), by="median").gain, clean.gain)
    assert fields(struck, darks()).gain[1, 30] < clean.gain[1, 30]


def test_zingers_are_replaced_and_others_kept() -> None:
    struck, places = counted(), ([0, 44, 89], [0, 1, 1], [7, 40, 95])
    struck[places] = 65000
    found, replaced = remove_zingers(struck, 0.5)
    assert replaced == 3
    assert found.dtype == np.uint16
    difference = np.abs(found.astype(int) - counted())
    assert difference[places].max() < 3000
    difference[places] = 0
    assert not difference.any()


@pytest.mark.parametrize("variant", native.preparation_variants())
def test_sorting_takes_a_stripe_away_and_leaves_the_rest(variant: str) -> None:
    striped = SINOGRAM.copy()
    striped[:, :, [20, 50, 51, 70]] += np.float32([0.1, -0.2, -0.2, 0.3])
    found = np.empty_like(striped)
    native.remove_stripes(striped, 9, found, 1, variant)
    before, after = np.abs(striped - SINOGRAM), np.abs(found - SINOGRAM)
    assert after[:, :, [20, 50, 51, 70]].mean() < 0.15 * before[:, :, [20, 50, 51, 70]].mean()
    np.testing.assert_array_equal(found, remove_stripes(striped, 9, threads=2))


def test_a_wide_stripe_is_taken_away_where_it_is_alone() -> None:
    striped = SINOGRAM.copy()
    striped[:, :, 44:50] += 0.4
    found = remove_large_stripes(striped, 31)
    assert np.abs(found - SINOGRAM)[:, :, 44:50].mean() < 0.1
    assert np.abs(found - SINOGRAM)[:, :, [20, 30, 60, 70]].mean() < 0.03


def test_columns_that_do_not_answer_or_fluctuate_come_from_their_neighbours() -> None:
    rough = SINOGRAM + RANDOM.normal(0, 0.02, SINOGRAM.shape).astype(np.float32)
    broken = rough.copy()
    broken[:, :, 30] = 0.7
    broken[:, 0, 60] = RANDOM.normal(1, 1, len(ANGLES))
    found = remove_dead_stripes(broken, 21)
    for column in (30, 60):
        assert np.abs(found - SINOGRAM)[:, 0, column].mean() < 0.08
    kept = np.setdiff1d(np.arange(96), [29, 30, 31, 59, 60, 61])
    assert (found == rough)[:, 0, kept].mean() > 0.9
    assert (found != rough)[:, 0, [29, 31, 59, 61]].mean() > 0.9  # what is beside them as well


def test_a_dead_column_is_between_those_on_both_sides() -> None:
    ramp = 0.1 * np.arange(40) + RANDOM.normal(0, 0.02, (90, 1, 1))
    ramp = (ramp + RANDOM.normal(0, 0.002, ramp.shape)).astype(np.float32)
    dead = ramp.copy()
    dead[:, :, 20] = 0.7
    assert np.abs(remove_dead_stripes(dead, 21) - ramp)[:, 0, 19:22].max() < 0.02


def test_outliers_are_what_lies_beyond_half_of_the_bound() -> None:
    values = np.float32(np.arange(100) / 100)
    assert not outliers(values, 3).any()
    values[[20, 40, 60, 80]] = -9, -1, 2, 9  # the bounds are 3 times the rise of 1, and half of it
    assert np.flatnonzero(outliers(values, 3)).tolist() == [20, 80]
    values[[40, 60]] = -2, 3
    assert np.flatnonzero(outliers(values, 3)).tolist() == [20, 40, 60, 80]


def test_phase_retrieval_divides_each_frequency_as_the_paper_says() -> None:
    how = Paganin(energy=20, distance=100, pixel=0.001, delta_beta=500)
    wavelength = 1.239841984 / 20 * 1e-6  # mm: nm · keV over keV
    rows, columns = np.mgrid[:64, :48]
    # Cosines of whole half periods are their own mirror image, and so keep their form.
    wave = np.cos(np.pi * 3 * (rows + 0.5) / 64) * np.cos(np.pi * 5 * (columns + 0.5) / 48)
    image = (0.6 + 0.2 * wave).astype(np.float32)[None]
    squared = (3 / 128) ** 2 + (5 / 96) ** 2  # cycles a pixel
    factor = 1 / (1 + np.pi * wavelength * 100 * 500 * squared / 0.001**2)
    assert factor < 0.2
    found = retrieve(image, how)
    inside = (0, slice(8, -8), slice(8, -8))
    assert np.abs(found - (0.6 + 0.2 * factor * wave))[inside].max() < 1e-3


def test_a_phase_that_cannot_be_seen_needs_no_margin() -> None:
    assert Paganin(20, 50, 1e300, 400).margin == 1


def test_a_slab_with_the_margin_has_its_phase_as_in_the_whole_frame() -> None:
    how = Paganin(energy=25, distance=50, pixel=0.002, delta_beta=200)
    image = RANDOM.uniform(0.5, 1, (2, 160, 40)).astype(np.float32)
    slab = slice(70 - how.margin, 90 + how.margin)
    assert slab.start > 0
    whole, part = retrieve(image, how), retrieve(image[:, slab], how)
    assert np.abs(part[:, how.margin : -how.margin] - whole[:, 70:90]).max() < 1e-3
    assert np.abs(retrieve(image[:, 70:90], how) - whole[:, 70:90]).max() > 5e-3


def test_phase_retrieval_mirrors_images_at_their_sides() -> None:
    how = Paganin(energy=25, distance=50, pixel=0.002, delta_beta=200)
    image = np.broadcast_to(np.float32([1.0, 0.1]).repeat(20), (1, 40, 40))
    sides = ((0, 0), (200, 200), (200, 200))
    wide = retrieve(np.pad(image, sides, mode="symmetric"), how)
    assert np.abs(retrieve(image, how) - wide[:, 200:240, 200:240]).max() < 1e-3


def test_a_result_whose_rows_lie_no_whole_pixels_apart_is_refused() -> None:
    between = np.zeros((4, 3), [("pixels", "f4", (6,)), ("more", "u1")])["pixels"]
    with pytest.raises(tomo.TomoError, match="pixels of its rows are not contiguous"):
        minus_log(np.ones((4, 3, 6)), out=between)


def test_all_steps_make_line_integrals_of_a_scan() -> None:
    struck = counted()
    struck[44, 1, 40] = 65000
    struck[:, :, 60] = np.rint(struck[:, :, 60] * 0.8)
    scan = tomo.Scan(InMemory(struck), ANGLES, InMemory(flats()), InMemory(darks()))
    prepare = Preparation(zingers=0.5, stripes=9, threads=1)
    found, mended = prepare.prepared(scan, 0, 2)
    assert mended.zingers == 1
    assert np.abs(found - SINOGRAM)[:, :, 60].mean() < 0.05
    np.testing.assert_array_equal(prepare(scan, 1, 2), found[:, 1:])


def test_stripes_go_in_their_order_each_by_its_own_columns() -> None:
    struck = counted()
    struck[:, :, 60] = np.rint(struck[:, :, 60] * 0.8)
    scan = tomo.Scan(InMemory(struck), ANGLES, InMemory(flats()), InMemory(darks()))
    plain = Preparation()(scan, 0, 2)
    right = remove_stripes(remove_large_stripes(remove_dead_stripes(plain, 21), 31), 9)
    found = Preparation(dead_stripes=21, large_stripes=31, stripes=9)(scan, 0, 2)
    np.testing.assert_array_equal(found, right)


def test_zingers_are_removed_from_flat_fields_as_well() -> None:
    struck = flats()
    struck[2, 1, 30] = 65535
    found, right = (
        Preparation(zingers=0.5)(
            tomo.Scan(InMemory(counted()), ANGLES, InMemory(bright), InMemory(darks())), 0, 2
        )
        for bright in (struck, flats())
    )
    np.testing.assert_array_equal(found, right)


def test_a_slab_is_prepared_with_the_rows_around_it() -> None:
    counts = RANDOM.uniform(500, 1000, (2, 80, 40))
    scan = tomo.Scan(InMemory(counts), ANGLES[:2], InMemory(np.full((1, 80, 40), 1000.0)))
    prepare = Preparation(phase=Paganin(energy=25, distance=20, pixel=0.002, delta_beta=200))
    whole = prepare(scan, 0, 80)
    for first, last in ((0, 4), (38, 42), (76, 80)):
        assert np.abs(prepare(scan, first, last) - whole[:, first:last]).max() < 2e-3


def test_a_scan_of_line_integrals_is_left_as_it_is() -> None:
    scan = tomo.Scan(InMemory(SINOGRAM), ANGLES, normalized=True)
    np.testing.assert_array_equal(Preparation()(scan, 0, 1), SINOGRAM)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda: fields(np.zeros((3, 2, 4)), np.zeros((3, 2, 4))),
            "In rows 0 to 1 the flat fields",
        ),
        (lambda: fields(np.ones((3, 2, 4)), np.zeros((3, 2, 5))), "don't fit"),
        (lambda: fields(np.ones(4)), "flat fields are (frames"),
        (lambda: fields(flats(), by="mode"), "mean"),  # type: ignore[arg-type]
        (lambda: normalize(counted()[:, :1], fields(flats())), "don't fit flat"),
        (lambda: normalize(np.full((2, 2, 96), np.nan), fields(flats())), "384 counts"),
        (lambda: normalize(counted(), fields(flats()), minimum=0), "above 0"),
        (lambda: normalize(counted(), fields(flats()), minimum=1), "below 1"),
        (lambda: normalize(counted(), fields(flats()), out=np.zeros(3, np.float32)), "`out` is"),
        (lambda: minus_log(np.ones((2, 2))), "three sides"),
        (lambda: remove_zingers(counted()[:2]), "3 or more"),
        (lambda: remove_zingers(counted(), -1), "above 0"),
        (lambda: remove_stripes(SINOGRAM, 4), "odd"),
        (lambda: remove_stripes(SINOGRAM * np.float32(np.inf)), "infinite or not numbers"),
        (lambda: remove_stripes(SINOGRAM[1:], out=SINOGRAM[:-1]), "overlap"),
        (lambda: Paganin(energy=0, distance=1, pixel=1, delta_beta=1), "energy is 0"),
        (lambda: remove_zingers(counted(), 1e-300), "at least 1e-30"),
        (lambda: Paganin(20, 1e9, 1e-3, 1e5), "pixels of 0.001 mm; at most 32,768"),
        (lambda: Paganin(20, 50, 1e-300, 400), "inf pixels"),
        (lambda: Paganin(1e-300, 1, 1, 1), "check the units"),
        (lambda: Preparation()(tomo.Scan(InMemory(counted())), 0, 1), "no flat fields"),
    ],
)
def test_what_cannot_be_is_one_sentence(wrong: Any, said: str) -> None:
    with np.errstate(invalid="ignore"), pytest.raises(tomo.TomoError) as raised:
        wrong()
    assert said in str(raised.value)


def test_rows_that_the_beam_does_not_reach_are_told() -> None:
    bright, dark = np.full((3, 9, 40), 900, np.float32), np.full((2, 9, 40), 100, np.float32)
    bright[:, :2] = dark[0, 0]
    bright[:, 5] = 105
    bright[1, 8] = np.nan
    bright[:, 1, 7] = 60000  # a hot pixel
    scan = tomo.Scan(InMemory(bright), flats=InMemory(bright), darks=InMemory(dark))
    assert lit_rows(scan) == [(2, 5), (6, 8)]
    assert lit_rows(replace(scan, flats=InMemory(dark))) == []
    assert lit_rows(tomo.Scan(InMemory(bright))) == [(0, 9)]


def test_the_place_of_what_is_no_number_is_told_as_the_detector_counts() -> None:
    wrong = counted().astype(np.float32)
    wrong[7, 1, 5:8] = np.nan
    wrong[9, 0, 0] = np.inf
    intensities = tomo.Scan(InMemory(wrong), flats=InMemory(flats()))
    place = "infinite or not numbers, the first one in projection 7, row 1, column 5"
    for scan in (intensities, replace(intensities, normalized=True)):
        with pytest.raises(tomo.BadProjections, match=f"^3 .* {place}"):
            Preparation()(scan, 1, 2)
    with pytest.raises(tomo.BadProjections, match="infinite or not numbers"):
        normalize(wrong, fields(flats()), out=wrong)
