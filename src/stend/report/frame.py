"""A template, its values and its charts → a whole HTML page that opens offline.

The page's frame (`template/frame.html`) is one for every page that stend writes: style, scripts,
the charting library, and a policy that lets no script run but these and no request leave. A
template extends it and fills its blocks. Nothing of a record becomes markup: templates escape, and
data for the scripts is JSON without a character that HTML could read.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from stend.report.charts.chart import Chart, Panel
from stend.report.charts.spoken import spoken

Data = dict[str, Any]


def render(
    template: str, title: str, charts: Iterable[tuple[str, Chart]], values: Data, library: Data
) -> str:
    """The page that `template` makes of `values`, with what it calls in `library`.

    `charts` are all that the template shows by the macro `drawn`, each with its id in the page.
    """
    plotly, script = _plotly(), _part("page.js") + _part("contents.js") + _part("scroll.js")
    environment = _environment()
    environment.globals |= library
    return environment.get_template(template).render(
        values
        | {
            "title": title,
            "style": Markup(_part("style.css")),
            "plotly": Markup(plotly),
            "script": Markup(script),
            "hashes": [_hash(plotly), _hash(script)],
            "charts": in_script({id: list(map(drawing, c.panels)) for id, c in charts}),
        }
    )


def drawing(panel: Panel) -> Data:
    """A panel as the page's script draws it."""
    return {"title": panel.title, "data": panel.traces, "layout": panel.layout}


def in_script(value: Any) -> Markup:
    """JSON in which no character could end the script or begin markup."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("stend.report", "template"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": _prose, "dotted": _dotted}
    environment.globals |= {"spoken": spoken}
    return environment


def _prose(text: str) -> Markup:
    """A sentence whose `words in backticks` are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _dotted(name: str) -> Markup:
    """A benchmark's name that a narrow window breaks after its dots and nowhere else."""
    return Markup("<wbr>").join(re.split(r"(?<=\.)", name))


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def _part(name: str) -> str:
    return (files("stend.report") / "template" / name).read_text("utf-8")


@cache
def _plotly() -> str:
    """Plotly.js's bundle of charts with two axes, as its authors publish it (MIT licence)."""
    text = (files("stend.report") / "plotly" / "plotly-cartesian.min.js").read_text("utf-8")
    assert "</script" not in text.lower(), "it would end the page's script"
    return text
