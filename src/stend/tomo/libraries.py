"""The libraries that know file formats: imported when a file asks for them, or one sentence."""

import importlib
from typing import Any

from stend.errors import SetupError


def library(module: str) -> Any:
    """Import a module of the extra `tomo`.

    Raises:
        SetupError: it is not installed; the sentence has the command.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = {"PIL": "pillow"}.get(module.partition(".")[0], module.partition(".")[0])
        raise SetupError(
            f"Files of this format need {name}: `pip install '.[tomo]'` in the project's folder "
            "installs it."
        ) from error
