"""A PostgreSQL server of the tests' own, which can be killed as a machine's failure kills it."""

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from needed import needs


class Postgresql:
    """An empty server that listens to a socket in a folder of its own."""

    def __init__(self, fsync: bool = False) -> None:
        """Start it; without `fsync` it survives a kill, and no failure of the system."""
        self._tools = _newest_tools()
        # Not in pytest's own folder, which only its owner may enter: root runs it as user postgres.
        self.folder = Path(tempfile.mkdtemp(prefix="stend-postgresql-"))
        self._as_owner = _as_postgres(self.folder)
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self.folder}",
            f"fsync={'on' if fsync else 'off'}",
        ]
        self._settings = [word for setting in settings for word in ("-c", setting)]
        made = self._command("initdb", "-A", "trust", "--no-sync", "-U", "postgres")
        subprocess.run(made, check=True, capture_output=True, cwd="/")
        self.start()

    @property
    def url(self) -> str:
        """Of its database, in which nothing is."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            command = self._command("postgres", *self._settings)
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        while subprocess.run([self._tools / "pg_isready", "-q", "-h", self.folder]).returncode:
            if self._process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill all of its processes at once, as they are."""
        self._process.send_signal(signal.SIGSTOP)  # so that it begins no more of them
        with self._children() as children:
            self._process.kill()
            for child in children:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(child, signal.SIGKILL)
            self._process.wait()

    def remove(self) -> None:
        """End it, and remove what it has."""
        with self._children():
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
        shutil.rmtree(self.folder)

    @contextmanager
    def _children(self) -> Iterator[list[int]]:
        """What refers to each of the first process's children; waits until all of them ended.

        One that is left has the data still open, so that no other server starts with it.
        """
        first = self._process.pid
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        found = []
        try:
            for child in children:
                with suppress(ProcessLookupError):  # a worker may end as soon as it is listed
                    found.append(os.pidfd_open(int(child)))
            yield found
            for child in found:
                select.select([child], [], [])
        finally:
            for child in found:
                os.close(child)

    def _command(self, tool: str, *words: str) -> list[str]:
        return [*self._as_owner, str(self._tools / tool), "-D", str(self.folder / "data"), *words]


def _newest_tools() -> Path:
    """Debian keeps the server's programs out of the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]))
    return found[-1].parent if found else Path(needs("initdb", "postgresql")).parent


def _as_postgres(folder: Path) -> list[str]:
    if os.geteuid() != 0:
        return []
    shutil.chown(folder, "postgres", "postgres")
    return [
        needs("setpriv", "util-linux"),
        "--reuid=postgres",
        "--regid=postgres",
        "--clear-groups",
    ]
