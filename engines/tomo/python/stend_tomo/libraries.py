"""The libraries that know file formats: imported when a file asks for them, or one sentence."""

import importlib
from typing import Any

from stend_tomo.errors import Missing


def library(module: str) -> Any:
    """Import a module of the extra `files`.

    Raises:
        Missing: it is not installed; the sentence has the command.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = {"PIL": "pillow"}.get(module.partition(".")[0], module.partition(".")[0])
        raise Missing(
            f"Files of this format need {name}: `pip install 'stend-tomo[files]'` installs it."
        ) from error
