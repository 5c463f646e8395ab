"""Angles, axes and centres are those of docs/tomo.md, beside scikit-image's and ASTRA's."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage.transform import iradon, radon

import stend_tomo as tomo
from blobs import OBJECT, difference, each_algorithm, half_turn, picture

COUNT = 64
ANGLES = half_turn(COUNT)
FILTERS = {"ram-lak": "ramp", "shepp-logan": "shepp-logan", "cosine": "cosine"}
"""Ours → scikit-image's; its Hann and Hamming windows are a sample off the middle."""


def ours(sinogram: NDArray[np.float64], **options: object) -> NDArray[np.float32]:
    """A slice of what scikit-image calls a sinogram: (columns, angles)."""
    named = {"algorithm": "fbp", **options}
    return tomo.reconstruct(  # type: ignore[arg-type]
        sinogram.T[None].astype(np.float32), ANGLES, sinogram_order=True, **named
    )[0]


def inside(size: int) -> NDArray[np.bool_]:
    """Pixels that scikit-image's circle has, whose middle is pixel size // 2."""
    along = np.arange(size) - size // 2
    return np.hypot(along[None, :], along[:, None]) < size // 2 - 1


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("size", [41, 40])
def test_back_projection_is_scikit_images(name: str, size: int) -> None:
    noise = np.random.default_rng(size).random((size, COUNT))
    expected = iradon(noise, np.degrees(ANGLES), filter_name=FILTERS[name], circle=True)
    # Its axis is in the middle of pixel size // 2, of the detector as of the slice. Ours is in the
    # middle of the slice, so an odd one has such a pixel.
    found = ours(noise, filter=name, center=size // 2, size=size + 1 - size % 2)[:size, :size]
    within = inside(size)
    np.testing.assert_allclose(found[within], expected[within], atol=2e-4)


@pytest.mark.filterwarnings("ignore:Radon transform")  # blobs fade, and are nowhere quite 0
@each_algorithm
@pytest.mark.parametrize("size", [41, 40])
def test_projections_of_scikit_image_give_its_picture_back(algorithm: str, size: int) -> None:
    image = picture(OBJECT, 41)[:size, :size]
    sinogram = radon(image, np.degrees(ANGLES), circle=True)
    found = ours(sinogram, algorithm=algorithm, center=size // 2, size=41)
    assert difference(found, picture(OBJECT, 41)) < 0.09


@each_algorithm
def test_the_default_center_is_the_middle_of_the_detector(algorithm: str) -> None:
    for columns in (40, 41):
        noise = np.random.default_rng(columns).random((columns, COUNT))
        middle = ours(noise, algorithm=algorithm, center=(columns - 1) / 2)
        assert np.array_equal(ours(noise, algorithm=algorithm), middle)


@each_algorithm
def test_a_spot_is_where_x_and_y_say(algorithm: str) -> None:
    """At angle 0 the detector measures x, to the right; at a quarter turn y, upwards."""
    sinogram = np.zeros((33, COUNT))
    s = np.arange(33)[:, None] - 16
    x, y = 7, 4
    sinogram += np.exp(-((s - x * np.cos(ANGLES) - y * np.sin(ANGLES)) ** 2) / 4)
    found = ours(sinogram, algorithm=algorithm)
    assert np.unravel_index(found.argmax(), found.shape) == (16 - y, 16 + x)


@pytest.mark.filterwarnings("ignore:Radon transform")
@pytest.mark.parametrize("degrees", [160, 140, 120, 90])
@each_algorithm
def test_a_missing_wedge_costs_no_more_than_with_scikit_image(algorithm, degrees) -> None:
    angles = np.radians(np.arange(90) * degrees / 90 + 15)
    image = picture(OBJECT, 101)
    sinogram = radon(image, np.degrees(angles), circle=True)
    theirs = iradon(sinogram, np.degrees(angles), circle=True)
    found = tomo.reconstruct(np.float32(sinogram.T[:, None]), angles, algorithm=algorithm)[0]
    within = inside(101)
    error, of_theirs = (np.sqrt(np.mean((each - image)[within] ** 2)) for each in (found, theirs))
    assert error < 1.02 * of_theirs


ASTRA = (
    *(2.75, 3.3558, 3.829, 4.1646, 4.3315, 4.3351, 4.1693, 3.8468),
    *(3.375, 2.7742, 2.0611, 1.2767, 0.4438, -0.4134, -1.2482, -2.0413),
)
"""Where ASTRA 2.5.0 (projector "strip") projects a picture's centre of mass to, at 16 angles of
half a turn, from the middle of the detector. The picture has 24 × 24 pixels: 1 in rows 5 to 7 of
columns 15 to 18, 0.5 in rows 14 and 15 of columns 6 to 9."""


RECTANGLES = np.zeros((24, 24), np.float32)
RECTANGLES[5:8, 15:19], RECTANGLES[14:16, 6:10] = 1, 0.5


ASTRA_LINEAR = (
    *(2.75, 3.3548, 3.8322, 4.1515, 4.3798, 4.2989, 4.1485, 3.843),
    *(3.375, 2.7696, 2.0753, 1.2759, 0.4282, -0.4365, -1.2527, -2.0303),
)
"""The same by its projector "linear", which is Joseph's, as `project` is; so small a picture's
projections are a little off between pixels."""


def test_projections_are_where_astras_are() -> None:
    found = tomo.project(RECTANGLES[None], half_turn(16), columns=41)[:, 0]
    at = (found @ (np.arange(41) - 20)) / found.sum(1)
    np.testing.assert_allclose(at, ASTRA_LINEAR, rtol=0, atol=1e-4)
    np.testing.assert_allclose(at, ASTRA, rtol=0, atol=0.05)


@each_algorithm
def test_where_astra_projects_to_is_where_it_comes_from(algorithm: str) -> None:
    s = np.arange(25) - 12.0
    sinogram = np.exp(-((s - np.array(ASTRA)[:, None]) ** 2) / 8).astype(np.float32)
    found = tomo.reconstruct(
        sinogram[None], half_turn(16), sinogram_order=True, algorithm=algorithm
    )[0]
    spot = np.maximum(found - 0.4 * found.max(), 0)
    for axis in (0, 1):
        at = (spot.sum(1 - axis) @ np.arange(25)) / spot.sum()
        expected = (RECTANGLES.sum(1 - axis) @ np.arange(24)) / RECTANGLES.sum() + 0.5
        assert at == pytest.approx(expected, abs=0.1)


def test_rooms_are_there_without_being_imported() -> None:
    asked = (
        "import sys; from stend import tomo; print('scipy' in sys.modules);"
        "print(tomo.preparation.normalize.__name__, tomo.phantoms.rmse.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\nnormalize rmse\n"
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        tomo.magic  # noqa: B018
