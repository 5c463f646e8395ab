"""A Dask array in, a Dask array out: lazily, in blocks of rows, on a real cluster of processes."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest

import stend_tomo as tomo
from blobs import each_algorithm, half_turn, volume
from tomo_support import PATIENCE

ANGLES = half_turn(24)
PROJECTIONS = volume(10, ANGLES, 20)


def blocks(*chunks: int) -> Any:
    return da.from_array(PROJECTIONS, chunks=chunks)


@each_algorithm
@pytest.mark.parametrize("chunks", [(24, 3, 20), (1, 10, 20), (5, 4, 7)])
def test_blocks_give_what_the_whole_gives(algorithm: str, chunks: tuple[int, ...]) -> None:
    lazy: Any = tomo.reconstruct(blocks(*chunks), ANGLES, algorithm=algorithm, size=18)
    assert isinstance(lazy, da.Array)
    assert (lazy.shape, lazy.dtype) == ((10, 18, 18), np.float32)
    expected = tomo.reconstruct(PROJECTIONS, ANGLES, algorithm=algorithm, size=18)
    assert np.array_equal(lazy.compute(), expected)


def test_sinograms_in_blocks() -> None:
    turned = blocks(24, 3, 20).transpose(1, 0, 2)
    lazy: Any = tomo.reconstruct(turned, ANGLES, algorithm="fbp", sinogram_order=True, pixel=0.1)
    assert lazy.chunks == ((3, 3, 3, 1), (20,), (20,))
    expected = tomo.reconstruct(PROJECTIONS, ANGLES, algorithm="fbp", pixel=0.1)
    assert np.array_equal(lazy.compute(), expected)


def test_only_the_rows_that_are_asked_for_are_read() -> None:
    read: list[int] = []

    def block(info: Any) -> Any:
        (_, _), (first, last), (_, _) = info[None]["array-location"]
        read.append(first)
        return PROJECTIONS[:, first:last]

    lazy = da.map_blocks(
        lambda block_info: block(block_info),
        chunks=((24,), (2,) * 5, (20,)),
        dtype=np.float32,
        meta=np.empty((0, 0, 0), np.float32),
    )
    slices: Any = tomo.reconstruct(lazy, ANGLES, algorithm="fbp")
    assert read == []
    with dask.config.set(scheduler="synchronous"):
        slices[4:6].compute()
    assert read == [4]


def test_what_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(tomo.BadAngles, match="5 angles for 24 projections"):
        tomo.reconstruct(blocks(24, 3, 20), ANGLES[:5])
    with pytest.raises(tomo.BadOption, match="no algorithm"):
        tomo.reconstruct(blocks(24, 3, 20), ANGLES, algorithm="magic")
    with pytest.raises(tomo.BadOption, match="A Dask array gives a Dask array"):
        tomo.reconstruct(blocks(24, 3, 20), ANGLES, out=np.empty((10, 20, 20), np.float32))


def test_what_wraps_an_array_in_memory_is_an_array() -> None:
    class Wrapped(np.ndarray):
        def __dask_graph__(self) -> None:
            """Tell that there is none, as xarray does."""

    angles = half_turn(20)
    projections = np.random.default_rng(1).random((20, 2, 16), np.float32)
    slices = tomo.reconstruct(projections.view(Wrapped), angles)
    assert np.array_equal(slices, tomo.reconstruct(projections, angles))


def test_a_bad_value_in_a_block_is_told_by_who_computes_it() -> None:
    spoilt = PROJECTIONS.copy()
    spoilt[2, 7, 3] = np.inf
    lazy: Any = tomo.reconstruct(da.from_array(spoilt, chunks=(24, 5, 20)), ANGLES, algorithm="fbp")
    assert lazy[:5].compute().shape == (5, 20, 20)
    said = r"projections\[2, 7, 3\] is inf: row 7, angle 2, column 3"
    with pytest.raises(tomo.BadProjections, match=said):
        lazy.compute()


def test_a_bad_value_in_sinograms_is_told_in_their_order() -> None:
    spoilt = PROJECTIONS.transpose(1, 0, 2).copy()
    spoilt[7, 2, 3] = np.nan
    lazy: Any = tomo.reconstruct(
        da.from_array(spoilt, chunks=(5, 24, 20)), ANGLES, algorithm="fbp", sinogram_order=True
    )
    with pytest.raises(tomo.BadProjections, match=r"projections\[7, 2, 3\] is nan: row 7, angle 2"):
        lazy.compute()


CLUSTER = """
import os
import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster
import stend_tomo as tomo
from blobs import half_turn, volume

def main():
    angles = half_turn(24)
    projections = volume(12, angles, 20)
    local = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
                         dashboard_address=None)
    with local as cluster, Client(cluster) as client:
        lazy = tomo.reconstruct(da.from_array(projections, (24, 1, 20)), angles, algorithm="fbp")
        processes = lazy.map_blocks(lambda block: np.full(block.shape, os.getpid())).compute()
        found = lazy.compute()
    expected = tomo.reconstruct(projections, angles, algorithm="fbp")
    print(np.array_equal(found, expected), len(np.unique(processes)), os.getpid() in processes)

if __name__ == "__main__":
    main()
"""


def test_a_cluster_of_processes_gives_the_same(tmp_path: Path) -> None:
    program = tmp_path / "on_a_cluster.py"
    program.write_text(CLUSTER)
    tests = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(tests)},
    )
    assert (done.returncode, done.stdout) == (0, "True 2 False\n"), done.stderr


def test_dask_is_loaded_only_for_its_arrays() -> None:
    asked = "import sys, stend_tomo; print('dask' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
