"""The hints let through what works and stop what does not: mypy --strict reads this file too."""

import array
import ctypes
import mmap
from typing import assert_type

import numpy as np

from stend_gost import (
    OMAC,
    AEADDecryptionContext,
    AEADEncryptionContext,
    Cipher,
    CipherContext,
    GostError,
    Kuznyechik,
    KuznyechikMGM,
    Magma,
    kexp15,
    kimp15,
    modes,
    omac_many,
)

KEY = bytes(range(32))
NONCE = bytes(16)


def test_every_kind_of_memory_is_data_and_a_key() -> None:
    mgm = KuznyechikMGM(bytearray(KEY))
    buffer = np.zeros(32, np.uint8)
    expected = mgm.encrypt(NONCE, KEY, KEY)
    assert mgm.encrypt(memoryview(NONCE), bytearray(KEY), memoryview(KEY)) == expected
    assert (
        mgm.encrypt(np.zeros(16, np.uint8), np.frombuffer(KEY), array.array("B", KEY)) == expected
    )
    with mmap.mmap(-1, 48) as mapped:
        assert (
            mgm.encrypt_into(NONCE, (ctypes.c_char * 32).from_buffer_copy(KEY), KEY, mapped) == 48
        )
        assert mgm.decrypt_into(NONCE, mapped, KEY, buffer) == 32
    assert mgm.decrypt(NONCE, expected, KEY) == bytes(buffer) == KEY
    assert Kuznyechik(np.frombuffer(KEY, np.float32)).variant == Kuznyechik(bytearray(KEY)).variant


def test_a_context_has_the_type_of_its_mode() -> None:
    key = Kuznyechik(KEY)
    stream = Cipher(key, modes.CTR(np.zeros(8, np.uint8))).encryptor()
    assert_type(stream, CipherContext)
    assert_type(Cipher(key, modes.CBC(NONCE)).decryptor(), CipherContext)
    sealing = Cipher(key, modes.MGM(NONCE)).encryptor()
    assert_type(sealing, AEADEncryptionContext)
    sealing.authenticate_additional_data(np.ones(3))
    made: bytes = sealing.update(bytearray(3)) + sealing.finalize()
    tag: bytes = sealing.tag
    opening = Cipher(key, modes.MGM(NONCE, memoryview(tag))).decryptor()
    assert_type(opening, AEADDecryptionContext)
    opening.authenticate_additional_data(np.ones(3))
    opening.update(made)
    assert opening.finalize() == bytes(3)
    some: list[modes.Mode] = [modes.ECB(), modes.MGM(NONCE)]
    for mode in some:
        assert Cipher(key, mode).encryptor().update(bytearray(16))


def test_tags_and_exported_keys_are_bytes() -> None:
    key = Magma(KEY)
    mac = OMAC(key, 4)
    mac.update(np.arange(5))
    tag: bytes = mac.copy().finalize()
    mac.verify(bytearray(tag))
    tags: list[bytes] = omac_many([key, key], [memoryview(b"a"), np.ones(1)])
    exported: bytes = kexp15(key, key, bytes(4), bytearray(KEY))
    assert (len(tags), kimp15(key, key, bytes(4), exported)) == (2, KEY)


def test_what_is_no_memory_is_refused_by_the_hints_as_well() -> None:
    """Each comment is itself an error where the hint takes the argument: mypy --strict says so."""
    refused = 0
    for call in (
        lambda: Kuznyechik("k" * 32),  # type: ignore[arg-type]
        lambda: KuznyechikMGM(KEY).encrypt(NONCE, None),  # type: ignore[arg-type]
        lambda: KuznyechikMGM(KEY).encrypt(NONCE, 5),  # type: ignore[arg-type]
        lambda: OMAC(KEY),  # type: ignore[arg-type]
        lambda: modes.MGM("nonce"),  # type: ignore[arg-type]
        lambda: Cipher(Kuznyechik(KEY), "CBC"),  # type: ignore[type-var]
    ):
        try:
            call()
        except (TypeError, GostError):
            refused += 1
    assert refused == 6
