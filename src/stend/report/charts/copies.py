"""Chart of threads of one program next to copies of it, at equal counts.

Copies share no arrays and never wait for one another; what they reach beyond as many threads is
what sharing costs.
"""

from collections.abc import Sequence

from stend.report.charts import scaling
from stend.report.charts.chart import Chart
from stend.report.charts.group import Group

_COPIES = ".copies"
"""What the stem of the copies has after that of the threads."""


def pairs(groups: Sequence[Group]) -> list[tuple[Group, Group]]:
    """Each group of threads with the one of the copies of the same programs."""
    copies = {(g.stem, g.unit): g for g in groups if _counted(g, "copies")}
    return [
        (g, copies[g.stem + _COPIES, g.unit])
        for g in groups
        if g.workers == "threads" and (g.stem + _COPIES, g.unit) in copies
    ]


def draw(threads: Group, copies: Group) -> Chart:
    """Both along their number; each line is of threads or of copies."""
    both = threads.part([*threads.members, *copies.members])
    apart = [n for n in both.varied if n not in threads.varied and n not in copies.varied]
    return scaling.drawn(
        both,
        "threads and copies",
        lambda m, what: ", ".join(
            filter(None, [
                both.series_of(m, "threads", "copies", *apart, what=what),
                "copies" if "copies" in m.case.parameters else "threads",
            ])
        ),
        says="Copies are whole programs, each with its own arrays: the difference to as "
                "many threads is the cost of sharing.",
    )  # fmt: skip


def _counted(group: Group, name: str) -> bool:
    return all(type(m.case.parameters.get(name)) is int for m in group.members)
