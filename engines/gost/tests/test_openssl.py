"""What is encrypted here OpenSSL's GOST engine decrypts, and the other way round, for every mode
that its program offers. kuznyechik-mac is not among them: the program of Debian 12 computes
Magma's, with eight bytes of chance; peers/gost asks the library.
"""

import os
import random
import subprocess

import pytest

from gost_support import needs
from stend_gost import GOST28147, OMAC, Cipher, Imitovstavka, Kuznyechik, Magma, modes

KEY = bytes.fromhex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
ENGINE = ["-engine", "gost"]

# OpenSSL's name, ours, the size of its initialisation vector
CIPHERS = {
    "kuznyechik-ecb": (lambda: Kuznyechik(KEY), lambda iv: modes.ECB(), 0),
    "kuznyechik-ctr": (lambda: Kuznyechik(KEY), modes.CTR, 8),
    "kuznyechik-ofb": (lambda: Kuznyechik(KEY), modes.OFB, 16),
    "kuznyechik-cbc": (lambda: Kuznyechik(KEY), modes.CBC, 16),
    "kuznyechik-cfb": (lambda: Kuznyechik(KEY), modes.CFB, 16),
    "kuznyechik-ctr-acpkm": (lambda: Kuznyechik(KEY), lambda iv: modes.CTR_ACPKM(iv, 4096), 8),
    "magma-ctr": (lambda: Magma(KEY), modes.CTR, 4),
    "magma-cbc": (lambda: Magma(KEY), modes.CBC, 8),
    "magma-ctr-acpkm": (lambda: Magma(KEY), lambda iv: modes.CTR_ACPKM(iv, 1024), 4),
    "gost89": (lambda: GOST28147(KEY, "tc26-z"), lambda iv: modes.CFB(iv, key_meshing=True), 8),
    "gost89-cnt": (lambda: GOST28147(KEY), lambda iv: modes.CTR(iv, key_meshing=True), 8),
    "gost89-cnt-12": (
        lambda: GOST28147(KEY, "tc26-z"),
        lambda iv: modes.CTR(iv, key_meshing=True),
        8,
    ),
    "gost89-cbc": (lambda: GOST28147(KEY, "tc26-z"), modes.CBC, 8),
}
MACS = {
    "magma-mac": lambda: OMAC(Magma(KEY)),
    "gost-mac": lambda: Imitovstavka(GOST28147(KEY), key_meshing=True),
    "gost-mac-12": lambda: Imitovstavka(GOST28147(KEY, "tc26-z"), key_meshing=True),
}


@pytest.fixture(scope="module", autouse=True)
def engine():
    needs("openssl", "openssl")
    if b"gost" not in asked(["engine", "gost"], b""):
        pytest.skip("no GOST engine is installed: sudo apt-get install libengine-gost-openssl")


def asked(arguments, data, **environment):
    made = subprocess.run(
        ["openssl", *arguments], input=data, capture_output=True, env=os.environ | environment
    )
    return made.stdout


def message(size):
    return random.Random(size).randbytes(size)


@pytest.mark.parametrize("name", CIPHERS)
def test_either_decrypts_what_the_other_encrypted(name):
    algorithm, mode, iv_size = CIPHERS[name]
    iv = message(iv_size)
    whole = name.endswith(("ecb", "cbc"))
    for size in (16, 4096, 70_000) if whole else (1, 15, 16, 1000, 4097, 70_001):
        plain = message(size)
        arguments = ["enc", *ENGINE, f"-{name}", "-K", KEY.hex(), "-iv", iv.hex(), "-nopad"]
        arguments = [a for i, a in enumerate(arguments) if iv or i not in (6, 7)]
        theirs = asked(arguments, plain)
        cipher = Cipher(algorithm(), mode(iv))
        encryptor, decryptor = cipher.encryptor(), cipher.decryptor()
        ours = encryptor.update(plain) + encryptor.finalize()
        assert ours == theirs
        assert asked([*arguments, "-d"], ours) == plain
        assert decryptor.update(theirs) + decryptor.finalize() == plain


@pytest.mark.parametrize("letter", "ABCD")
def test_the_older_substitutions_are_theirs_too(letter):
    plain, iv = message(3000), message(8)
    theirs = asked(
        ["enc", *ENGINE, "-gost89", "-K", KEY.hex(), "-iv", iv.hex()],
        plain,
        CRYPT_PARAMS=f"id-Gost28147-89-CryptoPro-{letter}-ParamSet",
    )
    algorithm = GOST28147(KEY, f"cryptopro-{letter.lower()}")
    decryptor = Cipher(algorithm, modes.CFB(iv, key_meshing=True)).decryptor()
    assert decryptor.update(theirs) + decryptor.finalize() == plain


@pytest.mark.parametrize("name", MACS)
def test_both_make_the_same_tag(name):
    for size in (1, 8, 9, 100, 1024, 1025, 5000):
        assert made(MACS[name](), message(size)) == theirs(name, message(size))


@pytest.mark.parametrize("sbox", ["cryptopro-a", "tc26-z"])
@pytest.mark.parametrize("length", range(1, 9))
def test_an_imitovstavka_may_have_1_to_8_bytes_also_that_of_an_empty_message(sbox, length):
    name = {"cryptopro-a": "gost-mac", "tc26-z": "gost-mac-12"}[sbox]
    for size in (0, 5, 8, 1025):
        mac = Imitovstavka(GOST28147(KEY, sbox), length, key_meshing=True)
        tag = made(mac, message(size))
        assert len(tag) == 2 * length
        assert tag == theirs(name, message(size), "-macopt", f"size:{length}")


def made(mac, data):
    mac.update(data)
    return mac.finalize().hex()


def theirs(name, data, *more):
    arguments = ["dgst", *ENGINE, "-mac", name, "-macopt", f"hexkey:{KEY.hex()}", *more]
    return asked(arguments, data).decode().rpartition("= ")[2].strip()
