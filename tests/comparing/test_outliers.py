"""The outliers of a fleet: runs with known figures in, the right names and sentences out."""

import json

import pytest

from made import case, machine, run, sample
from stend.comparing import outliers
from stend.comparing.differences import differences
from stend.errors import UsageError
from stend.record import Conditions, Disturbance, Metric, NumaNode, Numbers, Status, Work
from stend.report.figures import fleet_to_json
from stend.report.terminal import print_fleet

GROUP = "cd" * 16


def figures(middle, **also):
    """A case of three processes of 1 ms, the processes 0.1% apart; `middle` times as slow."""
    seconds = [[1e-3 * middle * (1 + 0.001 * p)] * 3 for p in (-1, 0, 1)]
    return case(tuple(sample(s, process=p) for p, s in enumerate(seconds)), **also)


def node(i, *cases, **also):
    about = {"host": f"n{i}"} | also.pop("about", {})
    fields = {"id": f"{i:032x}", "group": GROUP, "machine": machine(**about)}
    return run(tuple(cases), **(fields | also))


def nodes(*middles, **also):
    return [node(i, figures(middle, **also)) for i, middle in enumerate(middles, 1)]


def test_the_slow_node_is_named_with_figure_amount_and_certainty():
    fleet = outliers(nodes(1, 1.001, 0.999, 1, 1.002, 0.998, 1, 1 / 0.88))
    (apart,) = fleet.apart
    assert apart.said.startswith(
        "n8: stream.triad threads=2 elements=1000 [plain] is 12% below the other 7 nodes' median ("
    )
    assert (apart.better, apart.among, fleet.figures) == (False, 7, 1)
    assert apart.ratio == pytest.approx(0.88, rel=1e-3)
    assert apart.p < 0.001


def test_a_time_above_the_others_is_slow_and_one_below_is_fast():
    time = {"metric": Metric(name="time", unit="s", better="lower")}
    (slow,) = outliers(nodes(1, 1, 1, 1, 1.5, **time)).apart
    (fast,) = outliers(nodes(1, 1, 1, 1, 0.6, **time)).apart
    assert (slow.who, slow.better, fast.who, fast.better) == ("n5", False, "n5", True)
    assert "is 50% above the other 4 nodes' median" in slow.said
    assert "is 40% below the other 4 nodes' median" in fast.said


def test_what_is_many_times_the_others_is_said_so():
    time = {"metric": Metric(name="time", unit="s", better="lower")}
    (slow,) = outliers(nodes(1, 1, 1, 4, **time)).apart
    assert "is 4 times the other 3 nodes' median (over 99.99% sure)" in slow.said


def test_alike_nodes_are_not_named():
    fleet = outliers(nodes(1, 1.003, 0.997, 1.005, 0.995))
    assert (fleet.apart, fleet.undecided, fleet.figures) == ((), (), 1)


def test_a_difference_under_two_percent_is_not_named_however_sure():
    assert outliers(nodes(*[1.0] * 30, 1.015)).apart == ()
    assert len(outliers(nodes(*[1.0] * 30, 1.1)).apart) == 1


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_nodes_cannot_tell(count):
    fleet = outliers(nodes(*[1, 2][:count]))
    assert fleet.apart == ()
    assert "it takes 3" in fleet.undecided[0].reason


def test_of_two_halves_nobody_can_say_which_is_right():
    fleet = outliers(nodes(1, 1, 2, 2))
    assert fleet.apart == ()
    assert "fall into groups" in fleet.undecided[0].reason


def test_a_node_with_one_process_is_left_out():
    few = node(4, case((sample([5e-3]),)))
    assert outliers([*nodes(1, 1, 1), few]).apart == ()


def test_many_figures_make_it_harder_to_be_named():
    def runs(count):
        return [
            node(i, *(figures(m if k == 0 else 1, variant=f"v{k}") for k in range(count)))
            for i, m in enumerate((1, 1.002, 0.998, 1.09), 1)
        ]

    few, many = outliers(runs(1)), outliers(runs(200))
    assert len(few.apart) == 1
    assert many.apart == ()


def test_shares_near_zero_are_set_beside_each_other_too():
    share = {
        "metric": Metric(name="lost", unit="share", better="lower"),
        "work": Work(),
        "benchmark": "noise.lost",
    }

    def lost(i, x):
        samples = tuple(
            sample([1e-3] * 2, process=p, values=Numbers([x, x * 1.1])) for p in range(3)
        )
        return node(i, case(samples, **share))

    fleet = outliers([lost(i, x) for i, x in enumerate((0.0, 0.0001, 0.0002, 0.0, 0.2), 1)])
    (apart,) = fleet.apart
    assert apart.who == "n5"
    assert "n5: noise.lost threads=2 elements=1000 [plain] is 21.00%, and the other" in apart.said


def test_figures_that_have_no_ratio_are_undecided():
    relative = {"metric": Metric(name="error", unit="relative", better="lower"), "work": Work()}
    samples = tuple(sample([1e-3], process=p, values=Numbers([-0.1])) for p in range(3))
    fleet = outliers([node(i, case(samples, **relative)) for i in (1, 2, 3)])
    assert "0 or less" in fleet.undecided[0].reason


def test_a_case_that_one_node_could_not_measure_is_missing_there():
    failed = case((), status=Status.FAILED, reason="No huge pages.")
    skipped = case((), variant="other", status=Status.SKIPPED, reason="No such processor.")
    fleet = outliers([node(1, figures(1)), node(2, failed), node(3, figures(1)), node(4, skipped)])
    (missing,) = fleet.missing
    assert (missing.host, missing.status, missing.reason) == ("n2", "failed", "No huge pages.")


def test_a_lost_node_is_told_with_its_reason():
    lost = Disturbance(kind="node lost", said="n2 can't be reached.")
    runs = [*nodes(1), node(2, conditions=Conditions(before=(lost,)))]
    assert [n.lost for n in outliers(runs).nodes] == ["", "n2 can't be reached."]


def test_nodes_are_told_in_the_order_of_their_numbers():
    runs = [node(i, figures(1)) for i in (10, 9, 2, 1)]
    assert [n.host for n in outliers(runs).nodes] == ["n1", "n2", "n9", "n10"]


def test_what_changes_from_minute_to_minute_is_no_fact_in_which_machines_differ():
    def about(now):
        memory = NumaNode(index=0, bytes=1 << 34, cpus=(0, 1), available=10**9 + now)
        threads = {"threads_free": 30_000 + now, "threads_limit": f"{now} are taken"}
        return {"memory_available": now, "numa": (memory,), **threads}

    runs = [node(i, figures(1), about=about(i // 3)) for i in (1, 2, 3)]
    assert outliers(runs).facts == ()
    assert not {d.what for d in differences(runs[0], runs[2])} & {"numa", "threads free"}


def test_what_a_node_lacks_for_one_reason_is_one_line(capsys):
    lacking = [
        case((), parameters={"bytes": n, "hosts": ""}, status=Status.SKIPPED, reason="One CPU.")
        for n in (8, 1024)
    ]
    there = [case((sample(),), parameters={"bytes": n, "hosts": ""}) for n in (8, 1024)]
    print_fleet(outliers([node(1, *lacking), node(2, *there), node(3, *there)]))
    said = " ".join(capsys.readouterr().out.split())
    assert "n1: stream.triad bytes=8 [plain] and 1 more are skipped: One CPU." in said


def test_a_fact_in_which_one_machine_differs_is_told():
    about = {1: {}, 2: {}, 3: {"microcode": "0x2", "memory_available": 7}, 4: {}}
    runs = [node(i, figures(1), about={"microcode": "0x1"} | a) for i, a in about.items()]
    (fact,) = outliers(runs).facts
    assert (fact.host, fact.what, fact.value, fact.others) == ("n3", "microcode", "0x2", "0x1")


def test_the_same_node_twice_is_refused():
    with pytest.raises(UsageError, match="Two of the runs measured n1"):
        outliers([node(1, figures(1)), node(1, figures(1), id="e" * 32)])


PING = {
    "benchmark": "mpi.pingpong",
    "metric": Metric(name="latency", unit="s", better="lower"),
    "variant": "openmpi",
    "work": Work(),
}


def links(count, slow=None, by=3.0, link=None):
    cases = []
    for a in range(1, count + 1):
        for b in range(a + 1, count + 1):
            factor = by if slow in (a, b) or link == (a, b) else 1 + 0.0001 * ((a * b) % 7)
            parameters = {"bytes": 8, "place": "nodes", "hosts": f"n{a}+n{b}"}
            cases.append(figures(factor, parameters=parameters, **PING))
    return run(tuple(cases), id="f" * 32, group=GROUP)


@pytest.mark.parametrize("count", [3, 4, 8])
def test_a_node_whose_links_are_all_slow_is_named_and_its_partners_are_not(count):
    fleet = outliers([*nodes(*[1.0] * count), links(count, slow=2)])
    (apart,) = fleet.apart
    assert (apart.of, apart.who) == ("ends", "n2")
    assert apart.said.startswith(
        "n2: mpi.pingpong bytes=8 [openmpi] with most of its partners is 3 times that between the "
        "other nodes ("
    )
    assert len(fleet.nodes) == count  # the run of the pairs is none of a node


def test_one_slow_link_is_named_as_a_link():
    (apart,) = outliers([*nodes(*[1.0] * 8), links(8, link=(3, 5))]).apart
    assert (apart.of, apart.who) == ("link", "n3–n5")
    assert "is 3 times what its two ends reach with others" in apart.said


def test_of_three_nodes_one_slow_link_blames_nobody():
    assert outliers([*nodes(1, 1, 1), links(3, link=(1, 2))]).apart == ()


def test_two_nodes_have_one_link_that_tells_nothing():
    fleet = outliers([*nodes(1, 1), links(2)])
    assert any("three nodes" in one.reason for one in fleet.undecided)


def test_the_sentences_are_printed_and_are_in_the_json(capsys):
    fleet = outliers([*nodes(1, 1, 1, 1, 1.5), links(5, slow=2)])
    print_fleet(fleet)
    shown = " ".join(capsys.readouterr().out.split())
    assert "5 nodes group cdcdcdcd" in shown
    assert "▼ slower n5: stream.triad threads=2 elements=1000 [plain] is 33% below" in shown
    told = json.loads(fleet_to_json(fleet))
    assert told["said"] == [apart.said for apart in fleet.apart]
    assert len(told["said"]) == 2
    assert told["fleet"]["nodes"][0]["host"] == "n1"


def many(*middles, count=20):
    """Nodes that are so many times as slow in every figure, which differ by chance a little."""
    return [
        node(i, *(figures(m + 0.002 * ((i * k) % 5 - 2), variant=f"v{k}") for k in range(count)))
        for i, m in enumerate(middles, 1)
    ]


def test_a_node_that_is_a_little_slow_in_everything_is_named_as_a_whole():
    fleet = outliers(many(1, 1, 1, 1 / 0.88))
    (apart,) = [one for one in fleet.apart if one.of == "whole"]
    assert (apart.who, apart.better, apart.name) == ("n4", False, "all 20 figures together")
    assert apart.said.startswith("n4: all 20 figures together are ")
    assert "% worse than the other 3 nodes' median (99." in apart.said
    assert apart.ratio == pytest.approx(0.88, abs=0.01)
    assert [one for one in fleet.apart if one.of == "node"] == []


def test_alike_nodes_are_no_outliers_as_a_whole():
    assert outliers(many(1, 1, 1, 1)).apart == ()


def test_a_node_that_is_slow_in_one_figure_of_many_is_none_as_a_whole():
    runs = [
        node(i, *(figures(m if k == 0 else 1, variant=f"v{k}") for k in range(20)))
        for i, m in enumerate((1, 1, 1, 2), 1)
    ]
    (apart,) = outliers(runs).apart
    assert (apart.of, apart.who) == ("node", "n4")
