"""LINPACK from Python: every library that is here gives a right solution."""

import itertools
import os

import pytest

from made import machine
from stend import native
from stend.benchmarks.definition import Case, registered
from stend.benchmarks.families import linpack
from stend.benchmarks.runner import Rule
from stend.errors import BadValue
from stend.machine.blas import libraries
from stend.record import Status
from stend.running.launch import launch
from stend.running.task import Task

HERE = [each for each in libraries() if each.available]


def outcome(benchmark, variant, **parameters):
    from stend.machine import default_clock

    return launch(
        Task(
            benchmark=benchmark,
            module=linpack.__name__,
            parameters=parameters,
            variant=variant,
            process=0,
            rule=Rule(name="once"),
            clock=default_clock(),
        )
    )


@pytest.mark.parametrize(
    "name", ["linpack.level1", "linpack.level2", "linpack.level3", "linpack.lu"]
)
@pytest.mark.parametrize("library", HERE, ids=lambda each: each.name)
def test_every_library_found_solves_the_system(name, library):
    for n in (1, 129):
        done = outcome(name, library.name, n=n, threads=1)
        assert (done.status, done.reason) == (Status.CHECKED, "")
        assert done.sample.proof.right
        assert library.name in done.detail["about"]


@pytest.mark.parametrize("variant", [v.name for v in native.linpack.own_variants() if v.available])
def test_our_own_lu_solves_the_system_on_all_cores(variant):
    for n, threads in ((1, 1), (129, 1), (300, len(os.sched_getaffinity(0)))):
        done = outcome("linpack.lu", variant, n=n, threads=threads)
        assert (done.status, done.reason) == (Status.CHECKED, "")


def test_the_embedded_library_is_there():
    assert "openblas-wheel" in {each.name for each in HERE}


def test_a_broken_library_is_a_skip_with_the_loaders_words(tmp_path):
    broken = tmp_path / "libopenblas.so.0"
    broken.write_text("not a library")
    description = native.linpack.Library(
        name="broken",
        before=[],
        blas=str(broken),
        lapack=str(broken),
        prefix="",
        suffix="_",
        wide=False,
        set_threads="",
        threads_variable="",
        version="",
    )
    kernel = native.linpack.lapack(8, 1, description)
    with pytest.raises(native.Unavailable, match=r"broken can't be loaded: .*libopenblas"):
        kernel.prepare()


@pytest.mark.parametrize(
    ("word", "elements"), [("n", 7), ("n+1", 8), ("2n", 14), ("2n+1", 15), ("20", 20)]
)
def test_a_leading_dimension_is_a_number_or_follows_n(word, elements):
    lda = registered()["linpack.plain"].parameters["lda"].parse(word)
    assert linpack._elements(Case("linpack.plain", {"n": 7, "lda": lda})) == elements


@pytest.mark.parametrize("word", ["", "3n", "n+2", "-5", "1e3", "²", "9999999999"])
def test_another_word_is_refused(word):
    with pytest.raises(BadValue, match="leading dimension"):
        registered()["linpack.plain"].parameters["lda"].parse(word)


def test_a_matrix_that_memory_cannot_hold_is_refused_by_name():
    case = Case("linpack.lu", {"n": 1_000_000, "threads": 1}, "openblas-wheel")
    why = registered()["linpack.lu"].needs(case, machine())
    assert "8000 GB" in why
    assert "--set n=N" in why


def test_a_leading_dimension_below_n_is_refused():
    case = Case("linpack.plain", {"n": 100, "lda": "99"}, "plain")
    assert "less than n=100" in registered()["linpack.plain"].needs(case, machine())


def test_the_sweep_ends_with_a_matrix_that_fills_memory():
    sizes = linpack._swept(machine(), "full")
    there = machine().memory_available
    assert 0.3 * there < 8 * sizes[-1] ** 2 <= 0.8 * there
    assert all(2 * a >= b for a, b in itertools.pairwise(sizes))
