"""What a page or an operation takes: asked before it is answered."""

from collections.abc import Callable
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stend.store import Right
from stend.web.answers import of_api, problem
from stend.web.site import visitor_of, way_back

Answer = Callable[[Request], Response]


def needs(right: Right, answer: Answer) -> Answer:
    """An answer that only who has this right gets."""

    def answered(asked: Request) -> Response:
        return refusal(asked, right) or answer(asked)

    return answered


def refusal(asked: Request, right: Right) -> Response | None:
    """None where the visitor may; else what they are told, or where they can show a token."""
    visitor = visitor_of(asked)
    if visitor.right.includes(right):
        return None
    if visitor.name:
        said = f"This takes the right to {right}, and {visitor.name} may {visitor.right}."
        return problem(asked, 403, said)
    if asked.method in ("GET", "HEAD") and not of_api(asked):
        return RedirectResponse("/login?" + urlencode({"next": way_back(asked)}), 303)
    said = "This takes a token, and none was shown."
    return problem(asked, 401, said, {"www-authenticate": "Bearer"})
