"""The GOST ciphers and their modes as the standards write them, slowly and without the library.

Bytes stand as the standards print them. Nothing here is shared with the native code, so that what
both agree on was understood twice.
"""

from functools import cache

Block = bytes

# GOST R 34.12-2015, 4.1.1; RFC 7801, 4.1
PI = bytes.fromhex(
    "fceedd11cf6e3116fbc4fada23c5044de977f0db932e99ba1736f1bb14cd5fc1f918655ae25cef21"
    "811c3c428b018e4f058402aee36a8fa0060bed987fd4d31feb342c51eac848abf22a68a2fd3acecc"
    "b5700e56080c7612bf7213479cb75d8715a19629107b9ac7f391786f9d9eb2b13275193dff358a7e"
    "6d54c680c3bd0d57dff524a93ea843c9d779d6f67c22b903e00fecde7a94b0bcdce828504e330a4a"
    "a79760731e0062441ab83882649f2641ad454692275e552f8ca3a57d69d5953b0758b34086ac1df7"
    "30376be488d9e789e11b83494c3ff8fe8d53aa90cad88561207167a42d2b095bcb9b25d0bee56c52"
    "59a674d2e6f4b4c0d166afc2394b63b6"
)
# 4.1.2: the coefficients of the linear function, that of the first byte first
LINEAR = (148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1)

# The substitutions of 4 bits, that of the lowest bits first: RFC 4357, 11.1 and RFC 7836, annex C
SUBSTITUTIONS = {
    "tc26-z": (
        "c462a5b9e8d703f1",
        "68239a5c1e47bd0f",
        "b3582fade174c960",
        "c821d4f670a53e9b",
        "7f5a816d093eb42c",
        "5df692cab78143e0",
        "8e25691cf4b0da37",
        "17ed05834fa69cb2",
    ),
    "cryptopro-a": (
        "96328b17a4efc0d5",
        "37e98af0526cb4d1",
        "e462b3d8cf5a0719",
        "e7acd13902b4f856",
        "b5198df0e423c7a6",
        "3adc120b75948fe6",
        "1d297a608c45f3be",
        "baf50ce8623917d4",
    ),
    "cryptopro-b": (
        "84b135092eacd67f",
        "012a4d5c973fb86e",
        "ec0a92db758f3614",
        "750db6123acf4e98",
        "27cf95ab140d68e3",
        "83264debc17fa095",
        "52ab91c374d06f8e",
        "04be8371a296fd5c",
    ),
    "cryptopro-c": (
        "1bc29d0f458ea763",
        "017db4528efc9a63",
        "825049fa37cd6e1b",
        "36015da8b297efc4",
        "8db0451293ce6fa7",
        "c9b18e247365a0fd",
        "a968de20f35b41c7",
        "7405a2fec61bd938",
    ),
    "cryptopro-d": (
        "fc2a645079ed1b83",
        "b634cfe27d805a91",
        "1cb0fe65ad489372",
        "15eca70d62b493f8",
        "0c89d2ab73654ef1",
        "80f325eb1a47c9d6",
        "306f1e92d8c4ba57",
        "1a68fb04c3597d2e",
    ),
}


def xor(a: bytes, b: bytes) -> bytes:
    """As many bytes as the shorter has."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def blocks_of(data: bytes, size: int) -> list[bytes]:
    """The last one may be shorter."""
    return [data[i : i + size] for i in range(0, len(data), size)]


def product(a: int, b: int, bits: int, polynomial: int) -> int:
    """In GF(2^bits), by shifting and adding."""
    result = 0
    while b:
        result ^= a if b & 1 else 0
        b >>= 1
        a <<= 1
        a ^= polynomial if a >> bits else 0
    return result


# ---- Kuznyechik: GOST R 34.12-2015, section 4; RFC 7801 ----------------------------------------


@cache
def of_byte(a: int, b: int) -> int:
    return product(a, b, 8, 0x1C3)


def s(x: Block) -> Block:
    return bytes(PI[byte] for byte in x)


def r(x: Block) -> Block:
    sum_ = 0
    for coefficient, byte in zip(LINEAR, x, strict=True):
        sum_ ^= of_byte(coefficient, byte)
    return bytes([sum_]) + x[:-1]


def unr(x: Block) -> Block:
    rolled = x[1:] + x[:1]
    return rolled[:-1] + r(rolled)[:1]


def linear(x: Block) -> Block:
    for _ in range(16):
        x = r(x)
    return x


def unlinear(x: Block) -> Block:
    for _ in range(16):
        x = unr(x)
    return x


@cache
def kuznyechik_keys(key: bytes) -> list[Block]:
    a, b = key[:16], key[16:]
    keys = [a, b]
    for i in range(1, 33):
        constant = linear(i.to_bytes(16, "big"))
        a, b = xor(linear(s(xor(a, constant))), b), a
        if i % 8 == 0:
            keys += [a, b]
    return keys


class Kuznyechik:
    block = 16

    def __init__(self, key: bytes) -> None:
        self.keys = kuznyechik_keys(key)

    def encrypt(self, x: Block) -> Block:
        for key in self.keys[:9]:
            x = linear(s(xor(x, key)))
        return xor(x, self.keys[9])

    def decrypt(self, x: Block) -> Block:
        x = xor(x, self.keys[9])
        for key in reversed(self.keys[:9]):
            x = xor(bytes(PI.index(byte) for byte in unlinear(x)), key)
        return x


# ---- Magma: GOST R 34.12-2015, section 5; RFC 8891 ---------------------------------------------


def substituted(x: int, name: str) -> int:
    return sum(int(row[x >> 4 * i & 15], 16) << 4 * i for i, row in enumerate(SUBSTITUTIONS[name]))


def g(key: int, x: int, name: str = "tc26-z") -> int:
    y = substituted((x + key) & 0xFFFFFFFF, name)
    return (y << 11 | y >> 21) & 0xFFFFFFFF


def rounds(x: Block, keys: list[int], name: str) -> tuple[int, int]:
    left, right = int.from_bytes(x[:4], "big"), int.from_bytes(x[4:], "big")
    for key in keys:
        left, right = right, left ^ g(key, right, name)
    return left, right


class Magma:
    block = 8

    def __init__(self, key: bytes, name: str = "tc26-z") -> None:
        words = [int.from_bytes(word, "big") for word in blocks_of(key, 4)]
        self.keys = words * 3 + words[::-1]
        self.name = name

    def _through(self, x: Block, keys: list[int]) -> Block:
        left, right = rounds(x, keys, self.name)
        return right.to_bytes(4, "big") + left.to_bytes(4, "big")

    def encrypt(self, x: Block) -> Block:
        return self._through(x, self.keys)

    def decrypt(self, x: Block) -> Block:
        return self._through(x, self.keys[::-1])


class Gost28147:
    """GOST 28147-89 (RFC 5830): Magma's rounds, but every number is written lowest byte first."""

    block = 8

    def __init__(self, key: bytes, name: str) -> None:
        self.magma = Magma(b"".join(word[::-1] for word in blocks_of(key, 4)), name)
        self.name = name

    def encrypt(self, x: Block) -> Block:
        return self.magma.encrypt(x[::-1])[::-1]

    def decrypt(self, x: Block) -> Block:
        return self.magma.decrypt(x[::-1])[::-1]

    def sixteen_rounds(self, x: Block) -> Block:
        """RFC 5830, section 8: what authentication uses."""
        left, right = rounds(x[::-1], self.magma.keys[:16], self.name)
        return right.to_bytes(4, "little") + left.to_bytes(4, "little")


Cipher = Kuznyechik | Magma | Gost28147


def cipher(name: str, key: bytes) -> Cipher:
    if name == "kuznyechik":
        return Kuznyechik(key)
    return Magma(key) if name == "magma" else Gost28147(key, name.removeprefix("gost28147-"))
