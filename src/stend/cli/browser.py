"""The user's browser, where it has a display."""

import os
import sys
import threading


def has_display() -> bool:
    """Whether a browser has where to be seen; one of the terminal would hide what is told there."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def open_browser(address: str) -> None:
    """Lead the browser to an address; what starts one may wait for its end, hence a thread."""
    threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
