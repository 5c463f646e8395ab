"""The command `stend-unet`, also as `python -m stend_unet`."""

import sys

from stend_unet.cli import main

if __name__ == "__main__":
    sys.exit(main())
