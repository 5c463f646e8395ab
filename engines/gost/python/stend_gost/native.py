"""The compiled ciphers, or a sentence that says how to get them."""

from stend_gost.errors import NotBuilt

try:
    from stend_gost._gost import (
        Key,
        Mac,
        Mgm,
        MgmDecryption,
        MgmEncryption,
        Stream,
        Variant,
        check_mgm,
        checked_threads,
        kexp15,
        kimp15,
        omac_many,
        variants,
    )
except ImportError as error:
    from pathlib import Path

    raise NotBuilt(
        f"The compiled ciphers can't be loaded from {Path(__file__).parent} ({error}); "
        "reinstall stend-gost for this Python and machine, or run `pip install ./engines/gost` in "
        "the project's folder. Sources on PYTHONPATH have no compiled part."
    ) from error

__all__ = [
    "Key",
    "Mac",
    "Mgm",
    "MgmDecryption",
    "MgmEncryption",
    "Stream",
    "Variant",
    "check_mgm",
    "checked_threads",
    "kexp15",
    "kimp15",
    "omac_many",
    "variants",
]
