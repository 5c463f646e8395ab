"""The compiled ciphers, or a sentence that says how to get them."""

from stend.errors import SetupError

try:
    from stend._gost import (
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
    raise SetupError(
        f"stend's compiled ciphers can't be loaded ({error}); "
        "build them with `pip install .` in the project's folder."
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
