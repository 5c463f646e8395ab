"""An address with a secret → a file for the browser, so that no command line has the address.

What a program is started with can be read by every user of the machine (`ps`). So the browser is
started with the name of a file that only its owner can read, and the file leads to the address.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}">
<title>stend tomo view</title>
<p><a href="{address}">To the viewer</a></p>
"""


@contextmanager
def redirect_to(address: str) -> Iterator[str]:
    """Give the address of such a file, mode 0600, which is removed at the end."""
    # mkstemp's mode, whatever the umask; its name can't be one that others laid ready.
    number, name = tempfile.mkstemp(prefix="stend-view-", suffix=".html")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(PAGE.format(address=escape(address)))
        yield Path(name).as_uri()
    finally:
        Path(name).unlink(missing_ok=True)
