"""From the user's key and a file's header to the keys of its chunks; each is used only once.

The key derivation is SP 800-108's in counter mode with OMAC of Kuznyechik. KDF_TREE of
R 50.1.113-2016 would need the hash function Streebog, which stend does not have.
"""

from stend_gost.algorithms import Kuznyechik
from stend_gost.cipher import Cipher
from stend_gost.modes import ECB
from stend_gost.native import omac_many

KEY_BYTES = 32
CHECK_BYTES = 16

# RFC 8645, 6.2.1: what ACPKM encrypts to have the next key.
ACPKM = bytes(range(0x80, 0xA0))


def file_key(key: bytes, start: bytes) -> tuple[bytes, bytes]:
    """Derive a file's key from the user's, with a check value; `start` is the header before that.

    The user's key goes through ACPKM first. So nothing that is authenticated with the same key
    elsewhere (`stend-gost mac`) can be what is authenticated here.
    """
    context = Cipher(Kuznyechik(key), ECB()).encryptor()
    derived = expand(context.update(ACPKM), b"stend gost file", start, KEY_BYTES + CHECK_BYTES)
    return derived[:KEY_BYTES], derived[KEY_BYTES:]


def chunk_key(key: Kuznyechik, number: int) -> bytes:
    """Derive the key of one chunk; `key` is made with the file's."""
    return _expand(key, b"chunk", number.to_bytes(8, "big"), KEY_BYTES)


def expand(key: bytes, label: bytes, context: bytes, size: int) -> bytes:
    """SP 800-108r1, 4.1, with r = 8 and L as 16 bits: `size` bytes, at most 255 blocks of 16."""
    return _expand(Kuznyechik(key), label, context, size)


def _expand(key: Kuznyechik, label: bytes, context: bytes, size: int) -> bytes:
    fixed = b"%b\0%b%b" % (label, context, (8 * size).to_bytes(2, "big"))
    blocks = range(1, -(-size // key.block_size) + 1)
    return b"".join(omac_many(key, [bytes([i]) + fixed for i in blocks]))[:size]
