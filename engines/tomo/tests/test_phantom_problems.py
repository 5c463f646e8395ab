"""The published problems, what spoils projections, and the measure of accuracy."""

from dataclasses import replace

import numpy as np
import pytest

import stend_tomo as tomo
from stend_tomo.errors import BadOption
from stend_tomo.phantoms import (
    Camera,
    circle,
    line_integrals,
    noisy,
    phantom,
    picture,
    problem,
    problems,
    ringed,
    rmse,
    zingered,
)

HEAD = phantom("modified-shepp-logan")


def random() -> np.random.Generator:
    return np.random.default_rng(6)


def test_the_published_problems_have_their_sizes() -> None:
    head, beetle = (problem(name) for name in problems())
    assert head.shape == (420, 511, 511)
    assert np.degrees(head.angles[[0, -1]]) == pytest.approx([0.5, 210])
    assert beetle.shape == (400, 1261, 1175)
    assert np.degrees(beetle.angles[[0, 1, -1]]) == pytest.approx([0.5, 1, 200])
    assert beetle.pixel == 0.009
    with pytest.raises(BadOption, match="there are shepp-logan-3d, may-beetle"):
        problem("nosuch")


@pytest.mark.parametrize("name", problems())
def test_a_scan_of_a_problem_is_computed_as_it_is_read(name: str) -> None:
    small = replace(problem(name), rows=30, columns=28, angles=problem(name).angles[::40])
    scan = small.scan()
    whole = small.projections()
    assert scan.normalized
    assert scan.projections.shape == small.shape == whole.shape
    assert scan.projections.dtype == whole.dtype
    assert np.array_equal(scan.projections.rows(7, 19), whole[:, 7:19])
    assert np.array_equal(scan.projections.frame(3), whole[3])
    assert np.array_equal(
        small.projections(7, 9, sinogram_order=True), whole[:, 7:9].swapaxes(0, 1)
    )


@pytest.mark.parametrize("name", problems())
def test_projections_weigh_what_slices_weigh(name: str) -> None:
    small = replace(problem(name), rows=30, columns=120, angles=problem(name).angles[::40])
    weights = small.projections().sum(axis=2)
    slices = small.slices().sum(axis=(1, 2))
    assert np.abs(weights - slices).max() < 2e-3 * slices.max()


def test_reconstruction_finds_the_slices() -> None:
    small = replace(problem("shepp-logan-3d"), rows=128, columns=128)
    found = tomo.reconstruct(
        small.projections(60, 61), small.angles, algorithm="fbp", variant="reference"
    )
    assert rmse(found, small.slices(60, 61)) < 0.04


def test_an_axis_off_the_middle_is_reconstructed_like_one_in_it() -> None:
    small = replace(problem("shepp-logan-3d"), rows=96, columns=96, center=50.3)
    found = tomo.reconstruct(
        small.projections(40, 41),
        small.angles,
        algorithm="fbp",
        variant="reference",
        center=50.3,
    )
    # Its far side is cut off by the detector's end.
    assert rmse(found, small.slices(40, 41)) < 0.07


def test_noise_has_the_spread_of_poissons_law() -> None:
    clean = np.full((200, 50, 10), 2.0, np.float32)
    measured = noisy(clean, 10_000, random(), attenuation=0.5)
    # Of -ln(N/I)/μ, to first order: the mean is p, the variance eᵖᵘ/(I μ²).
    assert measured.mean() == pytest.approx(2, abs=1e-3)
    assert measured.std() == pytest.approx(np.sqrt(np.e / 10_000) / 0.5, rel=0.02)
    assert np.array_equal(measured, noisy(clean, 10_000, random(), attenuation=0.5))


def test_a_pixel_without_photons_is_a_finite_number() -> None:
    measured = noisy(np.full((1, 1, 100), 50.0), 100, random())
    assert measured == pytest.approx(np.log(100))
    with pytest.raises(BadOption, match="number of photons is 0"):
        noisy(measured, 0, random())


def test_rings_are_the_same_at_all_angles() -> None:
    clean = line_integrals(HEAD, np.linspace(0, 3, 7), 200, rows=2)
    errors = ringed(clean, 0.5, random(), share=0.25) - clean
    assert np.abs(errors - errors[0]).max() < 1e-4
    assert 0.15 < np.mean(np.abs(errors[0]) > 1e-6) < 0.35
    assert errors[0][np.abs(errors[0]) > 1e-6].std() == pytest.approx(0.5, rel=0.2)


def test_zingers_are_few_and_bright_and_saturate() -> None:
    frames = np.full((10, 100, 100), 60_000, np.uint16)
    hit = zingered(frames, 0.001, 50_000, random())
    assert hit.dtype == frames.dtype
    assert 50 < np.count_nonzero(hit != frames) < 200
    assert hit.max() == 65_535
    assert hit.min() == 60_000
    faint = zingered(np.zeros((10, 100, 100), np.float32), 0.001, 8, random())
    assert 4 <= faint[faint > 0].min() <= faint.max() <= 8


def test_flat_and_dark_fields_undo_the_camera() -> None:
    angles = np.linspace(0, 3, 11)
    clean = line_integrals(HEAD, angles, 60, rows=3)
    camera = Camera(photons=40_000, flicker=0)
    scan = camera.scan(clean, angles, random(), attenuation=0.05, flats=50, darks=40, pixel=0.1)
    assert scan.flats is not None
    assert scan.darks is not None
    assert scan.flats.shape == (50, 3, 60)
    assert scan.darks.shape == (40, 3, 60)
    assert scan.projections.dtype == np.uint16
    assert not scan.normalized

    def mean(of: tomo.Frames) -> np.ndarray:
        return of.rows(0, 3).astype(float).mean(axis=0)

    flat, dark = mean(scan.flats), mean(scan.darks)
    assert dark.mean() == pytest.approx(100, rel=0.05)
    assert (flat - dark).std() == pytest.approx(0.05 * 40_000, rel=0.2)
    transmission = (scan.projections.rows(0, 3).astype(float) - dark) / (flat - dark)
    found = -np.log(transmission) / 0.05
    expected_spread = np.sqrt(np.exp(0.05 * clean.max()) / 40_000) / 0.05
    assert np.abs(found - clean).std() < 1.5 * expected_spread


def test_an_image_flickers_as_a_whole() -> None:
    empty = np.zeros((40, 30, 30), np.float32)
    scan = Camera(flicker=0.05).scan(empty, np.zeros(40), random())
    brightness = scan.projections.rows(0, 30).mean(axis=(1, 2))
    assert brightness.std() / brightness.mean() == pytest.approx(0.05, rel=0.4)


def test_the_error_is_measured_inside_the_circle() -> None:
    exact = picture(HEAD, 64)
    wrong = exact.copy()
    wrong[0, [0, 32], [0, 9]] = 9
    assert rmse(wrong, exact) == 0
    assert rmse(exact + 0.25, exact) == pytest.approx(0.25)
    assert rmse(wrong, exact, margin=0) > 0.1
    assert circle(401, 0).mean() == pytest.approx(np.pi / 4, rel=1e-2)
    assert circle(401).sum() == pytest.approx(np.pi * 190.5**2, rel=1e-2)
    with pytest.raises(BadOption, match="none 40 inside"):
        rmse(exact, exact, margin=40)
    with pytest.raises(BadOption, match=r"shape \(1, 64, 64\) can't be compared"):
        rmse(exact, exact[0])
