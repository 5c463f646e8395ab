"""A store and the runs that are compared → what other stored runs tell, read when asked."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stend.errors import StoreError

if TYPE_CHECKING:
    from stend.comparing import Medians
    from stend.record import Run


class StoredHistory:
    """What runs of these machines differ by when nothing was changed, for `compare`.

    It can be read through several times. A store that can't be read tells nothing: run files can
    be compared without any.
    """

    def __init__(self, store: str | None, of: "Sequence[Run]") -> None:
        self._store = store
        self._of = of

    def __iter__(self) -> "Iterator[Medians]":
        """Those that were made as the compared ones were, then others."""
        from stend.comparing import stored_history
        from stend.store import Store as Runs

        try:
            with Runs.open(self._store, create=False) as runs:
                told = stored_history(runs, self._of)
        except StoreError:
            return
        yield from told
