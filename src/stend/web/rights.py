"""What a page or an operation takes: asked before it is answered."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from stend.store import Right
from stend.web.answers import problem
from stend.web.site import visitor_of

Answer = Callable[[Request], Response]


def needs(right: Right, answer: Answer) -> Answer:
    """An answer that only who has this right gets."""

    def answered(asked: Request) -> Response:
        return refusal(asked, right) or answer(asked)

    return answered


def refusal(asked: Request, right: Right) -> Response | None:
    """None where the visitor may; else what they are told."""
    visitor = visitor_of(asked)
    if visitor.right.includes(right):
        return None
    if not visitor.name:
        return problem(asked, 401, "This takes a token, and none was shown.")
    return problem(
        asked, 403, f"This takes the right to {right}, and {visitor.name} may {visitor.right}."
    )
