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

    _wheel = False

    def build_state(self, build_state: str) -> None:
        """Note what is being built."""
        self._wheel = build_state in ("wheel", "metadata_wheel")

    def dynamic_metadata(
        self, settings: Mapping[str, Any], project: Mapping[str, Any]
    ) -> dict[str, list[str]]:
        """Give the dependencies to add."""
        local = self._wheel and not (ROOT / "PKG-INFO").exists()  # which an archive has
        requirements = []
        for described in sorted(ROOT.glob("engines/*/pyproject.toml")):
            engine = tomllib.loads(described.read_text("utf-8"))["project"]
            wanted = f" @ {described.parent.as_uri()}" if local else f"=={engine['version']}"
            requirements.append(engine["name"] + wanted)
        return {"dependencies": requirements}
