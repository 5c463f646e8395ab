"""The network that comes with stend: how well it finds inclusions in slices it never saw.

Its specimens are those of engines/unet/peers, which needs nothing else for them: drawn by seeds,
projected exactly, counted with noise, reconstructed. TRAINING.md there has the scores of many more.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import stend_unet as unet
from stend_unet.segmentation import Meaning

PEER = Path(__file__).parents[2] / "engines/unet/peers"
OURS = ("held_out", "outlines", "patches", "scans", "specimens")


@pytest.fixture(scope="module")
def peer() -> Iterator[dict[str, ModuleType]]:
    """Modules of engines/unet/peers, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PEER)
        yield {name: import_module(name) for name in OURS}
    for name in OURS:
        del sys.modules[name]


def dice(found: np.ndarray, truth: np.ndarray) -> float:
    return 2 * np.count_nonzero(found & truth) / (found.sum() + truth.sum())


def test_inclusions_of_held_out_specimens_are_found(peer: dict[str, ModuleType]) -> None:
    cases = list(peer["held_out"].held_out(10))
    truths = [case.mask for case in cases]
    found = [unet.segment(case.slice, threads=1) == 1 for case in cases]
    whole = dice(
        np.concatenate([each.ravel() for each in found]),
        np.concatenate([each.ravel() for each in truths]),
    )
    assert whole > 0.85
    assert np.median([dice(*pair) for pair in zip(found, truths, strict=True)]) > 0.8


def test_units_of_a_slice_are_no_matter(peer: dict[str, ModuleType]) -> None:
    image = peer["scans"].case((5, 1), 256).slice
    found, other = unet.segment(image), unet.segment(1e-3 * image + 7)
    assert found.any()
    assert np.mean(found != other) < 1e-3


def test_slices_are_prepared_as_those_that_taught_it(peer: dict[str, ModuleType]) -> None:
    image = peer["scans"].case((5, 2), 200).slice
    prepared = Meaning.of(unet.shipped()).prepared(image)
    np.testing.assert_allclose(prepared, peer["patches"].normalized(image), atol=1e-6)


def test_a_matrix_without_inclusions_has_none(peer: dict[str, ModuleType]) -> None:
    rng = np.random.default_rng(3)
    specimens, scans = peer["specimens"], peer["scans"]
    plain = specimens.Specimen(256, specimens.hollow_cylinder(rng, 256), [], [])
    case = scans.scanned(plain, scans.scanner(rng), rng)
    assert np.mean(unet.segment(case.slice)) < 1e-3


def test_the_file_says_where_it_comes_from() -> None:
    model = unet.shipped()
    assert model.properties["stend.classes"] == "inclusion"
    assert "peers/unet/train.py: seed" in model.properties["stend.source"]
    assert model.parameters * 4 < 2_000_000


def test_polygons_are_projected_as_exactly_as_ellipses(peer: dict[str, ModuleType]) -> None:
    outlines = peer["outlines"]
    around = np.arange(2000) * np.pi / 1000
    corners = tuple(zip(30 * np.cos(around), 20 * np.sin(around), strict=True))
    polygon = outlines.Polygon(5.3, -7.1, outlines.turned(corners, 0.4))
    ellipse = outlines.Ellipse(5.3, -7.1, 30, 20, 0.4)
    angles = np.linspace(0, np.pi, 37)
    shadows = [
        outlines.projections([(each, 1.0)], angles, 128, 63.3) for each in (polygon, ellipse)
    ]
    np.testing.assert_allclose(*shadows, atol=1e-3)
    covered = [outlines.coverage([each], 128) for each in (polygon, ellipse)]
    np.testing.assert_allclose(*covered, atol=0.1)
    assert abs(np.sum(covered[0] - covered[1])) < 1
