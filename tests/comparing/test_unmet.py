"""Why the cases of a benchmark that both sides have don't meet: said for each such benchmark."""

import time

import pytest

import made
from stend.comparing import compare, publications
from stend.comparing.comparability import unmet
from stend.record import Metric, Status, Work

TIME = Metric(name="time", unit="s", better="lower")
LATENCY = {"metric": TIME, "work": Work(), "benchmark": "fft.a"}


def why(a, b):
    """What is said of two sides with these cases, and whether a case meets another."""
    found = compare(made.run(a, id="a" * 32), made.run(b, id="b" * 32))
    return found.unmet, any(row.met for row in found.rows)


def sized(*sizes, **also):
    return tuple(made.case(parameters={"size": size, "threads": 1}, **(LATENCY | also))
                 for size in sizes)  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (sized(1, 2), sized(4, 8, 16, 32, 64),
         "A has size=1 and 2, B has size=4, 8, 16 and 2 more."),
        (sized(1), sized(2, metric=Metric(name="rate", unit="B/s", better="higher")),
         "A has its time in s, B its rate in B/s."),
        (sized(1, variant="sse"), sized(1, variant="neon", work=Work(operations=2.0)),
         "one execution does different work in A and in B."),
        (sized(1), sized(2, samples=(), status=Status.SKIPPED, reason="It needs MPI."),
         "B has no figure for it: It needs MPI."),
        ((made.case(parameters={}, **LATENCY),), sized(1), "A has no size · no threads, "
         "B has size=1 · threads=1."),
        (sized(1), sized(1, side="A") + sized(1, side="B"),
         "B was measured interleaved (--versus), A was not."),
        ((made.case(parameters={"n": 1, "m": 2}, **LATENCY),
          made.case(parameters={"n": 2, "m": 1}, **LATENCY)),
         (made.case(parameters={"n": 1, "m": 1}, **LATENCY),
          made.case(parameters={"n": 2, "m": 2}, **LATENCY)),
         "no case of A has the same values as a case of B."),
    ],
    ids=["size", "unit", "work", "skipped", "parameters", "versus", "combinations"],
)  # fmt: skip
def test_what_keeps_the_cases_of_a_benchmark_apart_is_told(a, b, said):
    assert why(a, b) == ({"fft.a": said}, False)


def test_nothing_is_said_of_benchmarks_that_meet_or_that_one_side_lacks():
    a = (made.case(), *sized(1), *sized(1, benchmark="fft.b"))
    b = (made.case(), *sized(1, 2))
    assert why(a, b) == ({}, True)


def test_a_published_figure_is_kept_apart_only_by_what_it_tells():
    mine = made.case(
        benchmark="gost.magma",
        metric=Metric(name="rate", unit="B/s", better="higher"),
        parameters={"mode": "mgm", "offset": 0, "threads": 1, "size": 64},
    )
    found = compare(publications.run("elbrus-16c"), made.run((mine,)))
    assert found.unmet == {"gost.magma": "A has mode=ecb, B has mode=mgm."}


def test_very_many_cases_that_never_meet_are_told_of_at_once():
    """Each of A beside each of B would be a minute."""
    a = sized(*range(5000))
    b = sized(*range(5000), variant="neon", work=Work(operations=2.0))
    began = time.process_time()
    assert unmet(a, b, ()) == {"fft.a": "one execution does different work in A and in B."}
    assert time.process_time() - began < 2


def test_a_sentence_names_few_parameters_and_cuts_a_long_reason():
    many = [
        tuple(made.case(parameters={f"{side}{i}": 1}, **LATENCY) for i in range(2000))
        for side in "ab"
    ]
    (said,) = unmet(*many, ()).values()
    assert said == (
        "A has a0=1 · a1=1 · a2=1 · a3=1 · 3996 more parameters, "
        "B has no a0 · no a1 · no a2 · no a3 · 3996 more parameters."
    )
    broken = made.case(samples=(), status=Status.FAILED, reason="line\n" * 9000, **LATENCY)
    (said,) = unmet((broken,), sized(1), ()).values()
    assert len(said) < 250
    assert "\n" not in said
