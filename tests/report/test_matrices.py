"""Rows and cells of several cases become matrices, heat maps and a graph of the nodes."""

import base64
import json
import re

import numpy as np
import pytest
from msgspec.structs import replace

import made
from report import parallel
from stend.comparing import estimate
from stend.record import Machine, NumaNode, Numbers, Work
from stend.record.text import natural
from stend.report.charts import draw, heat
from stend.report.charts.numa import ranges
from stend.report.matrices import cores, hosts, matrices
from stend.report.measured_case import Measured, limits


def measured(cases):
    return [Measured(i, c, e) for i, c in enumerate(cases) if (e := estimate(c))]


def charts(cases, where):
    found = measured(cases)
    return draw(found, limits(where, found))


def row(cpu, *processes):
    """A row of the matrix: for each process the columns of its repetitions, ns, by CPU."""
    samples = tuple(
        made.sample(
            [1e-3] * len(next(iter(columns.values()))),
            i,
            also={f"to CPU {c} s": Numbers([ns * 1e-9 for ns in x]) for c, x in columns.items()},
        )
        for i, columns in enumerate(processes)
    )
    return made.case(
        samples, benchmark="cores.latency", parameters={"cpu": cpu}, variant=None,
        metric=parallel.LATENCY,
    )  # fmt: skip


def z(trace):
    shape = tuple(map(int, trace["z"]["shape"].split(",")))
    return np.frombuffer(base64.b64decode(trace["z"]["bdata"]), "<f4").reshape(shape)


def test_a_cell_is_the_median_over_processes_of_the_medians_of_its_repetitions():
    one = row(0, {1: [50, 52, 900]}, {1: [60, 62, 64]}, {1: [70, 72, 74]})
    (matrix,) = cores(measured([one]), Machine())
    assert matrix.values[0, 1] == pytest.approx(62e-9)


def test_opposite_cells_are_two_measurements_and_what_was_not_measured_is_blank():
    cases = [row(0, {1: [50], 2: [80]}), row(1, {0: [55], 2: [90]})]
    (matrix,) = cores(measured(cases), Machine())
    assert matrix.rows == matrix.columns == ("CPU 0", "CPU 1", "CPU 2")
    assert matrix.values[0, 1] == pytest.approx(50e-9)
    assert matrix.values[1, 0] == pytest.approx(55e-9)
    assert np.isnan(matrix.values[2]).all()
    assert np.isnan(np.diag(matrix.values)).all()


def test_cpus_of_a_node_lie_together_and_are_named():
    where = made.machine(
        numa=(
            NumaNode(index=0, bytes=1, cpus=(0, 2)),
            NumaNode(index=1, bytes=1, cpus=(1, 3)),
        )
    )
    cases = [row(c, {o: [50] for o in range(4) if o != c}) for c in range(4)]
    (matrix,) = cores(measured(cases), where)
    assert matrix.rows == ("CPU 0", "CPU 2", "CPU 1", "CPU 3")
    assert matrix.spans == (("node 0", 0, 1), ("node 1", 2, 3))
    assert [a["text"] for a in heat.panel(matrix).layout["annotations"]] == ["node 0", "node 1"]


def test_the_map_has_what_was_measured_in_the_unit_of_its_legend():
    cases = [row(0, {1: [50]}), row(1, {0: [55]})]
    (matrix,) = cores(measured(cases), Machine())
    (trace,) = heat.panel(matrix).traces
    assert z(trace) == pytest.approx(np.array([[np.nan, 50], [55, np.nan]]), nan_ok=True)
    assert trace["colorbar"]["title"]["text"] == "ns"


def test_noise_does_not_look_like_a_pattern():
    """Two cells that differ by a hundredth are nearly of one colour."""
    (matrix,) = cores(measured([row(0, {1: [50]}), row(1, {0: [50.5]})]), Machine())
    (trace,) = heat.panel(matrix).traces
    assert trace["zmax"] / trace["zmin"] == pytest.approx(1.3)


def test_one_odd_cell_leaves_the_others_their_colours_and_is_told():
    where = parallel.machine(32, 1)
    cases = parallel.cores(np.random.default_rng(1), where)[1:]
    cases.append(row(0, {o: [45 if o > 1 else 9000] for o in range(1, 32)}))
    (chart,) = charts(cases, where)
    (trace,) = chart.panels[0].traces
    assert trace["zmax"] < 100
    assert "share one colour" in chart.says


@pytest.mark.parametrize(("cpus", "count"), [(2, 1), (3, 1), (16, 4), (64, 2)])
def test_cores_of_any_number_have_a_map(cpus, count):
    where = parallel.machine(cpus, count)
    (chart,) = charts(parallel.cores(np.random.default_rng(1), where), where)
    assert z(chart.panels[0].traces[0]).shape == (cpus // count * count,) * 2
    assert len(chart.panels) == (1 if cpus < 3 else 2)
    for panel in chart.panels:
        json.dumps([panel.traces, panel.layout], allow_nan=False)


def test_rows_that_a_quick_run_left_out_are_told_with_the_command():
    where = parallel.machine(16, 2)
    (chart,) = charts(parallel.cores(np.random.default_rng(1), where, rows=4), where)
    assert "12 of 16 rows were not measured" in chart.notes[-1]
    assert "`stend run cores --full`" in chart.notes[-1]


def test_the_notes_tell_what_lies_between_nodes():
    where = parallel.machine(8, 2)
    (chart,) = charts(parallel.cores(np.random.default_rng(1), where), where)
    assert chart.legend == ("within a node", "between nodes")
    assert chart.notes[0].startswith("The median pair takes 4")
    assert " within a node, " in chart.notes[0]


def test_hardware_threads_of_a_core_stand_together_and_are_told_apart():
    sockets = (((0, 2), (1, 3)), ((4, 6), (5, 7)))
    where = replace(parallel.machine(8, 1), sockets=sockets)
    cases = parallel.cores(np.random.default_rng(1), where)
    (matrix,) = cores(measured(cases), where)
    assert [int(name.removeprefix("CPU ")) for name in matrix.rows] == [0, 2, 1, 3, 4, 6, 5, 7]
    assert matrix.spans == (("socket 0", 0, 3), ("socket 1", 4, 7))
    assert (0, 1) in matrix.cores
    assert (1, 2) not in matrix.cores
    (chart,) = charts(cases, where)
    assert chart.legend == ("within a core", "within a socket", "between sockets")


def numa(count, where=None):
    where = where or parallel.machine(4 * count, count)
    (chart,) = charts(parallel.numa(np.random.default_rng(1), where), where)
    return chart


def words(panel):
    return " ".join(a["text"] for a in panel.layout["annotations"])


def test_a_machine_of_one_node_is_one_box_with_its_figures():
    (panel,) = numa(1).panels
    assert "CPUs 0–3<br>64 GiB<br>19.9 GB/s, 80." in words(panel)
    assert "This machine has one node" in numa(1).says


def test_four_nodes_have_their_words_on_every_edge_and_a_map_each_for_copies_and_loads():
    chart = numa(4)
    graph, copies, loads = chart.panels
    assert len(graph.layout["annotations"]) == 4 + 6
    assert re.search(r"12\.\d GB/s<br>distance 16", words(graph))
    assert z(copies.traces[0]).shape == z(loads.traces[0]).shape == (4, 4)
    assert copies.traces[0]["colorbar"]["title"]["text"] == "GB/s"
    assert "to another node 0.3" in chart.notes[0]


@pytest.mark.parametrize("count", [2, 3, 5, 16])
def test_any_number_of_nodes_has_a_place_for_each(count):
    graph = numa(count).panels[0]
    boxes = [a for a in graph.layout["annotations"] if "bordercolor" in a]
    assert len({(round(a["x"], 3), round(a["y"], 3)) for a in boxes}) == count
    assert len(graph.traces) == count * (count - 1) // 2 + 1


def test_near_nodes_are_joined_by_thicker_lines_when_there_is_no_room_for_words():
    graph = numa(8).panels[0]
    widths = [t["line"]["width"] for t in graph.traces if t["mode"] == "lines"]
    assert sum(width > 5 for width in widths) == 4
    assert any("0 → 1: 12." in text for text in graph.traces[-1]["text"])


def test_two_ways_that_differ_are_told_both():
    def copy(i, j, rate):
        return made.case(
            (made.sample([1e9 / rate] * 9),), benchmark="numa.copy", metric=parallel.BANDWIDTH,
            parameters={"node": i, "memory": j}, work=Work(bytes=1e9),
        )  # fmt: skip

    cases = [copy(0, 0, 20e9), copy(0, 1, 12e9), copy(1, 0, 6e9), copy(1, 1, 20e9)]
    (chart,) = charts(cases, parallel.machine(2, 2))
    assert "0 → 1: 12.0 GB/s<br>1 → 0: 6.00 GB/s<br>distance 16" in words(chart.panels[0])


def test_a_node_without_cpus_is_a_memory():
    where = made.machine(
        numa=(
            NumaNode(index=0, bytes=1 << 30, cpus=(0, 1), distances=(10, 20)),
            NumaNode(index=2, bytes=1 << 40, cpus=(), distances=(20, 10)),
        )
    )
    cases = [
        made.case(
            parameters={"node": 0, "memory": m}, benchmark="numa.copy", variant=None,
            metric=parallel.BANDWIDTH,
        )
        for m in (0, 2)
    ]  # fmt: skip
    (chart,) = charts(cases, where)
    assert "no CPUs<br>1 TiB" in words(chart.panels[0])
    assert z(chart.panels[1].traces[0]).shape == (1, 2)


def test_many_cpus_are_told_by_their_ranges():
    assert ranges([0, 1, 2, 3, 32, 34, 35]) == "0–3, 32, 34–35"
    assert ranges([]) == ""


def pingpong(hosts_, bytes_, seconds):
    return made.case(
        (made.sample([seconds] * 9),), benchmark="mpi.pingpong", metric=parallel.LATENCY,
        parameters={"bytes": bytes_, "place": "nodes", "hosts": hosts_}, variant="openmpi",
    )  # fmt: skip


def test_pairs_of_hosts_are_a_matrix_of_the_smallest_message_and_of_the_largest():
    cases = [
        pingpong(pair, size, 1e-5 * (i + 1) * (1 + size / 1000))
        for i, pair in enumerate(("n1+n2", "n1+n10", "n10+n2"))
        for size in (8, 1000, 100_000)
    ]
    small, large = hosts(measured(cases))
    assert (small.title, large.title) == ("ping-pong of 8 B, openmpi",
                                          "ping-pong of 100 kB, openmpi")  # fmt: skip
    assert small.rows == ("n1", "n2", "n10")
    assert small.between("n2", "n1") == small.between("n1", "n2") == "10.1"
    assert hosts(measured(cases[:3])) == []


def test_of_a_large_fleet_the_table_has_the_pairs_that_were_measured():
    ring = [(f"n{i}", f"n{(i + 1) % 200}") for i in range(200)]
    cases = [pingpong("+".join(pair), size, 2e-6) for pair in ring for size in (8, 1 << 20)]
    (chart,) = (c for c in charts(cases, made.machine()) if "every two hosts" in c.title)
    assert len(chart.rows) == 200
    assert chart.rows[:3] == tuple(
        (f"{a} and {b}", "2.00", "2.00") for a, b in (("n0", "n1"), ("n0", "n199"), ("n1", "n2"))
    )


def test_hosts_are_in_the_order_of_their_numbers():
    assert sorted(["n10", "n2", "a", "n1-b"], key=natural) == ["a", "n1-b", "n2", "n10"]


def test_a_run_has_all_its_matrices():
    run = parallel.parallel()
    things = [m.things for m in matrices(measured(run.cases), run.machine)]
    assert things == ["CPU", "node", "node", "host", "host"]
