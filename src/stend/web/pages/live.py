"""Active runs: a list, and one as it grows; live.js asks for what is new."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from stend.store import Cursor, Right
from stend.web.addresses import of_run
from stend.web.api.live import AT_ONCE, line, running, under_way
from stend.web.guard import needs
from stend.web.site import site_of


def routes() -> list[BaseRoute]:
    """The list, and one."""
    return [
        Route("/live", needs(Right.READ, _listed)),
        Route("/live/{run}", needs(Right.READ, _one)),
    ]


def _listed(asked: Request) -> Response:
    site = site_of(asked)
    return site.page(asked, "live.html", {"title": "Live", "runs": under_way(site.store)})


def _one(asked: Request) -> Response:
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
