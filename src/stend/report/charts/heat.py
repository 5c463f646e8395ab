"""Heat maps: dark is little, bright is much, in colours that any eye tells apart."""

from collections.abc import Sequence

import numpy as np

from stend.report.charts.chart import Listing, Panel, Plot, label, table
from stend.report.matrices import Matrix, Span

COLOURS = "Cividis"
"""Nuñez, Anderton and Renslow 2018: alike for every colour vision, even in lightness."""
_LIMIT = 0.995
"""Share of the cells whose own colour the scale has: one odd cell would leave one for the rest."""
_LEAST_SPAN = 1.3
"""The scale reaches at least so many times its beginning, or noise would look like a pattern."""
_GAPS = 40
"""Up to so many lines there is a gap between cells."""
_TICKS = 16
_CELL, _AROUND = 34, 96
"""Pixels of a line, and of what is around the map."""
_LOWEST, _HIGHEST = 190, 560
_WIDEST = 130
"""Pixels of a cell, so that a matrix of two lines does not fill the page."""


def panel(matrix: Matrix, title: str = "") -> Panel:
    """Cells in order of the lines; the page writes their numbers in where they fit."""
    by = matrix.scale
    z = matrix.values * by.factor
    rows, columns = ([label(n) for n in names] for names in (matrix.rows, matrix.columns))
    unit = label(by.unit)
    low, high = _ends(matrix)
    gap = 1 if len(columns) <= _GAPS else 0
    trace: Plot = {
        "type": "heatmap",
        "x": columns,
        "y": rows,
        "z": table(z),
        "colorscale": COLOURS,
        "zmin": low * by.factor,
        "zmax": high * by.factor,
        "xgap": gap,
        "ygap": gap,
        "hoverongaps": False,
        "texttemplate": "%{z:.3r}",
        "hovertemplate": f"%{{y}} → %{{x}}<br><b>%{{z:.4r}} {unit}</b><extra></extra>",
        "colorbar": {
            "thickness": 12,
            "outlinewidth": 0,
            "len": 1,
            "title": {"text": unit, "font": {"size": 12}},
        },
    }
    down, across = matrix.ends
    layout: Plot = {
        "xaxis": _axis(columns, matrix, across),
        "yaxis": _axis(rows, matrix, down) | {"autorange": "reversed"},
        "height": min(max(_AROUND + _CELL * len(rows), _LOWEST), _HIGHEST),
        "margin": {"l": 56, "r": 16, "t": 26 if matrix.spans else 8, "b": 44},
        "shapes": _borders(matrix.spans),
        "annotations": _names(matrix.spans),
        "meta": {"widest": 160 + _WIDEST * len(columns)},
    }
    return Panel([trace], layout, title)


def listing(matrix: Matrix) -> Listing:
    """The matrix as a table of words."""
    first, across = matrix.ends
    rows, columns = (
        [n.removeprefix(f"{matrix.things} ") for n in x] for x in (matrix.rows, matrix.columns)
    )
    return Listing(
        f"{matrix.title}, {matrix.scale.unit}; {first} downwards, {across} across",
        (matrix.things, *columns),
        tuple(
            (name, *(matrix.cell(i, j) for j in range(len(columns)))) for i, name in enumerate(rows)
        ),
    )


def clipped(matrix: Matrix) -> float | None:
    """From where on all cells have the brightest colour; None where each has its own."""
    top = _top(matrix)
    return top if top < float(matrix.known.max()) else None


def _ends(matrix: Matrix) -> tuple[float, float]:
    low, high = float(matrix.known.min()), _top(matrix)
    if not 0 < high < _LEAST_SPAN * low:
        return low, high
    middle = low**0.5 * high**0.5  # their product may be too large
    return middle / _LEAST_SPAN**0.5, middle * _LEAST_SPAN**0.5


def _top(matrix: Matrix) -> float:
    """The end of the scale: the largest, but for few that are far beyond the rest."""
    known = matrix.known
    most, usual = float(known.max()), float(np.quantile(known, _LIMIT))
    return most if most <= 2 * usual else usual


def _axis(names: Sequence[str], matrix: Matrix, title: str) -> Plot:
    """Ticks without the word that the title has; of many lines only every so manieth."""
    shown = names[:: -(-len(names) // _TICKS)]
    return {
        "type": "category",
        "title": {"text": title},
        "tickvals": shown,
        "ticktext": [n.removeprefix(f"{matrix.things} ") for n in shown],
        "showgrid": False,
    }


def _borders(spans: Sequence[Span]) -> list[Plot]:
    """Lines between what does not lie together."""
    shapes = []
    for _, begin, _ in spans[1:]:
        for along, across in (("x", "y"), ("y", "x")):
            ends = {f"{along}0": begin - 0.5, f"{along}1": begin - 0.5, f"{across}ref": "paper"}
            ends |= {f"{across}0": 0, f"{across}1": 1}
            shapes.append({"type": "line", "line": {"color": "--card", "width": 3}} | ends)
    return shapes


def _names(spans: Sequence[Span]) -> list[Plot]:
    """What lies together is named above the map."""
    few = len(spans) <= 8
    return [
        {
            "x": (begin + end) / 2,
            "y": 1,
            "yref": "paper",
            "yanchor": "bottom",
            "showarrow": False,
            "text": name if few else name.rpartition(" ")[2],
            "font": {"size": 11.5, "color": "--soft"},
        }
        for name, begin, end in spans
    ]
