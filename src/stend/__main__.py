"""The command `stend`, also as `python -m stend`."""

import signal
import sys


def main() -> None:
    """Load the command line and run a verb; Ctrl-C ends it from the very beginning on."""
    try:
        from stend.cli import main as verbs

        verbs()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:  # Python gives signals back their defaults before its end, which takes a while
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    main()
