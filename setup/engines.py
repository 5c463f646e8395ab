"""Adds the engines to stend's dependencies when it is built.

In a checkout `pip install .` takes them from the checkout, as no index may have this version. An
editable install and an archive name the same version; setup/environment.sh installs the engines
first.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


class Engines:
    """A provider of dynamic metadata for scikit-build-core."""

    def build_state(self, build_state: str) -> None:
        """Note what is being built."""
        self._wheel = build_state in ("wheel", "metadata_wheel")

    def dynamic_metadata(
        self, settings: Mapping[str, Any], project: Mapping[str, Any]
    ) -> dict[str, list[str]]:
        """Give the dependencies to add."""
        is_archive = (ROOT / "PKG-INFO").exists()
        requirements = []
        for folder in sorted(ROOT.glob("engines/*/")):
            described = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
            local = self._wheel and not is_archive
            wanted = f" @ {folder.as_uri()}" if local else f"=={described['version']}"
            requirements.append(described["name"] + wanted)
        return {"dependencies": requirements}
