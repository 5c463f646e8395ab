"""The benchmarks, and the page of each as docs/benchmarks has it."""

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.guide import page
from stend.registry import find
from stend.store import Right
from stend.web.rights import needs
from stend.web.site import site_of


def routes() -> list[BaseRoute]:
    """The list, and one."""
    return [
        Route("/benchmarks", needs(Right.READ, _listed)),
        Route("/benchmarks/{name}", needs(Right.READ, _one)),
    ]


def _listed(asked: Request) -> Response:
    values = {"title": "Benchmarks", "benchmarks": find(())}
    return site_of(asked).page(asked, "benchmarks.html", values)


def _one(asked: Request) -> Response:
    name = asked.path_params["name"]
    (benchmark,) = find((name,))
    # Its source is this package, but "html": False all the same: others' plug-ins write pages too.
    text = MarkdownIt("commonmark", {"html": False}).enable("table").render(page(benchmark))
    values = {"title": benchmark.name, "text": Markup(text)}
    return site_of(asked).page(asked, "benchmark.html", values)
