"""What is needed next is made, and what is made put away, by threads that can be given up."""

import ctypes
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """The result of a call that a thread makes."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._future: Future[T] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(make,), name="stend-tomo-ahead", daemon=True
        )

    def start(self) -> None:
        """Begin, once."""
        self._thread.start()

    def _run(self, make: Callable[[], T]) -> None:
        try:
            made = make()
        except BaseException as error:
            self._future.set_exception(error)
        else:
            self._future.set_result(made)

    def result(self) -> T:
        """Wait for what is made; raises what making it raised."""
        return self._future.result()

    def check(self) -> None:
        """Raise what making it has raised so far, without waiting."""
        if self._future.done():
            self._future.result()

    def give_up(self) -> None:
        """End it between two steps, and wait for that; what it had made is dropped.

        For calls that start no threads: up to Python 3.11 a starting thread has its starter's
        number, would be hit in its place, and waited for without end. Python has one way to end a
        thread that is not asked whether to end, an exception in it; SystemExit is the one that
        threads are silent about.
        """
        stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
        if self._thread.is_alive():
            stop(ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(SystemExit))
        self.wait()

    def wait(self) -> None:
        """Wait for the end of the call, however it ends."""
        if self._thread.is_alive():
            self._thread.join()
