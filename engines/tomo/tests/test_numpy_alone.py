"""What NumPy computes where SciPy may be missing is what SciPy computes."""

import numpy as np
import pytest
import scipy.fft
import scipy.ndimage

from stend_tomo import operators
from stend_tomo.preparation.axis import SHARP, _least
from stend_tomo.preparation.center import differences, trimmed
from stend_tomo.preparation.stripes import AVERAGED, _averaged, _running_median

RANDOM = np.random.default_rng(7)


@pytest.fixture
def numpy_alone(monkeypatch):
    monkeypatch.setattr(operators, "_scipy", lambda: None)


def test_transforms_are_the_same(numpy_alone):
    rows = RANDOM.normal(size=(3, 2, 41)).astype(np.float32)
    image = RANDOM.normal(size=(24, 30)).astype(np.float32)
    spectrum = scipy.fft.rfft2(image)
    for ours, theirs in (
        (operators.rfft(rows, 96), scipy.fft.rfft(rows, 96)),
        (operators.fft(spectrum), scipy.fft.fft(spectrum, axis=0)),
        (operators.rfft2(image, 1), spectrum),
        (operators.irfft2(spectrum, image.shape, 1), image),
    ):
        assert ours.dtype == theirs.dtype
        assert np.abs(ours - theirs).max() < 1e-5 * np.abs(theirs).max()


def test_lengths_are_the_next_ones_that_are_fast():
    for length in [*range(1, 400), 4097, 8191]:
        assert operators.fast_length(length) == scipy.fft.next_fast_len(length, real=True)


@pytest.mark.parametrize("angles", [3, 9, 10, 57])
def test_columns_are_averaged_over_angles(angles):
    sinogram = RANDOM.normal(size=(angles, 13)).astype(np.float32)
    expected = scipy.ndimage.uniform_filter1d(sinogram, AVERAGED, axis=0)
    assert np.allclose(_averaged(sinogram), expected, atol=1e-6)


@pytest.mark.parametrize("window", [3, 21, 41, 59])
def test_the_running_median_is_mirrored_at_the_ends(window):
    values = RANDOM.normal(size=30).astype(np.float32)
    assert np.array_equal(
        _running_median(values, window), scipy.ndimage.median_filter(values, window)
    )


def test_differences_are_smoothed_by_a_gaussian():
    rows = RANDOM.normal(size=(4, 2, 64)).astype(np.float32)
    cut = trimmed(1.5)
    steps = np.diff(rows, axis=2)
    expected = scipy.ndimage.gaussian_filter1d(steps, 1.5, axis=2, radius=cut)[:, :, cut:-cut]
    assert np.allclose(differences(rows, 1.5), expected, atol=1e-6)


def test_the_least_of_a_function_is_found_to_what_was_promised():
    for place in (-0.97, 0.123, 0.6):
        assert abs(_least(lambda x, at=place: abs(x - at), -1, 1) - place) <= SHARP
