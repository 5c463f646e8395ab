"""Encrypted files, as `stend-gost encrypt` writes them and docs/gost-file.md describes them.

`format` says what a file begins with, how its keys are made, and what each chunk of a message
becomes; `streams` does that to whole streams on several threads.
"""

from stend_gost.file.format import CIPHERS, HEADER_BYTES, Header
from stend_gost.file.streams import decrypt, encrypt

__all__ = ["CIPHERS", "HEADER_BYTES", "Header", "decrypt", "encrypt"]
