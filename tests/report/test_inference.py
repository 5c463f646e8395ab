"""U-Net inference: times beside the published ones, time by layer, shares of the peak."""

import io
import json
import re
from itertools import pairwise

import pytest
from msgspec.structs import replace
from rich.console import Console

import made
from report.unet_runs import FLOPS, PEAK, case, classic, peak, unet
from stend.comparing import compare, estimate, publications
from stend.record import from_json, to_json
from stend.report import terminal, views
from stend.report.charts import draw
from stend.report.inference import aligned, depth, parts, path
from stend.report.measured_case import Measured, limits


def charts(*cases):
    found = [Measured(i, c, e) for i, c in enumerate(cases) if (e := estimate(c))]
    return {c.title: c for c in draw(found, limits(made.machine(), found))}


@pytest.fixture(scope="module")
def drawn():
    return charts(*unet().cases)


BARS, LAYERS = "unet: an image of 256×256", "unet: the layers of an image of 256×256"


def lengths(panel):
    """The bars of a panel by name, the shortest first."""
    names = panel.layout["yaxis"]["ticktext"]
    bars = {
        names[y]: x
        for t in panel.traces
        if t["type"] == "bar"
        for x, y in zip(t["x"], t["y"], strict=True)
    }  # fmt: skip
    return dict(sorted(bars.items(), key=lambda bar: bar[1]))


def test_the_published_times_are_the_sources_and_name_it():
    found = {f.processor: f.seconds for f in publications.inference()}
    assert found == {
        "elbrus-4c": 4.45, "elbrus-8c": 2.45, "elbrus-8cb": 0.81, "threadripper-3970x": 0.61,
    }  # fmt: skip
    assert all("Smart Tomo Engine" in f.cited for f in publications.inference())


def test_published_bars_stand_beside_one_core_in_float32_and_nowhere_else(drawn):
    panels = {panel.title: panel for panel in drawn[BARS].panels}
    assert list(panels) == ["float32, 1 thread", "float32, 2 threads", "bf16, 1 thread"]
    one = lengths(panels.pop("float32, 1 thread"))
    assert list(one)[:2] == ["winograd-avx512", "onnxruntime"]
    assert one["Elbrus-8CB (8SV), 1.5 GHz"] == 0.81
    assert one["AMD Ryzen Threadripper 3970X, 3.7–4.5 GHz"] == 0.61
    assert not any("GHz" in name for panel in panels.values() for name in lengths(panel))


def test_a_precision_of_one_figure_is_a_sentence_and_no_panel(drawn):
    (said,) = drawn[BARS].notes
    assert re.fullmatch(r"bf16x3, 1 thread: only \S+ was measured, [\d.]+ ms an image\.", said)


def test_no_panel_and_no_axis_of_layers_mixes_precisions(drawn):
    known = {c.variant: c.benchmark.partition(".")[2] for c in unet(peaks=False).cases}
    for panel in drawn[BARS].panels:
        mine = {known[name] for name in lengths(panel) if name in known}
        assert mine == {panel.title.partition(",")[0]}
    for panel in drawn[LAYERS].panels:
        variants = [t["text"][0].partition("<br>")[0] for t in panel.traces]
        assert {known[v] for v in variants} == {panel.title}
    assert "different work" in drawn[BARS].says


def test_onnx_runtime_has_a_bar_of_its_own_colour_and_no_layers(drawn):
    here, there, peer, *_ = drawn[BARS].panels[0].traces
    assert drawn[BARS].legend[2] == "this machine, ONNX Runtime"
    assert (len(here["x"]), len(there["x"]), len(peer["x"])) == (4, 4, 1)
    assert len({t["marker"]["color"] for t in (here, there, peer)}) == 3
    assert "onnxruntime" not in drawn[LAYERS].legend


def test_a_measured_bar_has_its_interval_and_a_published_one_none(drawn):
    here, there, _, words, *_ = drawn[BARS].panels[0].traces
    assert all(x > 0 for x in here["error_x"]["array"] + here["error_x"]["arrayminus"])
    assert "error_x" not in there
    ends = [x + up for x, up in zip(here["x"], here["error_x"]["array"], strict=True)]
    assert words["x"] == ends, "figures begin where whiskers end"


def test_images_of_another_size_have_no_published_times_beside():
    (chart,) = charts(case("direct", 2.0, side=512)).values()
    assert chart.title == "unet: an image of 512×512"
    assert list(lengths(chart.panels[0])) == ["direct"]
    assert "published" not in (*chart.legend, chart.says)


def test_layers_stand_in_the_order_they_run_under_their_path(drawn):
    names = drawn[LAYERS].panels[0].layout["yaxis"]["ticktext"]
    assert [n for n in names if not n.startswith("<b>")] == list(classic())
    heads = {n: names[i + 1] for i, n in enumerate(names) if n.startswith("<b>")}
    assert heads == {
        "<b>contracting path</b>": "down0.conv1",
        "<b>bottom</b>": "down4.conv1",
        "<b>expanding path</b>": "up3.transposed",
    }


def test_what_one_computes_as_one_is_added_up_of_the_other(drawn):
    """`blas` tells of the pooling by itself, the others with the convolution before it."""
    panel = drawn[LAYERS].panels[0]
    row = panel.layout["yaxis"]["ticktext"].index("down1.conv2 + pool2")
    blas, _, winograd = (t["x"][t["y"].index(row)] for t in panel.traces)
    share = classic()["down1.conv2 + pool2"] / FLOPS
    assert blas == pytest.approx(410 * share, rel=1e-6)  # ms
    assert winograd == pytest.approx(134 * share, rel=1e-6)


def test_parts_that_overlap_become_one_row():
    def told(*names):
        made_up = case("direct", 1.0, layers=dict.fromkeys(names, 1.0))
        return parts(Measured(0, made_up, estimate(made_up)))

    rows = aligned([told("a + b", "c", "d"), told("a", "b + c", "d"), told("d")])
    assert [[p.name if p else None for p in row] for row in rows] == [
        ["a + b + c", "a + b + c", None],
        ["d", "d", "d"],
    ]


def test_the_path_is_told_by_the_layers_names_alone():
    layers = ["input", "down0.conv1", "pool1", "down1.conv1", "up0.transposed", "output", "down"]
    deepest = depth(layers)
    assert [path(x, deepest) for x in layers] == ["", "down", "down", "bottom", "up", "", ""]


def test_a_layers_rate_is_its_direct_convolution_over_its_time(drawn):
    rows = [r for r in drawn[LAYERS].rows if "[winograd-avx512]" in r[0]]
    assert [r[1] for r in rows] == list(classic())
    assert {r[4] for r in rows} == {"718 GFLOP/s"}  # every layer took its share of 134 ms
    assert {r[5] for r in rows} == {"2.71 ×"}


def test_only_the_fastest_are_drawn_and_the_others_named(drawn):
    assert "reference" not in drawn[LAYERS].legend
    assert "reference" in drawn[LAYERS].notes[0]


def row_of(run, variant, threads=1):
    rows = [row for table in views.tables(run, "") for row in table.rows]
    return next(r for r in rows if r.variant == variant
                and r.measured.case.parameters["threads"] == threads)  # fmt: skip


def test_a_share_is_of_the_same_runs_peak_on_as_many_threads():
    one, two = (row_of(unet(), "winograd-avx512", n).limits for n in (1, 2))
    assert one == {"peak": f"{100 * 30e9 / 0.134 / PEAK:.3g}%"}
    assert two == {"peak": f"{100 * 30e9 / 0.07 / (2 * PEAK):.3g}%"}


def test_nothing_is_a_part_of_a_peak_that_does_not_bound_it():
    assert row_of(unet(), "amx-bf16").limits == {}
    rows = [row for table in views.tables(unet(), "") for row in table.rows]
    told = [share for row in rows for share in row.limits.values()]
    assert told
    assert all(float(share.rstrip("%")) <= 100 for share in told)


def test_without_a_peak_of_as_many_threads_there_is_no_share():
    assert row_of(unet(peaks=False), "winograd-avx512").limits == {}
    others = made.run((peak(2), case("winograd-avx512", 0.134, layers=classic())))
    assert row_of(others, "winograd-avx512").limits == {}
    for chart in charts(*others.cases).values():
        assert "of peak" not in chart.columns
        assert "peak" not in chart.says


def test_the_tables_of_figures_tell_no_layers_and_a_comparison_compares_none():
    out = io.StringIO()
    terminal.print_run(unet(), Console(file=out, width=80))
    assert "conv" not in out.getvalue()
    assert "multiplied 30.0 GFLOP" in out.getvalue()
    assert len(compare(unet(), unet()).rows) == len(unet().cases)


def test_the_order_of_layers_outlives_a_file(drawn):
    again = from_json(to_json(unet()), type(unet()))
    assert charts(*again.cases)[LAYERS].rows == drawn[LAYERS].rows


def test_odd_figures_and_names_are_drawn_as_well():
    names = dict.fromkeys(["<b>x", "down0." + "9" * 5000, "down" + "9" * 5000], 1.0)
    odd = case("a", 5e-9, layers=names)
    charts_drawn = charts(odd, replace(odd, variant="b", parameters={"side": "256"}))
    assert "&lt;b&gt;x" in charts_drawn[LAYERS].panels[0].layout["yaxis"]["ticktext"]
    for chart in charts_drawn.values():
        for panel in chart.panels:
            json.dumps([panel.traces, panel.layout], allow_nan=False)
            ticks = panel.layout["xaxis"].get("tickvals", [1, 2])
            assert all(a < b for a, b in pairwise(ticks))


def test_the_end_of_a_wide_interval_is_on_the_axis():
    seconds = (0.03, 0.07, 0.9)
    of_each = [case("winograd", s, side=64).samples[i] for i, s in enumerate(seconds)]
    wide = replace(case("winograd", 0.07, side=64), samples=tuple(of_each))
    low, high = estimate(wide).ends
    assert high > 5 * estimate(wide).value > 5 * low
    [panel] = charts(wide)["unet: an image of 64×64"].panels
    shortest, longest = (10**end for end in panel.layout["xaxis"]["range"])
    assert shortest < low < high < longest
    whiskers = panel.traces[0]["error_x"]
    assert panel.traces[0]["x"][0] + whiskers["array"][0] == pytest.approx(high)
    assert panel.traces[0]["x"][0] - whiskers["arrayminus"][0] == pytest.approx(low)
