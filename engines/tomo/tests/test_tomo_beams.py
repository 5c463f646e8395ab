"""Fan and cone beams: exact phantoms come back, in the beam's unit of length."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from blobs import half_turn
from stend_tomo import phantoms

HEAD = phantoms.phantom("modified-shepp-logan")
HEAD_3D = phantoms.phantom("modified-shepp-logan-3d")
N = 65
TURN = half_turn(200, 2 * np.pi)
FAN = tomo.FanBeam(source_to_axis=30.0, source_to_detector=45.0, pitch=0.3)  # mm
PIXEL = 0.2
"""A pixel of FAN's as seen at the axis."""
CONE = tomo.ConeBeam(source_to_axis=30.0, source_to_detector=45.0, pitch=0.3)
UNIT = 29.0
"""Columns that the phantoms' unit is long: all rays see it."""


def fans(
    angles: NDArray[np.float64] = TURN, beam: str = "fans", **options: Any
) -> NDArray[np.float32]:
    """The head, whose attenuation is 1/mm times its values."""
    named = {"source": FAN.source_to_axis / PIXEL, "unit": UNIT, **options}
    return PIXEL * phantoms.line_integrals(HEAD, angles, N, beam=beam, **named)  # type: ignore[arg-type]


def error(rebinned: tomo.Rebinned) -> float:
    slices = tomo.reconstruct(
        rebinned.projections,
        rebinned.angles,
        center=rebinned.center,
        pixel=rebinned.pixel,
        size=N,
    )
    return phantoms.rmse(slices, phantoms.picture(HEAD, N, unit=UNIT), margin=4)


def parallel_error() -> float:
    projections = PIXEL * phantoms.line_integrals(HEAD, TURN[:100], N, unit=UNIT)
    return error(tomo.Rebinned(projections, TURN[:100], (N - 1) / 2, PIXEL))


SHORT = half_turn(120, 1.22 * np.pi) + 5.0
FANS = {
    "flat": (fans(), TURN, FAN),
    "curved": (fans(beam="curved-fans"), TURN, replace(FAN, detector="curved")),
    "axis aside": (fans(center=30.6), TURN, replace(FAN, center=30.6)),
    "short scan": (fans(SHORT), SHORT, FAN),
    "backwards": (fans(TURN[::-1]), TURN[::-1], FAN),
}


@pytest.mark.parametrize("name", FANS)
def test_a_fan_beam_shows_what_a_parallel_one_does(name: str) -> None:
    rebinned = tomo.rebin_fan(*FANS[name])
    assert rebinned.pixel == pytest.approx(PIXEL)
    assert rebinned.projections.shape[0] == len(rebinned.angles)
    assert error(rebinned) < 1.2 * parallel_error()


def test_rebinned_rows_are_each_their_own_in_both_orders() -> None:
    both = np.concatenate([fans(), 2 * fans()], axis=1)
    found = tomo.rebin_fan(both.astype(np.float64), TURN, FAN, threads=2).projections
    turned = tomo.rebin_fan(both.transpose(1, 0, 2), TURN, FAN, sinogram_order=True).projections
    assert np.array_equal(turned.transpose(1, 0, 2), found)
    assert np.array_equal(found[:, 1], 2 * found[:, 0])
    for variant in tomo.variants("rebin_fan"):
        same = tomo.rebin_fan(both, TURN, FAN, variant=variant).projections
        np.testing.assert_allclose(same, found, atol=1e-5)


ASTRA = (4.5695, 7.3953, 6.0096, 0.3927, -5.5094, -7.4639, -5.0697, -0.3246)
"""Where ASTRA 2.5.0 (geometry "fanflat", projector "strip_fanflat") projects a rectangle's centre
of mass to, in columns from the detector's middle, at 8 angles of a turn: pixels of 1.5 at 90 from a
source at 60 from the axis. The picture has 24 × 24 pixels: 1 in rows 5 to 7 of columns 15 to 18."""


def test_astras_fan_is_ours_half_a_turn_further_and_mirrored() -> None:
    angles = half_turn(8, 2 * np.pi) - np.pi
    boxes = [  # of many small discs: a phantom is made of ellipses
        phantoms.Ellipsoid(1, 0.25, 0.25, np.inf, column - 11.5, 11.5 - row)
        for column in np.arange(14.75, 18.5, 0.5)
        for row in np.arange(4.75, 7.5, 0.5)
    ]
    found = phantoms.line_integrals(boxes, angles, 61, beam="fans", source=60, unit=1)[:, 0, ::-1]
    at = (found @ (np.arange(61) - 30)) / found.sum(1)
    np.testing.assert_allclose(at, ASTRA, rtol=0, atol=0.04)


def cone(rows: int = 33, **options: Any) -> NDArray[np.float32]:
    named = {"source": CONE.source_to_axis / PIXEL, "unit": UNIT, "rows": rows, **options}
    return PIXEL * phantoms.line_integrals(HEAD_3D, TURN, N, beam="cone", **named)


PROJECTIONS = cone()
VOLUME = tomo.fdk(PROJECTIONS, TURN, CONE)


def truth(rows: int = 33, **options: Any) -> NDArray[np.float32]:
    return phantoms.picture(HEAD_3D, N, rows=rows, unit=UNIT, **options)


def test_a_volume_comes_back_per_unit_of_length() -> None:
    assert VOLUME.shape == (33, N, N)
    assert CONE.voxel == pytest.approx(PIXEL)
    assert phantoms.rmse(VOLUME[12:21], truth()[12:21], margin=4) < 1.3 * parallel_error()
    in_metres = tomo.ConeBeam(source_to_axis=0.03, source_to_detector=0.045, pitch=0.0003)
    per_metre = tomo.fdk(PROJECTIONS / 1000, TURN, in_metres)
    seen = phantoms.circle(N, 4)  # beyond it, rays that just meet the detector may round either way
    np.testing.assert_allclose(per_metre[:, seen], VOLUME[:, seen], atol=1e-4)


def test_a_ball_is_where_it_is_about_any_center() -> None:
    """Phantoms' z grows against rows, which is up; the ball is above the source's plane."""
    ball = [phantoms.Ellipsoid(1, 0.2, 0.2, 0.2, 0.25, -0.3, 0.15)]
    projections = PIXEL * phantoms.line_integrals(
        ball, TURN, N, beam="cone", source=150, unit=UNIT, rows=33, center=30.0, middle=12.0
    )
    beam = replace(CONE, center=30.0, center_row=12.0)
    found = np.maximum(tomo.fdk(projections, TURN, beam, size=41, slices=25) - 0.3, 0)
    middle = [20 + 0.3 * UNIT, 20 + 0.25 * UNIT]  # row, column
    places = np.indices(found.shape).reshape(3, -1) @ found.ravel() / found.sum()
    np.testing.assert_allclose(places, [12 - 0.15 * UNIT, *middle], rtol=0, atol=0.1)


def test_a_volume_in_slabs_is_the_same() -> None:
    room = np.empty((5, N, N), np.float32)
    for first in (3, 20):
        middle = (first + 2 - 16) * CONE.voxel
        assert tomo.fdk(PROJECTIONS, TURN, CONE, slices=5, middle=middle, out=room) is room
        np.testing.assert_allclose(room, VOLUME[first : first + 5], atol=2e-5)


def test_order_type_threads_and_variants_change_nothing() -> None:
    small: dict[str, Any] = {"size": 20, "slices": 3, "voxel": 0.6}
    expected = tomo.fdk(PROJECTIONS, TURN, CONE, **small)
    turned = np.asfortranarray(PROJECTIONS.transpose(1, 0, 2)).astype(np.float64)
    found = tomo.fdk(turned, TURN, CONE, sinogram_order=True, threads=3, **small)
    assert np.array_equal(found, expected)
    for variant in tomo.variants("fdk"):
        same = tomo.fdk(PROJECTIONS, TURN, CONE, variant=variant, **small)
        np.testing.assert_allclose(same, expected, atol=1e-4)


def test_values_that_are_no_numbers_are_named() -> None:
    bad = PROJECTIONS.copy()
    bad[150, 20, 64] = np.nan
    for make in (lambda: tomo.rebin_fan(bad, TURN, FAN), lambda: tomo.fdk(bad, TURN, CONE)):
        with pytest.raises(tomo.BadProjections, match=r"projections\[150, 20, 64\] is nan"):
            make()


FAN_REFUSED = [
    ({"source_to_axis": -1.0}, "distance from source to axis is -1"),
    ({"source_to_detector": np.nan}, "distance from source to detector is nan"),
    (
        {"source_to_detector": 15.0},
        "axis is 30 from the source, but the detector, which must be farther, only 15",
    ),
    ({"pitch": 0.0}, "pitch of detector pixels is 0"),
    ({"center": np.inf}, "center is inf"),
    ({"center": 500.0}, "more than a detector's width away"),
]


@pytest.mark.parametrize(("change", "said"), FAN_REFUSED)
def test_geometries_that_cannot_be(change: dict[str, Any], said: str) -> None:
    with pytest.raises(tomo.BadOption, match=said):
        tomo.rebin_fan(fans(), TURN, replace(FAN, **change))
    with pytest.raises(tomo.BadOption, match=said):
        tomo.fdk(PROJECTIONS, TURN, replace(CONE, **change))


def test_detectors_and_centers_that_cannot_be() -> None:
    with pytest.raises(tomo.BadOption, match='no detector "round"; there are flat, curved'):
        tomo.rebin_fan(fans(), TURN, replace(FAN, detector="round"))  # type: ignore[arg-type]
    with pytest.raises(tomo.BadOption, match=r"curved detector .* less than"):
        tomo.rebin_fan(fans(), TURN, replace(FAN, detector="curved", pitch=9.0))
    with pytest.raises(tomo.BadOption, match="center's row is nan"):
        tomo.fdk(PROJECTIONS, TURN, replace(CONE, center_row=np.nan))


def test_what_is_no_beam_is_named() -> None:
    with pytest.raises(tomo.BadOption, match=r"ConeBeam, not NoneType"):
        tomo.fdk(PROJECTIONS, TURN, None)  # type: ignore[arg-type]
    with pytest.raises(tomo.BadOption, match=r"FanBeam, not ConeBeam"):
        tomo.rebin_fan(fans(), TURN, CONE)  # type: ignore[arg-type]


def test_too_short_a_scan_is_told_what_it_takes() -> None:
    said = r"goes [0-9.]+ degrees around; a short scan takes half a turn and the fan's angle"
    with pytest.raises(tomo.BadOption, match=said):
        tomo.rebin_fan(fans()[:110], TURN[:110], FAN)
    with pytest.raises(tomo.BadOption, match=said):
        tomo.fdk(PROJECTIONS[:110], TURN[:110], CONE)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": 400}, r"source is 30(\.0*)? away; it must be outside"),
        ({"slices": 0}, "number of slices is 0"),
        ({"voxel": -0.1}, "side of a voxel is -0.1"),
        ({"middle": np.inf}, "height of the slices' middle is inf"),
        ({"filter": "ramp"}, 'no filter "ramp"'),
        ({"cutoff": 2.0}, "must be at most 1"),
        ({"variant": "magic"}, 'no variant "magic"'),
    ],
)
def test_volumes_that_cannot_be(options: dict[str, Any], said: str) -> None:
    with pytest.raises(tomo.BadOption, match=said):
        tomo.fdk(PROJECTIONS, TURN, CONE, **options)
