"""Random keys, messages and options: every variant does what the standards, written down a second
time (standard.py), do. The published examples alone have few lengths and no counter that runs over.
"""

import random

import pytest

import standard_modes
import through_stend

OLD = [f"gost28147-{name}" for name in ("tc26-z", *(f"cryptopro-{each}" for each in "abcd"))]
DOES = ["ecb", "ctr", "ofb", "cbc", "cfb", "mac", "mgm", "kexp15"]
CASES = [(c, does) for c in ("kuznyechik", "magma") for does in DOES]
CASES += [(c, does) for c in OLD for does in ("ecb", "ctr", "cbc", "cfb", "mac")]


def iv_of(chance, cipher, does, block):
    """With the last bytes all ones now and then, so that counters run over."""
    size = block
    if does in ("ofb", "cbc", "cfb") and cipher not in OLD:
        size *= chance.randint(1, 16)
    if does == "kexp15" or (does == "ctr" and cipher not in OLD and chance.random() < 0.3):
        size //= 2
    iv = bytearray(chance.randbytes(size))
    if chance.random() < 0.5:
        ones = min(size, block) - 1
        iv[-ones:] = b"\xff" * ones
    if does == "mgm":
        iv[0] &= 0x7F
    return bytes(iv)


def some(chance, cipher, does):
    """One thing to do, as the files of examples say it."""
    block = 16 if cipher == "kuznyechik" else 8
    v = {"cipher": cipher, "does": does, "key": chance.randbytes(32)}
    size = chance.choice([1, block - 1, block, chance.randrange(1, 40 * block), 1100])
    if does in ("ctr", "ofb", "cbc", "cfb", "mgm", "kexp15"):
        v["iv"] = iv_of(chance, cipher, does, block)
    if does in ("ecb", "cbc"):
        v["padding"] = chance.randint(1, 3)
    if does == "mgm":
        v["associated"] = chance.randbytes(chance.choice([0, 5, block, chance.randrange(300)]))
    if does == "kexp15":
        v["mac_key"] = chance.randbytes(32)
        size = 32
    if chance.random() < 0.5 and (does in ("ctr", "mac") or (cipher in OLD and does == "cfb")):
        v["section"] = 1024 if cipher in OLD else block * chance.randint(1, 9)
        v["master_section"] = (32 + block) * chance.randint(1, 6)
    v["plain"] = chance.randbytes(size)
    return v


@pytest.mark.parametrize(("cipher", "does"), CASES)
def test_every_variant_does_what_the_standard_says(cipher, does):
    chance = random.Random(f"{cipher} {does}")
    for _ in range(4):
        v = some(chance, cipher, does)
        expected = standard_modes.made(v)
        for variant in through_stend.variants(cipher):
            assert through_stend.made(v, variant) == expected, v
