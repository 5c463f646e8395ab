"""Which case stands beside which: a laptop and a server, Arm and x86, unknown and unlike cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import made
from drawn import machines
from stend.benchmarks.parameters import four_last_caches
from stend.comparing import Verdict, compare, pairs
from stend.record import Cache, Metric, Status, Work

TIME = Metric(name="time", unit="s", better="lower")
RATE = Metric(name="rate", unit="FLOP/s", better="higher")
GIB = 1 << 30


def machine(cpus, cache_mib, memory_gib, **also):
    last = Cache(level=3, kind="unified", bytes=cache_mib << 20, shared_by=cpus, count=1)
    return made.machine(
        usable=tuple(range(cpus)),
        threads=cpus,
        cores=cpus,
        caches=(last,),
        memory_bytes=memory_gib * GIB,
        memory_available=memory_gib * GIB,
        **also,
    )


LAPTOP, SERVER = machine(2, 8, 16), machine(64, 256, 512)


def elements(of):
    return four_last_caches.defaults(of, "quick")[0]


def triad(of, threads, bytes_each=24, **also):
    n = elements(of)
    work = Work(bytes=bytes_each * n, flops=2 * n)
    return made.case(parameters={"threads": threads, "elements": n}, work=work, **also)


def laptop(*cases, **also):
    return made.run(cases, id="a" * 32, machine=LAPTOP, **also)


def server(*cases, **also):
    return made.run(cases, id="b" * 32, machine=SERVER, **also)


def test_the_same_case_stands_beside_itself_without_a_note():
    assert pairs(laptop(made.case()), server(made.case())) == [(made.case(), made.case(), "")]


def test_all_cores_of_a_server_stand_beside_all_cores_of_a_laptop():
    one, all_of_a = triad(SERVER, 1), triad(SERVER, 64)
    few, all_of_b = triad(LAPTOP, 1), triad(LAPTOP, 2)
    found = pairs(server(one, all_of_a), laptop(few, all_of_b))
    assert [(p.a, p.b) for p in found] == [(one, few), (all_of_a, all_of_b)]
    assert found[1].note == (
        f"A with threads=64 and elements={elements(SERVER)}, B with threads=2 and "
        f"elements={elements(LAPTOP)}: each uses all cores, each sized by its caches."
    )
    assert "threads" not in found[0].note


def test_such_a_pair_is_judged_though_one_execution_does_more():
    comparison = compare(server(triad(SERVER, 64)), laptop(triad(LAPTOP, 2)))
    (row,) = comparison.rows
    assert row.verdict is not Verdict.ONLY_A
    assert row.ratio is not None
    assert row.note.startswith("A with threads=64")


def test_fewer_threads_than_all_stand_beside_nothing():
    found = pairs(server(triad(SERVER, 32)), laptop(triad(LAPTOP, 2)))
    assert [p.note for p in found] == ["", ""]
    assert found[0].b is None


def test_the_least_that_differs_is_matched_first():
    """One thread of a machine of one CPU is also all it has."""
    single = made.run((triad(LAPTOP, 1),), id="c" * 32, machine=replace(LAPTOP, usable=(0,)))
    one, everything = pairs(laptop(triad(LAPTOP, 1), triad(LAPTOP, 2)), single)
    assert (one.b, one.note) == (triad(LAPTOP, 1), "")
    assert everything.note == "A with threads=2, B with threads=1: each uses all cores."


def test_all_cores_of_each_meet_though_the_server_ran_on_as_few_threads_too():
    def peak(threads):
        return made.case(
            benchmark="peak.float64",
            parameters={"threads": threads},
            variant="sve",
            metric=Metric(name="peak", unit="FLOP/s", better="higher"),
            work=Work(flops=100.0 * threads),
        )

    found = pairs(server(peak(1), peak(2), peak(32), peak(64)), laptop(peak(1), peak(2)))
    assert [(p.a, p.b) for p in found] == [
        (peak(1), peak(1)),
        (peak(2), peak(2)),
        (peak(32), None),
        (peak(64), peak(2)),
    ]
    turned = pairs(laptop(peak(1), peak(2)), server(peak(1), peak(2), peak(64)))
    assert [(p.a, p.b) for p in turned] == [
        (peak(1), peak(1)),
        (peak(2), peak(2)),
        (peak(2), peak(64)),
    ]


def test_an_element_of_other_bytes_is_other_work():
    found = pairs(server(triad(SERVER, 64)), laptop(triad(LAPTOP, 2, bytes_each=32)))
    assert len(found) == 2


def test_another_precision_is_other_work():
    def peak(threads, precision):
        return made.case(
            benchmark="peak.float64",
            parameters={"threads": threads},
            variant="sve",
            metric=Metric(name="peak", unit="FLOP/s", better="higher"),
            work=Work(flops=100.0 * threads, precision=precision),
        )

    assert len(pairs(server(peak(64, "float64")), laptop(peak(2, "float64")))) == 1
    assert len(pairs(server(peak(64, "float64")), laptop(peak(2, "float32")))) == 2


def test_a_barrier_of_more_threads_is_another_barrier():
    def lock(threads):
        return made.case(
            benchmark="threads.mutex.lock_unlock",
            parameters={"threads": threads, "load": "none", "affinity": "bound"},
            metric=TIME,
            work=Work(operations=1),
        )

    assert len(pairs(server(lock(64)), laptop(lock(2)))) == 2


def test_an_image_on_all_cores_of_each_is_the_same_image():
    def image(threads):
        return made.case(
            benchmark="unet.float32",
            parameters={"side": 256, "threads": threads},
            metric=TIME,
            work=Work(flops=96.2e9, precision="float32"),
        )

    (pair,) = pairs(server(image(64)), laptop(image(2)))
    assert pair.note == "A with threads=64, B with threads=2: each uses all cores."


def test_a_latency_at_another_size_is_not_paired():
    def latency(size):
        return made.case(
            benchmark="memory.latency",
            parameters={"size": size, "pages": "huge"},
            metric=Metric(name="latency", unit="s", better="lower"),
            work=Work(operations=1),
        )

    assert len(pairs(server(latency(512 << 20)), laptop(latency(16 << 20)))) == 2


def test_a_size_that_the_user_chose_is_not_the_machines():
    chosen = made.case(parameters={"threads": 1, "elements": 4096})
    assert len(pairs(server(triad(SERVER, 1)), laptop(chosen))) == 2


def test_a_size_that_goes_by_the_size_of_the_run_is_not_the_machines():
    """A full run's region is most of the memory, a quick one's a GiB."""

    def write(of, size):
        from stend.benchmarks.registry import load

        region = load()[0]["memory.write"].parameters["region"].defaults(of, size)[0]
        return made.case(
            benchmark="memory.write",
            parameters={"block": 4 << 20, "region": region},
            work=Work(bytes=4 << 20),
        )

    full = server(write(SERVER, "full"), size="full")
    assert len(pairs(full, laptop(write(LAPTOP, "quick")))) == 2
    (pair,) = pairs(full, laptop(write(LAPTOP, "full"), size="full"))
    assert pair.note.endswith("each sized by its memory.")


def test_cases_of_an_unknown_benchmark_stand_beside_their_own_kind_only():
    def case(threads):
        return made.case(benchmark="theirs.rate", parameters={"threads": threads}, metric=RATE)

    assert len(pairs(server(case(64), case(1)), laptop(case(2), case(1)))) == 3


def test_the_best_variant_of_arm_stands_beside_the_best_of_x86():
    one = triad(SERVER, 64, variant="neon"), triad(SERVER, 64, variant="plain")
    two = triad(LAPTOP, 2, variant="avx2"), triad(LAPTOP, 2, variant="plain")
    slow = (made.sample([3e-3] * 3),)
    found = pairs(
        server(one[0], replace(one[1], samples=slow)),
        laptop(two[0], replace(two[1], samples=slow)),
    )
    assert [(p.a.variant, p.b.variant) for p in found] == [("neon", "avx2"), ("plain", "plain")]
    assert found[0].note.endswith("A by neon, B by avx2: the best that each ran.")


def test_a_variant_that_is_not_the_best_stands_beside_nothing():
    slow = (made.sample([3e-3] * 3),)
    found = pairs(
        server(triad(SERVER, 64, variant="neon", samples=slow), triad(SERVER, 64)),
        laptop(triad(LAPTOP, 2, variant="avx2"), triad(LAPTOP, 2, samples=slow)),
    )
    assert [(p.a and p.a.variant, p.b and p.b.variant) for p in found] == [
        ("neon", None),
        ("plain", "plain"),
        ("plain", "avx2"),
    ]
    assert found[2].note.endswith("A by plain, B by avx2: the best that each ran.")


def test_the_only_variant_of_each_is_said_to_be_that():
    a, b = made.case(variant="neon"), made.case(variant="avx512")
    (pair,) = pairs(laptop(a), server(b))
    assert pair.note == "A by neon, B by avx512: the only one that each ran."


@pytest.mark.parametrize("status", [Status.FAILED, Status.SKIPPED, Status.CHECKED])
def test_what_has_no_figure_is_not_matched_with_another_case(status):
    failed = triad(LAPTOP, 2, status=status, reason="It failed.")
    assert len(pairs(server(triad(SERVER, 64)), laptop(failed))) == 2


few_values = st.sampled_from([1, 2, 64, "all"])
some_cases = st.lists(
    st.builds(
        made.case,
        benchmark=st.sampled_from(["stream.triad", "peak.float64", "theirs.rate"]),
        parameters=st.dictionaries(st.sampled_from(["threads", "elements", "x"]), few_values),
        variant=st.sampled_from(["plain", "avx2", None]),
        metric=st.sampled_from([TIME, RATE]),
        side=st.sampled_from(["", "A", "B"]),
        status=st.sampled_from([Status.MEASURED, Status.INTERRUPTED]),
    ),
    unique_by=lambda drawn: (drawn.key, drawn.side),
    max_size=6,
)


@given(machines, some_cases, machines, some_cases)
def test_every_case_of_any_two_runs_stands_somewhere(one, of_one, other, of_other):
    a = made.run(tuple(of_one), id="a" * 32, machine=one)
    b = made.run(tuple(of_other), id="b" * 32, machine=other)
    found = pairs(a, b)
    of_a, of_b = ({(c.key, c.side) for c in run.cases} for run in (a, b))
    assert {(p.a.key, p.a.side) for p in found if p.a} == of_a
    assert {(p.b.key, p.b.side) for p in found if p.b} == of_b


@given(st.data(), machines, machines)
def test_strange_machines_never_break_the_matching_of_known_benchmarks(data, a, b):
    def some(machine):
        threads = data.draw(st.sampled_from([1, 2, len(machine.usable)]))
        cases = (replace(triad(LAPTOP, threads), samples=()),)
        size = data.draw(st.sampled_from(["check", "quick", "full"]))
        return made.run(cases, machine=machine, size=size)

    assert pairs(some(a), some(b))
