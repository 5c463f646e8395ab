"""The GOST ciphers Kuznyechik and Magma, their modes, MACs and key export.

    KuznyechikMGM(key).encrypt(nonce, data, associated_data)     authenticated encryption
    Cipher(Kuznyechik(key), modes.MGM(nonce)).encryptor()        the same in pieces
    Cipher(Kuznyechik(key), modes.CTR(iv)).encryptor()           another mode, in pieces
    OMAC(Magma(key))                                             a message authentication code
    kexp15(mac_key, cipher_key, iv, key)                         a key, for transport

docs/gost.md shows each at work, and what differs from the package `cryptography`. Data may be any
contiguous object with the buffer protocol.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stend_gost import modes
    from stend_gost.aead import KuznyechikMGM, MagmaMGM
    from stend_gost.algorithms import GOST28147, Kuznyechik, Magma
    from stend_gost.cipher import Cipher
    from stend_gost.errors import (
        AlreadyFinalized,
        AlreadyUpdated,
        BadBuffer,
        BadKey,
        BadNonce,
        BadOption,
        BadPadding,
        BadTagSize,
        BadVariant,
        ContextInUse,
        EmptyMessage,
        GostError,
        InvalidTag,
        NotYetFinalized,
        PartialBlock,
        TooLong,
    )
    from stend_gost.mac import OMAC, OMAC_ACPKM, Imitovstavka
    from stend_gost.modes import Padding
    from stend_gost.native import MgmDecryption as AEADDecryptionContext
    from stend_gost.native import MgmEncryption as AEADEncryptionContext
    from stend_gost.native import Stream as CipherContext
    from stend_gost.native import Variant, kexp15, kimp15, omac_many

_HOMES = {
    "AEADDecryptionContext": "native.MgmDecryption",
    "AEADEncryptionContext": "native.MgmEncryption",
    "AlreadyFinalized": "errors",
    "AlreadyUpdated": "errors",
    "BadBuffer": "errors",
    "BadKey": "errors",
    "BadNonce": "errors",
    "BadOption": "errors",
    "BadPadding": "errors",
    "BadTagSize": "errors",
    "BadVariant": "errors",
    "Cipher": "cipher",
    "CipherContext": "native.Stream",
    "ContextInUse": "errors",
    "EmptyMessage": "errors",
    "GOST28147": "algorithms",
    "GostError": "errors",
    "Imitovstavka": "mac",
    "InvalidTag": "errors",
    "Kuznyechik": "algorithms",
    "KuznyechikMGM": "aead",
    "Magma": "algorithms",
    "MagmaMGM": "aead",
    "NotYetFinalized": "errors",
    "OMAC": "mac",
    "OMAC_ACPKM": "mac",
    "Padding": "modes",
    "PartialBlock": "errors",
    "TooLong": "errors",
    "Variant": "native",
    "kexp15": "native",
    "kimp15": "native",
    "omac_many": "native",
}
"""Names and the modules that they are in, with the name there where it is another."""
_ROOMS = {"modes", "validation"} | {home.partition(".")[0] for home in _HOMES.values()}

__all__ = [
    "GOST28147",
    "OMAC",
    "OMAC_ACPKM",
    "AEADDecryptionContext",
    "AEADEncryptionContext",
    "AlreadyFinalized",
    "AlreadyUpdated",
    "BadBuffer",
    "BadKey",
    "BadNonce",
    "BadOption",
    "BadPadding",
    "BadTagSize",
    "BadVariant",
    "Cipher",
    "CipherContext",
    "ContextInUse",
    "EmptyMessage",
    "GostError",
    "Imitovstavka",
    "InvalidTag",
    "Kuznyechik",
    "KuznyechikMGM",
    "Magma",
    "MagmaMGM",
    "NotYetFinalized",
    "Padding",
    "PartialBlock",
    "TooLong",
    "Variant",
    "kexp15",
    "kimp15",
    "modes",
    "omac_many",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is asked for: the command can say that the ciphers are not built."""
    if name in _ROOMS:
        return importlib.import_module(f"stend_gost.{name}")
    if name in _HOMES:
        module, _, there = _HOMES[name].partition(".")
        found = getattr(importlib.import_module(f"stend_gost.{module}"), there or name)
        globals()[name] = found
        return found
    if name == "__version__":
        from importlib.metadata import version

        return version("stend-gost")
    raise AttributeError(f"module 'stend_gost' has no attribute {name!r}")
