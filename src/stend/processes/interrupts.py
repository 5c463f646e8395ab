"""Ctrl-C, SIGTERM and SIGHUP: heard at any time, heeded where nothing is lost by it."""

import functools
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class _State:
    asked = False
    heeded = False
    held = False


def listen() -> None:
    """Make each a KeyboardInterrupt, but none that stend was started to ignore (`stend run &`)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _hear)


def _hear(number: int, frame: object) -> None:
    """The first one is enough: more would only disturb how it is answered."""
    before, _State.asked = _State.asked, True
    if not (before or _State.held):
        raise KeyboardInterrupt


@contextmanager
def held() -> Iterator[None]:
    """Let what is inside go on to its end, but for what is `heeding` there.

    One that nothing inside could heed comes at the end.
    """
    before, _State.held = _State.held, True
    try:
        yield
    finally:
        _State.held = before
        unanswered = _State.asked and not _State.heeded
        if not before:
            _State.asked = _State.heeded = False
    if unanswered and not before:
        raise KeyboardInterrupt


def heeding(work: Callable[P, R]) -> Callable[P, R]:
    """The same work, ended by what comes meanwhile, and not begun after what came before."""

    @functools.wraps(work)
    def attempted(*arguments: P.args, **named: P.kwargs) -> R:
        before, _State.held = _State.held, False
        try:
            if _State.asked:
                raise KeyboardInterrupt
            return work(*arguments, **named)
        except KeyboardInterrupt:
            _State.heeded = True
            raise
        finally:
            _State.held = before

    return attempted
