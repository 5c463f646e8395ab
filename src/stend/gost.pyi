"""stend_gost under its former name (aliases.py), for type checkers."""

from stend_gost import *  # noqa: F403
from stend_gost import errors as errors
