"""The text of fio's options, as its JSON repeats them → numbers; None where it can't be read.

fio tells each option by its main name (`bs` for `blocksize`), and none that was given without a
value (`norandommap`, `time_based`).
"""

import re
from collections.abc import Mapping

Options = Mapping[str, str]

_SIZE = re.compile(r"(\d+|0x[0-9a-f]+)\s*(?:([kmgtp])(i?))?b?", re.IGNORECASE)
_POWERS = {None: 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_TIME = re.compile(r"(\d+)\s*(d|h|m|s|ms|us)?", re.IGNORECASE)
_SECONDS = {"d": 86400, "h": 3600, "m": 60, None: 1, "s": 1, "ms": 1e-3, "us": 1e-6}


def size(text: str, base: int = 1024) -> int | None:
    """Bytes of `4k`, `4096`, `4096B` or `0x1000`.

    HOWTO, kb_base: unless told otherwise fio takes `4k` for 4096, and `4KiB` for 4000; with a
    base of 1000 it takes both as the standards do.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found or len(found[1]) > 15:
        return None
    prefix = found[2].lower() if found[2] else None
    other = 1000 if base == 1024 else 1024
    factor: int = (other if found[3] else base) ** _POWERS[prefix]
    return int(found[1], 16 if found[1][:2].lower() == "0x" else 10) * factor


def seconds(text: str) -> float | None:
    """Seconds of `10`, `10s` or `5m`."""
    found = _TIME.fullmatch(text.strip())
    if not found or len(found[1]) > 9:
        return None
    return int(found[1]) * _SECONDS[found[2].lower() if found[2] else None]


def whole(text: str) -> int | None:
    """A whole number of at most nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def is_set(options: Options, name: str) -> bool:
    """Whether an option that is on or off is on; one without a value is."""
    return options.get(name, "0") not in ("0", "false")


def base_of(options: Options) -> int:
    """How many bytes fio takes a `k` for."""
    return 1000 if options.get("kb_base") == "1000" else 1024
