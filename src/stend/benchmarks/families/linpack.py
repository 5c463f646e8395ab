"""LINPACK (Dongarra, Luszczek, Petitet 2003): a dense system of equations in double precision.

After Kuzminsky 2002: the plain algorithm at n=100 shows the processor and the compiler, calls of
BLAS at n=1000 show the gain of a library. The operations counted are 2n³/3 + 2n², whatever the
algorithm really does.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stend.benchmarks.definition import ALL, DEFAULT, About, Case, Variant, benchmark
from stend.benchmarks.needs import cpus_lack, memory_lacks, room
from stend.benchmarks.parameters import (
    Parameter,
    Size,
    most_threads,
    rounded_down,
    up_to_all_cores,
    whole,
)
from stend.errors import BadValue
from stend.machine.blas import libraries, library
from stend.processes.packages import install
from stend.record import Machine, Metric, Scalar, Work

if TYPE_CHECKING:
    from stend import native

RATE = Metric(name="rate", unit="FLOP/s", better="higher")
WORKSPACE = 1 << 26
"""Bytes that a library, or our own LU, takes beside the matrix, and as many more for each thread,
but for those no more than the matrix: they hold copies of its parts.

Measured at n = 10000 on one and two threads: MKL 57 and 100 MB, ATLAS (one thread) 76, OpenBLAS
45, our own 21, BLIS 15; at n = 1000 MKL 26 and OpenBLAS 13. A worker itself is 11 of them.
"""
SPARE = 64
"""Elements between columns beyond their own length."""
MOST = 1 << 20
"""The largest n: its matrix takes 8 TiB."""


def _work(case: Case) -> Work:
    """Bytes: the matrix, read and written once, which is the least that can be."""
    n = float(case.n)
    return Work(flops=2 * n**3 / 3 + 2 * n**2, bytes=16 * n**2)


def _orders(*quick: int) -> Parameter:
    def defaults(machine: Machine, size: Size) -> Sequence[int]:
        return (100,) if size == "check" else quick

    return whole("the number of equations, n", defaults, least=1, most=MOST)


def _swept(machine: Machine, size: Size) -> Sequence[int]:
    """HPL's way: up to a matrix that fills 80% of the available memory, or all but work space."""
    if size != "full":
        return (200, 500, 1000, 2000) if size == "quick" else (200,)
    threads = WORKSPACE * most_threads(machine)
    matrix = max(room(machine, 0.8, WORKSPACE + threads), room(machine, 0.8, WORKSPACE) // 2)
    largest = max(1, rounded_down(math.isqrt(matrix // 8)))
    return (*(n for n in (100 << i for i in range(20)) if 1.2 * n < largest), largest)


def _leading(word: str) -> Scalar:
    if re.fullmatch(r"2?n(\+1)?", word):
        return word
    if word.isascii() and word.isdigit() and len(word) < 9:
        return word
    raise BadValue(
        f"{word!r} is not a leading dimension; write n, n+1, 2n, 2n+1 or a whole number."
    )


def _elements(case: Case) -> int:
    """From one column to the next."""
    word, n = str(case.lda), int(case.n)
    if word.isdigit():
        return int(word)
    return n * (2 if word.startswith("2") else 1) + word.endswith("+1")


def _fits(n: int, lda: int, machine: Machine) -> str | None:
    return memory_lacks(f"a matrix of {n} columns", 8 * n * lda, machine, "n=N")


def _plain_needs(case: Case, machine: Machine) -> str | None:
    n, lda = int(case.n), _elements(case)
    if lda < n:
        return (
            f"the leading dimension {lda} is less than n={n}; use --set lda=n or a number of at "
            "least n."
        )
    if lda > 2 * n + SPARE:
        return (
            f"the leading dimension {lda} is more than 2n + {SPARE}, which would waste memory "
            "between the columns of each system of a batch; use --set lda=2n."
        )
    return _fits(n, lda, machine)


def _library_needs(case: Case, machine: Machine) -> str | None:
    threads = int(case.threads)
    if lacking := cpus_lack(threads, machine):
        return lacking
    if threads > 1 and case.variant in _serial():
        return f"{case.variant} has no threads of its own."
    n = int(case.n)
    matrix = 8 * n * n
    wanted = matrix + WORKSPACE + min(WORKSPACE * threads, matrix)
    return memory_lacks(f"a matrix of {n} columns and work space", wanted, machine, "n=N")


def _serial() -> set[str]:
    return {each.name for each in libraries() if not each.threaded}


def plain_variants() -> Sequence["native.Variant"]:
    """The compiler's code for each instruction set, slowest first."""
    from stend import native

    return native.linpack.plain_variants()


_PROOF = (
    "Every solution of every repetition by HPL's scaled residual, ‖Ax − b‖∞ / (ε (‖A‖∞ ‖x‖∞ + "
    "‖b‖∞) n), which must be at most 16; a system left unsolved fails. "
)
_WORK = "2n³/3 + 2n² floating-point operations, whatever the algorithm really does."
_INSTALLS = {
    **{name: install(name, "apt-get") for name in ("reference", "atlas", "blis", "openblas")},
    "openblas-wheel": "pip install scipy-openblas32",
    "mkl": "pip install mkl",
}
LIBRARIES = About(
    work=_WORK,
    proof=_PROOF
    + "Every system has another right-hand side, so that no library can return an earlier "
    "solution.",
    bound="From a few hundred equations on, nearly all operations are matrix products, bound by "
    "the processor's peak in double precision. Below that it is the panel, which moves more "
    "data than it computes.",
    reading="The report compares it with `peak.float64` on as many threads. A library far slower "
    "than the others was built for another processor, or uses the LU of the reference "
    "LAPACK; native/kernels/linpack/README.md lists what libraries reached.",
    rooms=("native/kernels/linpack",),
    installs=_INSTALLS,
)


def _plain_takes(case: Case, machine: Machine, size: Size) -> Sequence[str]:
    """Quick: at n=1000 one leading dimension tells it all."""
    if size == "full":
        return (ALL,)
    return () if (case.n, case.lda) == (1000, "2n") else ("plain", DEFAULT)


@benchmark(
    "linpack.plain",
    question="How fast does plain column-oriented code solve a system of n equations?",
    parameters={
        "n": _orders(100, 1000),
        "lda": Parameter(
            "elements from one column to the next: n, n+1, 2n, 2n+1 or a number; LINPACK at n=100 "
            "uses 200 and 201, which differ in alignment",
            _leading,
            lambda machine, size: ("2n", "2n+1"),
            accepts="n, n+1, 2n, 2n+1 or a whole number from n to 2n + 64",
        ),
    },
    metric=RATE,
    work=_work,
    variants=plain_variants,
    takes=_plain_takes,
    needs=_plain_needs,
    about=About(
        work=_WORK,
        proof=_PROOF + "At n = 100 and n = 1000 the matrix is LINPACK's own.",
        bound="At n = 100, loads and stores of the second-level cache, two and one for each "
        "multiply-add. At n = 1000, reads from beyond that cache, so that the instruction "
        "set hardly matters.",
        reading="The figure shows what a compiler achieves with plain code. Compared with "
        "`linpack.lu` it shows the gain of a library; the two leading dimensions show the "
        "effect of alignment.",
        rooms=("native/kernels/linpack",),
    ),
)
def plain(case: Case) -> "native.Kernel":
    """One execution factors the matrix and solves the system."""
    from stend import native

    return native.linpack.plain(int(case.n), _elements(case), str(case.variant))


BOUNDS = {
    1: "Memory, or the cache that holds the matrix: a column is read and written for every two "
    "operations per element.",
    2: "Memory, or the cache that holds the matrix: all of it is read and written for each column "
    "that is eliminated.",
    3: LIBRARIES.bound,
}


def _on_level(level: int, routine: str) -> None:
    """Register the benchmark of a level of BLAS, which eliminates by calls of `routine`."""

    @benchmark(
        f"linpack.level{level}",
        question=f"How fast are n equations solved by calls of {routine} (BLAS level {level})?",
        parameters={"n": _orders(1000), "threads": up_to_all_cores},
        metric=RATE,
        work=_work,
        variants=libraries,
        quick=False,
        needs=_library_needs,
        about=replace(
            LIBRARIES,
            bound=BOUNDS[level],
            reading="Compare it with the other levels of BLAS for the gain of blocking, and with "
            "`linpack.lu` for the gain of the library's own LU.",
        ),
    )
    def solve(case: Case) -> "native.Kernel":
        """One execution factors the matrix and solves the system."""
        from stend import native

        chosen = library(str(case.variant)).to_load()
        return native.linpack.on_level(level, int(case.n), int(case.threads), chosen)


for _level, _routine in ((1, "daxpy"), (2, "dger"), (3, "dgemm")):
    _on_level(_level, _routine)


def lu_variants() -> Sequence[Variant]:
    """Every library and our own LU, about as fast as they are at n = 1000, slowest first."""
    from stend import native

    ours = {each.name: each for each in native.linpack.own_variants()}
    theirs = {each.name: each for each in libraries()}
    order = ("reference", "atlas", "own-portable", "blis", "own-avx2",
             "openblas", "openblas-wheel", "mkl", "own-avx512")  # fmt: skip
    return [each for name in order if (each := ours.get(name) or theirs.get(name))]


def _lu(case: Case) -> "native.Kernel":
    from stend import native

    n, threads, variant = int(case.n), int(case.threads), str(case.variant)
    if variant.startswith("own-"):
        return native.linpack.own(n, threads, variant)
    return native.linpack.lapack(n, threads, library(variant).to_load())


@benchmark(
    "linpack.lu",
    question="How fast does the LU of each library, and stend's own, solve n equations?",
    parameters={"n": _orders(1000), "threads": up_to_all_cores},
    metric=RATE,
    work=_work,
    variants=lu_variants,
    takes=lambda case, machine, size: (ALL,) if size != "quick" or case.threads == 1 else (),
    card=True,
    needs=_library_needs,
    about=LIBRARIES,
)
def lu(case: Case) -> "native.Kernel":
    """One execution is dgetrf and dgetrs, or the same of our own."""
    return _lu(case)


@benchmark(
    "linpack.sweep",
    question="How does the speed of LU grow with n, up to a matrix that fills memory?",
    parameters={
        "n": whole(
            "the number of equations, n",
            _swept,
            least=1,
            most=MOST,
            depends="the available memory with --full: the largest matrix fills 80% of it",
            scales="memory",
        ),
        "threads": up_to_all_cores,
    },
    metric=RATE,
    work=_work,
    variants=lu_variants,
    takes=lambda case, machine, size: (DEFAULT,) if case.threads == most_threads(machine) else (),
    card=True,
    needs=_library_needs,
    about=replace(
        LIBRARIES,
        reading="The rate rises with n to the library's best and stays there; HPL's figure of a "
        "machine is that of the largest n. If it falls again, memory or its pages are "
        "short.",
    ),
)
def sweep(case: Case) -> "native.Kernel":
    """One execution is dgetrf and dgetrs, or the same of our own."""
    return _lu(case)
