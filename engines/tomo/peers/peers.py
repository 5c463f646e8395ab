"""Other people's reconstructions of one slice, each as its users call it on one core.

Each takes a sinogram (angles, columns) of float32 line integrals and the angles in radians, and
gives a function that returns the slice, with what can be prepared once done before.
"""

import ctypes
import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Work = Callable[[], Picture]
Prepare = Callable[[Picture, NDArray[np.float64]], Work]


def scikit_image(sinogram: Picture, angles: NDArray[np.float64]) -> Work:
    """iradon: filtered back projection, linear interpolation."""
    from skimage.transform import iradon

    columns, degrees = np.ascontiguousarray(sinogram.T), np.rad2deg(angles)
    return lambda: iradon(columns, theta=degrees, filter_name="ramp", circle=True)


def astra(sinogram: Picture, angles: NDArray[np.float64]) -> Work:
    """ASTRA's FBP on the CPU, with its line projector: the fastest of its three."""
    import astra as toolbox

    n = sinogram.shape[1]
    volume = toolbox.create_vol_geom(n, n)
    detector = toolbox.create_proj_geom("parallel", 1.0, n, angles)
    projector = toolbox.create_projector("linear", detector, volume)
    into = toolbox.data2d.create("-sino", detector, sinogram)
    out = toolbox.data2d.create("-vol", volume)
    settings = toolbox.astra_dict("FBP")
    settings |= {"ProjectorId": projector, "ProjectionDataId": into, "ReconstructionDataId": out}
    algorithm = toolbox.algorithm.create(settings)

    def work() -> Picture:
        toolbox.algorithm.run(algorithm)
        picture: Picture = toolbox.data2d.get_shared(out)
        return picture

    return work


def algotom(sinogram: Picture, angles: NDArray[np.float64]) -> Work:
    """Algotom's fbp_reconstruction on the CPU, by Numba."""
    from algotom.rec.reconstruction import fbp_reconstruction

    middle = (sinogram.shape[1] - 1) / 2
    return lambda: fbp_reconstruction(
        sinogram, middle, angles=angles, ratio=None, gpu=False, apply_log=False, ncore=1
    )


def ducc(sinogram: Picture, angles: NDArray[np.float64], planned: bool = True) -> Work:
    """Direct Fourier reconstruction by ducc0's NUFFT, with the ramp of stend."""
    import ducc0
    import scipy.fft

    n = sinogram.shape[1]
    length = scipy.fft.next_fast_len(2 * n, real=True)
    length += length % 2
    kernel = np.zeros(length)
    kernel[0] = 0.25
    odd = np.arange(1, length // 2 + 1, 2)
    kernel[odd] = kernel[-odd] = -1 / (np.pi * odd) ** 2
    frequencies = np.arange(length // 2 + 1) / length
    ramp = np.fft.rfft(kernel).real * np.exp(2j * np.pi * frequencies * (n - 1) / 2)
    weights = np.full(frequencies.size, 2.0)
    weights[0] = weights[-1] = 1
    factors = (ramp * weights / length).astype(np.complex64)
    of_angles = _weights(angles).astype(np.float32)[:, None]
    shift = n // 2 - (n - 1) / 2
    steps = 2 * np.pi * frequencies
    x, y = np.outer(np.cos(angles), steps), np.outer(-np.sin(angles), steps)
    half = np.exp(1j * shift * (x + y)).astype(np.complex64) * of_angles * factors
    points = np.stack([y.ravel(), x.ravel()], axis=1).astype(np.float32)
    plan = ducc0.nufft.plan(nu2u=True, coord=points, grid_shape=(n, n), epsilon=1e-3, nthreads=1)

    def work() -> Picture:
        spectrum = (scipy.fft.rfft(sinogram, length, axis=1) * half).ravel()
        if planned:
            picture: Picture = plan.nu2u(points=spectrum, forward=False).real
            return picture
        out = np.empty((n, n), np.complex64)
        ducc0.nufft.nu2u(
            points=spectrum, coord=points, forward=False, epsilon=1e-3, nthreads=1, out=out
        )
        return out.real

    return work


def _weights(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Voronoi cells modulo π."""
    folded = np.round(np.mod(angles, np.pi), 9) % round(np.pi, 9)
    directions, where, counts = np.unique(folded, return_inverse=True, return_counts=True)
    after = np.append(directions[1:], directions[0] + np.pi)
    before = np.insert(directions[:-1], 0, directions[-1] - np.pi)
    return ((after - before) / 2 / counts)[where]


def gridrec(sinogram: Picture, angles: NDArray[np.float64], pad: int = 1) -> Work:
    """TomoPy's gridrec from the library that GRIDREC names, `pad` times as wide; two slices."""
    call = ctypes.CDLL(os.environ["GRIDREC"]).gridrec
    n = sinogram.shape[1]
    wide = n * pad
    before = (wide - n) // 2
    # It reconstructs two slices at once.
    both = np.zeros((2, angles.size, wide), np.float32)
    both[:, :, before : before + n] = sinogram
    centers = np.full(
        2, before + (n - 1) / 2 - 0.5, np.float32
    )  # it counts from pixels' left sides
    radians = angles.astype(np.float32)
    out = np.zeros((2, wide, wide), np.float32)
    parameters = np.ones(2, np.float32)
    pointer = ctypes.POINTER(ctypes.c_float)
    given = [each.ctypes.data_as(pointer) for each in (both, centers, radians, out, parameters)]

    def work() -> Picture:
        out[...] = 0
        call(given[0], 2, angles.size, wide, given[1], given[2], given[3], wide, wide,
             b"ramlak", given[4])  # fmt: skip
        return out[0, before : before + n, before : before + n]

    return work


PEERS: dict[str, tuple[Prepare, int]] = {
    "scikit-image": (scikit_image, 1),
    "astra": (astra, 1),
    "algotom": (algotom, 1),
    "ducc0, planned": (ducc, 1),
    "ducc0": (lambda s, a: ducc(s, a, planned=False), 1),
}
"""By name, and how many slices one call makes."""
if "GRIDREC" in os.environ:
    PEERS["gridrec"] = (gridrec, 2)
    PEERS["gridrec, padded"] = (lambda s, a: gridrec(s, a, 2), 2)
