"""What one may do on a server: each right holds those before it."""

from enum import StrEnum


class Right(StrEnum):
    """In this order: who may write may read."""

    NONE = "none"
    READ = "read"
    """Look at runs and compare them."""
    WRITE = "write"
    """Send runs, label and remove them."""
    ADMIN = "admin"
    """Give and revoke tokens, read the audit log, remove runs for good."""

    def includes(self, other: "Right") -> bool:
        """Whether who has this may do what takes the other."""
        order = list(Right)
        return order.index(self) >= order.index(other)
