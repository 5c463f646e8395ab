"""The modes as the standards write them, over the ciphers of standard.py."""

from collections.abc import Iterator

from gost_examples import Vector, plain
from standard import Block, Cipher, Gost28147, blocks_of, cipher, product, xor

# ---- keys that change within a message ---------------------------------------------------------

ACPKM = bytes(range(0x80, 0xA0))  # RFC 8645, 6.2.1
# RFC 4357, 2.3.2
MESHING = bytes.fromhex("6900722264c904238d3adb9646e92ac418feac9400ed0712c086dcc2ef4ca92b")


def next_key(c: Cipher) -> bytes:
    return b"".join(c.encrypt(block) for block in blocks_of(ACPKM, c.block))


def meshed(c: Gost28147) -> bytes:
    return b"".join(c.decrypt(block) for block in blocks_of(MESHING, 8))


class Changing:
    """A cipher that takes its next key after every `section` bytes; 0 for never."""

    def __init__(self, name: str, key: bytes, section: int = 0) -> None:
        self.name, self.section, self.used = name, section, 0
        self.now = cipher(name, key)

    def turn(self, register: Block) -> Block:
        """Before a block: the register, which the change of GOST 28147-89 encrypts."""
        if self.section and self.used == self.section:
            self.used = 0
            if isinstance(self.now, Gost28147):
                self.now = cipher(self.name, meshed(self.now))
                register = self.now.encrypt(register)
            else:
                self.now = cipher(self.name, next_key(self.now))
        self.used += self.now.block
        return register


# ---- encryption: GOST R 34.13-2015, section 5 --------------------------------------------------


def ecb(c: Cipher, data: bytes) -> bytes:
    return b"".join(c.encrypt(block) for block in blocks_of(data, c.block))


def counters(name: str, key: bytes, iv: bytes, section: int) -> Iterator[Block]:
    """The keystream of CTR, block by block."""
    changing = Changing(name, key, section)
    size = changing.now.block
    if isinstance(changing.now, Gost28147):
        yield from gamma(changing, iv)
        return
    counter = int.from_bytes(iv + bytes(size - len(iv)), "big")
    while True:
        changing.turn(b"")
        yield changing.now.encrypt(counter.to_bytes(size, "big"))
        counter = (counter + 1) % (1 << 8 * size)


def gamma(changing: Changing, iv: bytes) -> Iterator[Block]:
    """RFC 5830, section 6: the lower word counts modulo 2^32, the upper one modulo 2^32 - 1."""
    register = changing.now.encrypt(iv)
    while True:
        register = changing.turn(register)
        lower = int.from_bytes(register[:4], "little")
        upper = int.from_bytes(register[4:], "little")
        lower = (lower + 0x01010101) % (1 << 32)
        upper += 0x01010104
        upper = upper - 0xFFFFFFFF if upper > 0xFFFFFFFF else upper
        register = lower.to_bytes(4, "little") + upper.to_bytes(4, "little")
        yield changing.now.encrypt(register)


def ctr(name: str, key: bytes, iv: bytes, data: bytes, section: int = 0) -> bytes:
    size = 16 if name == "kuznyechik" else 8
    pieces = zip(blocks_of(data, size), counters(name, key, iv, section), strict=False)
    return b"".join(xor(piece, stream) for piece, stream in pieces)


def ofb(c: Cipher, iv: bytes, data: bytes) -> bytes:
    out = b""
    for piece in blocks_of(data, c.block):
        stream = c.encrypt(iv[: c.block])
        iv = iv[c.block :] + stream
        out += xor(piece, stream)
    return out


def cbc(name: str, key: bytes, iv: bytes, data: bytes, section: int = 0) -> bytes:
    changing, out = Changing(name, key, section), b""
    for piece in blocks_of(data, changing.now.block):
        head = changing.turn(iv[: len(piece)])
        out += changing.now.encrypt(xor(piece, head))
        iv = iv[len(piece) :] + out[-len(piece) :]
    return out


def cfb(name: str, key: bytes, iv: bytes, data: bytes, section: int = 0) -> bytes:
    changing, out = Changing(name, key, section), b""
    size = changing.now.block
    for piece in blocks_of(data, size):
        head = changing.turn(iv[:size])
        out += xor(piece, changing.now.encrypt(head))
        iv = iv[size:] + out[-size:]
    return out


def padded(data: bytes, size: int, procedure: int) -> bytes:
    """GOST R 34.13-2015, 4.1."""
    rest = -len(data) % size
    if procedure == 1 or (procedure == 3 and not rest):
        return data + bytes(rest)
    return data + b"\x80" + bytes((-len(data) - 1) % size)


# ---- authentication ----------------------------------------------------------------------------


def subkeys(c: Cipher) -> tuple[Block, Block]:
    """GOST R 34.13-2015, 5.6.1."""
    bits = 8 * c.block
    polynomial = 1 << bits | (0x87 if c.block == 16 else 0x1B)
    first = product(int.from_bytes(c.encrypt(bytes(c.block)), "big"), 2, bits, polynomial)
    second = product(first, 2, bits, polynomial)
    return first.to_bytes(c.block, "big"), second.to_bytes(c.block, "big")


def omac(c: Cipher, data: bytes) -> bytes:
    state = bytes(c.block)
    pieces = blocks_of(data, c.block) or [b""]
    for piece in pieces[:-1]:
        state = c.encrypt(xor(state, piece))
    first, second = subkeys(c)
    last = xor(padded(pieces[-1], c.block, 3), first if len(pieces[-1]) == c.block else second)
    return c.encrypt(xor(state, last))


def omac_acpkm(name: str, key: bytes, data: bytes, section: int, master: int) -> bytes:
    """RFC 8645, 6.3.1: every section has a key and a value for its last block."""
    size = 16 if name == "kuznyechik" else 8
    sections = blocks_of(data, section) or [b""]
    material = ctr(
        name, key, b"\xff" * (size // 2), bytes((32 + size) * len(sections)), master
    )  # ACPKM-Master
    state = bytes(size)
    for number, part in enumerate(sections):
        own = material[(32 + size) * number :][: 32 + size]
        c = cipher(name, own[:32])
        pieces = blocks_of(part, size) or [b""]
        final = number == len(sections) - 1
        for piece in pieces[: -1 if final else None]:
            state = c.encrypt(xor(state, piece))
        if final:
            first = own[32:]
            if len(pieces[-1]) < size:
                polynomial = 1 << 8 * size | (0x87 if size == 16 else 0x1B)
                doubled = product(int.from_bytes(first, "big"), 2, 8 * size, polynomial)
                first = doubled.to_bytes(size, "big")
            state = c.encrypt(xor(xor(state, padded(pieces[-1], size, 3)), first))
    return state


def imito(name: str, key: bytes, data: bytes, section: int = 0) -> bytes:
    """RFC 5830, section 8; RFC 4357, 2.3.2 with sections. One block is followed by zeros, for
    there have to be two.
    """
    changing, state = Changing(name, key, section), bytes(8)
    pieces = blocks_of(data, 8)
    if len(pieces) == 1:
        pieces.append(b"")
    for piece in pieces:
        changing.turn(b"\0" * 8)  # CryptoPro's products let the state be
        assert isinstance(changing.now, Gost28147)
        state = changing.now.sixteen_rounds(xor(state, piece + bytes(8 - len(piece))))
    return state


# ---- MGM: RFC 9058 -----------------------------------------------------------------------------


def incremented(x: Block, right: bool) -> Block:
    half = len(x) // 2
    a, b = x[:half], x[half:]
    if right:
        return a + ((int.from_bytes(b, "big") + 1) % (1 << 8 * half)).to_bytes(half, "big")
    return ((int.from_bytes(a, "big") + 1) % (1 << 8 * half)).to_bytes(half, "big") + b


def mgm_stream(c: Cipher, nonce: bytes, data: bytes) -> bytes:
    """Encryption, and decryption."""
    y, out = c.encrypt(bytes([nonce[0] & 0x7F]) + nonce[1:]), b""
    for piece in blocks_of(data, c.block):
        out += xor(piece, c.encrypt(y))
        y = incremented(y, right=True)
    return out


def mgm_tag(c: Cipher, nonce: bytes, associated: bytes, encrypted: bytes) -> bytes:
    bits = 8 * c.block
    polynomial = 1 << bits | (0x87 if c.block == 16 else 0x1B)
    z, sum_ = c.encrypt(bytes([nonce[0] | 0x80]) + nonce[1:]), 0
    half = c.block // 2
    lengths = b"".join((8 * len(x)).to_bytes(half, "big") for x in (associated, encrypted))
    pieces = blocks_of(associated, c.block) + blocks_of(encrypted, c.block) + [lengths]
    for piece in pieces:
        h = int.from_bytes(c.encrypt(z), "big")
        whole = int.from_bytes(piece + bytes(c.block - len(piece)), "big")
        sum_ ^= product(h, whole, bits, polynomial)
        z = incremented(z, right=False)
    return c.encrypt(sum_.to_bytes(c.block, "big"))


# ---- export of keys: R 1323565.1.017-2018, section 5; RFC 9189, 8.2.1 --------------------------


def kexp15(name: str, mac_key: bytes, key: bytes, iv: bytes, data: bytes) -> bytes:
    return ctr(name, key, iv, data + omac(cipher(name, mac_key), iv + data))


def padded_as(v: Vector, data: bytes, size: int) -> bytes:
    return padded(data, size, v["padding"]) if "padding" in v else data


def made(v: Vector) -> bytes:
    """What the example says shall come out: the encrypted bytes, the tag, or both."""
    name, key, data, iv = v["cipher"], v["key"], plain(v), v.get("iv", b"")
    c, section = cipher(name, key), v.get("section", 0)
    match v["does"]:
        case "ecb":
            return ecb(c, padded_as(v, data, c.block))
        case "cbc" if "padding" in v:
            return cbc(name, key, iv, padded_as(v, data, c.block))
        case "ofb":
            return ofb(c, iv, data)
        case "ctr" | "cbc" | "cfb" as mode:
            return {"ctr": ctr, "cbc": cbc, "cfb": cfb}[mode](name, key, iv, data, section)
        case "kexp15":
            return kexp15(name, v["mac_key"], key, iv, data)
        case "mgm":
            out = mgm_stream(c, iv, data)
            return out + mgm_tag(c, iv, v["associated"], out)
        case "mac" if name.startswith("gost28147"):
            return imito(name, key, data, section)[:4]
        case "mac" if section:
            return omac_acpkm(name, key, data, section, v["master_section"])
        case "mac":
            return omac(c, data)
    raise AssertionError(v["does"])
