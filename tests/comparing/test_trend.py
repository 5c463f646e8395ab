"""A metric over stored runs: what changed is found and named, and nothing else is."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from made import case, machine, sample
from planted import disturbed, kernel_update, planted, store, when
from stend.comparing.judgement import Verdict
from stend.comparing.selection import asked
from stend.errors import NewerStore, UnknownName, UsageError
from stend.record import CaseRecord, Metric, Numbers, Proof, Run, Status, Work
from stend.store import Store
from stend.trends.machine import Followed, follow

NOW = datetime(2027, 6, 1, tzinfo=UTC)


def followed(
    tmp_path: Path, runs: list[Run], metric: str = "stream.triad", here: str = "bench", **also: str
) -> Followed:
    with Store.open(store(str(tmp_path / "a.db"), runs)) as opened:
        return follow(opened, asked([metric]), here=here, now=NOW, **also)


def step(at: int, by: float = 1.08) -> list[Run]:
    return planted(at + 12, lambda i: by if i >= at else 1.0, machine=kernel_update(at))


def test_a_planted_change_is_found_dated_and_explained(tmp_path: Path) -> None:
    (trend,) = followed(tmp_path, step(20)).trends
    (change,) = trend.changes
    assert change.index == 20
    assert (change.after, change.before) == (when(19), when(20))
    assert change.verdict is Verdict.SLOWER
    assert change.low is not None
    assert change.high is not None
    assert change.low < 1 / 1.08 < change.high
    assert [(d.what, d.a, d.b) for d in change.differences] == [("kernel", "5.10.0", "6.1.0")]
    assert [(level.first, level.last) for level in trend.levels] == [(0, 19), (20, 31)]


def test_an_unchanged_series_has_one_level(tmp_path: Path) -> None:
    (trend,) = followed(tmp_path, planted(40, noise=0.03)).trends
    assert trend.changes == ()
    assert len(trend.levels) == 1


def test_a_change_that_does_not_matter_is_none(tmp_path: Path) -> None:
    runs = planted(40, lambda i: 1.006 if i >= 20 else 1.0, noise=0.0005)
    assert followed(tmp_path, runs).trends[0].changes == ()


def test_a_change_that_was_taken_back_is_two(tmp_path: Path) -> None:
    runs = planted(50, lambda i: 1.1 if 20 <= i < 28 else 1.0)
    (trend,) = followed(tmp_path, runs).trends
    assert [change.index for change in trend.changes] == [20, 28]
    assert [change.verdict for change in trend.changes] == [Verdict.SLOWER, Verdict.FASTER]


def test_a_steady_drift_is_no_change(tmp_path: Path) -> None:
    (trend,) = followed(tmp_path, planted(60, lambda i: 1 + 0.005 * i)).trends
    assert trend.changes == ()
    assert trend.drift is not None
    assert 1 / 1.4 < trend.drift < 1 / 1.2


def test_what_already_varied_before_a_change_is_not_its_cause(tmp_path: Path) -> None:
    def flickering(i: int) -> object:
        return machine(kernel="6.1" if i >= 20 else "5.10", governor="ab"[(i // 3 + i // 20) % 2])

    runs = planted(32, lambda i: 1.1 if i >= 20 else 1.0, machine=flickering)
    (change,) = followed(tmp_path, runs).trends[0].changes
    assert [d.what for d in change.differences] == ["kernel"]


def test_one_run_and_few_runs_say_that_it_takes_more(tmp_path: Path) -> None:
    (one,) = followed(tmp_path / "x", planted(1)).trends
    assert "needs several" in one.note
    (few,) = followed(tmp_path / "y", planted(9, lambda i: 2.0 if i > 4 else 1.0)).trends
    assert "at least 10" in few.note
    assert few.changes == ()


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name in "xy":
        (tmp_path / name).mkdir()


def test_figures_that_are_all_equal_have_no_change_and_are_told(tmp_path: Path) -> None:
    runs = planted(20, noise=0.0, cases=lambda s: (case(tuple(sample([1e-3] * 9, process=i)
                                                             for i in range(3))),))  # fmt: skip
    (trend,) = followed(tmp_path, runs).trends
    assert trend.changes == ()
    assert len({point.value for point in trend.points}) == 1


def test_figures_of_0_are_followed_without_ratios(tmp_path: Path) -> None:
    none_lost = Metric(name="lost", unit="share", better="lower")

    def lost(i: int) -> tuple[CaseRecord, ...]:
        share = Numbers([0.0 if i < 10 else 0.2] * 3)
        return (case(tuple(sample(process=p, values=share) for p in range(3)), metric=none_lost),)

    runs = [msgspec.structs.replace(run, cases=lost(i)) for i, run in enumerate(planted(20))]
    (change,) = followed(tmp_path, runs).trends[0].changes
    assert (change.index, change.ratio, change.verdict) == (10, None, Verdict.SLOWER)


def test_a_failed_proof_is_left_out_and_told(tmp_path: Path) -> None:
    runs = planted(12)
    bad = sample(process=0, proof=Proof(right=False, said="a sum is off by 2"))
    wrong = case((bad,), status=Status.WRONG, reason="The proof failed.")
    runs[4] = msgspec.structs.replace(runs[4], cases=(wrong,))
    (trend,) = followed(tmp_path, runs).trends
    assert len(trend.points) == 11
    (left,) = trend.left_out
    assert (left.run, left.reason) == (runs[4].id, "The proof failed: a sum is off by 2")


def test_other_parameters_and_other_work_are_other_cases(tmp_path: Path) -> None:
    def two(i: int) -> tuple[CaseRecord, ...]:
        more = Work(bytes=48000.0) if i >= 12 else Work(bytes=24000.0)
        return (case(work=more), case(parameters={"threads": 1, "elements": 1000}))

    runs = planted(24, cases=lambda s: ())
    runs = [msgspec.structs.replace(run, cases=two(i)) for i, run in enumerate(runs)]
    found = followed(tmp_path, runs).trends
    assert [len(trend.points) for trend in found] == [12, 24, 12]
    assert all(trend.changes == () for trend in found)


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        ("stream.triad threads=2", ["stream.triad threads=2 elements=1000 [plain]"]),
        ("stream.* avx2", ["stream.copy threads=2 elements=1000 [avx2]"]),
        ("stream.copy", ["stream.copy threads=2 elements=1000 [avx2]"]),
        ("stream.triad p99", ["stream.triad threads=2 elements=1000 figure=p99 [plain]"]),
        ("*", ["stream.triad threads=2 elements=1000 [plain]",
               "stream.copy threads=2 elements=1000 [avx2]"]),
    ],
)  # fmt: skip
def test_words_choose_cases_and_figures(metric: str, names: list[str], tmp_path: Path) -> None:
    latency = Metric(name="p99 latency", unit="s", better="lower")
    with_p99 = tuple(sample(process=i, also={"p99 s": Numbers([1e-3] * 3)}) for i in range(3))
    both = (
        case(with_p99, further={"p99 s": latency}),
        case(benchmark="stream.copy", variant="avx2"),
    )
    runs = planted(2, cases=lambda seconds: both)
    assert [trend.name for trend in followed(tmp_path, runs, metric).trends] == names


def test_a_metric_that_nobody_measured_names_near_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"There is stream\.triad"):
        followed(tmp_path, planted(1), "strem.triad")


def test_words_that_no_case_has_name_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"has threads=64. There are threads=2, elements=1000"):
        followed(tmp_path, planted(1), "stream.triad threads=64")


def test_an_empty_store_says_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="The store is empty; run `stend run` first"):
        followed(tmp_path, [])


def test_this_machine_is_meant_where_it_has_runs_and_others_are_told(tmp_path: Path) -> None:
    runs = planted(6, machine=lambda i: machine(host="old" if i < 4 else "bench"))
    found = followed(tmp_path, runs)
    assert (found.host, found.runs, found.others) == ("bench", 2, {"old": 4})


def test_a_machine_that_was_renamed_is_followed_under_either_name(tmp_path: Path) -> None:
    runs = planted(6, machine=lambda i: machine(host="old" if i < 4 else "new"))
    with pytest.raises(
        UsageError, match=r"Several machines have this metric.*new \(2\), old \(4\)"
    ):
        followed(tmp_path, runs)
    with Store.open(str(tmp_path / "a.db")) as opened:
        found = follow(opened, asked(["stream.triad"]), here="bench", host="old", now=NOW)
    assert found.runs == 4
    with Store.open(str(tmp_path / "a.db")) as opened, pytest.raises(UsageError, match="older"):
        follow(opened, asked(["stream.triad"]), here="bench", host="older", now=NOW)


def test_the_only_machine_is_meant_elsewhere(tmp_path: Path) -> None:
    assert followed(tmp_path, planted(2), here="laptop").host == "bench"


@pytest.mark.parametrize("wrong", ["1970-01-01T00:00:09Z", "2099-01-01T00:00:00Z"])
def test_a_clock_that_was_wrong_is_told_and_its_run_stands_where_it_was_stored(
    wrong: str, tmp_path: Path
) -> None:
    runs = planted(14, started=lambda i: wrong if i == 6 else when(i), finished=lambda i: None)
    found = followed(tmp_path, runs)
    assert [point.run for point in found.trends[0].points] == [run.id for run in runs]
    (told,) = found.doubts
    assert "clock was wrong" in told


def test_a_run_stored_before_an_earlier_one_is_told(tmp_path: Path) -> None:
    runs = planted(12)
    found = followed(tmp_path, [*runs[1:], runs[0]])
    assert [point.run for point in found.trends[0].points] == [run.id for run in runs]
    assert "a clock jumped, or one was imported later" in found.doubts[0]


def test_conditions_that_disturbed_a_run_are_marked(tmp_path: Path) -> None:
    (trend,) = followed(tmp_path, planted(12, conditions=disturbed(5))).trends
    assert [i for i, point in enumerate(trend.points) if point.disturbed] == [5]


def test_a_damaged_run_among_good_ones_is_told(tmp_path: Path) -> None:
    url = store(str(tmp_path / "a.db"), planted(12))
    with sqlite3.connect(url) as connection:
        connection.execute("update stend_runs set record = '{' where number = 3")
    connection.close()
    with Store.open(url) as opened:
        found = follow(opened, asked(["stream.triad"]), here="bench", now=NOW)
    assert len(found.trends[0].points) == 11
    assert "is damaged in the store and left out" in found.doubts[0]


def test_cases_whose_runs_are_lost_are_one_sentence(tmp_path: Path) -> None:
    url = store(str(tmp_path / "a.db"), planted(1))
    with sqlite3.connect(url) as connection:
        connection.execute("update stend_cases set run = 99")
    with (
        Store.open(url) as opened,
        pytest.raises(UsageError, match="No readable run has this metric"),
    ):
        follow(opened, asked(["stream.triad"]), here="bench", now=NOW)


def test_a_store_of_a_newer_schema_is_refused(tmp_path: Path) -> None:
    url = store(str(tmp_path / "a.db"), planted(1))
    with sqlite3.connect(url) as connection:
        connection.execute("update stend_version set version = 99")
    connection.close()
    with pytest.raises(NewerStore):
        Store.open(url)


def test_a_machine_that_told_no_name_is_chosen_as_unknown(tmp_path: Path) -> None:
    runs = planted(6, machine=lambda i: machine(host=None if i < 4 else "new"))
    with Store.open(store(str(tmp_path / "u.db"), runs)) as opened:
        words = asked(["stream.triad"])
        with pytest.raises(UsageError, match=r"unknown \(4\)"):
            follow(opened, words, here="bench", now=NOW)
        found = follow(opened, words, here="bench", host="unknown", now=NOW)
    assert (found.host, found.runs, found.others) == (None, 4, {"new": 2})
