"""What a visitor changes of the stored runs, which notes each deed in the audit log."""

from collections.abc import Sequence

from stend.store import Store
from stend.web.visitor import Visitor


def relabel(store: Store, visitor: Visitor, name: str, label: str) -> str:
    """Give a run another label, and give its id."""
    return store.relabel(name, label, visitor.name, visitor.address)


def remove(store: Store, visitor: Visitor, names: Sequence[str]) -> list[str]:
    """Move runs to where they can be put back from, and give their ids.

    Raises:
        UnknownName: there is none of one of the names; no run was moved.
    """
    ids = [store.id_of(name) for name in names]
    return [store.trash.put(id, visitor.name, visitor.address) for id in ids]


def restore(store: Store, visitor: Visitor, names: Sequence[str]) -> list[str]:
    """Put removed runs back, and give their ids.

    Raises:
        UnknownName: there is none of one of the names; no run was put back.
    """
    ids = [store.trash.id_of(name) for name in names]
    return [store.trash.restore(id, visitor.name, visitor.address) for id in ids]


def forget(store: Store, visitor: Visitor, ids: Sequence[str]) -> int:
    """Forget removed runs for good, and give how many they were."""
    return store.trash.empty(ids, visitor.name, visitor.address)
