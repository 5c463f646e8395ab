"""A Dask array in, a Dask array out: each block of rows is reconstructed where it lies.

Dask is not imported unless such an array is given.
"""

import importlib
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stend_tomo.reconstructor import Options, Reconstructor

if TYPE_CHECKING:
    from numpy.typing import NDArray

Key = tuple[int, bytes, tuple[tuple[str, object], ...]]
_kept = threading.local()
"""Of each thread of a worker: the reconstructor of its last block, which is the next one's, too."""


def is_dask(given: Any) -> bool:
    """Whether this is an array of Dask's, or of what goes by its protocol.

    What wraps arrays of any kind (xarray) has the method, too, and gives None for one in memory.
    """
    graph = getattr(given, "__dask_graph__", None)
    return graph is not None and graph() is not None


def reconstruct_blocks(
    projections: Any, angles: "NDArray[np.float64]", options: Options, sinogram_order: bool
) -> Any:
    """Give slices as a Dask array, in the blocks of rows that the projections have.

    A block holds all angles and all columns of its rows; projections in other blocks are cut
    anew, by Dask. What can't be is raised now, not by a worker.
    """
    array: Any = importlib.import_module("dask.array")  # typed in part only
    sinograms = projections if sinogram_order else projections.transpose(1, 0, 2)
    rows = "auto" if sinograms.numblocks[0] == 1 else sinograms.chunks[0]
    sinograms = sinograms.rechunk((rows, -1, -1))
    if options["threads"] is None:
        options = {**options, "threads": 1}
    columns = sinograms.shape[2]
    size = Reconstructor(columns, angles, **options).size
    key = (columns, angles.tobytes(), tuple(sorted(options.items())))
    return array.map_blocks(
        partial(_reconstruct_block, key, sinogram_order),
        sinograms,
        dtype=np.float32,
        chunks=(sinograms.chunks[0], (size,), (size,)),
        meta=np.empty((0, 0, 0), np.float32),
    )


def _reconstruct_block(
    key: Key, sinogram_order: bool, block: "NDArray[np.generic]", block_info: Any
) -> "NDArray[np.float32]":
    """Reconstruct a block; Dask tells where it lies, for faults to be named there."""
    first: int = block_info[0]["array-location"][0][0]
    return _reconstructor(key).block(block, first, sinogram_order)


def _reconstructor(key: Key) -> Reconstructor:
    if getattr(_kept, "key", None) != key:
        columns, angles, options = key
        named: Any = dict(options)
        _kept.reconstructor = Reconstructor(columns, np.frombuffer(angles), **named)
        _kept.key = key
    made: Reconstructor = _kept.reconstructor
    return made
