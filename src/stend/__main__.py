"""The command `stend`, also as `python -m stend`."""

import sys


def main() -> None:
    """Load the command line and run a verb; Ctrl-C ends it from the very beginning on."""
    try:
        from stend.cli import main as verbs

        verbs()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
