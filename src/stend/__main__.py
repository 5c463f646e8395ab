"""The command `stend`, also as `python -m stend`."""

import gc
import signal
import sys
from collections.abc import Callable

ELSEWHERE = (
    "stend runs only on Linux, and this is {}. The C and C++ libraries of its engines (stend-gost, "
    "stend-tomo and stend-unet) also compile for Windows and macOS."
)


def main() -> None:
    """Load the command line and run a verb; Ctrl-C ends it from the very beginning on."""
    if sys.platform != "linux":
        print(ELSEWHERE.format(sys.platform), file=sys.stderr)
        sys.exit(5)  # something can't be measured
    try:
        _loaded()()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:  # Python gives signals back their defaults before its end, which takes a while
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


def _loaded() -> Callable[[], None]:
    """The command line, loaded without looking for garbage: of modules nothing is.

    That is a seventh of the time that `stend runs` takes.
    """
    gc.disable()
    from stend.cli import main as verbs

    gc.freeze()
    gc.enable()
    return verbs


if __name__ == "__main__":
    main()
