"""The verdict on a run, and what of it can't be trusted: one sentence, then causes with advice."""

import re

import pytest

import made
from report.figures_of import TIME, case, summed, wide
from stend.comparing import publications
from stend.record import ClockFacts, Conditions, Disturbance, Machine, Metric, Status
from stend.record.cautions import Caution

ORIGIN = made.sample().origin
"""When the samples of `figures_of` begin; each lasts 40 ms."""


def many(count, make=case, first=0):
    return tuple(make(f"family{i % 3}.work", 1e-3, TIME, parameters={"n": i})
                 for i in range(first, first + count))  # fmt: skip


def spell(start, end, kind="load", said="Others kept 0.40 cores busy."):
    return Disturbance(kind=kind, said=said, advice="Stop it.", start=start, end=end)


def during(*spells):
    return Conditions(during=spells)


def ended(status, name="a.b", reason="It broke."):
    return made.case((), benchmark=name, parameters={}, variant=None, status=status, reason=reason)


def causes(run):
    return {doubt.cause: doubt for doubt in summed(run).doubts}


def test_a_quiet_run_is_quiet_enough_and_says_of_how_many_figures():
    told = summed(made.run(many(50))).verdict
    assert told.said == (
        "Quiet enough: none of 50 figures was disturbed for 10% of its time or more, and no "
        "interval is wider than ±10%."
    )
    assert told.good


def test_other_work_during_a_tenth_of_the_time_of_many_cases_is_disturbed():
    meanwhile = during(spell(ORIGIN + 10_000_000, ORIGIN + 20_000_000))
    told = summed(made.run(many(12), conditions=meanwhile)).verdict
    assert told.said == "Disturbed: others kept 0.40 cores busy while 12 of 12 figures were " \
                        "measured (family0, family1 and family2)."  # fmt: skip
    assert not told.good


@pytest.mark.parametrize("length", [3_000_000, -5])
def test_a_disturbance_that_is_short_or_ended_before_it_began_is_none(length):
    meanwhile = during(spell(ORIGIN, ORIGIN + length))
    assert summed(made.run(many(12), conditions=meanwhile)).verdict.good


def test_spells_that_overlap_count_once():
    twice = [spell(ORIGIN + at, ORIGIN + 3_000_000) for at in (0, 1_000_000)]
    assert summed(made.run(many(12), conditions=during(*twice))).verdict.good


def test_few_disturbed_figures_leave_a_run_quiet_enough():
    later = tuple(
        made.case(tuple(made.sample([1e-3] * 40, process=p, origin=ORIGIN + 10**9)
                        for p in range(3)), benchmark="c.d", parameters={"n": i})
        for i in range(30)
    )  # fmt: skip
    run = made.run((*many(1), *later), conditions=during(spell(ORIGIN, ORIGIN + 40_000_000)))
    assert summed(run).verdict.said.startswith("Quiet enough: 1 of 31 figures was disturbed for ")


def test_wide_intervals_make_a_run_unsteady_however_quiet_it_seemed():
    told = summed(made.run((*many(8), *many(2, wide, first=8)))).verdict
    assert told.said == (
        "Unsteady: 2 of 10 intervals are wider than ±10% (family0 and family2), though nothing "
        "was seen to disturb the machine."
    )


def alone(name, figure, metric=TIME, **also):
    return case(name, figure, metric, spread=(1.0,), **also)


@pytest.mark.parametrize("make", [alone, lambda *a, **k: case(*a, spread=(1.0, 1.01), **k)])
def test_figures_of_one_process_or_two_are_not_quiet_enough_however_quiet_it_was(make):
    told = summed(made.run((*many(8), *many(2, make, first=8)))).verdict
    assert told.said == (
        "Too few processes: 2 of 10 figures are from only one or two processes (family0 and "
        "family2), and another process may give another figure."
    )
    assert not told.good


def test_a_few_figures_of_one_process_leave_a_run_quiet_enough():
    told = summed(made.run((*many(10), *many(1, alone, first=10))))
    assert told.verdict.good
    assert "too few processes" in [doubt.cause for doubt in told.doubts]


def test_a_wrong_result_is_said_before_all_else():
    run = made.run((*many(8, wide), ended(Status.WRONG, reason="The sum is off by 3.")))
    told = summed(run)
    assert told.verdict.said == (
        "Wrong results: 1 of 9 cases gave a wrong result and has no figure (a.b)."
    )
    assert told.doubts[0].cause == "wrong results"
    assert told.doubts[0].grave
    assert "The sum is off by 3." in told.doubts[0].said


def test_failures_are_counted_in_the_verdict_and_stand_first_among_the_doubts():
    run = made.run((*many(20), ended(Status.CRASHED), ended(Status.TIMED_OUT)))
    told = summed(run)
    assert told.verdict.said.endswith("; 2 cases failed.")
    assert not told.verdict.good
    assert [doubt.cause for doubt in told.doubts] == ["crashed", "ran out of time"]


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ((), "No figure: it has no case."),
        ((ended(Status.FAILED), ended(Status.CRASHED)),
         "No figure: of 2 cases 1 failed and 1 crashed."),
        ((ended(Status.SKIPPED),), "No figure: of 1 case 1 skipped."),
        ((made.case(()),), "No figure: of 1 case 1 gave no value."),
        ((ended(Status.CHECKED), ended(Status.CHECKED)),
         "Only checked: 2 of 2 cases ran once, untimed, with correct results."),
        ((ended(Status.CHECKED), ended(Status.FAILED)),
         "Only checked: 1 of 2 cases ran once, untimed, with a correct result, and 1 could not "
         "be run."),
    ],
)  # fmt: skip
def test_a_run_without_figures_says_why(cases, said):
    assert summed(made.run(cases)).verdict.said == said


def test_a_published_run_is_neither_quiet_nor_disturbed_and_nothing_stands_out_in_it():
    told = summed(publications.run("threadripper-3970x"))
    assert told.verdict.said.startswith("Published: 13 of 13 cases are published figures")
    assert told.findings == ()
    assert told.doubts == ()


def test_a_run_under_way_or_killed_says_so():
    for cases in ((), many(3)):
        told = summed(made.run(cases, finished=None))
        assert "in progress, or ended early" in told.verdict.said
        assert not told.verdict.good
        assert "not finished" in [doubt.cause for doubt in told.doubts]


def test_wide_intervals_are_a_doubt_with_the_families_and_how_to_narrow_them():
    doubt = causes(made.run((*many(4), *many(4, wide, first=4))))["wide intervals"]
    assert len(doubt.names) == 4
    assert doubt.families == "family1 2, family0 1 and family2 1"
    assert "`stend run family1 family0 family2 --full`" in doubt.advice
    assert not doubt.grave


def test_one_process_is_a_doubt_of_its_own():
    alone = case("a.b", 1e-3, TIME, spread=(1.0,))
    agreeing = case("c.d", 1e-3, TIME, spread=(1.0, 1.0, 1.0))
    assert causes(made.run((alone, agreeing)))["too few processes"].names == ("a.b",)


def test_of_storage_more_rounds_are_advised_and_nothing_that_it_lacks():
    iops = Metric(name="IOPS", unit="IOPS", better="higher")
    loads = [
        case("storage.randread", rate, iops, spread=spread, parameters={"block": size})
        for size, rate, spread in ((4096, 1e5, (1.0,)), (8192, 2e5, (0.6, 1.0, 1.6)))
    ]
    found = causes(made.run(tuple(loads)))
    for name in ("too few processes", "wide intervals"):
        assert "`--rounds`" in found[name].advice
        assert not re.search("--full|--versus", found[name].advice)


def test_causes_of_disturbance_are_told_with_the_longest_spell_and_its_advice():
    meanwhile = during(spell(ORIGIN, ORIGIN + 5_000_000, said="Others kept 0.3 cores busy."),
                       spell(ORIGIN + 10_000_000, ORIGIN + 30_000_000))  # fmt: skip
    doubt = causes(made.run(many(2), conditions=meanwhile))["disturbed: load"]
    assert doubt.said.startswith(
        "Others kept 0.40 cores busy (0.0 s, the longest of 2 times). It disturbed a tenth"
    )
    assert doubt.advice == "Stop it."
    assert len(doubt.names) == 2


def test_what_was_there_before_the_run_or_throughout_is_told_of_all_of_it():
    there = Disturbance(kind="hypervisor", said="This is a virtual machine (KVM).", advice="Mind.")
    told = causes(made.run(many(2), conditions=Conditions(before=(there,), during=(there,))))
    assert {"before the run: hypervisor", "throughout: hypervisor"} <= told.keys()
    assert told["throughout: hypervisor"].names == ()


def test_cautions_that_tell_the_same_are_one_doubt():
    drifting = made.case((made.sample([1e-3] * 40, cautions=(Caution.DRIFTING,)),))
    stepped = made.case((made.sample([1e-3] * 40, cautions=(Caution.STEP,)),), variant="b")
    harmless = made.case((made.sample([1e-3] * 40, cautions=(Caution.AUTOCORRELATED,)),),
                         variant="c")  # fmt: skip
    told = causes(made.run((drifting, stepped, harmless)))
    assert len(told["moved while measured"].names) == 2
    assert "1 drifting and 1 step" in told["moved while measured"].said
    assert not any("autocorrelated" in doubt.said for doubt in told.values())


def test_what_was_skipped_says_how_to_get_it():
    skipped = ended(Status.SKIPPED, reason="MKL is not installed; `pip install mkl`.")
    doubt = causes(made.run((*many(2), skipped)))["skipped"]
    assert "pip install mkl" in doubt.said
    assert not doubt.grave


def test_a_clock_that_was_set_back_is_told():
    run = made.run(many(2), started="2026-11-21T10:00:00Z", finished="2026-11-21T09:00:00Z")
    assert "before it began at 2026-11-21T10:00:00Z" in causes(run)["clock set back"].said
    assert "clock set back" not in causes(made.run(many(2)))


def test_a_counter_that_cannot_be_used_is_told():
    clocks = (ClockFacts(name="tsc", available=False, reason="it is not invariant"),)
    run = made.run(many(2), machine=made.machine(clocks=clocks))
    assert "it is not invariant" in causes(run)["clock"].said


def test_a_machine_of_which_nothing_is_known_has_an_empty_card_and_no_doubt():
    told = summed(made.run(many(2), machine=Machine()))
    assert told.card.facts == ()
    assert told.doubts == ()


def test_ten_thousand_cases_and_a_thousand_spells_are_summed_up():
    meanwhile = during(*(spell(ORIGIN + i * 30_000, ORIGIN + i * 30_000 + 10_000)
                         for i in range(1000)))  # fmt: skip
    one = made.case((made.sample([1e-3] * 40),))
    cases = tuple(made.case(one.samples, parameters={"n": i}) for i in range(10_000))
    told = summed(made.run(cases, conditions=meanwhile))
    assert told.verdict.said.startswith("Disturbed: ")
    assert "10000 of 10000 figures" in told.verdict.said
    assert len(told.doubts) < 12
