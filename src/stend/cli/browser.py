"""The user's browser, where it has a display."""

import os
import sys
import threading


def has_display() -> bool:
    """Whether a browser window can be shown; one in the terminal would hide stend's output."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def open_browser(address: str) -> None:
    """Open an address, in a thread: what starts a browser may wait until it ends."""
    threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
