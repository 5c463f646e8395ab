"""Where runs are kept: records in, the same records out. Only this room knows SQL."""

from stend.store.finding import Summary
from stend.store.naming import Kind
from stend.store.over_time import Derivation, Filter, Past, Series
from stend.store.rights import Right
from stend.store.store import Store

__all__ = ["Derivation", "Filter", "Kind", "Past", "Right", "Series", "Store", "Summary"]
