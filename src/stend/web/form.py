"""What a page's form sends and its address asks, checked; and the page to go on with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from stend.comparing.fleet_figures import Wanted
from stend.errors import BadValue
from stend.record.text import LONGEST
from stend.store import Right
from stend.web.answers import fault_in
from stend.web.guard import refusal

KIND = "application/x-www-form-urlencoded"
LARGEST = 256 << 10
"""Bytes: thousands of runs that were picked."""
MOST = 5_000
"""Fields."""
WAYS_BACK = ("/runs", "/trash")
"""Pages, and what is below them, that one may be led back to."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of one form; of a name there can be several."""

    fields: dict[str, list[str]]

    def all(self, name: str) -> list[str]:
        """Each value that is not empty, once."""
        return list(dict.fromkeys(filter(None, self.fields.get(name, ()))))

    def runs(self) -> list[str]:
        """The runs that were picked.

        Raises:
            BadValue: there are none.
        """
        found = self.all("run")
        if not found:
            raise BadValue("No run is picked; pick one first.")
        return found

    def one(self, name: str) -> str:
        """The value, empty where there is none.

        Raises:
            BadValue: there are several.
        """
        found = self.fields.get(name, [""])
        if len(found) > 1:
            raise BadValue(f"The form has {name!r} {len(found)} times; send it once.")
        return found[0]


def led_back(asked: Request, removed: Sequence[str] = ()) -> Response:
    """Go on with the page that the form was on, which is told the ids of removed runs."""
    try:
        way = urlsplit(asked.query_params.get("back", ""))
    except ValueError:  # an address that is none
        way = urlsplit(WAYS_BACK[0])
    ours = any(way.path == page or way.path.startswith(f"{page}/") for page in WAYS_BACK)
    path = way.path if ours and not (way.scheme or way.netloc) else WAYS_BACK[0]
    stays = {name: values for name, values in parse_qs(way.query).items() if name != SAID}
    if removed:
        stays[SAID] = [",".join(removed)]
    query = urlencode(stays, doseq=True)
    return RedirectResponse(f"{quote(path)}?{query}" if query else quote(path), 303)


def own_address(asked: Request) -> str:
    """The address of a page as `led_back` takes it, without what it was told."""
    path: str = asked.scope["path"]  # its url is made with a header, Host
    pairs = [(name, value) for name, value in asked.query_params.multi_items() if name != SAID]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def removed_ids(asked: Request) -> list[str]:
    """The ids of removed runs that a page was led back to with."""
    said: str = asked.query_params.get(SAID, "")
    return said.split(",")


SAID = "removed"
"""What a page is told by the one before it: ids, joined with commas."""


def taking(
    right: Right, answer: Callable[[Request, Form], Response], most: int = LARGEST
) -> Callable[..., object]:
    """An answer to a form of at most so many bytes, which only who has this right gets."""

    async def answered(asked: Request) -> Response:
        refused = refusal(asked, right)
        if refused is not None:
            return refused
        return await run_in_threadpool(answer, asked, await _read(asked, most))

    return answered


async def _read(asked: Request, most: int) -> Form:
    if asked.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise HTTPException(415, f"Send a form here ({KIND}).")
    found = bytearray()
    async for part in asked.stream():
        found += part
        if len(found) > most:
            raise HTTPException(413, f"The form is too large; send at most {most:,} bytes.")
    try:
        fields = parse_qs(
            found.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST
        )
    except ValueError as error:
        raise BadValue(
            f"The form is not percent-encoded UTF-8 of at most {MOST} fields."
        ) from error
    return Form(fields)


T = TypeVar("T", bound=msgspec.Struct)

Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Size = Literal["quick", "full"]


class OfFleet(msgspec.Struct, forbid_unknown_fields=False):
    """Which runs stand for the machines."""

    days: Annotated[int, msgspec.Meta(ge=0, le=36500)] = 30
    """Runs of the last so many days; 0: of any."""
    label: Text | None = None
    session: Text | None = None
    size: Size | None = None

    def wanted(self) -> Wanted:
        """The same as the room of comparing takes it."""
        return Wanted(self.days or None, self.label, self.session, self.size)


def words_of(asked: Request, kind: type[T]) -> T:
    """The words of an address; a field of a form that was left empty is none, strangers are passed.

    Raises:
        BadValue: a word is not what it should be.
    """
    said = {name: word for name, word in asked.query_params.items() if word != ""}
    try:
        return msgspec.convert(said, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadValue(
            f"This address can't be read: {fault_in(error)}; fix or remove that."
        ) from error
