"""The compiled part, or a sentence that says how to get it."""

from stend.errors import SetupError

try:
    from stend._native import *  # noqa: F403
except ImportError as error:
    from pathlib import Path

    raise SetupError(
        f"stend's compiled part can't be loaded from {Path(__file__).parent} ({error}); "
        "reinstall stend for this Python and machine, or run `pip install .` in the "
        "project's folder. Sources on PYTHONPATH have no compiled part."
    ) from error
