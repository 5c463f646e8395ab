"""Several stored runs a side, their history and their families, on made runs."""

from math import log

import numpy as np
import pytest
from msgspec.structs import replace

import made
from stend.comparing import Verdict, compare, stored_history
from stend.comparing.estimate import unrest
from stend.comparing.noise import MOST_RUNS, history_of, medians
from stend.errors import UsageError
from stend.record import Conditions, Integers, Metric, Numbers, Watched, Work
from stend.store import Store

TIME = Metric(name="time", unit="s", better="lower")
KINDS = (("stream.triad", 1), ("stream.copy", 1), ("stream.copy", 2), ("fft.plain", 1))


def samples(seconds, seed, processes=5, spread=0.004, **also):
    random = np.random.default_rng(seed)
    return tuple(
        made.sample([1e-3 * seconds * float(np.exp(spread * x))] * 3, process=i, **also)
        for i, x in enumerate(random.standard_normal(processes))
    )


def run(number, factors=None, host=0.0, **also):
    """A run of four cases; `host` moves all of them, and each takes its factor of the time."""
    random = np.random.default_rng(1000 + number)
    cases = tuple(
        made.case(
            samples(
                (factors or {}).get((name, size), 1.0)
                * float(np.exp(host * 0.02 + 0.004 * random.standard_normal())),
                10 * number + place,
            ),
            benchmark=name,
            parameters={"size": size},
        )
        for place, (name, size) in enumerate(KINDS)
    )
    fields = {"id": f"{number:032x}", "started": f"2026-11-21T10:{number:02d}:00Z"} | also
    fields.setdefault("finished", "2026-11-21T11:30:00Z")
    return made.run(cases, **fields)


def row(comparison, name="stream.triad size=1 [plain]"):
    return next(r for r in comparison.rows if r.name == name)


def test_more_runs_a_side_make_the_interval_narrower_until_same_can_be_told():
    def width(each):
        found = row(compare([run(i) for i in range(each)], [run(50 - i) for i in range(each)]))
        assert found.runs == (each, each)
        return found.high / found.low, found.verdict

    widths = [width(each) for each in (1, 3, 12)]
    assert [w for w, _ in widths] == sorted((w for w, _ in widths), reverse=True)
    assert [v for _, v in widths] == [Verdict.CANNOT_TELL, Verdict.CANNOT_TELL, Verdict.SAME]


def test_a_change_that_one_run_cannot_show_three_a_side_do():
    faster = {("stream.triad", 1): 0.96}
    one = compare(run(1), run(2, faster))
    three = compare([run(1), run(3), run(5)], [run(i, faster) for i in (2, 4, 6)])
    assert row(one).verdict is Verdict.CANNOT_TELL
    assert row(three).verdict is Verdict.FASTER
    assert row(three).ratio == pytest.approx(1 / 0.96, rel=0.015)
    assert row(three).superiority == 1.0
    assert "the 3 and 3 runs" in row(three).noise.origin


def test_history_tells_a_change_that_the_prior_hides_and_hides_one_that_is_noise():
    a, b = run(1), run(2, {("stream.triad", 1): 0.955})
    quiet = [run(i) for i in range(3, 23)]
    restless = [run(i, host=(-1) ** i * 3) for i in range(3, 23)]
    assert row(compare(a, b)).verdict is Verdict.CANNOT_TELL
    known = row(compare(a, b, history=quiet))
    assert known.verdict is Verdict.FASTER
    assert "20 stored runs" in known.noise.origin
    assert row(compare(a, b, history=restless)).verdict is Verdict.CANNOT_TELL


def test_history_from_before_and_after_a_change_is_no_noise():
    twice = {("stream.triad", 1): 0.5}
    a, b = run(1, label="before"), run(2, twice, label="after")
    before = [run(i, label="before") for i in range(3, 9)]
    after = [run(i, twice, label="after") for i in range(9, 15)]
    apart = row(compare(a, b, history=[*before, *after]))
    assert apart.verdict is Verdict.FASTER
    assert "12 stored runs" in apart.noise.origin
    assert apart.noise.spread < 0.01
    unlabelled = [replace(r, label="") for r in (a, b, *before, *after)]
    together = row(compare(*unlabelled[:2], history=unlabelled[2:]))
    assert together.verdict is Verdict.CANNOT_TELL


def test_runs_of_labels_of_their_own_are_history_together_unless_a_side_has_the_label():
    past = [run(i, label=f"commit {i}") for i in range(3, 7)]
    case = run(1).cases[0]
    (group,) = history_of((run(1), run(2)), past).of([case]).values()
    assert set(group) == {r.id for r in past}
    of = (run(1, label="commit 3"), run(2))
    (group,) = history_of(of, past).of([case]).values()
    assert set(group) == {r.id for r in past[1:]}


def test_history_is_whole_runs_of_the_same_machine_and_none_of_those_compared():
    of = (run(1), run(2))
    other = made.machine(host="elsewhere")
    past = [run(1), run(3), run(4, finished=None), run(5, machine=other), medians(run(6))]
    key = " stream.triad size=1 [plain] B/s"
    assert key in medians(run(3)).figures
    (group,) = history_of(of, past).of([of[0].cases[0]]).values()
    assert set(group) == {run(3).id, run(6).id}


def test_history_reads_no_more_runs_than_it_needs():
    read = []

    def stored():
        for number in range(3, 60):
            read.append(number)
            yield run(number)

    history_of((run(1), run(2)), stored())
    assert len(read) == MOST_RUNS


def stored_history_of(of, path, runs):
    with Store.open(str(path / "s.db")) as store:
        for one in runs:
            store.add(one)
        return stored_history(store, of)


def test_stored_history_is_whole_runs_of_the_host_that_have_a_case_and_are_not_compared(tmp_path):
    other = made.run((made.case(benchmark="fft.other"),), id=f"{7:032x}")
    odd = [run(5, machine=made.machine(host="elsewhere")), run(6, finished=None), other]
    found = stored_history_of((run(1),), tmp_path, [*map(run, (1, 2, 3, 4)), *odd])
    assert {one.id for one in found} == {run(i).id for i in (2, 3, 4)}
    assert found[0].figures == medians(run(2)).figures


def test_history_is_first_of_runs_made_as_the_compared_ones_were_however_old(tmp_path):
    a, b = run(1, label="before"), run(2, label="after")
    old = [run(i, label=label) for i, label in ((3, "before"), (4, "before"), (5, "after"))]
    newer = [run(i, stend="9.9") for i in range(6, 6 + MOST_RUNS + 5)]
    found = stored_history_of((a, b), tmp_path, [*old, *newer])
    assert {one.id for one in old} < {one.id for one in found}
    assert len(found) == MOST_RUNS


def test_each_side_has_runs_made_as_it_was_though_those_of_the_other_are_newer(tmp_path):
    a, b = run(1, label="before"), run(2, label="after")
    before = [run(i, label="before") for i in range(3, 3 + MOST_RUNS)]
    after = [run(i, label="after") for i in range(30, 30 + MOST_RUNS)]
    found = stored_history_of((a, b), tmp_path, [*before, *after])
    assert [one.label for one in found].count("before") == MOST_RUNS // 2


def test_a_side_without_a_run_or_with_one_twice_is_refused():
    with pytest.raises(UsageError, match="A has no run"):
        compare([], run(1))
    with pytest.raises(UsageError, match="given twice in B"):
        compare(run(1), [run(2), run(2)])


def test_runs_of_another_machine_or_version_in_a_side_are_said():
    other = made.machine(host="elsewhere")
    found = compare([run(1), run(3, machine=other)], [run(2), run(4, stend="0.2.0")])
    assert "from another machine" in found.a.notes[0]
    assert "other versions" in found.b.notes[0]
    assert found.a.more == (run(3).id,)


def test_a_run_that_lacks_a_case_or_did_other_work_is_left_out_and_said():
    short, odd = run(3), run(5)
    short = replace(short, cases=short.cases[1:])
    odd = replace(odd, cases=(replace(odd.cases[0], work=Work(bytes=1.0)), *odd.cases[1:]))
    found = row(compare([run(1), short, odd], [run(2), run(4)]))
    assert found.runs == (1, 2)
    assert "1 of A's 3 runs lack it" in found.reason
    assert "other work" in found.reason


def test_a_failed_proof_in_one_run_of_several_is_no_figure():
    bad = run(3)
    first = bad.cases[0].samples[0]
    wrong = replace(first, proof=replace(first.proof, right=False, said="it is 3"))
    case = replace(bad.cases[0], samples=(wrong, *bad.cases[0].samples[1:]))
    found = row(compare([run(1), replace(bad, cases=(case, *bad.cases[1:]))], run(2)))
    assert (found.verdict, found.reason) == (Verdict.CANNOT_TELL, "The proof of A failed: it is 3")


def test_a_clock_whose_rate_jumps_between_processes_tells_nothing():
    jumped = made.case((*samples(1, 1)[:4], *samples(1, 2, processes=1, hz=2e9)))
    (found,) = compare(made.run((jumped,), id="a" * 32), made.run(id="b" * 32)).rows
    assert found.verdict is Verdict.CANNOT_TELL
    assert "clock of A jumped" in found.reason


def test_a_clock_that_was_set_back_is_said():
    back = run(2, finished="2026-11-21T09:00:00Z")
    assert "set back" in compare(run(1), back).b.notes[0]


@pytest.mark.parametrize("values", [[0.0] * 5, [-1.0] * 5, [float("nan")] * 5, [1.0, 0.0] * 3])
def test_values_that_have_no_ratio_get_no_verdict(values):
    """0, negative, none, and some that are 0."""
    odd = tuple(made.sample([1e-3], process=i, values=Numbers([v])) for i, v in enumerate(values))
    sides = made.run((made.case(odd),), id="a" * 32), made.run(id="b" * 32)
    for a, b in (sides, sides[::-1]):
        (found,) = compare(a, b).rows
        assert (found.verdict, found.p) == (Verdict.CANNOT_TELL, None)
        assert found.reason


def test_runs_of_a_side_that_lie_a_hundred_powers_of_ten_apart_tell_nothing():
    def reported(number, value):
        told = tuple(made.sample([1e-3], process=i, values=Numbers([value])) for i in range(3))
        return made.run((made.case(told),), id=f"{number:032x}")

    found = compare([reported(1, 1e-100), reported(2, 1e30)], reported(3, 1.0))
    assert (found.rows[0].verdict, found.families[0].verdict) == (Verdict.CANNOT_TELL,) * 2
    assert found.rows[0].low < 1e-300 < 1e300 < found.rows[0].high


def watched(others):
    """So many cores kept busy by others until the end of each second."""
    n = len(others)
    return Conditions(
        watched=Watched(
            at=made.Integers(10**9 * (i + 1) for i in range(n)),
            steal=Numbers([0.0] * n),
            others=Numbers(others),
            mhz=Numbers([float("nan")] * n),
        )
    )  # fmt: skip


def second_by_second(number, seconds, others):
    """A run whose five processes were measured in as many seconds, on two threads."""
    one = tuple(replace(s, origin=10**9 * (i + 1)) for i, s in enumerate(samples(seconds, number)))
    return made.run(
        (made.case(one),),
        id=f"{number:032x}",
        machine=made.machine(threads=2),
        conditions=watched(others),
    )


def test_a_case_measured_while_others_were_busy_is_called_neither_faster_nor_slower():
    quiet = second_by_second(1, 1.0, [0.0] * 6)
    busy, other_time, brief = (
        second_by_second(2, 2.0, others)
        for others in ([1.4] * 6, [0.0] * 6 + [1.4] * 60, [0.0] * 4 + [1.4] * 2)
    )
    told = [compare(quiet, b) for b in (busy, other_time, brief)]
    verdicts = [comparison.rows[0].verdict for comparison in told]
    assert verdicts == [Verdict.CANNOT_TELL, Verdict.SLOWER, Verdict.SLOWER]
    assert "70% of the machine busy while 1 of 1 figures" in told[0].b.notes[0]
    assert not told[1].b.notes
    assert told[0].rows[0].reason.endswith("measure again when it is quiet.")


def loaded_storage(number, iops, spread, others):
    """Five rounds of 2 s, beside others who keep so many of two cores busy."""
    random = np.random.default_rng(number)
    rounds = tuple(
        made.sample(
            [2.0], process=i, origin=i * 2 * 10**9 + 1,
            values=Numbers([iops * (1 + spread * x)]),
        )
        for i, x in enumerate(np.clip(random.standard_normal(5), -1.5, 1.5))
    )  # fmt: skip
    metric = Metric(name="IOPS", unit="IOPS", better="higher")
    case = made.case(rounds, benchmark="storage.randread", metric=metric, variant=None,
                     parameters={"block": 4096}, work=Work())  # fmt: skip
    at = Integers(10**9 * i for i in range(12))
    calm = {name: Numbers([0.0] * 12) for name in ("steal", "mhz", "throttles", "stops")}
    watched = Watched(at=at, others=Numbers([others] * 12), **calm)
    machine = made.machine(threads=2)
    return made.run((case,), id=f"{number:032x}", machine=machine,
                    conditions=Conditions(watched=watched))  # fmt: skip


def test_a_factor_of_six_is_told_though_others_were_busy_and_a_small_one_is_not():
    busy = loaded_storage(1, 10.7e3, 0.06, 1.36)
    (six,) = compare(busy, loaded_storage(2, 68e3, 0.15, 1.36)).rows
    assert six.verdict is Verdict.FASTER
    assert 1 < six.low < 6 < six.high < 60
    (small,) = compare(busy, loaded_storage(3, 13e3, 0.06, 1.36)).rows
    assert small.verdict is Verdict.CANNOT_TELL


def met(share, number):
    """A run that a neighbour slowed by 12% in so large a share of each process."""
    times = [1.12 if i < 100 * share else 1.0 for i in range(100)]
    one = tuple(made.sample(times, process=process) for process in range(3))
    cases = made.case(one), made.case(one, benchmark="stream.copy")
    return made.run(cases, id=f"{number:032x}", finished="2026-11-21T11:30:00Z")


def test_what_came_and_went_within_all_processes_is_no_verdict():
    history = [medians(met(0, number)) for number in range(3, 11)]
    found = [compare(met(0, 1), met(share, 2), history=history) for share in (0.8, 1.0)]
    for of in ("rows", "families"):
        verdicts = [{one.verdict for one in getattr(compared, of)} for compared in found]
        assert verdicts == [{Verdict.CANNOT_TELL}, {Verdict.SLOWER}]


@pytest.mark.parametrize(("better", "told"), [("lower", log(1.25)), ("higher", log(2))])
def test_unrest_is_from_the_faster_tenth_to_the_median(better, told):
    restless = np.array([8.0] * 2 + [10.0] * 9 + [20.0] * 2)
    metric = replace(TIME, better=better)
    assert unrest([restless, restless, np.full(13, 10.0)], metric) == pytest.approx(told)
    assert unrest([np.array([1.0, 2.0, 3.0])], metric) == 0.0


def at(hz, seconds, number):
    return made.run((made.case(samples(seconds, number, core_hz=(hz, hz))),), id=f"{number:032x}")


def test_a_frequency_that_no_setting_changed_decides_nothing():
    slower = compare(at(4e9, 1.0, 1), at(3.6e9, 1 / 0.9, 2))
    (found,) = slower.rows
    assert found.verdict is Verdict.CANNOT_TELL
    assert found.low < 0.9 < found.ratio + 0.01
    assert "3.60 GHz" in slower.b.notes[0]
    b = at(3.6e9, 1 / 0.9, 2)
    (set_so,) = compare(
        at(4e9, 1.0, 1), replace(b, machine=made.machine(governor="powersave"))
    ).rows
    assert set_so.verdict is Verdict.SLOWER


def test_each_benchmark_of_a_family_has_the_same_weight():
    b = run(2, {("stream.triad", 1): 0.5})
    found = {f.name: f for f in compare(run(1), b).families}
    assert found["stream"].speed == pytest.approx(2**0.5, rel=0.02)
    assert found["stream"].cases == 3
    assert sum(found["stream"].counts.values()) == 3
    assert found["stream"].verdict is Verdict.FASTER


def test_a_family_of_one_case_has_its_verdict():
    found = compare(run(1), run(2, {("fft.plain", 1): 0.5}))
    fft = next(f for f in found.families if f.name == "fft")
    only = row(found, "fft.plain size=1 [plain]")
    assert (fft.verdict, fft.speed, fft.p) == (only.verdict, only.speed, only.p)


def test_what_cannot_be_set_side_by_side_does_not_count_in_its_family():
    b = run(2)
    b = replace(b, cases=(replace(b.cases[0], work=Work(bytes=1.0)), *b.cases[1:]))
    stream = next(f for f in compare(run(1), b).families if f.name == "stream")
    assert stream.cases == 2
    assert "1 of its 3 cases" in stream.reason


def test_less_time_is_better_in_a_family_too():
    def timed(number, factor):
        cases = tuple(
            made.case(samples(factor, number + i), metric=TIME, variant=v, benchmark="a.b")
            for i, v in enumerate("xy")
        )
        return made.run(cases, id=f"{number:032x}")

    (family,) = compare(timed(10, 1.0), timed(20, 0.5)).families
    assert family.speed == pytest.approx(2, rel=0.02)
    assert family.verdict is Verdict.FASTER


def test_what_moves_all_cases_of_a_run_together_is_seen_by_the_family():
    hosts = (-1, 0, 1)
    still = compare([run(i) for i in (1, 3, 5)], [run(i) for i in (2, 4, 6)])
    moved = compare(
        [run(i, host=h) for i, h in zip((1, 3, 5), hosts, strict=True)],
        [run(i, host=h) for i, h in zip((2, 4, 6), hosts, strict=True)],
    )
    widths = [
        next(f.high / f.low for f in c.families if f.name == "stream") for c in (still, moved)
    ]
    assert widths[1] > 1.03 * widths[0]


def test_interleaved_sides_have_no_families_and_need_no_noise():
    cases = (made.case(samples(1, 1, 9), side="A"), made.case(samples(0.9, 1, 9), side="B"))
    one = made.run(cases)
    found = compare(one, one)
    assert found.families == ()
    assert found.rows[0].noise is None
    assert found.rows[0].superiority == 1.0
