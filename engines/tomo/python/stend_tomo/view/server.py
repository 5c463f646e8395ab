"""A server on loopback for one scan or volume, from binding its port to Ctrl-C."""

import importlib
import secrets
import socket
from typing import TYPE_CHECKING

from stend_tomo.errors import BadOption, Missing
from stend_tomo.view.connections import Guard
from stend_tomo.view.source import Watched

if TYPE_CHECKING:
    from pathlib import Path

    from stend_tomo.view.application import Shown


LOOPBACK = "127.0.0.1"
WAITING = 32
"""Connections that may wait to be taken; all that do are taken at once."""
PATIENCE = 1
"""Seconds that answers under way have to end."""


class Server:
    """Bound when it is made, so that `address` is good; answers while it runs."""

    def __init__(self, shown: "Shown", port: int = 0, file: "Path | None" = None) -> None:
        """Bind the port, any free one for 0; the page tells when the file is not the same any more.

        Raises:
            Missing: starlette or uvicorn is not installed.
            BadOption: the port is taken, or not ours to take.
        """
        for library in ("starlette", "uvicorn"):
            _need(library)
        import uvicorn

        from stend_tomo.view.application import application
        from stend_tomo.view.connections import FewIdle

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
            f"The viewer needs {library}: `pip install 'stend-tomo[view]'` installs it."
        ) from error


def _bound(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
    except OSError as error:
        listening.close()
        raise BadOption(
            f"Port {port} can't be used ({error.strerror}); name another, or 0 for a free one."
        ) from error
    listening.listen(WAITING)
    return listening
