"""Results that are dear and can't change, by what they were made of: the newest used stay."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

MOST_BYTES = 64 << 20


class Kept:
    """Encoded results, at most so many bytes of them. Threads can use it at once."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._held = most, 0
        self._results: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, of: Hashable, make: Callable[[], bytes]) -> bytes:
        """What was made of it; two who ask for a new one at once both make it."""
        with self._lock:
            if of in self._results:
                self._results.move_to_end(of)
                return self._results[of]
        made = make()
        with self._lock:
            self._held += len(made) - len(self._results.pop(of, b""))
            self._results[of] = made
            while self._held > self._most:
                self._held -= len(self._results.popitem(last=False)[1])
        return made
