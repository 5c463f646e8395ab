"""The command `stend-gost`, also as `python -m stend_gost`."""

import sys

from stend_gost.cli import main

if __name__ == "__main__":
    sys.exit(main())
