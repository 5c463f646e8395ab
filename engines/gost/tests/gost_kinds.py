"""What the tests of stend_gost try alike: each cipher with each of its modes."""

from stend_gost import (
    GOST28147,
    Kuznyechik,
    KuznyechikMGM,
    Magma,
    MagmaMGM,
    Padding,
    modes,
)

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))

ALGORITHMS = {
    "kuznyechik": Kuznyechik(KEY),
    "magma": Magma(KEY),
    **({"gost28147": GOST28147(KEY)} if GOST28147.variants() else {}),
}
NEW = {name: a for name, a in ALGORITHMS.items() if name != "gost28147"}
MGM = {"kuznyechik": KuznyechikMGM(KEY), "magma": MagmaMGM(KEY)}


def iv(algorithm, blocks=1):
    return bytes(range(0x40, 0x40 + blocks * algorithm.block_size))


def ways(algorithm):
    """Every mode of the algorithm by name, in which a message may have any length if `True`."""
    one = iv(algorithm)
    found = {
        "ECB": (modes.ECB(), False),
        "ECB padded": (modes.ECB(padding=Padding.PROCEDURE_2), True),
        "CTR": (modes.CTR(one), True),
        "CBC": (modes.CBC(one), False),
        "CBC padded": (modes.CBC(one, padding=Padding.PROCEDURE_2), True),
        "CFB": (modes.CFB(one), True),
    }
    if isinstance(algorithm, GOST28147):
        found["CTR meshed"] = modes.CTR(one, key_meshing=True), True
        found["CFB meshed"] = modes.CFB(one, key_meshing=True), True
    else:
        found["OFB"] = modes.OFB(iv(algorithm, 2)), True
        found["CBC of 3"] = modes.CBC(iv(algorithm, 3)), False
        found["CFB of 2"] = modes.CFB(iv(algorithm, 2)), True
        found["CTR-ACPKM"] = modes.CTR_ACPKM(one[: len(one) // 2], 64), True
    return found


WAYS = [
    (cipher, way, any_length)
    for cipher, algorithm in ALGORITHMS.items()
    for way, (_, any_length) in ways(algorithm).items()
]


def mode_of(cipher, way):
    return ways(ALGORITHMS[cipher])[way][0]
