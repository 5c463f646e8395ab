"""Where runs are stored. Only this room knows SQL."""

from stend.store.access import OWNER, Right, Token
from stend.store.audit import Entry
from stend.store.listing import Choices, Listing, Query, Summary
from stend.store.names import Kind
from stend.store.newest import Newest
from stend.store.progress import ActiveRun, Cursor, RunUpdate
from stend.store.store import Store
from stend.store.time_series import Derivation, Filter, Past, Series
from stend.store.trash import Removals, Removed, Trash
from stend.store.uploads import Upload

__all__ = [
    "OWNER",
    "ActiveRun",
    "Choices",
    "Cursor",
    "Derivation",
    "Entry",
    "Filter",
    "Kind",
    "Listing",
    "Newest",
    "Past",
    "Query",
    "Removals",
    "Removed",
    "Right",
    "RunUpdate",
    "Series",
    "Store",
    "Summary",
    "Token",
    "Trash",
    "Upload",
]
