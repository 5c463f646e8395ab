"""A server on loopback for one scan or volume, from binding its port to Ctrl-C; and the browser.

What a program is started with can be read by every user of the machine (`ps`). So the browser is
started with the name of a file that only its owner can read, and the file leads to the address.
"""

import importlib
import os
import secrets
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from stend_tomo.errors import BadOption, Missing, printable

if TYPE_CHECKING:
    from stend_tomo.view.application import Shown


PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}">
<title>stend</title>
<p><a href="{address}">To the page</a></p>
"""
LOOPBACK = "127.0.0.1"
WAITING = 32
"""Connections that may wait to be taken; all that do are taken at once."""
PATIENCE = 1
"""Seconds that answers under way have to end."""


class Server:
    """Bound when it is made, so that `address` is good; answers while it runs."""

    def __init__(self, shown: "Shown", port: int = 0, file: Path | None = None) -> None:
        """Bind the port, any free one for 0; the page tells when the file is not the same any more.

        Raises:
            Missing: starlette or uvicorn is not installed.
            BadOption: the port is taken, or not ours to take.
        """
        for library in ("starlette", "uvicorn"):
            _need(library)
        import uvicorn

        from stend_tomo.view.application import application
        from stend_tomo.view.connections import FewIdle, Guard

        secret = secrets.token_urlsafe(16)
        self._shown = shown
        self._socket = _bound(port)
        self.address = f"http://{LOOPBACK}:{self._socket.getsockname()[1]}/{secret}/"
        settings = uvicorn.Config(
            Guard(application(shown, Watched(file) if file else None), secret),
            http=FewIdle,
            ws="none",
            backlog=WAITING,
            log_level="error",  # below, it tells what others asked wrongly
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=PATIENCE,
        )
        self._server = uvicorn.Server(settings)

    def run(self) -> None:
        """Answer until `stop`, or raise KeyboardInterrupt after Ctrl-C, all connections closed."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            self._shown.close()

    def stop(self) -> None:
        """End `run`, of another thread."""
        self._server.should_exit = True


def _need(library: str) -> None:
    try:
        importlib.import_module(library)
    except ImportError as error:
        raise Missing(
            f"The viewer needs {library}: install it with `pip install 'stend-tomo[view]'`."
        ) from error


def _bound(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
    except OSError as error:
        listening.close()
        raise BadOption(
            f"Port {port} can't be used ({error.strerror}); give another, or 0 for any free one."
        ) from error
    listening.listen(WAITING)
    return listening


class Watched:
    """A file or folder as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path, self._name = path.absolute(), printable(path.name)
        self._then = self._now()

    def fault(self) -> str | None:
        """Say what happened to it; None while it is the same.

        Of a folder's images only coming and going is seen.
        """
        now = self._now()
        if now == self._then:
            return None
        what = "was removed" if now is None else "has changed"
        return f"{self._name} {what} since it was opened: restart stend-tomo view."

    def said(self, text: str) -> str:
        """Tell what went wrong with it: it was opened by the path that people know."""
        return text

    def _now(self) -> tuple[int, int, int] | None:
        try:
            told = self._path.stat()
        except OSError:
            return None
        return told.st_ino, told.st_mtime_ns, 0 if self._path.is_dir() else told.st_size


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
