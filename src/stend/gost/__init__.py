"""The GOST ciphers Kuznyechik and Magma, their modes, MACs and key export.

    KuznyechikMGM(key).encrypt(nonce, data, associated_data)     authenticated encryption
    Cipher(Kuznyechik(key), modes.MGM(nonce)).encryptor()        the same in pieces
    Cipher(Kuznyechik(key), modes.CTR(iv)).encryptor()           another mode, in pieces
    OMAC(Magma(key))                                             a message authentication code
    kexp15(mac_key, cipher_key, iv, key)                         a key, for transport

docs/gost.md shows each at work, and what differs from the package `cryptography`. Data may be any
contiguous object with the buffer protocol.
"""

from stend.gost import modes
from stend.gost.aead import KuznyechikMGM, MagmaMGM
from stend.gost.algorithms import GOST28147, Kuznyechik, Magma
from stend.gost.cipher import Cipher
from stend.gost.errors import (
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
from stend.gost.mac import OMAC, OMAC_ACPKM, Imitovstavka
from stend.gost.modes import Padding
from stend.gost.native import MgmDecryption as AEADDecryptionContext
from stend.gost.native import MgmEncryption as AEADEncryptionContext
from stend.gost.native import Stream as CipherContext
from stend.gost.native import Variant, kexp15, kimp15, omac_many

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
