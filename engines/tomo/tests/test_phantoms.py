"""Pictures and line integrals of phantoms, against other people's and against the tables."""

import math
from dataclasses import replace

import numpy as np
import pytest
from skimage.data import shepp_logan_phantom
from skimage.transform import radon

from stend_tomo import native
from stend_tomo.errors import BadAngles, BadOption
from stend_tomo.phantoms import Ellipsoid, line_integrals, phantom, phantoms, picture

HEAD = phantom("modified-shepp-logan")
ANGLES = np.radians(np.arange(3.0, 180, 10))


def test_the_picture_is_scikit_images_and_no_mirror_image_of_it() -> None:
    theirs, ours = shepp_logan_phantom(), picture(HEAD, 400)[0]
    assert ours.sum() == pytest.approx(theirs.sum(), rel=0.01)

    def distance(image: np.ndarray) -> float:
        return float(np.sqrt(np.mean((image - ours) ** 2)))

    # Theirs has no pixels that an edge only touches.
    assert distance(theirs) < 0.05
    assert min(distance(theirs[::-1]), distance(theirs[:, ::-1])) > 0.06


def test_line_integrals_are_scikit_images_of_the_picture() -> None:
    theirs = radon(picture(HEAD, 255)[0], theta=np.degrees(ANGLES), circle=True).T
    ours = line_integrals(HEAD, ANGLES, 255)[:, 0]
    assert np.sqrt(np.mean((theirs - ours) ** 2)) < 0.005 * ours.max()


def test_values_are_those_of_the_tables() -> None:
    at = picture(phantom("shepp-logan"), 401)[0]
    assert at[200, 64] == pytest.approx(2, abs=1e-6)  # x = -.678: the skull
    assert at[120, 300] == pytest.approx(1.02, abs=1e-6)  # the brain
    assert at[200, 245] == pytest.approx(1.00, abs=1e-6)  # a ventricle
    assert at[220, 200] == pytest.approx(1.03, abs=1e-6)  # y = -.1: a tumour
    assert picture(HEAD, 401).max() == pytest.approx(1, abs=1e-6)
    assert [e.value for e in phantom("shepp-logan-3d")][:3] == [2, -0.98, -0.02]


def test_what_is_empty_is_exactly_nothing() -> None:
    assert np.count_nonzero(picture(HEAD, 101)) < 0.67 * 101**2


def test_through_middles_a_head_of_ellipsoids_is_the_flat_one() -> None:
    solid = [replace(ellipse, c=0.3 + 0.05 * i) for i, ellipse in enumerate(HEAD)]
    assert np.array_equal(line_integrals(solid, ANGLES, 64), line_integrals(HEAD, ANGLES, 64))
    assert np.array_equal(picture(solid, 64), picture(HEAD, 64))


def test_the_head_in_three_dimensions_has_the_flat_ones_ellipses() -> None:
    flat = [(e.value, e.a, e.b, e.x, e.y) for e in HEAD]
    assert [(e.value, e.a, e.b, e.x, e.y) for e in phantom("modified-shepp-logan-3d")] == flat


def test_a_higher_row_sees_what_is_higher() -> None:
    ball = [Ellipsoid(1, 0.2, 0.2, 0.2, z=0.5)]
    seen = line_integrals(ball, [0.0], 41, rows=41, footprint="point")[0]
    # z = .5 is half the field's half of 20.5 pixels above the middle row, 20.
    assert np.argmax(seen[:, 20]) == 10
    assert seen[0].max() == seen[20].max() == 0
    assert picture(ball, 41, rows=41, first=10, last=11)[0, 20, 20] == 1


@pytest.mark.parametrize(
    ("angle", "column"), [(0, 30), (math.pi / 2, 25), (math.pi, 10), (-math.pi / 2, 15)]
)
def test_the_detector_turns_counter_clockwise(angle: float, column: int) -> None:
    small = [Ellipsoid(1, 0.01, 0.01, 1, x=10 / 20.5, y=5 / 20.5)]
    assert np.argmax(line_integrals(small, [angle], 41)[0, 0]) == column
    assert np.argmax(picture(small, 41)[0]) == 15 * 41 + 30


def test_an_axis_off_the_middle_moves_the_picture_by_any_fraction() -> None:
    # Half a pixel to the right, a pixel sees what two halves saw.
    finer = line_integrals(HEAD, ANGLES, 130, unit=64)[:, 0] / 2
    coarse = line_integrals(HEAD, ANGLES, 64, unit=32, center=32.0)[:, 0]
    assert coarse == pytest.approx((finer[:, 0:128:2] + finer[:, 1:129:2]) / 2, abs=1e-4)


def test_fans_of_both_kinds_hold_rays_of_the_parallel_beam() -> None:
    # K&S 1988, 3.4: a ray at the fan angle γ is the parallel one at θ = β + γ, s = R sin γ.
    source, size = 150.0, 101
    turn = np.radians(np.arange(0, 360, 0.5))
    for beam in ("fans", "curved-fans"):
        seen = line_integrals(HEAD, turn, size, beam=beam, source=source, footprint="point")[:, 0]
        unit = source * np.sin(fan_angle(50.5, beam, source))
        for column in (50, 58, 80):
            gamma = fan_angle(column - 50, beam, source)
            s = source * np.sin(gamma)
            ray = line_integrals(
                HEAD, turn + gamma, size, unit=unit, center=50 - s, footprint="point"
            )[:, 0, 50]
            assert seen[:, column] == pytest.approx(ray, abs=2e-3)


def fan_angle(along: float, beam: str, source: float) -> float:
    return along / source if beam == "curved-fans" else math.atan(along / source)


def test_the_middle_row_of_a_cone_is_a_fan() -> None:
    solid = phantom("modified-shepp-logan-3d")
    cone = line_integrals(solid, ANGLES, 65, rows=33, beam="cone", source=120)
    fans = line_integrals(solid, ANGLES, 65, rows=33, beam="fans", source=120)
    assert np.array_equal(cone[:, 16], fans[:, 16])
    # Rays that rise see farther up behind the axis than before it: opposite ones differ.
    assert np.abs(cone - fans).max() > 1


def test_the_order_of_sinograms_holds_the_same() -> None:
    solid = phantom("modified-shepp-logan-3d")
    rows = line_integrals(solid, ANGLES, 32, rows=20, first=5, last=12, sinogram_order=True)
    assert rows.shape == (7, len(ANGLES), 32)
    frames = line_integrals(solid, ANGLES, 32, rows=20)
    assert np.array_equal(rows, frames.swapaxes(0, 1)[5:12])


def test_turning_an_ellipsoid_is_turning_the_detector() -> None:
    one = Ellipsoid(1, 0.3, 0.5, 0.4)
    turned = line_integrals([replace(one, phi=0.3, psi=0.4)], ANGLES + 0.7, 64, rows=9)
    assert turned == pytest.approx(line_integrals([one], ANGLES, 64, rows=9), abs=1e-4)
    # Tilted by a right angle about x, the old y is up.
    lying = line_integrals([replace(one, theta=math.pi / 2)], [0.3], 64, rows=64)
    standing = line_integrals([replace(one, b=0.4, c=0.5)], [0.3], 64, rows=64)
    assert lying == pytest.approx(standing, abs=1e-4)


@pytest.mark.parametrize("name", phantoms())
def test_every_phantom_fits_the_circle(name: str) -> None:
    seen = line_integrals(phantom(name), ANGLES, 128, unit=60, rows=140)
    assert seen.max() > 1
    assert not seen[:, :, [0, -1]].any()


def test_the_fastest_variant_is_the_last() -> None:
    assert native.phantom_variants()[0] == "portable"


def test_what_makes_no_sense_is_a_sentence() -> None:
    with pytest.raises(BadOption, match=r"There is no phantom \"nosuch\"; there are shepp-logan"):
        phantom("nosuch")
    with pytest.raises(BadOption, match="Ellipsoid 0 has a semi-axis of 0"):
        line_integrals([Ellipsoid(1, 0, 1, 1)], [0.0], 8)
    with pytest.raises(BadOption, match="infinite cylinder that is tilted"):
        picture([Ellipsoid(1, 1, 1, math.inf, theta=1)], 8)
    with pytest.raises(BadOption, match="There are no rows 3 up to 5 of 4"):
        line_integrals(HEAD, [0.0], 8, rows=4, first=3, last=5)
    with pytest.raises(BadOption, match="There is no footprint"):
        line_integrals(HEAD, [0.0], 8, footprint="round")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="has a source; give its distance"):
        line_integrals(HEAD, [0.0], 8, beam="cone")
    with pytest.raises(BadOption, match="no source whose distance"):
        line_integrals(HEAD, [0.0], 8, source=100)
    with pytest.raises(BadOption, match="There is no beam"):
        line_integrals(HEAD, [0.0], 8, beam="round", source=100)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="as far as the source"):
        line_integrals(HEAD, [0.0], 80, beam="fans", source=30, unit=40)
    with pytest.raises(BadAngles):
        line_integrals(HEAD, [math.nan], 8)
