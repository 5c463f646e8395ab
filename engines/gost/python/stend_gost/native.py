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
    raise NotBuilt(
        f"The compiled ciphers can't be loaded ({error}); build them with `pip install "
        "./engines/gost` in the project's folder."
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
