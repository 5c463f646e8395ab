"""Encrypted files, as `stend-gost encrypt` writes them and docs/gost-file.md describes them.

`header` says what a file begins with, `keys` how its keys are made, `chunks` how a message is cut
and what each piece becomes, `streams` does that to whole streams on several threads.
"""

from stend_gost.file.header import CIPHERS, HEADER_BYTES, Header
from stend_gost.file.streams import decrypt, encrypt

__all__ = ["CIPHERS", "HEADER_BYTES", "Header", "decrypt", "encrypt"]
