"""What a screen reader says of a chart."""

import numpy as np

from stend.report.charts.chart import Chart, Panel, column, spoken, table


def chart(*traces, legend=(), **layout):
    return Chart("Rates", "By size.", (Panel(list(traces), layout),), (), (), legend)


def test_a_series_is_told_by_its_ends_and_its_extremes_in_its_unit():
    line = {"type": "scatter", "x": [1, 2, 3], "y": column([2.0, 8.0, 4.0]), "name": "avx2"}
    said = spoken(chart(line, yaxis={"title": {"text": "GB/s"}}))
    assert said == (
        "Rates. avx2: 3 points from 2 to 4, lowest 2, highest 8 (GB/s). "
        "The figures are in the table that follows."
    )


def test_bars_that_lie_are_told_along_their_length_and_a_colour_by_its_legend():
    bars = {"type": "bar", "orientation": "h", "x": [5, 3], "y": ["a", "b"],
            "marker": {"color": "--s1"}}  # fmt: skip
    said = spoken(chart(bars, legend=("here", "there"), xaxis={"title": {"text": "ns"}}))
    assert "there: 2 points from 5 to 3, lowest 3, highest 5 (ns)." in said


def test_a_heat_map_is_told_without_its_blanks():
    heat = {"type": "heatmap", "z": table(np.array([[1.0, np.nan], [3.0, 7.0]]))}
    assert "One series: 3 points from 1 to 7, lowest 1, highest 7." in spoken(chart(heat))


def test_of_many_series_the_first_are_told_and_the_others_counted():
    lines = [{"type": "scatter", "y": [n], "name": f"s{n}"} for n in range(20)]
    said = spoken(chart(*lines))
    assert "s11: 11." in said
    assert "s12" not in said
    assert "And 8 series more." in said


def test_series_without_a_number_are_not_told():
    words = {"type": "scatter", "y": ["a", None, float("nan")]}
    assert spoken(chart(words)) == "Rates. The figures are in the table that follows."
