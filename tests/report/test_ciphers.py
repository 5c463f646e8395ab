"""Cycles a byte of the ciphers, beside the published processors."""

import json

import pytest

import made
from stend.comparing import estimate, publications
from stend.record import Metric, Numbers, Work
from stend.report.charts import draw
from stend.report.measured_case import Measured, limits

HZ = 3e9


def case(mode, cycles, size=16384, cipher="kuznyechik", variant="avx512", hz=HZ, **also):
    """One whose every byte takes so many cycles."""
    parameters = {"mode": mode, "size": size, "offset": 0, "threads": 1} | also
    bytes = size * parameters["threads"]
    seconds = cycles * size / HZ
    samples = tuple(
        made.sample([seconds * (1 + 0.001 * i) for i in range(9)], p,
                    also={"frequency Hz": Numbers([hz] * 9)})
        for p in range(3)
    )  # fmt: skip
    return made.case(
        samples, benchmark=f"gost.{cipher}", variant=variant, parameters=parameters,
        metric=Metric(name="rate", unit="B/s", better="higher"), work=Work(bytes=bytes),
    )  # fmt: skip


def charts(*cases):
    found = [Measured(i, c, e) for i, c in enumerate(cases) if (e := estimate(c))]
    return {c.title: c for c in draw(found, limits(made.machine(), found))}


@pytest.fixture
def chart():
    return charts(
        case("ecb", 2.125), case("ecb", 26.5, variant="portable"), case("ctr", 1.875, size=1 << 26),
        case("cbc", 17.25), case("ctr", 1.875, size=1 << 26, threads=2),
    )["gost: Kuznyechik"]  # fmt: skip


def bars(panel):
    """Label → length."""
    names = panel.layout["yaxis"]["ticktext"]
    return {names[y]: x for trace in panel.traces for x, y in zip(trace["x"], trace["y"],
            strict=True)}  # fmt: skip


def test_bars_are_cycles_a_byte_of_the_usual_length_beside_the_published_ones(chart):
    parallel, sequential = chart.panels
    assert bars(parallel)["ECB, avx512"] == pytest.approx(2.125, rel=0.01)
    assert bars(parallel)["ECB, portable"] == pytest.approx(26.5, rel=0.01)
    assert bars(parallel)["Elbrus-16C"] == 4.2
    assert not any("CTR" in name for name in bars(parallel))
    assert bars(sequential)["CBC, avx512"] == pytest.approx(17.25, rel=0.01)
    assert bars(sequential)["Elbrus-16C"] == 11


def test_out_of_place_the_longest_messages_are_shown_and_told():
    (chart,) = charts(
        case("ecb", 2.125), case("ecb-out-of-place", 2.2, size=1 << 20),
        case("ecb-out-of-place", 2.5, size=1 << 26),
    ).values()  # fmt: skip
    (panel,) = chart.panels
    (name,) = [name for name in bars(panel) if "out of place" in name]
    assert name.replace("<br>", " ") == "ECB out of place, 64 MiB, avx512"
    assert bars(panel)[name] == pytest.approx(2.5, rel=0.01)


def test_the_fastest_is_on_top(chart):
    for panel in chart.panels:
        lengths = list(bars(panel).values())
        by_place = [x for _, x in sorted(zip(
            [y for t in panel.traces for y in t["y"]], lengths, strict=True))]  # fmt: skip
        assert by_place == sorted(by_place, reverse=True)


def test_the_table_has_every_case_and_every_published_figure(chart):
    names = [row[0] for row in chart.rows]
    figures = [f for f in publications.ciphers() if f.cipher == "kuznyechik"]
    assert len(names) == len(set(names)) == 5 + len(figures)
    for panel in chart.panels:
        json.dumps([panel.traces, panel.layout], allow_nan=False)


def test_a_slow_variant_neither_shrinks_the_other_bars_nor_is_shown_as_a_fast_one():
    slow = charts(case("ecb", 2.125), case("ecb", 1383.4, variant="reference"))
    panel, *_ = slow["gost: Kuznyechik"].panels
    assert bars(panel)["ECB, reference"] == 3 * 10.9
    figures = [text for trace in panel.traces for text in trace["text"]]
    (cut,) = [text for text in figures if text.endswith("→")]
    assert float(cut.removesuffix(" →")) == pytest.approx(1383.4, rel=0.01)
    assert "e+" not in cut
    assert panel.layout["xaxis"]["range"][1] < 50


def test_the_figure_beside_the_longest_bar_has_room(chart):
    for panel in chart.panels:
        assert panel.layout["xaxis"]["range"][1] >= 1.3 * max(bars(panel).values())


def test_the_chart_says_how_long_the_messages_were(chart):
    assert "messages of 16 KiB" in chart.says
    assert "about 1 GB" in chart.says


def test_two_threads_are_told_as_cycles_of_each_core(chart):
    (row,) = [row for row in chart.rows if "threads=2" in row[0]]
    assert row[2] == "1.88"


def lengths(mode, sizes=(16, 256, 4096, 65536), cycles=2.0, **also):
    return [case(mode, cycles + 200 / size, size=size, **also) for size in sizes]


def test_several_lengths_are_a_line_for_each_mode_the_slowest_on_top():
    drawn = charts(*lengths("ctr"), *lengths("cbc-decrypt", cycles=3), case("ecb", 2.1))
    chart = drawn["gost: Kuznyechik by length"]
    (panel,) = chart.panels
    assert [trace["name"] for trace in panel.traces] == ["CBC decryption", "CTR"]
    assert chart.legend == ("CBC decryption", "CTR")
    assert panel.traces[0]["x"] == [16, 256, 4096, 65536]
    assert chart.columns == ("mode", "16 B", "256 B", "4 KiB", "64 KiB")
    assert chart.rows[1][3:] == ("2.06", "2.01")
    assert charts(*lengths("ctr", (16, 64)))["gost: Kuznyechik"]
    assert "gost: Kuznyechik by length" not in charts(*lengths("ctr", (16, 64)))


def test_a_line_is_of_one_variant_the_one_of_most_lengths():
    once = case("ctr", 1.0, size=4096, variant="tables")
    (trace,) = charts(once, *lengths("ctr"))["gost: Kuznyechik by length"].panels[0].traces
    assert trace["y"] == pytest.approx([14.5, 2.78, 2.05, 2.0], rel=0.01)


def test_lengths_are_drawn_of_the_fastest_variant_whatever_the_order():
    slow = lengths("ctr", variant="portable", cycles=40)
    for cases in ((*lengths("ctr"), *slow), (*slow, *lengths("ctr"))):
        (trace,) = charts(*cases)["gost: Kuznyechik by length"].panels[0].traces
        assert trace["y"] == pytest.approx([14.5, 2.78, 2.05, 2.0], rel=0.01)
        assert all("CTR, avx512, " in text for text in trace["text"])


def test_labels_of_lengths_do_not_touch():
    sizes = (16, 64, 256, 1024, 4096, 16384, 1 << 20, 64 << 20, 10**9)
    axis = charts(*lengths("ctr", sizes))["gost: Kuznyechik by length"].panels[0].layout["xaxis"]
    assert axis["tickvals"] == list(sizes)
    assert axis["ticktext"] == ["16 B", "", "256 B", "", "4 KiB", "", "1 MiB", "64 MiB", "1 GB"]


def test_without_a_published_figure_the_fastest_bar_is_the_yardstick():
    slow = charts(case("cbc", 30.0, cipher="magma"),
                  case("cbc", 450.0, cipher="magma", variant="reference"))  # fmt: skip
    (panel,) = slow["gost: Magma"].panels
    assert bars(panel)["CBC, reference"] == pytest.approx(180, rel=0.01)


def test_the_source_is_cited_by_its_title(chart):
    assert "Magma and Kuznyechik on Elbrus”, Habr, 17.06.2021" in chart.says


def test_a_case_without_the_frequency_is_drawn_as_any_other():
    unknown = case("ecb", 2.1, hz=float("nan"))
    assert "gost: Kuznyechik" not in charts(unknown)
    assert any("gost" in title for title in charts(unknown))


def test_the_published_figures_are_those_of_the_literature():
    figures = publications.ciphers()
    best = {
        (cipher, processing): min(
            f.cycles_per_byte for f in figures if (f.cipher, f.processing) == (cipher, processing)
        )
        for cipher in ("kuznyechik", "magma")
        for processing in ("parallel", "sequential")
        if any((f.cipher, f.processing) == (cipher, processing) for f in figures)
    }
    assert best[("kuznyechik", "parallel")] == 4.2
    assert best[("kuznyechik", "sequential")] == 9.9
    assert best[("magma", "parallel")] == 2.8
