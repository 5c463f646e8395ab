"""One run: the report's page of it, or as it grows; several of them on one page."""

from datetime import datetime

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.comparing import publications, stored_history
from stend.errors import BadValue, Damaged
from stend.record import Run
from stend.report.frame import Frame
from stend.report.page import distribution_of, page
from stend.store import Cursor, Query, Right, Store, Summary
from stend.web.addresses import of_history, of_run
from stend.web.api.live import AT_ONCE, line, running, under_way
from stend.web.form import own_address
from stend.web.guard import needs
from stend.web.site import DISTRIBUTION, site_of, visitor_of
from stend.web.verdicts import PUBLISHED, find_run, shown, shown_kept

MOST = 8
"""Runs on one page."""


def routes() -> list[BaseRoute]:
    """A run by any of its names, its distributions, several; the active runs, and one."""
    return [
        Route("/runs/{name}", needs(Right.READ, _one)),
        Route("/report", needs(Right.READ, _several)),
        Route(DISTRIBUTION.format("{id}", "{place:int}"), needs(Right.READ, _distribution)),
        Route("/live", needs(Right.READ, _active_runs)),
        Route("/live/{run}", needs(Right.READ, _active_run)),
    ]


def _one(asked: Request) -> Response:
    name = asked.path_params["name"]
    if name.startswith(PUBLISHED):
        return _published(asked, name)
    may_write = visitor_of(asked).right.includes(Right.WRITE)
    try:
        return _stored(asked, name, may_write)
    except Damaged as error:
        values = {"title": "A damaged run", "sentence": str(error), "name": name}
        return site_of(asked).page(asked, "damaged.html", values | {"may_write": may_write}, 503)


def _stored(asked: Request, name: str, may_write: bool) -> Response:
    store = site_of(asked).store
    run = store.head(name)
    if run.id != name:
        return RedirectResponse(of_run(run.id), 303)
    values = {
        "run": run,
        "before": _before(store, run),
        "here": own_address(asked),
        "may_write": may_write,
    }
    of = store.state(run.id) if run.finished else None
    return shown_kept(
        asked, of, lambda frame: page([store.load(name)], frame=frame), "run_actions.html", values
    )


def _before(store: Store, run: Run) -> Summary | None:
    """The last run of its machine and its size that began earlier."""
    query = Query(host=run.machine.host, size=run.size, until=datetime.fromisoformat(run.started))
    found = store.listing(query, 1).runs if run.machine.host else ()
    return found[0] if found else None


def _published(asked: Request, name: str) -> Response:
    run = publications.run(name)
    values = {"name": name}
    return shown_kept(
        asked, name, lambda frame: page([run], frame=frame), "published_actions.html", values
    )


def _several(asked: Request) -> Response:
    names = list(dict.fromkeys(asked.query_params.getlist("run")))
    if not 1 <= len(names) <= MOST:
        raise BadValue(f"A page shows 1 to {MOST} runs, but {len(names)} are named; give run=….")
    store = site_of(asked).store

    def made(frame: Frame) -> str:
        runs = [find_run(store, name) for name in names]
        return page(runs, stored_history(store, runs), frame)

    return shown(asked, made)


def _distribution(asked: Request) -> Response:
    site = site_of(asked)
    with site.turns.taken():
        run = site.store.load(asked.path_params["id"])
        place = asked.path_params["place"]
        shown = distribution_of(run, place)
    case = run.cases[place]
    history = of_history(case.benchmark, case.parameters, case.variant, run.machine.host)
    return Response(
        msgspec.json.encode(shown | {"history": history}),
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )


def _active_runs(asked: Request) -> Response:
    site = site_of(asked)
    return site.page(asked, "live.html", {"title": "Live", "runs": under_way(site.store)})


def _active_run(asked: Request) -> Response:
    """One that has ended is shown as it ended."""
    site, name = site_of(asked), asked.path_params["run"]
    found = next((one for one in site.store.progress.under_way() if one.id == name), None)
    if found is None:
        return RedirectResponse(of_run(name), 303)
    news = site.store.news(found.id, Cursor(), AT_ONCE)
    values = {
        "title": found.label or f"Run {found.id[:8]}",
        "run": running(found),
        "lines": [line(case) for case in reversed(news.cases)],
        "after": f"{news.place.case}-{news.place.sample}",
    }
    return site.page(asked, "live_run.html", values)
