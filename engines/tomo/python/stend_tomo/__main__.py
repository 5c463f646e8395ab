"""The command `stend-tomo`, also as `python -m stend_tomo`."""

import sys

from stend_tomo.cli import main

if __name__ == "__main__":
    sys.exit(main())
