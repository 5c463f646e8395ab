"""Tomographic reconstruction: seconds per slice, and the error relative to the exact picture.

Slices of the two problems used in the literature: the three-dimensional phantom of Shepp and Logan
(511² from 420 angles over 210°) and an object of a beetle's size (1175² from 400 angles over 200°).
A repetition reconstructs all slices of a case from projections in memory to slices in memory,
filter, back projection and changes of layout included; tables are computed before. Besides the time
it reports the root mean square error inside the circle.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stend.benchmarks.definition import DEFAULT, About, Case, benchmark
from stend.benchmarks.needs import cpus_lack, memory_lacks
from stend.benchmarks.parameters import Size, choice, up_to_all_cores, whole
from stend.record import Machine, Metric, Work

if TYPE_CHECKING:
    from stend import native

SMALL, LARGE = "shepp-logan-3d", "may-beetle"
VOLUMES = {SMALL: (511, 511, 420), LARGE: (1261, 1175, 400)}
"""Slices, detector pixels (a slice has as many squared) and angles."""
FEW = 32
"""Slices: as many as the widest variant has lanes."""
REFERENCE = "reference"


def _problems(machine: Machine, size: Size) -> Sequence[str]:
    return (SMALL, LARGE) if size == "full" else (SMALL,)


def _slices(machine: Machine, size: Size) -> Sequence[int]:
    """With --full also both whole volumes; `needs` tells what is more than a problem has."""
    if size == "check":
        return (1,)
    return (FEW,) if size == "quick" else (FEW, *(volume[0] for volume in VOLUMES.values()))


PARAMETERS = {
    "problem": choice(f"the scan: {SMALL} or {LARGE}", _problems),
    "slices": whole("number of slices, evenly spaced in the problem's volume", _slices),
    "threads": up_to_all_cores,
}


def _takes(
    algorithm: str, variants: Callable[[], Sequence["native.Variant"]]
) -> Callable[[Case, Machine, Size], Sequence[str]]:
    """Quick, and to check: on one core, by the direct Fourier method also on all.

    Full: all variants on a few slices of the small problem on one core, but the reference, which
    takes seconds a slice; the best on both problems, few slices and all, on every number of cores.
    """

    def takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
        if size != "full":
            return (DEFAULT,) if case.threads == 1 or algorithm == "dfr" else ()
        slices = VOLUMES[str(case.problem)][0]
        if case.slices not in (FEW, slices):
            return ()
        if case.threads == 1 and case.slices == FEW and case.problem == SMALL:
            return [v.name for v in variants() if v.name != REFERENCE]
        return (DEFAULT,)

    return takes


def _needs(case: Case, machine: Machine) -> str | None:
    if case.problem not in VOLUMES:
        return f"there is no problem {case.problem!r}; there are {' and '.join(VOLUMES)}."
    slices, pixels, angles = VOLUMES[str(case.problem)]
    if case.slices > slices:
        return f"{case.problem} has {slices} slices, not {case.slices}."
    if lacking := cpus_lack(int(case.threads), machine):
        return lacking
    compared = min(int(case.slices), FEW)
    floats = int(case.slices) * pixels * (angles + pixels) + compared * pixels**2
    work_space = 16 * pixels * (angles + 2 * pixels)
    return memory_lacks("projections and slices", 4 * (floats + work_space), machine, "slices=N")


ABOUT = About(
    work="the slices; the value is the time per slice.",
    proof="Every slice is compared with the exact picture of the phantom: the root mean square "
    "error inside the circle must be below a limit. A pixel corrupted before each "
    "repetition must be overwritten in every slice.",
    reading="Read the time together with the column RMSE. On one core a thousand slices take a "
    "thousand times as long; several cores share the slices.",
)
BOUNDS = {
    "dfr": "The core: the Fourier transforms' loads and stores in the second-level cache, and the "
    "loads of the gridding between them. Large slices also wait for memory.",
    "fbp": "The interpolations, one per pixel and angle: the core's loads and multiply-adds.",
    "hfbp": "The additions and loads per pixel of the fast Hough transform; writing the slice is "
    "bound by memory.",
}
"""By folder of NATIVE."""
NATIVE = "engines/tomo/native/tomo"


def _reconstruction(name: str, algorithm: str, question: str) -> None:
    """Register the benchmark of one algorithm."""
    room = algorithm.partition("-")[0]

    def variants() -> Sequence["native.Variant"]:
        from stend import native

        return native.tomo.variants(algorithm)

    @benchmark(
        f"tomo.{name}",
        question=question,
        parameters=PARAMETERS,
        metric=Metric(name="time", unit="s/slice", better="lower"),
        work=lambda case: Work(operations=case.slices),
        variants=variants,
        takes=_takes(algorithm, variants),
        card=algorithm == "dfr",
        needs=_needs,
        about=replace(
            ABOUT,
            bound=BOUNDS[room],
            rooms=(NATIVE, f"{NATIVE}/{room}"),
        ),
    )
    def kernel(case: Case) -> "native.Kernel":
        """One execution reconstructs all slices of the case."""
        from stend import native

        return native.tomo.kernel(
            str(case.problem), algorithm, case.slices, case.threads, str(case.variant)
        )


_reconstruction("dfr", "dfr", "How long does a slice take by the direct Fourier method?")
_reconstruction(
    "dfr_half",
    "dfr-half",
    "How long does a slice take by the direct Fourier method by way of half-precision numbers?",
)
_reconstruction("fbp", "fbp", "How long does a slice take by filtered back projection?")
_reconstruction(
    "fbp_int16",
    "fbp-int16",
    "How long does a slice take by filtered back projection in 16-bit integers?",
)
_reconstruction(
    "hfbp", "hfbp", "How long does a slice take by back projection with the fast Hough transform?"
)
_reconstruction(
    "hfbp_fine",
    "hfbp-fine",
    "How long does a slice take by the fast Hough transform on rows twice as fine?",
)
