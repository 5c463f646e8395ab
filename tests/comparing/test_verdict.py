"""Verdicts on synthetic runs whose answer is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import made
from stend.comparing import Verdict, compare, has_sides
from stend.record import Metric, Proof, Status, Work, to_json

TIME = Metric(name="time", unit="s", better="lower")


def samples(factor, processes=10, seed=0, spread=0.002, repetitions=15):
    rng = np.random.default_rng(seed)
    return tuple(
        made.sample(
            list(1e-3 * factor * np.exp(spread * rng.standard_normal()) * np.ones(repetitions)),
            process=i,
        )
        for i in range(processes)
    )


def judged(a, b, **also):
    comparison = compare(
        made.run((made.case(a, **also),), id="a" * 32),
        made.run((made.case(b, **also),), id="b" * 32),
    )
    (row,) = comparison.rows
    return row


def sides(a, b, **of_b):
    cases = (made.case(a, side="A"), made.case(b, **({"side": "B", "variant": "nt"} | of_b)))
    run = made.run(cases)
    return compare(run, run).rows


@pytest.mark.parametrize(
    ("factor", "expected"),
    [(0.94, Verdict.FASTER), (1.06, Verdict.SLOWER), (1.0, Verdict.CANNOT_TELL)],
)
def test_a_known_change_gets_its_verdict(factor, expected):
    row = judged(samples(1, seed=1), samples(factor, seed=2))
    assert row.verdict is expected
    assert row.ratio == pytest.approx(1 / factor, rel=0.005)  # of bandwidths


def test_less_time_is_faster_and_its_value_falls():
    row = judged(samples(1, seed=1), samples(0.9, seed=2), metric=TIME)
    assert row.verdict is Verdict.FASTER
    assert row.ratio == pytest.approx(0.9, rel=0.01)


def test_not_finding_a_difference_is_not_sameness():
    row = judged(samples(1, seed=1, spread=0.05), samples(1, seed=2, spread=0.05))
    assert row.verdict is Verdict.CANNOT_TELL
    assert "more runs per side" in row.reason


def test_one_process_a_side_cannot_tell_however_many_repetitions():
    row = judged(samples(1, processes=1, repetitions=500), samples(2, 1, repetitions=500))
    assert row.verdict is Verdict.CANNOT_TELL
    assert "process" in row.reason


def test_one_value_a_side_cannot_tell():
    row = judged((made.sample([1e-3]),), (made.sample([2e-3]),))
    assert (row.verdict, row.low) == (Verdict.CANNOT_TELL, None)


def test_a_failed_proof_cannot_tell_and_says_what_failed():
    wrong = made.sample([1e-3] * 9, proof=Proof(right=False, said="element 7 is 3, not 4"))
    row = judged(samples(1), (*samples(0.5, processes=5), wrong))
    assert row.verdict is Verdict.CANNOT_TELL
    assert "element 7 is 3, not 4" in row.reason


def test_a_case_that_crashed_on_one_side_gives_its_reason():
    a = made.run((made.case(samples(1)),))
    b = made.run((made.case((), status=Status.CRASHED, reason="Signal 11."),))
    (row,) = compare(a, b).rows
    assert (row.verdict, row.reason) == (Verdict.CANNOT_TELL, "B is crashed: Signal 11.")


@pytest.mark.parametrize(
    "changed",
    [{"work": Work(bytes=1.0)}, {"metric": Metric(name="bandwidth", unit="op/s", better="higher")}],
)
def test_different_work_or_unit_cannot_tell(changed):
    a, b = made.run((made.case(samples(1)),)), made.run((made.case(samples(0.5), **changed),))
    (row,) = compare(a, b).rows
    assert row.verdict is Verdict.CANNOT_TELL
    assert "differ" in row.reason


def test_a_case_of_one_run_alone_says_which():
    a = made.run((made.case(samples(1)), made.case(samples(1), variant="nt")))
    b = made.run((made.case(samples(1)), made.case(samples(1), variant="avx2")))
    verdicts = {row.name[-7:]: row.verdict for row in compare(a, b).rows}
    assert verdicts["2000 [nt]"[-7:]] is Verdict.ONLY_A
    assert verdicts[" [avx2]"] is Verdict.ONLY_B


def test_holm_makes_a_chance_finding_in_a_suite_cannot_tell():
    spread = 0.004
    noise = [made.case(samples(1, 6, s, spread), variant=str(s)) for s in range(1, 60)]
    other = [made.case(samples(1, 6, s + 100, spread), variant=str(s)) for s in range(1, 60)]
    marginal = judged(samples(1, 6, 1, 0.006), samples(0.94, 6, 2, 0.006))
    assert marginal.verdict is Verdict.FASTER
    suite = compare(
        made.run((made.case(samples(1, 6, 1, 0.006)), *noise)),
        made.run((made.case(samples(0.94, 6, 2, 0.006)), *other)),
    )
    assert suite.rows[0].verdict is Verdict.CANNOT_TELL
    assert "60 cases" in suite.rows[0].reason
    assert suite.count(Verdict.FASTER) + suite.count(Verdict.SLOWER) == 0


def test_a_large_change_of_five_processes_is_told_in_a_suite():
    a = [made.case(samples(1, 5, s), variant=str(s)) for s in range(30)]
    b = [made.case(samples(0.85, 5, s + 50), variant=str(s)) for s in range(30)]
    comparison = compare(made.run(tuple(a)), made.run(tuple(b)))
    assert comparison.count(Verdict.FASTER) == 30


def test_pairs_cancel_a_drift_that_both_sides_met():
    drift = 1 + 0.5 * np.linspace(0, 1, 12)
    wobble = 1 + 1e-4 * np.arange(12)
    a = tuple(made.sample([1e-3 * d] * 9, process=i) for i, d in enumerate(drift))
    b = tuple(
        made.sample([0.95e-3 * d * w] * 9, process=i)
        for i, (d, w) in enumerate(zip(drift, wobble, strict=True))
    )
    (row,) = sides(a, b)
    assert (row.verdict, row.pairs) == (Verdict.FASTER, 12)
    assert judged(a, b).verdict is Verdict.CANNOT_TELL


def test_an_incomplete_pair_is_left_out():
    (row,) = sides(samples(1, 12, 1), samples(0.9, 11, 2))
    assert (row.verdict, row.pairs) == (Verdict.FASTER, 11)


def test_the_two_variants_of_a_pair_are_both_named():
    (row,) = sides(samples(1, 12, 1), samples(0.9, 12, 2))
    assert row.name == "stream.triad threads=2 elements=1000 [plain] → [nt]"


def test_a_side_without_its_counterpart_is_only_there():
    run = made.run((made.case(samples(1), side="A"),))
    assert not has_sides(run)
    several = made.run(
        (
            made.case(samples(1), side="A"),
            made.case(samples(1), side="B"),
            made.case(samples(1), side="A", variant="nt"),
        )
    )
    assert [row.verdict for row in compare(several, several).rows][1] is Verdict.ONLY_A


def test_what_differs_between_the_machines_is_listed():
    a = made.run(machine=made.machine(governor="powersave", versions={"gcc": "12"}))
    b = made.run(machine=made.machine(governor="performance", versions={"gcc": "13"}))
    found = {d.what: (d.a, d.b) for d in compare(a, b).differences}
    assert found == {"governor": ("powersave", "performance"), "version of gcc": ("12", "13")}


def test_an_amount_is_better_or_worse_not_faster():
    memory = Metric(name="peak memory", unit="B", better="lower")
    assert Verdict.FASTER.word(memory) == "better"
    assert Verdict.SLOWER.word(TIME) == "slower"


@given(st.floats(0.5, 2.0), st.integers(0, 20))
def test_swapping_the_sides_swaps_the_verdict(factor, seed):
    opposite = {Verdict.FASTER: Verdict.SLOWER, Verdict.SLOWER: Verdict.FASTER}
    a, b = samples(1, 6, seed), samples(factor, 6, seed + 1)
    there, back = judged(a, b), judged(b, a)
    assert back.verdict is opposite.get(there.verdict, there.verdict)
    assert back.ratio == pytest.approx(1 / there.ratio)


def test_a_comparison_travels_as_json():
    assert b'"verdict":"faster"' in to_json(
        compare(made.run((made.case(samples(1)),)), made.run((made.case(samples(0.9, seed=3)),)))
    )
