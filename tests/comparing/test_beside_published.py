"""A run beside a published one: what meets what, and that nothing is ever judged."""

import pytest
from msgspec import structs

import made
from stend.comparing import Verdict, compare, is_published, publications
from stend.errors import UsageError
from stend.record import Metric, Numbers, Work

ELBRUS = publications.run("elbrus-16c")
RATE = Metric(name="rate", unit="B/s", better="higher")
TOLD = {"mode": "ecb", "offset": 0, "threads": 1}


def encrypted(gigabytes_a_second, variant="vaes", benchmark="gost.kuznyechik", **parameters):
    """A case of 1 GB whose three processes hardly differ."""
    return made.case(
        tuple(
            made.sample([x / gigabytes_a_second for x in (0.999, 1.0, 1.001)], process=i)
            for i in range(3)
        ),
        benchmark=benchmark,
        metric=RATE,
        work=Work(bytes=1e9),
        parameters=TOLD | {"size": 16384} | parameters,
        variant=variant,
    )


def values(x):
    return Numbers([x, x, x])


def rows(a, b):
    comparison = compare(a, b)
    both = [r for r in comparison.rows if r.verdict not in (Verdict.ONLY_A, Verdict.ONLY_B)]
    return comparison, both


def test_a_figure_stands_beside_the_best_of_what_agrees_and_says_which():
    mine = made.run((encrypted(9.0, size=64), encrypted(1.0, "sse"), encrypted(4.0)))
    comparison, (row,) = rows(ELBRUS, mine)
    assert row.ratio == pytest.approx(4e9 / (455 * 2**20))
    assert row.name.endswith("beside size=16384 [vaes]")
    assert row.variants == ("", "vaes")
    assert row.reason.startswith("B has about 8.4 times the published figure; that is a single")
    assert "4.2 cycles a byte" in row.reason
    assert comparison.count(Verdict.ONLY_B) == 0  # the slower ones are told of by the best
    assert comparison.count(Verdict.ONLY_A) == 5
    assert (comparison.a.published, comparison.b.published) == (True, False)


def test_the_other_way_round_says_the_same():
    mine = made.run((encrypted(4.0),))
    _, (there,) = rows(ELBRUS, mine)
    _, (back,) = rows(mine, ELBRUS)
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert back.reason == there.reason.replace("B has", "A has")


@pytest.mark.parametrize("times", [1e-3, 0.5, 1.0, 1.0001, 2.0, 1e3])
def test_no_distance_makes_it_faster_slower_or_the_same(times):
    mine = made.run((encrypted(0.4771 * times),))
    for a, b in ((ELBRUS, mine), (mine, ELBRUS)):
        _, (row,) = rows(a, b)
        assert row.verdict is Verdict.CANNOT_TELL
        assert row.low is row.high is row.p is None


def test_two_published_runs_are_never_judged():
    for other in publications.runs():
        comparison = compare(ELBRUS, other)
        assert {r.verdict for r in comparison.rows} <= {
            Verdict.CANNOT_TELL, Verdict.ONLY_A, Verdict.ONLY_B,
        }  # fmt: skip
    _, both = rows(ELBRUS, publications.run("elbrus-8cb"))
    assert len(both) == 6
    assert all("both are single published numbers" in row.reason for row in both)


def test_two_published_ones_of_a_machine_meet_the_same_variant():
    _, both = rows(publications.run("athlon-700"), publications.run("athlon-xp-1800+"))
    conditions = ["atlas-3.4.1, multi-user", "atlas-3.4.1, single-user"]
    assert [row.variants for row in both] == [(v, v) for v in conditions]


@pytest.mark.parametrize(
    "other",
    [
        encrypted(4.0, offset=1),
        encrypted(4.0, threads=2),
        encrypted(4.0, mode="ctr"),
        encrypted(4.0, benchmark="gost.magma2"),
        made.case(),
    ],
    ids=lambda case: case.name,
)
def test_what_differs_in_something_told_does_not_meet(other):
    comparison, both = rows(publications.run("i7-6700"), made.run((other,)))
    assert both == []
    assert [r.name for r in comparison.rows if r.verdict is Verdict.ONLY_B] == [other.name]


def test_a_case_without_a_parameter_that_is_told_did_other_work():
    lacking = encrypted(4.0)
    del lacking.parameters["offset"]
    assert rows(ELBRUS, made.run((lacking,)))[1] == []


def test_another_metric_does_not_meet():
    other = Metric(name="goodput", unit="B/s", better="higher")
    case = structs.replace(encrypted(4.0), metric=other)
    assert rows(ELBRUS, made.run((case,)))[1] == []


def random_reads(depth, jobs, **more):
    return made.case(
        tuple(
            made.sample(process=i, values=values(2e5), also={"latency s": values(1e-3)})
            for i in range(3)
        ),
        benchmark="storage.randread",
        parameters={"block": 4096, "depth": depth, "jobs": jobs, "target": "file"} | more,
        metric=Metric(name="IOPS", unit="IOPS", better="higher"),
        further={"latency s": Metric(name="mean latency", unit="s", better="lower")},
        variant=None,
    )


@pytest.mark.parametrize(("depth", "jobs"), [(64, 16), (128, 8)])
def test_a_figure_of_storage_meets_the_column_it_is_of(depth, jobs):
    case = random_reads(depth, jobs)  # 1,024 requests outstanding, as on the array's eight LUNs
    _, both = rows(publications.run("vostok-elbrus-8c-5.4"), made.run((case,)))
    assert [(r.metric.name, r.ratio) for r in both] == [
        ("IOPS", pytest.approx(2e5 / 118000)), ("mean latency", pytest.approx(1 / 8)),
    ]  # fmt: skip


def test_a_published_latency_meets_none_of_fewer_requests_outstanding():
    case = random_reads(64, 2)  # the published section on a single target
    _, both = rows(publications.run("vostok-elbrus-8c-5.4"), made.run((case,)))
    assert [r.metric.name for r in both] == ["IOPS"]


@pytest.mark.parametrize(
    "more",
    [{"load": 50}, {"rate_iops": "500"}, {"random_distribution": "zipf:1.2"}, {"target": "null"}],
)
def test_a_load_that_something_else_changes_meets_no_published_one(more):
    case = random_reads(64, 16, **more)
    _, both = rows(publications.run("vostok-elbrus-8c-5.4"), made.run((case,)))
    assert both == []


def test_several_runs_of_a_side_are_their_figures_together():
    mine = [made.run((encrypted(x),), id=f"{i:032x}") for i, x in enumerate((1.0, 2.0, 4.0))]
    (row,) = [r for r in compare(ELBRUS, mine).rows if r.verdict is Verdict.CANNOT_TELL]
    assert row.b.value == pytest.approx(2e9)  # the geometric mean
    assert row.runs == (1, 3)
    assert row.low is row.high is None


def test_a_published_run_is_a_side_of_its_own():
    mine = made.run((encrypted(4.0),))
    with pytest.raises(UsageError, match="B mixes a published run with others"):
        compare(mine, [publications.run("i7-6700"), mine])


def test_a_measured_run_is_no_published_one():
    assert is_published(ELBRUS)
    assert not is_published(made.run())


def test_a_run_that_holds_both_is_a_measured_one_whose_published_cases_are_not_judged():
    both = made.run((made.case(), *ELBRUS.cases))
    assert not is_published(both)
    comparison = compare(both, structs.replace(both, id="f" * 32))
    (measured,) = [r for r in comparison.rows if r.benchmark == "stream.triad"]
    assert measured.ratio == pytest.approx(1)
    others = [r for r in comparison.rows if r is not measured]
    assert {r.verdict for r in others} == {Verdict.CANNOT_TELL}
