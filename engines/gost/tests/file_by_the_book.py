"""docs/gost-file.md written down a second time, over the ciphers of standard.py.

Nothing of src/stend is used, so that what both agree on is on that page.
"""

import standard
import standard_modes

MAGIC = bytes.fromhex("8f5354474f53540a")
CIPHERS = {1: ("kuznyechik", 16), 2: ("magma", 8)}


def kdf(key, label, context, size):
    made, i = b"", 0
    while len(made) < size:
        i += 1
        words = bytes([i]), label, b"\0", context, (8 * size).to_bytes(2, "big")
        made += standard_modes.omac(standard.cipher("kuznyechik", key), b"".join(words))
    return made[:size]


def keys_of(key, start):
    c = standard.cipher("kuznyechik", key)
    changed = c.encrypt(bytes(range(0x80, 0x90))) + c.encrypt(bytes(range(0x90, 0xA0)))
    both = kdf(changed, b"stend gost file", start, 48)
    return both[:32], both[32:]


def sealed_chunk(cipher, file_key, header, number, last, data):
    name, block = cipher
    c = standard.cipher(name, kdf(file_key, b"chunk", number.to_bytes(8, "big"), 32))
    nonce = bytes([last]) + number.to_bytes(block - 1, "big")
    encrypted = standard_modes.mgm_stream(c, nonce, data)
    return encrypted + standard_modes.mgm_tag(c, nonce, header, encrypted)


def encrypted(key, number, power, salt, message):
    start = MAGIC + bytes([1, number, power]) + bytes(5) + salt
    file_key, check = keys_of(key, start)
    header, size = start + check, 1 << power
    cuts = range(0, max(len(message), 1), size)
    return header + b"".join(
        sealed_chunk(
            CIPHERS[number], file_key, header, i, i == len(cuts) - 1, message[a : a + size]
        )
        for i, a in enumerate(cuts)
    )
