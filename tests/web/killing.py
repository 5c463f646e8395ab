"""A server in a process of its own, which can be killed at any moment and started again."""

import os
import signal
import socket
import subprocess
import sys
import time

from ports import free_port


class Serving:
    """`stend serve` of a store, at one port whatever becomes of it."""

    def __init__(self, store: str) -> None:
        """Start it."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._store = store
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "stend", "serve", "--no-open", "--port", str(self.port)]
        environment = {**os.environ, "STEND_STORE": self._store}
        self._process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        while self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                time.sleep(0.01)
            else:
                return
        raise RuntimeError(f"stend serve ended with {self._process.returncode}")

    @property
    def peak(self) -> int:
        """Bytes of memory that it had at most."""
        with open(f"/proc/{self._process.pid}/status") as status:  # noqa: PTH123
            line = next(line for line in status if line.startswith("VmHWM"))
        return int(line.split()[1]) << 10

    @property
    def processor_time(self) -> float:
        """Seconds that it took of the processors."""
        with open(f"/proc/{self._process.pid}/stat") as stat:  # noqa: PTH123
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """Kill it as it is."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
