"""Renders a whole HTML page: a single file, or a page of a site.

What every page has is in `template/base.html`, and what a page stands in extends that. Without a
frame a page is a file that opens offline: style, scripts and charting library are in it, and a
policy lets nothing else run and no request leave. A site gives a `Frame` of its own, whose template
includes `linked.html` in its head: the same as links to what `static` has. No page has a style
attribute or a script that is not in `static`, so a site's policy can forbid them. Nothing of a
record becomes markup: templates escape, and data for the scripts is JSON without a character that
HTML could read.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from stend.report.charts.chart import Chart, Panel, spoken

Data = dict[str, Any]

_SCRIPTS = ("contents.js", "charts.js", "distribution.js", "scroll.js")
"""In the order in which they hear of events: before printing, what is folded opens, then charts."""


def environment(*loaders: BaseLoader) -> Environment:
    """Jinja's, for the templates of `loaders` and after them those of this room.

    It is made once and read by as many threads as like; nothing may be added to it later.
    """
    made = Environment(
        loader=ChoiceLoader([*loaders, PackageLoader("stend.report", "template")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"prose": _prose, "dotted": _dotted}
    made.globals |= {"spoken": spoken}
    return made


@dataclass(frozen=True, slots=True)
class Frame:
    """What a page stands in."""

    template: str
    """Extends `base.html`, or another that does."""
    environment: Environment
    values: Data = field(default_factory=dict)
    """What the frame's own template calls, beside the page's."""
    distribution: Callable[[str, int], str] | None = None
    """A run's id and a case's place in it → the address that has `page.distribution_of` it. None:
    the page has them in it."""


def render(
    template: str,
    title: str,
    charts: Iterable[tuple[str, Chart]],
    values: Data,
    frame: Frame | None = None,
) -> str:
    """The page that `template` makes of `values`, in a frame; without one it is a file.

    `charts` are all that the template shows by the macro `drawn`, each with its id in the page.
    """
    frame = frame or _file()
    assert not frame.values.keys() & values.keys(), "a frame calls its values otherwise than a page"
    return frame.environment.get_template(template).render(
        frame.values
        | values
        | {
            "frame": frame.template,
            "title": title,
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


@cache
def static() -> dict[str, bytes]:
    """The files that `linked.html` links, by their names."""
    texts = {"style.css": _part("style.css"), "page.js": _script(), "plotly.js": _plotly()}
    return {name: text.encode() for name, text in texts.items()}


@cache
def _file() -> Frame:
    scripts = [(_hash(text), Markup(text)) for text in (_plotly(), _script())]
    values = {"style": Markup(_part("style.css")), "scripts": scripts}
    return Frame("file.html", environment(), values)


@cache
def live() -> Frame:
    """Of a file that loads itself again; it has no charts."""
    script = _part("live.js")
    values = {"style": Markup(_part("style.css")), "scripts": [(_hash(script), Markup(script))]}
    return Frame("file.html", environment(), values)


def _prose(text: str) -> Markup:
    """A sentence whose `words in backticks` are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _dotted(name: str) -> Markup:
    """A benchmark's name that a narrow window breaks after its dots and nowhere else."""
    return Markup("<wbr>").join(re.split(r"(?<=\.)", name))


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def _script() -> str:
    return "".join(map(_part, _SCRIPTS))


def _part(name: str) -> str:
    return (files("stend.report") / "template" / name).read_text("utf-8")


@cache
def _plotly() -> str:
    """Plotly.js's bundle of charts with two axes, as its authors publish it (MIT licence)."""
    text = (files("stend.report") / "plotly" / "plotly-cartesian.min.js").read_text("utf-8")
    assert "</script" not in text.lower(), "it would end the page's script"
    return text
