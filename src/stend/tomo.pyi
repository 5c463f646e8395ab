"""stend_tomo under its former name (aliases.py), for type checkers."""

from stend_tomo import *  # noqa: F403
from stend_tomo import errors as errors
