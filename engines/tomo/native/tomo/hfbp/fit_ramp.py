"""Fits the ramp's kernel by one-pole filters and prints ramp_poles.h: fit_ramp.py > ramp_poles.h.

The band-limited ramp is 1/4 in the middle, -1/(πj)² at odd distances j and nothing at even ones
(Kak and Slaney 1988, equation 61). Distances 1 and 3 are taps; from 5 on, the kernel is the sum of
a_k z_k^m, j = 5 + 2m: a recursive filter of one pole each, in steps of two pixels (Deriche, INRIA
research report 1893, 1993). Errors weigh as the distance does, so that each octave counts alike.
Needs NumPy and SciPy.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

POLES = 7
FARTHEST = 4096
Array = NDArray[np.float64]


def amplitudes(rates: Array, steps: Array, kernel: Array, weight: Array) -> tuple[Array, Array]:
    """The best amplitudes of exp(-rate · step), and what is left of the kernel, weighted."""
    terms = np.exp(-np.outer(steps, np.exp(rates))) * weight[:, None]
    found = np.linalg.lstsq(terms, kernel * weight, rcond=None)[0]
    return found, terms @ found - kernel * weight


def fitted() -> tuple[Array, Array]:
    """Amplitudes and poles."""
    steps = np.unique(np.round(np.geomspace(1, FARTHEST // 2, 600))) - 1
    distance = 2 * steps + 5
    kernel = 1 / (np.pi * distance) ** 2
    weight = distance * np.sqrt(np.gradient(steps + 1))
    start = np.log(np.geomspace(4 / FARTHEST, 0.6, POLES))
    best = least_squares(lambda rates: amplitudes(rates, steps, kernel, weight)[1], start)
    return amplitudes(best.x, steps, kernel, weight)[0], np.exp(-np.exp(best.x))


def table(name: str, numbers: Array) -> str:
    """A C++ array."""
    listed = ",\n".join(f"    {number:.9g}F" for number in numbers)
    return f"inline constexpr float {name}[] = {{\n{listed},\n}};"


if __name__ == "__main__":
    a, z = fitted()
    print("// The ramp's kernel at the distance 5 + 2m is minus the sum of amplitude · pole^m.")
    print("// Made by fit_ramp.py, which says how.")
    print("// clang-format off")
    print("#pragma once\n\nnamespace stend::tomo::hfbp {\n")
    print(table("ramp_amplitudes", a))
    print(table("ramp_poles", z))
    print("\n}  // namespace stend::tomo::hfbp")
