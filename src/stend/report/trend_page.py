"""The page of trends: an HTML file that opens offline, or a page of a site (frame.py)."""

from pathlib import Path

from stend.record.files import write_whole
from stend.report import trend_sentences
from stend.report.charts import trend
from stend.report.frame import Frame, render
from stend.trends.machine import Followed

BEGINNING = b"<!doctype html>"


def write(followed: Followed, path: Path) -> None:
    """Write the page; a file of that name is replaced only when the new one is complete.

    Raises:
        OutputError: the file can't be written.
    """
    write_whole(path, page(followed).encode(errors="replace"), BEGINNING)


def page(followed: Followed, frame: Frame | None = None, template: str = "trend.html") -> str:
    """The whole page as text: a file, or in a site's frame, of a template that extends ours."""
    charts = [(f"trend-{i}", trend.draw(one)) for i, one in enumerate(followed.trends)]
    values = {"followed": followed, "drawings": charts, "trended": trend_sentences}
    return render(template, followed.metric, charts, values, frame)
