"""What msgspec says of words that are not as they should be → part of a sentence."""

from stend.printable import printable


def fault_in(error: Exception) -> str:
    """Its `Fault - at `$.name`` with the name alone, no capital and no full stop."""
    said = printable(str(error)).replace(" - at `$.", ", at `").replace(" - at `$`", "")
    return (said[:1].lower() + said[1:]).rstrip(".")
