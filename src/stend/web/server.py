"""A server for one store, from binding its port to Ctrl-C."""

import importlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_address
from threading import Thread
from typing import TYPE_CHECKING

from stend.errors import BadValue, SetupError
from stend.web.settings import Settings

if TYPE_CHECKING:
    from stend.store import Store


WAITING = 128
"""Connections that may wait to be taken."""
PATIENCE = 3
"""Seconds that answers under way have to end."""


class Server:
    """Bound when it is made, so that `address` is good; answers while it runs."""

    def __init__(self, store: "Store", settings: Settings) -> None:
        """Bind the port.

        Raises:
            SetupError: what `.[web]` installs is not there.
            BadValue: the port is taken, or not ours to take.
        """
        for library in ("fastapi", "uvicorn", "markdown_it"):
            _need(library)
        import uvicorn

        from stend.web.application import application
        from stend.web.connections import Listening, with_limits
        from stend.web.guard import Guard
        from stend.web.site import Site

        self._socket = _bound(settings)
        settings = replace(settings, port=self._socket.getsockname()[1])
        site = Site(store, settings)
        key = f"?key={site.authentication.key}" if settings.own_machine else ""
        self.url, self.address = settings.url, f"{settings.url}/{key}"
        self.listening = replace(settings, origin="").url
        """Where a proxy finds it."""
        config = uvicorn.Config(
            Guard(application(site), settings, site.authentication),
            http=with_limits(settings.limits),
            ws="none",
            backlog=WAITING,
            log_level="critical",  # answers.py tells of what fails, and of what others do, nobody
            access_log=False,
            lifespan="off",
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=settings.limits.patience,
            timeout_graceful_shutdown=PATIENCE,
        )
        self._server = Listening(config)
        self._site = site

    def run(self) -> None:
        """Answer until `stop`, or raise KeyboardInterrupt after Ctrl-C, all connections closed."""
        Thread(target=self._site.warm, daemon=True).start()
        try:
            with _hangup_as_ctrl_c(self.stop):
                self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            self._site.close()

    def stop(self) -> None:
        """End `run`, of another thread."""
        self._server.should_exit = True


@contextmanager
def _hangup_as_ctrl_c(stop: Callable[[], None]) -> Iterator[None]:
    """Stop when the terminal is closed.

    uvicorn hears SIGINT and SIGTERM only, and an exception that is raised just anywhere can be
    taken by a request's task for its own.
    """
    before = signal.getsignal(signal.SIGHUP)
    here = threading.current_thread() is threading.main_thread()
    if not here or before is signal.SIG_IGN:
        yield
        return
    heard = False

    def hear(*_: object) -> None:
        nonlocal heard
        heard = True
        stop()

    signal.signal(signal.SIGHUP, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
    if heard:
        signal.raise_signal(signal.SIGHUP)


def _need(library: str) -> None:
    try:
        importlib.import_module(library)
    except ImportError as error:
        raise SetupError(
            f"The server needs {library}: `pip install '.[web]'` in the project's folder "
            "installs it."
        ) from error


def _bound(settings: Settings) -> socket.socket:
    six = ip_address(settings.address).version == 6
    listening = socket.socket(socket.AF_INET6 if six else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.address, settings.port))
    except OSError as error:
        listening.close()
        raise BadValue(
            f"{settings.address} port {settings.port} can't be used ({error.strerror}); name "
            "another, or 0 for any free port."
        ) from error
    listening.listen(WAITING)
    return listening
