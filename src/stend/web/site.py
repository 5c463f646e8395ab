"""What every page and every part of the API shares: the store, the settings, the templates."""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stend import __version__
from stend.record.text import LONGEST, ago, clock, minute
from stend.report import frame as report
from stend.report.frame import Frame
from stend.store import Store
from stend.web import addresses
from stend.web.compute_slots import CpuLoad, Kept, Turns
from stend.web.settings import Settings
from stend.web.spool import Spool
from stend.web.visitor import Authentication, Visitor

if TYPE_CHECKING:
    from stend.web.scans import Scans

PAGES = (
    ("/runs", "Runs"),
    ("/live", "Live"),
    ("/fleet", "Fleet"),
    ("/machines", "Machines"),
    ("/history", "History"),
    ("/changes", "Changes"),
    ("/benchmarks", "Benchmarks"),
)
"""What stands on top of each page."""
TOMOGRAPHY = ("/tomography", "Tomography")
DISTRIBUTION = "/runs/{}/distributions/{}"
"""Of a run's id and a case\'s place in it."""
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class Site:
    """One server's pages."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.turns = Turns()
        self.kept = Kept()
        self.cpu_load = CpuLoad()
        self.spool = Spool()
        self.scans = _scans(settings, self.turns)
        self.authentication = Authentication(store, settings)
        self._templates = _environment()

    def page(
        self, asked: Request, template: str, values: Mapping[str, Any], status: int = 200
    ) -> Response:
        """Render a template of this room's, or of the report's, as an answer."""
        frame = self.frame(asked)
        text = frame.environment.get_template(template).render({**frame.values, **values})
        return HTMLResponse(text, status, {"cache-control": "no-store"})

    def warm(self) -> None:
        """Load what the first page of a run would wait for, most of a second in all."""
        for name in self._templates.list_templates(["html"]):
            self._templates.get_template(name)
        import_module("stend.report.page")

    def close(self) -> None:
        """End what is under way for nobody any more."""
        self.turns.close()
        if self.scans is not None:
            self.scans.close()

    def frame(self, asked: Request) -> Frame:
        """What a page of the report's stands in on this site."""
        shared = {
            "visitor": visitor_of(asked),
            "pages": PAGES if self.scans is None else (*PAGES, TOMOGRAPHY),
            "path": asked.scope["path"],
            "way_back": way_back(asked),
        }
        return Frame("site.html", self._templates, shared, DISTRIBUTION.format)


def _scans(settings: Settings, turns: Turns) -> "Scans | None":
    if settings.scans is None:
        return None
    from stend.web.scans import Scans  # tomography is loaded where it is asked for

    return Scans(settings.scans, turns.taken)


def site_of(asked: Request) -> Site:
    """The site that a request is to."""
    found: Site = asked.app.state.site
    return found


def visitor_of(asked: Request) -> Visitor:
    """Who sent it; the guard found out."""
    found: Visitor = asked.scope["visitor"]
    return found


def way_back(asked: Request) -> str:
    """Where one is, to come back to; the beginning, where that shows nothing."""
    if asked.method not in ("GET", "HEAD"):
        return "/"
    path, query = asked.scope["raw_path"], asked.scope["query_string"]
    said: bytes = path + b"?" + query if query else path
    return said.decode("latin-1")


@cache
def static() -> dict[str, bytes]:
    """The files that pages link to, by their address, which changes with what they hold."""
    folder = files("stend.web") / "static"
    own = {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}
    found = report.static() | own
    return {f"/static/{_digest(content)}/{name}": content for name, content in found.items()}


def linked(name: str) -> str:
    """The address of such a file."""
    return next(path for path in static() if path.endswith(f"/{name}"))


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()[:9]).decode()


@cache
def _environment() -> Environment:
    environment = report.environment(PackageLoader("stend.web", "template"))
    environment.filters |= {"back": lambda here: urlencode({"back": here})}
    environment.globals |= {"linked": linked, "version": __version__, "to": addresses}
    environment.globals |= {"ago": ago, "clock": clock, "minute": minute}
    environment.globals |= {"longest_label": LONGEST}
    return environment
