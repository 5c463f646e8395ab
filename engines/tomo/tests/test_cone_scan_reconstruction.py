"""Cone beams' scans larger than memory: slabs of slices of bands of rows are what `fdk` makes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stend_tomo as tomo
from blobs import half_turn
from in_memory import Kept, Stored
from stend_tomo import phantoms, scan_reconstruction, slab_pipeline
from stend_tomo.cone import grid_of

COLUMNS, ROWS = 33, 40
TURN = half_turn(60, 2 * np.pi)
BEAM = tomo.ConeBeam(source_to_axis=40.0, source_to_detector=60.0, pitch=0.6)
PROJECTIONS = 0.4 * phantoms.line_integrals(
    phantoms.phantom("modified-shepp-logan-3d"),
    TURN,
    COLUMNS,
    beam="cone",
    source=100,
    rows=ROWS,
)
SMALL: Any = {"threads": 1}
LEAST = 2_400_000
"""Bytes, under which slabs have fewer slices than there are."""


def scan(projections: NDArray[np.generic] = PROJECTIONS, **about: Any) -> tomo.Scan:
    return tomo.Scan(Stored(projections), **{"angles": TURN, "normalized": True, **about})


def run(
    given: tomo.Scan, kept: Kept, beam: tomo.ConeBeam = BEAM, **options: Any
) -> NDArray[np.float32]:
    tomo.reconstruct_cone_scan(given, kept, beam, **{**SMALL, **options})
    return kept.slices


def shape(slices: int = ROWS, size: int = COLUMNS) -> tuple[int, int, int]:
    return slices, size, size


WHOLE = tomo.fdk(PROJECTIONS, TURN, BEAM)


@pytest.fixture
def few_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slabs of an eighth of the slices, and their rows prepared seven at a time."""
    monkeypatch.setattr(scan_reconstruction, "ENOUGH", 1)
    monkeypatch.setattr(slab_pipeline, "PREPARED", 7 * PROJECTIONS[:, 0].nbytes)


@pytest.mark.usefixtures("few_slices")
@pytest.mark.parametrize(
    ("beam", "options"),
    [
        ({}, {}),
        ({"center": 20.3, "center_row": 11.25}, {"filter": "hann", "cutoff": 0.7}),
        ({}, {"slices": 71, "size": 20, "voxel": 0.55}),  # beyond the detector's rows
        ({"center_row": -5.0}, {"slices": 10, "middle": 7.3}),
    ],
)
def test_slabs_give_what_the_whole_gives_but_for_rounding(
    beam: dict[str, Any], options: dict[str, Any]
) -> None:
    about = replace(BEAM, **beam)
    whole = tomo.fdk(PROJECTIONS, TURN, about, **options)
    given = scan()
    found = run(given, Kept(whole.shape), about, **options)
    np.testing.assert_allclose(found, whole, rtol=0, atol=3e-6 * np.abs(whole).max())
    assert isinstance(given.projections, Stored)
    assert len(given.projections.read) >= 5


@pytest.mark.usefixtures("few_slices")
def test_bands_overlap_and_no_row_is_read_twice() -> None:
    given = scan()
    run(given, Kept(shape()))
    assert isinstance(given.projections, Stored)
    read = [row for first, last, _ in given.projections.read for row in range(first, last)]
    assert read == list(range(ROWS))


def test_a_slabs_band_is_of_the_rows_that_its_rays_meet() -> None:
    grid = grid_of(BEAM, ROWS, COLUMNS)
    above, below = scan_reconstruction.bands(BEAM, grid, 19.5, ROWS)
    angles = np.linspace(0, 2 * np.pi, 721)
    depth = 40 - np.hypot(16, 16) * 0.4 * np.cos(angles)  # of a corner's voxel
    for index in range(ROWS):
        met = 19.5 + (index - 19.5) * 0.4 * 100 / depth
        first, last = np.floor(met.min()), np.floor(met.max()) + 1
        assert max(first - 2, 0) <= above[index] <= max(first, 0)
        assert min(last, ROWS - 1) < below[index] <= min(last + 3, ROWS)


def test_a_smaller_cap_makes_smaller_slabs() -> None:
    slabs = []
    for memory in (LEAST, "4 GB"):
        given, told = scan(), []
        found = run(
            given, Kept(shape()), memory=memory, progress=lambda *said, to=told: to.append(said)
        )
        np.testing.assert_allclose(found, WHOLE, atol=2e-5)
        assert isinstance(given.projections, Stored)
        assert {name for _, _, name in given.projections.read} == {"stend-tomo-ahead"}
        slabs.append(len(told))
    assert slabs[0] > 1 == slabs[1]


def test_the_cap_that_is_named_is_enough() -> None:
    with pytest.raises(tomo.TooLittleMemory) as told:
        run(scan(), Kept(shape()), memory="1 MB")
    said = str(told.value)
    assert "not even one slice can be made" in said
    assert "the rows of the scan that it needs" in said
    run(scan(), Kept(shape()), memory=int(said.split()[-2].replace(",", "")))


@pytest.mark.usefixtures("few_slices")
def test_what_was_interrupted_goes_on_where_it_ended() -> None:
    def interrupt(done: int, of: int, speed: float) -> None:
        if done > ROWS // 2:
            raise KeyboardInterrupt

    kept, again = Kept(shape()), scan()
    with pytest.raises(KeyboardInterrupt):
        run(scan(), kept, progress=interrupt)
    assert ROWS // 2 < kept.written < ROWS
    assert not kept.finished
    np.testing.assert_allclose(run(again, kept), WHOLE, atol=2e-5)
    assert kept.finished
    assert isinstance(again.projections, Stored)
    assert again.projections.read[0][0] > 10


@pytest.mark.usefixtures("few_slices")
def test_a_bad_value_is_named_by_its_place_in_the_scan() -> None:
    spoilt = PROJECTIONS.copy()
    spoilt[7, 36, 5] = np.nan
    with pytest.raises(tomo.BadProjections) as told:
        run(scan(spoilt), Kept(shape()))
    said = str(told.value)
    first = int(said.split()[2])
    assert said.startswith(
        f"With row {first} of the scan as row 0: projections[7, {36 - first}, 5]"
    )


@pytest.mark.parametrize(
    ("given", "beam", "options", "said"),
    [
        (lambda: scan(angles=None), BEAM, {}, "has no angles"),
        (lambda: scan(angles=TURN[1:]), BEAM, {}, "59 angles for 60 projections"),
        (lambda: scan(angles=TURN / 2), BEAM, {}, "a short scan takes half a turn and the fan"),
        (lambda: scan(normalized=False), BEAM, {}, "intensities, not line integrals"),
        (scan, None, {}, "ConeBeam, not NoneType"),
        (scan, replace(BEAM, center_row=90.0), {}, "90, more than a detector's height away"),
        (scan, replace(BEAM, source_to_axis=61.0), {}, "which must be farther"),
        (scan, BEAM, {"size": 200}, "it must be outside"),
        (scan, BEAM, {"voxel": 0.0}, "side of a voxel is 0"),
        (scan, BEAM, {"filter": "x"}, "no filter"),
        (scan, BEAM, {"slices": 30}, r"shape is (40, 33, 33); the scan makes (30, 33, 33)"),
        (scan, BEAM, {"prepare": lambda s, a, b: PROJECTIONS[1:]}, "What was prepared is of shape"),
    ],
)
def test_scans_that_cannot_be(
    given: Callable[[], tomo.Scan], beam: Any, options: dict[str, Any], said: str
) -> None:
    kept = Kept(shape())
    with pytest.raises(tomo.TomoError) as raised:
        run(given(), kept, beam, **options)
    assert said in str(raised.value)
    assert not kept.written
    assert not kept.finished
