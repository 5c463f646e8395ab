"""Figures per clock, per core and of peak, on made machines whose answer is known."""

import re

import numpy as np
import pytest
from msgspec.structs import replace

import made
from stend.comparing import Verdict, compare
from stend.record import Metric, Numbers, Work

TIME = Metric(name="time", unit="s", better="lower")
RATE = Metric(name="rate", unit="FLOP/s", better="higher")
PEAK = Metric(name="peak", unit="FLOP/s", better="higher")
LAPTOP = made.machine(cores=2, threads=4, usable=(0, 1, 2, 3), sockets=(((0, 2), (1, 3)),))
BOOSTED = replace(LAPTOP, turbo=True)
"""A setting of the clock was changed, so that what the clock does belongs to the question."""
SERVER = made.machine(cores=64, threads=64, usable=tuple(range(64)), smt=False)


def samples(seconds, hz, also=None, processes=6):
    rng = np.random.default_rng(int(1e9 * seconds))
    return tuple(
        made.sample(
            [seconds * float(np.exp(0.001 * rng.standard_normal()))] * 9,
            process=i,
            core_hz=(hz, hz) if hz else None,
            also={k: Numbers([v] * 9) for k, v in (also or {}).items()},
        )
        for i in range(processes)
    )


def judged(a, b, of_a=LAPTOP, of_b=LAPTOP):
    """The last row of two runs, each a case or several."""
    sides = (side if isinstance(side, tuple) else (side,) for side in (a, b))
    runs = (
        made.run(cases, id=name * 32, machine=machine)
        for name, cases, machine in zip("ab", sides, (of_a, of_b), strict=True)
    )
    return compare(*runs).rows[-1]


def of(row):
    return {n.by: n for n in row.normalised}


def plain(seconds, hz, threads=1, flops=2e6):
    return made.case(
        samples(seconds, hz),
        benchmark="linpack.level3",
        parameters={"n": 1000, "threads": threads},
        metric=RATE,
        work=Work(flops=flops),
    )


def peak(seconds, hz, threads=1, flops=4e6):
    return made.case(
        samples(seconds, hz, {"frequency Hz": hz}),
        benchmark="peak.float64",
        parameters={"threads": threads},
        metric=PEAK,
        work=Work(flops=flops),
    )


def several(a, b, of_b=BOOSTED, runs=12):
    """The row of so many runs a side."""
    sides = (
        [made.run((case,), id=f"{i:031x}{name}", machine=machine) for i in range(runs)]
        for name, case, machine in (("a", a, LAPTOP), ("b", b, of_b))
    )
    (row,) = compare(*sides).rows
    return row


def test_what_is_surely_the_same_per_clock_is_said_to_be_the_clocks():
    row = several(plain(1e-3, 2e9), plain(0.8e-3, 2.5e9))
    clock = of(row)["per clock"]
    assert (clock.unit, clock.a) == ("FLOP per cycle", pytest.approx(1.0, rel=0.01))
    assert clock.speed == pytest.approx(1.0, rel=0.005)
    assert 0.99 < clock.low < clock.speed < clock.high < 1.01
    assert row.hz == (2e9, 2.5e9)
    assert re.fullmatch(
        r"The difference is the clock's: the cores ran at 2\.00 GHz in A and 2\.50 GHz in B, and "
        r"per clock B does between 0\.\d+% less and 0\.\d+% more\.",
        row.note,
    )


def test_of_one_run_a_side_the_clock_can_only_explain_the_difference():
    row = judged(plain(1e-3, 2e9), plain(0.8e-3, 2.5e9), of_b=BOOSTED)
    clock = of(row)["per clock"]
    assert clock.low < 0.99 < 1.01 < clock.high
    assert row.verdict is Verdict.FASTER
    assert row.note.startswith("The clock can explain the difference: the cores ran at 2.00 GHz")


def test_a_clock_that_no_setting_changed_is_named_though_the_verdict_is_open():
    row = several(plain(1e-3, 2e9), plain(0.8e-3, 2.5e9), of_b=LAPTOP)
    assert row.verdict is Verdict.CANNOT_TELL
    assert row.note.startswith("The difference is the clock's")


def test_what_twice_as_many_cores_brought_is_not_said_to_be_the_clocks():
    four = made.machine(cores=4, threads=4, usable=(0, 1, 2, 3), smt=False, turbo=True)
    row = several(plain(1e-3, 2e9, threads=4), plain(0.4e-3, 2.5e9, threads=4), of_b=four)
    assert 0.99 < of(row)["per clock"].low < of(row)["per clock"].high < 1.01
    assert (row.verdict, row.note) == (Verdict.FASTER, "")


def test_readings_of_the_frequency_that_scatter_widen_the_interval_per_clock():
    def unsteady(seconds, hz):
        case = plain(seconds, hz)
        read = (replace(s, core_hz=(hz * f, hz * f)) for s, f in zip(case.samples, SPREAD,
                                                                     strict=True))  # fmt: skip
        return replace(case, samples=tuple(read))

    steady = several(plain(1e-3, 2e9), plain(0.8e-3, 2.5e9))
    scattered = several(unsteady(1e-3, 2e9), unsteady(0.8e-3, 2.5e9))
    wide, narrow = (of(row)["per clock"] for row in (scattered, steady))
    assert wide.high / wide.low > 1.02 * narrow.high / narrow.low


SPREAD = (0.8, 0.9, 1.0, 1.0, 1.1, 1.2)


def test_of_a_time_cycles_are_told():
    a = replace(plain(1e-3, 2e9), metric=TIME)
    row = judged(a, replace(plain(1.25e-3, 1.6e9), metric=TIME), of_b=BOOSTED)
    clock = of(row)["per clock"]
    assert (clock.unit, clock.a) == ("cycles", pytest.approx(2e6, rel=0.01))
    assert clock.speed == pytest.approx(1.0, rel=0.005)
    assert "clock can explain" in row.note


def test_a_governors_clock_is_said_to_be_the_clocks_beside_the_verdict():
    tuned = replace(LAPTOP, governor="performance")
    row = several(plain(1e-3, 2e9), plain(0.8e-3, 2.5e9), of_b=tuned)
    assert row.verdict is Verdict.FASTER
    assert row.note.startswith("The difference is the clock's")


def test_figures_that_overlap_have_no_difference_for_the_clock_to_explain():
    def wide(middle, hz):
        spread = (0.7, 0.9, 1.0, 1.1, 1.4)
        processes = enumerate(middle * s for s in spread)
        each = [made.sample([s] * 9, process=i, core_hz=(hz, hz)) for i, s in processes]
        return replace(plain(1e-3, hz), samples=tuple(each))

    assert judged(wide(1e-3, 2e9), wide(0.9e-3, 2e9 / 0.9)).note == ""


@pytest.mark.parametrize(
    ("seconds", "hz"),
    [(0.8e-3, 2e9), (0.8e-3, 2.02e9), (0.7e-3, 2.5e9), (1e-3, 2.5e9)],
)
def test_the_clock_is_not_blamed_where_something_else_differs(seconds, hz):
    assert judged(plain(1e-3, 2e9), plain(seconds, hz)).note == ""


def test_a_frequency_that_one_side_lacks_normalises_nothing():
    row = judged(plain(1e-3, 2e9), plain(0.8e-3, None))
    assert row.normalised == ()
    assert row.hz is None


def test_the_frequency_under_the_peak_stands_in_where_samples_have_none():
    a, b = (peak(1e-3, 2e9), plain(1e-3, None)), (peak(1e-3, 3e9), plain(1e-3, None))
    row = judged(a, b)
    assert row.hz == (2e9, 3e9)
    assert of(row)["per clock"].speed == pytest.approx(2 / 3, rel=0.01)
    assert of(row)["per clock"].low is None  # how far it was another at this case, nothing tells


def test_the_frequency_during_the_work_counts_before_the_one_around_it():
    def cipher(during, threads=1):
        return made.case(
            samples(1e-3, 4e9, {"frequency Hz": during}),
            benchmark="gost.magma",
            parameters={"mode": "ecb", "size": 2_000_000, "offset": 0, "threads": threads},
            work=Work(bytes=2e6 * threads),
        )

    row = judged(cipher(2e9), cipher(3e9))
    clock = of(row)["per clock"]
    assert row.hz == (2e9, 3e9)
    assert (clock.unit, clock.a) == ("cycles/B", pytest.approx(1.0, rel=0.01))
    assert clock.speed == pytest.approx(2 / 3, rel=0.01)
    assert of(judged(cipher(2e9, 2), cipher(2e9, 2)))["per clock"].a == pytest.approx(1, rel=0.01)


def test_per_core_divides_by_cores_and_not_by_hardware_threads():
    four = plain(1e-3, 2e9, threads=4)
    found = of(judged(four, four, of_b=SERVER))["per core"]
    assert (found.a, found.b) == (pytest.approx(1e9, rel=0.01), pytest.approx(0.5e9, rel=0.01))
    assert found.unit == "FLOP/s"


def test_all_cores_of_each_are_set_side_by_side_per_core():
    def all_of(threads):
        return made.case(
            samples(1e-3, 2e9),
            benchmark="peak.float64",
            parameters={"threads": threads},
            variant="sve",
            metric=PEAK,
            work=Work(flops=1e6 * threads),
        )

    row = judged(all_of(4), all_of(64), of_b=SERVER)
    assert row.speed == pytest.approx(16, rel=0.01)
    assert of(row)["per core"].speed == pytest.approx(0.5, rel=0.01)  # 4 threads on 2 cores
    assert of(row)["per clock"].speed == pytest.approx(0.5, rel=0.01)
    assert "clock's" not in row.note


def test_nothing_is_told_per_core_of_one_thread():
    assert "per core" not in of(judged(plain(1e-3, 2e9), plain(0.9e-3, 2e9)))


def test_cores_that_are_not_known_divide_nothing():
    unknown = made.machine(cores=None, smt=None, usable=())
    row = judged(plain(1e-3, 2e9, 2), plain(0.9e-3, 2e9, 2), of_b=unknown)
    assert row.normalised == ()


def test_cores_of_which_none_was_usable_divide_nothing():
    elsewhere = made.machine(sockets=(((8,), (9,)),))
    row = judged(plain(1e-3, 2e9, 2), plain(0.9e-3, 2e9, 2), of_b=elsewhere)
    assert row.normalised == ()


def test_a_share_is_of_the_peak_of_the_same_run():
    a = (peak(1e-3, 2e9), plain(1e-3, 2e9))
    b = (peak(0.5e-3, 2e9), plain(0.8e-3, 2e9))
    share = of(judged(a, b))["of peak"]
    assert (share.a, share.b) == (pytest.approx(0.5, rel=0.01), pytest.approx(0.3125, rel=0.01))
    assert share.speed == pytest.approx(0.625, rel=0.01)
    assert share.unit == "share"


def test_bandwidth_is_a_share_of_what_the_memory_could_move():
    big = 64 << 20
    work = Work(bytes=24.0 * big, flops=2.0 * big)
    stream = made.case(samples(0.1, 2e9), parameters={"threads": 1, "elements": big}, work=work)
    machine = replace(LAPTOP, memory_bandwidth=32e9)
    share = of(judged(stream, stream, machine, replace(machine, memory_bandwidth=64e9)))["of peak"]
    assert share.a == pytest.approx(24 * big / 0.1 / 32e9, rel=0.01)
    assert share.speed == pytest.approx(0.5, rel=0.01)


def test_storage_does_not_go_by_the_cores_clock():
    case = made.case(
        samples(1e-3, 2e9), benchmark="storage.read", metric=TIME, parameters={"block": 4096}
    )
    assert judged(case, case).normalised == ()


def test_several_runs_of_a_side_are_read_together():
    def run(i, seconds, hz):
        return made.run((plain(seconds, hz),), id=str(i) * 32)

    comparison = compare(
        [run(1, 1e-3, 2e9), run(2, 1e-3, 2.2e9), run(3, 1e-3, 2.1e9)], [run(4, 1e-3, 2.1e9)]
    )
    assert comparison.rows[0].hz == (2.1e9, 2.1e9)


def test_a_familys_is_the_geometric_mean_of_its_cases():
    def run(name, *cases):
        return made.run(tuple(replace(c, benchmark=f"linpack.{i}") for i, c in cases), id=name * 32)

    a = run("a", (1, plain(1e-3, 2e9)), (2, plain(2e-3, 2e9)))
    b = run("b", (1, plain(1e-3, 2e9)), (2, plain(0.5e-3, 2e9)))
    (family,) = compare(a, b).families
    (clock,) = family.normalised
    assert clock.speed == pytest.approx(2.0, rel=0.01)
    assert (clock.unit, clock.a) == ("FLOP per cycle", pytest.approx(0.5**0.5, rel=0.01))


def test_a_family_has_only_the_measures_that_all_of_its_cases_have():
    a = made.run((plain(1e-3, 2e9), replace(plain(1e-3, None), benchmark="linpack.x")), id="a" * 32)
    (family,) = compare(a, replace(a, id="b" * 32)).families
    assert family.normalised == ()


def test_a_family_of_unlike_units_is_told_relative_to_a():
    both = (plain(1e-3, 2e9), replace(plain(1e-3, 2e9), benchmark="linpack.x", metric=TIME))
    faster = tuple(replace(c, samples=samples(0.5e-3, 2e9)) for c in both)
    (family,) = compare(made.run(both, id="a" * 32), made.run(faster, id="b" * 32)).families
    (clock,) = family.normalised
    assert (clock.unit, clock.a) == ("", 1.0)
    assert clock.b == clock.speed == pytest.approx(2, rel=0.01)


def test_two_variants_in_turn_are_normalised_too():
    """Wide vectors can lower the clock."""
    one = plain(1e-3, 3e9)
    a = replace(one, samples=samples(1e-3, 3e9, processes=12), side="A", variant="avx2")
    b = replace(one, samples=samples(1.2e-3, 2.5e9, processes=12), side="B", variant="avx512")
    run = made.run((a, b))
    (row,) = compare(run, run).rows
    assert row.hz == (3e9, 2.5e9)
    assert "clock's" in row.note
