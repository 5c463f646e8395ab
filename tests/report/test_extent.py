"""Of very many cases a chart shows as many as can be read, and says which; nothing is lost."""

import made
from stend.comparing import Verdict, compare
from stend.report.charts import draw
from stend.report.charts.group import MOST_LINES, MOST_ROWS
from stend.report.comparison_page import sections_of
from stend.report.page import page
from stend.report.views import tables


def _sweep(lines, sizes):
    """A case for each line and size, which take a little longer each."""
    seconds = iter(range(10_000))
    return tuple(
        made.case(
            tuple(made.sample([1e-3 + 1e-6 * n] * 3, i) for i in range(3)),
            benchmark="memory.write",
            parameters={"size": 1 << (12 + size), "again": f"no. {line}"},
        )
        for line in range(lines)
        for size in range(sizes)
        for n in [next(seconds)]
    )


def _drawn(*cases):
    (chart,) = draw([row.measured for t in tables(made.run(cases), "") for row in t.rows])
    return chart


def test_a_chart_of_very_many_lines_draws_the_first_whole_ones_and_says_so():
    chart = _drawn(*_sweep(40, 5))
    (traces, *_) = (panel.traces for panel in chart.panels)
    assert [len(trace["x"]) for trace in traces] == [5] * MOST_LINES
    assert len(chart.rows) == 5 * MOST_LINES
    assert chart.notes[-1].startswith(f"The chart shows the first {MOST_LINES} of 40 lines;")


def test_a_chart_that_can_be_read_says_nothing_of_that():
    chart = _drawn(*_sweep(MOST_LINES, 5))
    assert chart.notes == ()


def test_a_chart_of_a_row_a_case_has_the_first_rows_and_says_so():
    cases = tuple(made.case(benchmark=f"own.case{n}", parameters={}) for n in range(600))
    chart = _drawn(*cases)
    assert len(chart.rows) == MOST_ROWS
    assert sum(len(trace["y"]) for trace in chart.panels[0].traces) == MOST_ROWS
    assert chart.notes == (
        f"The chart shows the first {MOST_ROWS} of 600 cases; the figures below have all.",
    )


def test_the_table_behind_a_chart_of_long_lines_has_the_first_rows_and_says_so():
    cases = tuple(
        made.case(parameters={"elements": 1000 + n}, variant=name)
        for name in ("plain", "wide")
        for n in range(0, 30_000, 100)
    )
    chart = _drawn(*cases)
    assert len(chart.rows) == MOST_ROWS
    assert "the first 500 of 600 rows; the figures below have all." in chart.notes[-1]


def test_every_case_of_a_chart_that_is_cut_has_its_row_in_the_page():
    run = made.run(tuple(made.case(benchmark=f"own.case{n}", parameters={}) for n in range(550)))
    text = page([run])
    assert all(f'id="run-0-case-{n}-row"' in text for n in range(550))


def test_of_very_many_cases_a_comparison_shows_what_moved_and_then_the_largest_changes(monkeypatch):
    monkeypatch.setattr("stend.report.comparison_page.MOST", 12)
    a = made.run(_sweep(4, 5), id="a" * 32)
    slower = {3: 4.0, 17: 1.2}
    cases = tuple(
        made.case(
            tuple(made.sample([1e-3 * slower.get(n, 1 + n * 1e-4)] * 3, i) for i in range(3)),
            benchmark=case.benchmark,
            parameters=case.parameters,
        )
        for n, case in enumerate(a.cases)
    )
    comparison = compare(a, made.run(cases, id="b" * 32))
    (section,) = sections_of([comparison])
    shown = [r.judgement for f in section.folds for g in f.groups for r in g.rows]
    assert section.left == 8
    assert len(shown) == 12
    moved = {row.name for row in comparison.rows if row.verdict is Verdict.SLOWER}
    assert {a.cases[3].name, *moved} <= {row.name for row in shown}
    least = min(abs(row.ratio - 1) for row in shown if row.ratio)
    left = [row for row in comparison.rows if row.name not in {one.name for one in shown}]
    assert all(abs(row.ratio - 1) <= least for row in left if row.ratio)
