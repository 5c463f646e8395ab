"""A case with further metrics is compared figure by figure, as ordinary cases are."""

import pytest
from msgspec.structs import replace

import made
from report.storage_runs import FURTHER, failed, storage, workload
from stend.comparing import Verdict, compare, estimate, outliers, views
from stend.record import CaseRecord, Metric, Numbers, Run, from_json, to_json
from stend.report import figures
from stend.report.comparison_view import tables_of


def one(iops: float = 1e5, **also: object) -> CaseRecord:
    return workload("randread", 4096, 64, 2, iops, **({"seconds": 5, "machines": ()} | also))


def judged(a: CaseRecord, b: CaseRecord) -> dict[str, object]:
    found = compare(made.run((a,), id="a" * 32), made.run((b,), id="b" * 32))
    return {str(row.parameters.get("figure", "IOPS")): row for row in found.rows}


def reaching(case: CaseRecord, iops: list[float]) -> CaseRecord:
    """The same case with these IOPS."""
    samples = zip(case.samples, iops, strict=True)
    return replace(case, samples=tuple(replace(s, values=Numbers([x])) for s, x in samples))


def test_a_case_without_further_metrics_is_its_only_view():
    case = made.case()
    assert views(case) == (case,)


def test_each_further_metric_is_a_case_with_the_values_of_its_column():
    case = one()
    main, *others = views(case)
    assert main is case
    assert [view.parameters["figure"] for view in others] == [
        "bandwidth", "latency", "p50", "p99", "p99.9", "cpu",
    ]  # fmt: skip
    assert [view.metric for view in others] == list(FURTHER.values())
    p99 = others[3]
    assert [s.values for s in p99.samples] == [s.also["p99 s"] for s in case.samples]


def test_a_sample_without_the_column_has_no_value_there_and_never_another():
    case = one()
    bare = made.case((made.sample(process=7),)).samples[0]
    p99 = views(replace(case, samples=(*case.samples, bare)))[4]
    found = estimate(p99)
    assert found is not None
    assert sorted(found.medians) == [0, 1, 2]


def test_figures_get_verdicts_of_their_own_with_words_that_fit():
    found = judged(one(1e5, seed=1), one(1.4e5, seed=2))
    assert found["IOPS"].verdict is Verdict.FASTER
    assert found["bandwidth"].verdict.word(found["bandwidth"].metric) == "faster"
    assert found["latency"].verdict.word(found["latency"].metric) == "shorter"
    assert found["latency"].ratio == pytest.approx(1 / 1.4, rel=0.05)
    assert Verdict.SLOWER.word(found["p99"].metric) == "longer"
    assert Verdict.SLOWER.word(found["cpu"].metric) == "busier"
    assert found["cpu"].verdict is not Verdict.FASTER


def test_further_metrics_count_in_holms_correction():
    """What is certain alone, at 99%, is not among six more claims."""
    a, b = (
        reaching(one(seed=i, rounds=5), [first + 1000 * n for n in range(5)])
        for i, first in enumerate((100_000, 110_000))
    )
    alone = judged(replace(a, further={}), replace(b, further={}))["IOPS"]
    among = judged(a, b)["IOPS"]
    assert alone.verdict is Verdict.FASTER
    assert among.verdict is Verdict.CANNOT_TELL
    assert "With 7 figures" in among.reason
    assert "more runs per side" in among.reason


def test_a_longer_p99_alone_is_a_worse_figure_that_a_gate_can_fail_on():
    case = one(rounds=5, spread=0.001)

    def with_p99(seconds: float) -> CaseRecord:
        tails = (Numbers([seconds + 1e-6 * s.process]) for s in case.samples)
        pairs = zip(case.samples, tails, strict=True)
        return replace(case, samples=tuple(replace(s, also=s.also | {"p99 s": x})
                                           for s, x in pairs))  # fmt: skip

    found = compare(made.run((with_p99(1e-3),)), made.run((with_p99(2e-3),), id="b" * 32))
    (worse,) = (row for row in found.rows if row.verdict is Verdict.SLOWER)
    assert worse.parameters["figure"] == "p99"
    assert found.word(Verdict.SLOWER) == "worse"
    assert found.word(Verdict.CANNOT_TELL) == "cannot tell"


def test_one_round_cannot_tell_in_any_figure():
    found = judged(one(rounds=1), one(2e5, rounds=1))
    assert {row.verdict for row in found.values()} == {Verdict.CANNOT_TELL}
    assert {row.reason for row in found.values()} == {
        "1 and 1 rounds are too few to show the noise between runs: measure at least 3 per "
        "side, or several runs (`stend compare a1,a2,a3 b1,b2,b3`)."
    }


def test_a_failed_case_is_one_row_that_says_why():
    found = judged(one(), failed(one(), "No space is left on the device."))
    assert list(found) == ["IOPS"]
    assert "No space is left" in found["IOPS"].reason


def test_a_case_that_one_run_lacks_is_counted_once():
    found = compare(made.run((one(),), id="a" * 32), made.run((), id="b" * 32))
    assert [row.verdict for row in found.rows] == [Verdict.ONLY_A]


def test_the_table_of_a_workload_has_a_row_a_figure():
    run = made.run((one(),), id="a" * 32)
    (table,) = tables_of(compare(run, made.run((one(seed=3),), id="b" * 32)).rows)
    assert table.columns == ("figure",)
    assert [row.cells for row in table.rows] == [
        ("IOPS",), ("bandwidth",), ("latency",), ("p50",), ("p99",), ("p99.9",), ("cpu",),
    ]  # fmt: skip
    assert table.sides.startswith("IOPS, bandwidth, higher is better; mean latency, p50")


def test_json_has_a_figure_for_each_metric():
    text = figures.to_json(made.run((one(), made.case())))
    assert text.count('"figure": ') == len(FURTHER)
    assert '"figure": "p99.9"' in text


def test_a_node_whose_p99_alone_is_long_stands_apart_in_it():
    def node(host: str, factor: float, seed: int):
        case = one(seed=seed, rounds=5)
        samples = tuple(
            replace(s, also=s.also | {"p99 s": Numbers([factor * 1e-3])}) for s in case.samples
        )
        return made.run((replace(case, samples=samples),), machine=made.machine(host=host),
                        id=f"{seed:032x}")  # fmt: skip

    runs = [node(f"n{i}", 3.0 if i == 2 else 1 + i / 1000, i + 1) for i in range(6)]
    (apart,) = [a for a in outliers(runs).apart if a.of == "node"]
    assert (apart.who, apart.parameters["figure"], apart.better) == ("n2", "p99", False)


def test_a_run_of_storage_is_stored_and_read_whole():
    run = storage(seconds=5)
    assert from_json(to_json(run), Run) == run
    assert isinstance(run.cases[0].further["cpu share"], Metric)
