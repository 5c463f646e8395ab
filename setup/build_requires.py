"""Prints what building stend needs, one requirement a line, as a build front end would ask.

`pyproject`: what pyproject.toml names. `backend`: what the build backend, once it is
installed, wants besides: cmake and ninja where the system's are absent or too old.
"""

import sys
import tomllib
from pathlib import Path


def main(source: str) -> None:
    """Print the requirements of `source`, "pyproject" or "backend"."""
    if source == "pyproject":
        project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
        requirements = project["build-system"]["requires"]
    else:
        from scikit_build_core.build import get_requires_for_build_editable

        requirements = get_requires_for_build_editable()
    print(*requirements, sep="\n", end="\n" if requirements else "")


if __name__ == "__main__":
    main(sys.argv[1])
