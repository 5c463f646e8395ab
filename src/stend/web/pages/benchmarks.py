"""The benchmarks by suite and family, and the page of each as docs/benchmarks has it."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.benchmarks.definition import Benchmark
from stend.benchmarks.pages import page
from stend.benchmarks.registry import SUITES, find, load, named
from stend.record import family_of
from stend.store import Query, Right
from stend.web.guard import needs
from stend.web.site import site_of


def routes() -> list[BaseRoute]:
    """The list, and one."""
    return [
        Route("/benchmarks", needs(Right.READ, _listed)),
        Route("/benchmarks/{name}", needs(Right.READ, _one)),
    ]


def _listed(asked: Request) -> Response:
    site = site_of(asked)
    search = asked.query_params.get("search", "").strip()
    every = find(())
    found = [one for one in every if _says(one, search.casefold().split())]
    values = {
        "title": "Benchmarks",
        "search": search,
        "total": len(every),
        "found": len(found),
        "groups": list(_grouped(found)),
        "broken": load()[1],
        "measured": set(site.store.choices().benchmarks),
    }
    return site.page(asked, "benchmarks.html", values)


def _says(benchmark: Benchmark, words: Sequence[str]) -> bool:
    suites = [suite for suite, of in SUITES.items() if family_of(benchmark.name) in of]
    text = " ".join((benchmark.name, benchmark.question, *suites)).casefold()
    return all(word in text for word in words)


def _grouped(found: Sequence[Benchmark]) -> Iterator[tuple[str, str, list[Benchmark]]]:
    """Each family with its suite, empty where it is in none; suites come first."""
    suite_of = {family: suite for suite, members in SUITES.items() for family in members}
    order = list(suite_of)

    def place(one: Benchmark) -> int:
        family = family_of(one.name)
        return order.index(family) if family in order else len(order)

    for family, members in groupby(sorted(found, key=place), lambda one: family_of(one.name)):
        yield suite_of.get(family, ""), family, list(members)


def _one(asked: Request) -> Response:
    site = site_of(asked)
    name = asked.path_params["name"]
    benchmark = named(name)
    # Its source is this package, but "html": False all the same: others' plug-ins write pages too.
    text = MarkdownIt("commonmark", {"html": False}).enable("table").render(page(benchmark))
    listing = site.store.listing(Query(benchmark=benchmark.name), 1)
    values = {
        "title": benchmark.name,
        "text": Markup(text),
        "runs": listing.total,
        "last": listing.runs[0] if listing.runs else None,
    }
    return site.page(asked, "benchmark.html", values)
