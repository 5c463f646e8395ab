"""The picture of a fleet, drawn once of the same runs: what is kept of these never changes."""

from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from stend.comparing.gathering import Wanted, newest
from stend.comparing.picture import Picture, picture
from stend.web.site import Site


def pictured(site: Site, wanted: Wanted) -> Picture:
    """The picture of the runs that are wanted now."""
    now = datetime.now(UTC)

    def made() -> bytes:
        with site.turns.taken():
            return msgspec.json.encode(picture(site.store, wanted, now))

    of = ("fleet", replace(wanted, days=None), tuple(newest(site.store, wanted, now)))
    return msgspec.json.decode(site.kept.get(of, made), type=Picture)
