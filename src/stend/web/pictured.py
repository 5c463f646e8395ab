"""What a fleet shows, made once of the same runs: what is kept of these never changes."""

from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from stend.comparing.gathering import Wanted, fingerprint
from stend.comparing.picture import Picture, picture
from stend.comparing.two_days import Between, Changes, changes_of, paired
from stend.web.site import Site


def pictured(site: Site, wanted: Wanted) -> Picture:
    """The picture of the runs that are wanted now."""
    now = datetime.now(UTC)

    def made() -> bytes:
        with site.turns.taken():
            return msgspec.json.encode(picture(site.store, wanted, now))

    if wanted.group is not None:  # other runs of the session count, too
        return msgspec.json.decode(made(), type=Picture)
    of = ("fleet", replace(wanted, days=None), fingerprint(site.store, wanted, now))
    return msgspec.json.decode(site.kept.get(of, made), type=Picture)


def changed(site: Site, between: Between) -> Changes:
    """What changed between two days."""
    runs = paired(site.store, between)

    def made() -> bytes:
        with site.turns.taken():
            return msgspec.json.encode(changes_of(site.store, between, runs))

    return msgspec.json.decode(site.kept.get(("changes", between, runs), made), type=Changes)
