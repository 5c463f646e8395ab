"""The two ciphers, as the command line names them."""

from enum import StrEnum


class CipherName(StrEnum):
    """A cipher's name."""

    KUZNYECHIK = "kuznyechik"
    MAGMA = "magma"
