"""Where runs are kept: records in, the same records out. Only this room knows SQL."""

from stend.store.finding import Summary
from stend.store.store import Store

__all__ = ["Store", "Summary"]
