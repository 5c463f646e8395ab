"""What a page's address asks, after its question mark, checked against what the page takes."""

from typing import Annotated, Literal, TypeVar

import msgspec
from starlette.requests import Request

from stend.comparing.fleet_figures import Wanted
from stend.errors import BadValue
from stend.record.text import LONGEST
from stend.web.answers import fault_in

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
