"""The launcher of measured programs (native/command), which ends them when it is orphaned."""

from importlib.resources import files

from stend.errors import SetupError


def launcher() -> str:
    """The path of the program that starts others, and ends them when this process is killed.

    Raises:
        SetupError: it is not installed.
    """
    found = files("stend") / "stend-command"
    if not found.is_file():
        raise SetupError(f"stend's launcher {found} is missing; reinstall stend.")
    return str(found)
