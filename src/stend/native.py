"""The compiled part, or a sentence that says how to get it."""

from stend.errors import SetupError

try:
    from stend._native import *  # noqa: F403
except ImportError as error:
    raise SetupError(
        f"stend's compiled part can't be loaded ({error}); "
        "build it with `pip install .` in the project's folder."
    ) from error
