"""LINPACK (Dongarra, Luszczek, Petitet 2003): a dense system of equations in double precision.

After Kuzminsky 2002: the plain algorithm at n=100 shows the processor and the compiler, calls of
BLAS at n=1000 show what a library is worth. The operations counted are 2n³/3 + 2n², however many
an algorithm makes.
"""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stend.blas import libraries, library
from stend.definition import Case, Variant, benchmark
from stend.errors import BadValue
from stend.parameters import Parameter, Size, rounded_down, up_to_all_cores, whole
from stend.record import Machine, Metric, Scalar, Work

if TYPE_CHECKING:
    from stend import native

RATE = Metric(name="rate", unit="FLOP/s", better="higher")
MOST = 1 << 20
"""The largest n: its matrix takes 8 TiB."""


def _work(case: Case) -> Work:
    n = float(case.n)
    return Work(flops=2 * n**3 / 3 + 2 * n**2)


def _orders(*quick: int) -> Parameter:
    def defaults(machine: Machine, size: Size) -> Sequence[int]:
        return (100,) if size == "check" else quick

    return whole("the number of equations, n", defaults, least=1, most=MOST)


def _swept(machine: Machine, size: Size) -> Sequence[int]:
    """HPL's way: up to a matrix that fills 80% of the available memory."""
    if size != "full":
        return (200, 500, 1000, 2000) if size == "quick" else (200,)
    largest = rounded_down(math.isqrt(int(0.8 * (machine.memory_available or 1 << 30)) // 8))
    return (*(n for n in (100 << i for i in range(20)) if 1.2 * n < largest), largest)


def _all_cores(machine: Machine) -> int:
    return len(machine.usable) or machine.threads or 1


def _leading(word: str) -> Scalar:
    if re.fullmatch(r"2?n(\+1)?", word):
        return word
    if word.isascii() and word.isdigit() and len(word) < 9:
        return word
    raise BadValue(f"{word!r} is no leading dimension; write n, n+1, 2n, 2n+1 or a whole number.")


def _elements(case: Case) -> int:
    """From one column to the next."""
    word, n = str(case.lda), int(case.n)
    if word.isdigit():
        return int(word)
    return n * (2 if word.startswith("2") else 1) + word.endswith("+1")


def _fits(n: int, lda: int, machine: Machine) -> str | None:
    wanted, there = 8 * n * lda, machine.memory_available
    if there is None or wanted <= 0.9 * there:
        return None
    return (
        f"a matrix of {n} columns takes {wanted / 1e9:.1f} GB and {there / 1e9:.1f} GB are "
        "available; use --set n=N with a smaller N."
    )


def _plain_needs(case: Case, machine: Machine) -> str | None:
    n, lda = int(case.n), _elements(case)
    if lda < n:
        return (
            f"the leading dimension {lda} is less than n={n}; use --set lda=n or a number of at "
            "least n."
        )
    return _fits(n, lda, machine)


def _library_needs(case: Case, machine: Machine) -> str | None:
    threads = int(case.threads)
    if machine.usable and threads > len(machine.usable):
        return (
            f"{threads} threads need as many CPUs, and this process may use "
            f"{len(machine.usable)}; use --set threads=N with a smaller N."
        )
    if threads > 1 and case.variant in _serial():
        return f"{case.variant} has no threads of its own."
    return _fits(int(case.n), int(case.n), machine)


def _serial() -> set[str]:
    return {each.name for each in libraries() if not each.threaded}


def plain_variants() -> Sequence["native.Variant"]:
    """The compiler's code for each instruction set, slowest first."""
    from stend import native

    return native.linpack.plain_variants()


@benchmark(
    "linpack.plain",
    question="How fast does plain column-oriented code solve a system of n equations?",
    parameters={
        "n": _orders(100, 1000),
        "lda": Parameter(
            "elements from one column to the next: n, n+1, 2n, 2n+1 or a number; LINPACK at "
            "n=100 has 200 and 201, which differ in alignment",
            _leading,
            lambda machine, size: ("2n", "2n+1"),
        ),
    },
    metric=RATE,
    work=_work,
    variants=plain_variants,
    quick_variants=("plain", "default"),
    wanted=lambda case, machine, size: size != "quick" or (case.n, case.lda) != (1000, "2n"),
    needs=_plain_needs,
)
def plain(case: Case) -> "native.Kernel":
    """One execution factors the matrix and solves the system."""
    from stend import native

    return native.linpack.plain(int(case.n), _elements(case), str(case.variant))


def _on_level(level: int, case: Case) -> "native.Kernel":
    from stend import native

    chosen = library(str(case.variant)).to_load()
    return native.linpack.on_level(level, int(case.n), int(case.threads), chosen)


@benchmark(
    "linpack.level1",
    question="How fast is a system of n equations solved by calls of daxpy (BLAS level 1)?",
    parameters={"n": _orders(1000), "threads": up_to_all_cores},
    metric=RATE,
    work=_work,
    variants=libraries,
    quick=False,
    needs=_library_needs,
)
def level1(case: Case) -> "native.Kernel":
    """One execution factors the matrix column by column and solves the system."""
    return _on_level(1, case)


@benchmark(
    "linpack.level2",
    question="How fast is a system of n equations solved by calls of dger (BLAS level 2)?",
    parameters={"n": _orders(1000), "threads": up_to_all_cores},
    metric=RATE,
    work=_work,
    variants=libraries,
    quick=False,
    needs=_library_needs,
)
def level2(case: Case) -> "native.Kernel":
    """One execution factors the matrix by updates of rank 1 and solves the system."""
    return _on_level(2, case)


@benchmark(
    "linpack.level3",
    question="How fast is a system of n equations solved by calls of dgemm (BLAS level 3)?",
    parameters={"n": _orders(1000), "threads": up_to_all_cores},
    metric=RATE,
    work=_work,
    variants=libraries,
    quick=False,
    needs=_library_needs,
)
def level3(case: Case) -> "native.Kernel":
    """One execution factors the matrix by blocks of 64 columns and solves the system."""
    return _on_level(3, case)


def lu_variants() -> Sequence[Variant]:
    """Our own LU, then every library."""
    from stend import native

    return (*native.linpack.own_variants(), *libraries())


def _lu(case: Case) -> "native.Kernel":
    from stend import native

    n, threads, variant = int(case.n), int(case.threads), str(case.variant)
    if variant.startswith("own-"):
        return native.linpack.own(n, threads, variant)
    return native.linpack.lapack(n, threads, library(variant).to_load())


@benchmark(
    "linpack.lu",
    question="How fast does each library's own LU, or stend's, solve a system of n equations?",
    parameters={"n": _orders(1000), "threads": up_to_all_cores},
    wanted=lambda case, machine, size: size != "quick" or int(case.threads) == 1,
    metric=RATE,
    work=_work,
    variants=lu_variants,
    quick_variants=("all",),
    needs=_library_needs,
)
def lu(case: Case) -> "native.Kernel":
    """One execution is dgetrf and dgetrs, or the same of our own."""
    return _lu(case)


@benchmark(
    "linpack.sweep",
    question="How does the speed of LU grow with n, up to a matrix that fills memory?",
    parameters={
        "n": whole("the number of equations, n", _swept, least=1, most=MOST),
        "threads": up_to_all_cores,
    },
    metric=RATE,
    work=_work,
    variants=lu_variants,
    full_variants=("default",),
    wanted=lambda case, machine, size: case.threads == _all_cores(machine),
    needs=_library_needs,
)
def sweep(case: Case) -> "native.Kernel":
    """One execution calls dgetrf and dgetrs."""
    return _lu(case)
