"""A server's address → the user's browser, until Ctrl-C; no command line has the address.

What a program is started with can be read by every user of the machine (`ps`). So the browser is
started with the name of a file that only its owner can read, and the file leads to the address.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from pathlib import Path

PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}">
<title>stend</title>
<p><a href="{address}">To the page</a></p>
"""


def show(address: str, run: Callable[[], None], browser: bool) -> None:
    """Print the address, lead a browser there, and answer until Ctrl-C."""
    print(f"{address}\nCtrl-C ends it.", flush=True)
    try:
        with redirect_to(address) if browser and _has_display() else nullcontext() as page:
            if page:  # what starts a browser may wait for its end, hence a thread
                threading.Thread(target=_open, args=(page,), daemon=True).start()
            run()
    except KeyboardInterrupt:
        print("\nEnded.")


@contextmanager
def redirect_to(address: str) -> Iterator[str]:
    """Give the address of such a file, mode 0600, which is removed at the end."""
    # mkstemp's mode, whatever the umask; its name can't be one that others laid ready.
    number, name = tempfile.mkstemp(prefix="stend-page-", suffix=".html")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(PAGE.format(address=escape(address)))
        yield Path(name).as_uri()
    finally:
        Path(name).unlink(missing_ok=True)


def _has_display() -> bool:
    """Whether a browser has where to be seen; one of the terminal would hide what is told there."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
