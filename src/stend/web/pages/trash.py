"""Removed runs: put back, or forgotten for good."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from stend.store import Right
from stend.web.form import Form, led_back, own_address, taking
from stend.web.guard import needs
from stend.web.pages.runs import AT_ONCE
from stend.web.site import site_of, visitor_of


def routes() -> list[BaseRoute]:
    """The list, and what is done with its runs."""
    return [
        Route("/trash", needs(Right.READ, _listed)),
        Route("/trash/restore", taking(Right.WRITE, _restore), methods=["POST"]),
        Route("/trash/forget", taking(Right.ADMIN, _forget), methods=["POST"]),
    ]


def _listed(asked: Request) -> Response:
    site, right = site_of(asked), visitor_of(asked).right
    after = asked.query_params.get("after")
    values = {
        "title": "Removed runs",
        "listing": site.store.trash.listing(AT_ONCE, after),
        "after": after,
        "here": own_address(asked),
        "may_write": right.includes(Right.WRITE),
        "may_forget": right.includes(Right.ADMIN),
    }
    return site.page(asked, "trash.html", values)


def _restore(asked: Request, form: Form) -> Response:
    """Where one of the names is wrong no run is put back."""
    trash, by = site_of(asked).store.trash, visitor_of(asked)
    for id in [trash.id_of(name) for name in form.runs()]:
        trash.restore(id, by.name, by.address)
    return led_back(asked)


def _forget(asked: Request, form: Form) -> Response:
    by = visitor_of(asked)
    site_of(asked).store.trash.empty(form.runs(), by.name, by.address)
    return led_back(asked)
