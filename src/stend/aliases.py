"""Former names of modules: stend.gost is stend_gost, stend.definition is in stend.benchmarks.

It also has the processor checked before NumPy is imported: every import of `stend` passes here.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, cast

from stend.errors import SetupError

if TYPE_CHECKING:
    from importlib.abc import Loader

MOVED = {
    "stend.gost": "stend_gost",
    "stend.tomo": "stend_tomo",
    "stend.tomo_view": "stend_tomo.view",
    "stend.unet": "stend_unet",
    "stend.definition": "stend.benchmarks.definition",
    "stend.parameters": "stend.benchmarks.parameters",
    "stend.needs": "stend.benchmarks.needs",
    "stend.exchange": "stend.record.run_file",
}
"""Names that the documentation used → today's modules."""


class _Alias:
    """Finds `old`, and every module below it, as the same module of `new`.

    A finder and a loader by their methods: `importlib.abc` would take 10 ms of every start.
    """

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Claim the names that are `old` or below it."""
        if name != self._old and not name.startswith(f"{self._old}."):
            return None
        return ModuleSpec(name, cast("Loader", self))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Give the module itself, so that its classes exist once."""
        if spec.name == self._old:
            check_version(self._new.partition(".")[0])
        module = import_module(self._new + spec.name.removeprefix(self._old))
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back, which importlib has just replaced."""
        spec = module.__spec__
        assert spec is not None
        module.__spec__ = self._specs.pop(spec.name)


class _NumPyCheck:
    """Has stend_tomo check the processor before an import of NumPy, which may end the process."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Check, and leave the module to other finders."""
        if name == "numpy":
            with suppress(ModuleNotFoundError):
                import_module("stend_tomo.processor").check()


def check_version(package: str) -> None:
    """Refuse an engine of another version: the two are made and tested together.

    Raises:
        SetupError: it has another version, or is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version

    name, wanted = package.replace("_", "-"), version("stend")
    try:
        found = version(name)
    except PackageNotFoundError:
        found = None
    if found != wanted:
        has = f"but {found} is installed" if found else "which is not installed"
        raise SetupError(
            f"stend {wanted} needs {name} {wanted}, {has}; install that version (in a checkout: "
            "`pip install .`)."
        )


def install() -> None:
    """Make the old names importable and NumPy checked; import nothing."""
    sys.meta_path[:0] = [_NumPyCheck(), *(_Alias(old, new) for old, new in MOVED.items())]
