"""What a visitor changes of the stored runs; each deed is in the audit log."""

from collections.abc import Sequence

from stend.store import Store
from stend.web.visitor import Visitor


def relabel(store: Store, visitor: Visitor, name: str, label: str) -> str:
    """Give a run another label, and give its id."""
    found = store.relabel(name, label)
    store.audit.note(visitor.name, visitor.address, "run label", found, label)
    return found


def remove(store: Store, visitor: Visitor, names: Sequence[str]) -> list[str]:
    """Move runs to where they can be put back from, and give their ids."""
    found = []
    for name in names:
        found.append(store.trash.put(name, visitor.name))
        store.audit.note(visitor.name, visitor.address, "run remove", found[-1])
    return found


def restore(store: Store, visitor: Visitor, names: Sequence[str]) -> list[str]:
    """Put removed runs back, and give their ids."""
    found = []
    for name in names:
        found.append(store.trash.restore(name))
        store.audit.note(visitor.name, visitor.address, "run restore", found[-1])
    return found


def forget(store: Store, visitor: Visitor, ids: Sequence[str]) -> int:
    """Forget removed runs for good, and give how many they were."""
    count = store.trash.empty(ids)
    for run_id in ids:
        store.audit.note(visitor.name, visitor.address, "run forget", run_id)
    return count
