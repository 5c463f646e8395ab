"""Debian's Chromium, asking the network for nothing of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from needed import needs

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What keeps Chromium from asking the network for things of its own."""


@contextmanager
def chromium(kind: Any, *words: str) -> Iterator[Any]:
    """Playwright's Chromium running, with further words of its command line."""
    path = needs("chromium", "chromium")
    running = kind.launch(executable_path=path, args=[*_QUIET, *words])
    try:
        yield running
    finally:
        running.close()
