"""stend_unet under its former name (aliases.py), for type checkers."""

from stend_unet import *  # noqa: F403
from stend_unet import errors as errors
