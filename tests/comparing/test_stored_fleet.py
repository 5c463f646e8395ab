"""A fleet from the store: medians say what whole runs say, two days tell what changed on whom."""

from datetime import UTC, date, datetime

import msgspec
import pytest

from made import machine, run
from stend.comparing import outliers
from stend.comparing.fleet_figures import Wanted, across, by_machine, gathered, headlines, picture
from stend.comparing.outliers import outliers_among
from stend.comparing.roster import roster
from stend.errors import UsageError
from stend.record import CaseRecord, Status
from stend.store import Filter, Store
from stend.trends.machine import facts_changed, headline_trends
from stend.trends.two_days import Between, changes
from web import fleets

NOW = datetime(2026, 11, 7, tzinfo=UTC)
FIRST, LAST = date(2026, 11, 1), date(2026, 11, 6)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Nine machines on six days; on the fourth day a third of them gets another kernel."""
    with Store.open(str(tmp_path_factory.mktemp("fleet") / "stend.db")) as store:
        for one in fleets.fleet(9, 6, 8, update=3):
            store.begin(one)
        yield store


def test_outliers_from_kept_medians_are_those_of_whole_runs(stored):
    looked, damaged, _ = gathered(stored, Wanted(), NOW)
    assert damaged == []
    whole = outliers([stored.load(one.run.id) for one in looked])
    assert outliers_among(looked) == whole
    assert {one.who for one in whole.apart} >= {"node007", "node004"}
    assert [one.host for one in whole.missing] == ["node005"] * 2
    assert [(one.host, one.what) for one in whole.facts] == [("node004", "microcode")]


def test_the_newest_run_of_each_machine_stands_for_it(stored):
    looked = gathered(stored, Wanted(), NOW).runs
    assert {one.run.started[:10] for one in looked} == {"2026-11-06"}
    assert [one.run.machine.host for one in by_machine(looked).values()] == [
        fleets.name(i) for i in range(1, 10)
    ]


@pytest.mark.parametrize(
    "wanted", [Wanted(label="none such"), Wanted(group="f" * 32), Wanted(size="full")]
)
def test_where_no_run_is_as_wanted_there_is_no_machine(stored, wanted):
    found = picture(stored, wanted, NOW)
    assert (found.machines, found.figures, found.fleet.apart) == ({}, (), ())


def test_a_checked_run_hides_no_measured_one(tmp_path):
    (measured,) = fleets.fleet(1, 1, 1)
    checked = msgspec.structs.replace(
        measured, id="e" * 32, started="2026-11-05T00:00:00Z", size="check"
    )
    with Store.open(str(tmp_path / "a.db")) as store:
        store.begin(measured)
        store.begin(checked)
        (looked,) = gathered(store, Wanted(), NOW).runs
    assert looked.run.id == measured.id


def test_a_run_of_pairs_hides_no_run_of_its_machine(tmp_path):
    (measured,) = fleets.fleet(1, 1, 1)
    pair = measured.cases[0].parameters | {"hosts": "node001+node002"}
    pairs = msgspec.structs.replace(
        measured,
        id="e" * 32,
        started="2026-11-05T00:00:00Z",
        cases=(msgspec.structs.replace(measured.cases[0], parameters=pair),),
    )
    with Store.open(str(tmp_path / "a.db")) as store:
        store.begin(measured)
        store.begin(pairs)
        (looked,) = gathered(store, Wanted(), NOW).runs
    assert looked.run.id == measured.id


def later(of, number, cases):
    """A run of the same machine that measured less, or something else."""
    id = f"{number:032x}"
    return msgspec.structs.replace(of, id=id, started="2026-11-05T00:00:00Z", cases=tuple(cases))


def test_a_run_of_one_case_hides_no_figure_of_an_earlier_one(tmp_path):
    nightly = list(fleets.fleet(4, 1, 8))
    storage = msgspec.structs.replace(nightly[0].cases[0], benchmark="storage.randread")
    again = nightly[1].cases[0]
    with Store.open(str(tmp_path / "a.db")) as store:
        for one in nightly:
            store.begin(one)
        before = picture(store, Wanted(), NOW)
        store.begin(later(nightly[0], 1, [storage]))
        store.begin(later(nightly[1], 2, [again]))
        after = picture(store, Wanted(), NOW)
    of_storage = [row for row in after.figures if row.benchmark == "storage.randread"]
    kept = [row for row in after.figures if row.benchmark != "storage.randread"]
    assert [set(row.values) for row in of_storage] == [{"node001"}]
    assert [row.values for row in kept] == [row.values for row in before.figures]
    assert after.fleet.nodes[0].cases == 9
    assert [after.machines[name].run[-1] for name in ("node001", "node002")] == ["1", "2"]
    assert of_storage[0].runs == {}
    assert {row.runs["node001"] for row in kept} == {nightly[0].id}
    assert [row.name for row in kept if "node002" not in row.runs] == [again.name]
    assert after.earlier[nightly[0].id].started == nightly[0].started
    assert set(after.earlier) == {nightly[0].id, nightly[1].id}


@pytest.mark.parametrize(
    ("status", "counts"),
    [(Status.FAILED, False), (Status.SKIPPED, True), (Status.INTERRUPTED, True)],
)
def test_what_failed_of_late_is_missing_and_what_was_not_tried_is_of_before(
    tmp_path, status, counts
):
    nightly = list(fleets.fleet(3, 1, 1))
    (case,) = nightly[0].cases
    ended = msgspec.structs.replace(case, status=status, reason="It was so.", samples=())
    with Store.open(str(tmp_path / "a.db")) as store:
        for one in nightly:
            store.begin(one)
        store.begin(later(nightly[0], 1, [ended]))
        found = picture(store, Wanted(), NOW)
    (row,) = found.figures
    assert ("node001" in row.values) == counts
    assert [one.host for one in found.fleet.missing] == ([] if counts else ["node001"])


def test_a_machines_headlines_are_whichever_run_measured_them_last(tmp_path):
    nightly = list(fleets.fleet(1, 3, 8))
    storage = msgspec.structs.replace(nightly[0].cases[0], benchmark="storage.randread")
    with Store.open(str(tmp_path / "a.db")) as store:
        for one in (*nightly, later(nightly[0], 1, [storage])):
            store.begin(one)
        found = headline_trends(store, "node001", 60, NOW)
    assert {one.benchmark for one in found} >= {"stream.triad", "memory.latency"}


def test_a_damaged_run_is_named_and_the_others_stand(tmp_path, stored):
    import sqlite3

    path = str(tmp_path / "a.db")
    with Store.open(path) as store:
        for one in fleets.fleet(4, 1, 2):
            store.begin(one)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE stend_runs SET record = '{' WHERE host = 'node002'")
    with Store.open(path) as store:
        found = picture(store, Wanted(), NOW)
        assert len(found.machines) == 3
        assert len(found.damaged) == 1
        assert len(roster(store).machines) == 3


def test_a_figure_is_better_than_the_median_in_its_own_direction(stored):
    rows = across(by_machine(gathered(stored, Wanted(), NOW)[0]))
    for row in rows:
        sick = row.speed("node007")
        assert sick < 0.9
        assert (row.values["node007"] < row.middle) == (row.metric.better == "higher")


def test_headlines_are_one_figure_a_family(stored):
    rows = headlines(across(by_machine(gathered(stored, Wanted(), NOW)[0])))
    assert [row.benchmark for row in rows] == [
        "memory.latency", "mpi.pingpong", "peak.float64", "stream.triad",
    ]  # fmt: skip


def test_between_two_days_the_kernel_and_what_it_made_slower_are_told(stored):
    found = changes(stored, Between(FIRST, LAST))
    (common,) = found.common
    assert (common.what, common.a, common.b) == ("kernel", fleets.OLD, fleets.NEW)
    assert common.hosts == ("node003", "node006", "node009")
    (effect,) = common.effects
    assert (effect.family, effect.worse, effect.better, effect.machines) == ("mpi", 3, 0, 3)
    assert effect.middle == pytest.approx(0.887, abs=0.01)
    assert effect.elsewhere == pytest.approx(1.0, abs=0.01)
    assert len(found.steps) == 9


def test_before_the_update_nothing_changed(stored):
    found = changes(stored, Between(FIRST, date(2026, 11, 2)))
    assert found.common == ()
    assert {step.worse + step.better for step in found.steps} == {0}


def test_the_later_day_comes_second(stored):
    with pytest.raises(UsageError, match="is not before"):
        changes(stored, Between(LAST, LAST))


def test_machines_that_came_and_went_are_told(tmp_path):
    with Store.open(str(tmp_path / "a.db")) as store:
        for one in fleets.fleet(3, 2, 1):
            gone = one.machine.host == "node001" and "11-02" in one.started
            new = one.machine.host == "node002" and "11-01" in one.started
            if not gone and not new:
                store.begin(one)
        found = changes(store, Between(FIRST, date(2026, 11, 2)))
    assert [one.host for one in found.appeared] == ["node002"]
    assert [one.host for one in found.vanished] == ["node001"]
    assert [step.host for step in found.steps] == ["node003"]


def test_a_run_of_its_own_label_is_set_beside_one_of_that_label(tmp_path):
    first, last = fleets.fleet(1, 2, 1)
    other = msgspec.structs.replace(
        first, id="e" * 32, label="odd", started="2026-11-01T20:00:00Z", finished=first.finished
    )
    with Store.open(str(tmp_path / "a.db")) as store:
        for one in (first, other, last):
            store.begin(one)
        (step,) = changes(store, Between(FIRST, date(2026, 11, 2))).steps
    assert (step.before, step.labels) == (first.id, ("nightly", "nightly"))


def test_changes_of_a_machines_facts_are_dated(stored):
    heads = stored.heads(Filter(hosts=["node003"]))
    (change,) = facts_changed(heads[::-1])
    assert (change.after[:10], change.before[:10]) == ("2026-11-03", "2026-11-04")
    assert [(fact.what, fact.b) for fact in change.facts] == [("kernel", fleets.NEW)]
    assert facts_changed(stored.heads(Filter(hosts=["node001"]))[::-1]) == ()


def test_a_machines_headline_figures_are_followed(stored):
    found = headline_trends(stored, "node003", 60, NOW)
    assert {one.benchmark for one in found} == {
        "memory.latency", "mpi.pingpong", "peak.float64", "stream.triad",
    }  # fmt: skip
    assert {len(one.points) for one in found} == {6}
    assert headline_trends(stored, "nobody", 60, NOW) == ()


def test_the_roster_tells_each_machine_by_its_newest_run(stored):
    found = {one.host: one for one in roster(stored).machines}
    assert len(found) == 9
    assert (found["node003"].kernel, found["node003"].runs) == (fleets.NEW, 6)
    assert (found["node007"].state, found["node007"].good) == ("disturbed by steal", False)
    assert found["node005"].state == "2 cases failed"
    assert found["node001"].good
    assert found["node004"].odd == ("microcode is 0x2; on all others 0x1.",)


def test_machines_without_a_name_are_told_last_and_no_machine_at_all_is_no_error(tmp_path):
    failed = CaseRecord(**{**_fields(), "status": Status.WRONG, "reason": "It was wrong."})
    with Store.open(str(tmp_path / "a.db")) as store:
        assert roster(store).machines == ()
        store.begin(run(machine=machine(host=None), cases=(failed,)))
        store.begin(run(id="e" * 32, machine=machine(host="z")))
        named, unknown = roster(store).machines
    assert (named.host, unknown.host, unknown.state) == ("z", None, "1 case gave wrong results")


def _fields():
    from made import case

    one = case(())
    return {name: getattr(one, name) for name in one.__struct_fields__}


@pytest.mark.parametrize("year", ["0001", "1970"])
def test_a_run_of_a_clock_that_was_never_set_is_of_no_day(tmp_path, year):
    (new,) = fleets.fleet(1, 1, 1)
    unset = msgspec.structs.replace(
        new, id="e" * 32, started=f"{year}-01-01T00:00:00Z", finished=f"{year}-01-01T00:10:00Z"
    )
    with Store.open(str(tmp_path / "a.db")) as store:
        store.begin(unset)
        store.begin(new)
        found = changes(store, Between(date(2026, 10, 25), FIRST))
        assert found.steps == ()
        assert [one.run for one in found.appeared] == [new.id]
        only = changes(store, Between(date(1970, 1, 1), date(1970, 1, 3)))
        assert (only.steps, only.appeared, only.vanished) == ((), (), ())
