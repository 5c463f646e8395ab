"""OMAC, OMAC-ACPKM and imitovstavka from Python: pieces, copies, checks, many at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import standard
import standard_modes
from gost_kinds import ALGORITHMS, KEY, NEW, OTHER_KEY
from stend_gost import (
    GOST28147,
    OMAC,
    OMAC_ACPKM,
    AlreadyFinalized,
    BadOption,
    BadTagSize,
    Imitovstavka,
    InvalidTag,
    Kuznyechik,
    Magma,
    omac_many,
)

BOTH = pytest.mark.parametrize("cipher", NEW)
MESSAGE = bytes(i * 13 % 249 for i in range(2000))


def tag(mac, *pieces):
    for piece in pieces:
        mac.update(piece)
    return mac.finalize()


@BOTH
@pytest.mark.parametrize("size", [1, 8, 15, 16, 17, 48, 101])
def test_omac_is_what_the_standard_says(cipher, size):
    said = standard_modes.omac(standard.cipher(cipher, KEY), MESSAGE[:size])
    assert tag(OMAC(NEW[cipher]), MESSAGE[:size]).hex() == said.hex()


@BOTH
def test_omac_of_nothing_is_that_of_padding_alone(cipher):
    c = standard.cipher(cipher, KEY)
    padding = b"\x80" + bytes(c.block - 1)
    said = c.encrypt(standard.xor(padding, standard_modes.subkeys(c)[1]))
    assert tag(OMAC(NEW[cipher])).hex() == said.hex()


@BOTH
@pytest.mark.parametrize("size", [1, 16, 100, 333])
def test_omac_acpkm_is_what_the_standard_says(cipher, size):
    said = standard_modes.omac_acpkm(cipher, KEY, MESSAGE[:size], 32, 240)
    assert tag(OMAC_ACPKM(NEW[cipher], 32, 240), MESSAGE[:size]).hex() == said.hex()


@pytest.mark.skipif("gost28147" not in ALGORITHMS, reason="no variant of GOST 28147-89 is built")
@pytest.mark.parametrize("size", [1, 8, 9, 100, 1500])
@pytest.mark.parametrize("meshing", [False, True])
def test_imitovstavka_is_what_the_standard_says(size, meshing):
    said = standard_modes.imito(
        "gost28147-cryptopro-a", KEY, MESSAGE[:size], 1024 if meshing else 0
    )
    made = Imitovstavka(ALGORITHMS["gost28147"], key_meshing=meshing)
    assert tag(made, MESSAGE[:size]).hex() == said[:4].hex()


@pytest.mark.skipif("gost28147" not in ALGORITHMS, reason="no variant of GOST 28147-89 is built")
def test_an_imitovstavka_has_the_tags_of_gost_engines_vectors():
    """Its test/04-mac.t: a key of text, 1 to 8 bytes."""
    key, data = b"0123456789abcdef" * 2, b"12345670" * 128
    for length in range(1, 9):
        mac = Imitovstavka(GOST28147(key), length, key_meshing=True)
        assert tag(mac, data).hex() == "2ee8d13dff7f037d"[: 2 * length]
    assert tag(Imitovstavka(GOST28147(key), key_meshing=True), data).hex() == "2ee8d13d"
    with pytest.raises(BadTagSize, match="1 to 8 bytes, not 9"):
        Imitovstavka(GOST28147(key), 9)


@BOTH
@given(size=st.integers(0, 2000), a=st.integers(0, 2000), b=st.integers(0, 2000))
def test_pieces_of_any_size_equal_one_piece(cipher, size, a, b):
    a, b = sorted((min(a, size), min(b, size)))
    data = MESSAGE[:size]
    for made in (lambda: OMAC(NEW[cipher]), lambda: OMAC_ACPKM(NEW[cipher], 64, 240)):
        assert tag(made(), data[:a], data[a:b], data[b:]) == tag(made(), data)


@BOTH
def test_a_copy_goes_on_by_itself(cipher):
    first = OMAC(NEW[cipher], 4)
    first.update(MESSAGE[:21])
    other = first.copy()
    assert (type(other), other.tag_length) == (OMAC, 4)
    first.update(b"x")
    other.update(b"y")
    assert first.finalize() == tag(OMAC(NEW[cipher], 4), MESSAGE[:21] + b"x")
    assert other.finalize() == tag(OMAC(NEW[cipher], 4), MESSAGE[:21] + b"y")


@BOTH
def test_a_wrong_tag_is_refused_and_the_context_is_done(cipher):
    right = tag(OMAC(NEW[cipher]), MESSAGE)
    for wrong in (bytes(len(right)), right[:-1] + bytes([right[-1] ^ 1])):
        mac = OMAC(NEW[cipher])
        mac.update(MESSAGE)
        with pytest.raises(InvalidTag):
            mac.verify(wrong)
        with pytest.raises(AlreadyFinalized):
            mac.verify(right)
    mac = OMAC(NEW[cipher])
    mac.update(MESSAGE)
    with pytest.raises(InvalidTag, match=f"3 bytes where {len(right)}"):
        mac.verify(right[:3])
    mac.verify(right)
    with pytest.raises(AlreadyFinalized):
        mac.update(b"")


@BOTH
@given(sizes=st.lists(st.integers(0, 300), max_size=12))
def test_many_messages_have_the_tags_of_each(cipher, sizes):
    messages = [MESSAGE[i : i + size] for i, size in enumerate(sizes)]
    expected = [tag(OMAC(NEW[cipher]), message) for message in messages]
    assert omac_many(NEW[cipher], messages) == expected
    assert omac_many(NEW[cipher], iter(messages), 5) == [made[:5] for made in expected]


@pytest.mark.parametrize("kind", [Kuznyechik, Magma])
def test_many_messages_may_have_a_key_each(kind):
    keys = [kind(KEY), kind(OTHER_KEY), kind(bytes(32))]
    messages = [MESSAGE, b"", MESSAGE[:77]]
    expected = [tag(OMAC(key), message) for key, message in zip(keys, messages, strict=True)]
    assert omac_many(keys, messages) == expected
    assert omac_many((key for key in keys), messages) == expected


def test_refusals_name_the_value():
    kuznyechik, magma = NEW["kuznyechik"], NEW["magma"]
    with pytest.raises(BadTagSize, match="1 to 16 bytes, not 17"):
        OMAC(kuznyechik, 17)
    with pytest.raises(BadTagSize, match="1 to 8 bytes, not 0"):
        OMAC(magma, 0)
    with pytest.raises(BadOption, match="not 24"):
        OMAC_ACPKM(kuznyechik, 24, 96)
    with pytest.raises(BadOption, match="not 0"):
        OMAC_ACPKM(kuznyechik, 32, 0)
    with pytest.raises(BadOption, match="multiple of 40 bytes, key and block together, not 96"):
        OMAC_ACPKM(magma, 32, 96)
    with pytest.raises(BadOption, match="not with Kuznyechik"):
        Imitovstavka(kuznyechik)
    with pytest.raises(BadOption, match="2 algorithms are not one for each of 1 messages"):
        omac_many([kuznyechik, kuznyechik], [b""])
    with pytest.raises(BadOption, match="one cipher"):
        omac_many([kuznyechik, magma], [b"", b""])
    with pytest.raises(TypeError, match="not int"):
        OMAC(3)
