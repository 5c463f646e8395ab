"""An error message where NumPy can't run on this processor and importing it would end the process.

NumPy's wheels of 2.4 and later need x86-64-v2, which older processors and some models of virtual
machines, such as QEMU's qemu64 and kvm64, lack. A NumPy that was compiled for those is left alone.
"""

import os
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

_trying = False
"""Whether this process is the one that tries NumPy, and may crash."""


class NumPyCheck:
    """Looks at the processor just before NumPy is imported; finds no module itself."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Check, and leave the module to other finders."""
        if name == "numpy":
            check()


def check() -> None:
    """Refuse a NumPy that can't run here.

    Raises:
        Missing: importing it would end this process.
    """
    try:
        from stend_tomo._tomo import x86_64_v2
    except ImportError:
        return  # stend_tomo.native will say so
    if not (x86_64_v2() or _trying or _numpy_runs()):
        from stend_tomo.errors import Missing

        raise Missing(_sentence())


def _numpy_runs() -> bool:
    child = os.fork()
    if child == 0:
        _try_numpy()
    return os.waitpid(child, 0)[1] == 0


def _try_numpy() -> NoReturn:
    """End this process, with 1 if NumPy can't be imported; no error returns into the program."""
    global _trying
    _trying, failed = True, 1
    try:
        from resource import RLIMIT_CORE, setrlimit

        setrlimit(RLIMIT_CORE, (0, 0))
        import numpy  # noqa: F401

        failed = 0
    except ModuleNotFoundError:
        failed = 0  # for the parent process to report
    finally:
        os._exit(failed)


def _sentence() -> str:
    from importlib.metadata import version

    return (
        f"NumPy {version('numpy')} can't run on this processor, which lacks x86-64-v2 "
        "instructions such as SSE4.2. Install an older NumPy with `pip install 'numpy<2.4'`; or, "
        "in a virtual machine, choose another processor model, such as QEMU's `host`."
    )
