"""What an example says shall be done, done by stend_gost with any variant."""

from gost_examples import Vector, plain
from stend_gost import (
    GOST28147,
    OMAC,
    OMAC_ACPKM,
    Cipher,
    Imitovstavka,
    Kuznyechik,
    KuznyechikMGM,
    Magma,
    MagmaMGM,
    Padding,
    kexp15,
    modes,
)


def algorithm(name: str, key: bytes, variant: str | None = None):
    match name:
        case "kuznyechik":
            return Kuznyechik(key, variant=variant)
        case "magma":
            return Magma(key, variant=variant)
    return GOST28147(key, name.removeprefix("gost28147-"), variant=variant)


def variants(name: str) -> list[str]:
    """Those that run here."""
    return [v.name for v in type(algorithm(name, bytes(32))).variants() if v.available]


def mode(v: Vector):
    iv, section, meshed = v.get("iv", b""), v.get("section", 0), "gost28147" in v["cipher"]
    padding = Padding(v.get("padding", 0))
    match v["does"]:
        case "ecb":
            return modes.ECB(padding=padding)
        case "ctr" if section and not meshed:
            return modes.CTR_ACPKM(iv, section)
        case "ctr":
            return modes.CTR(iv, key_meshing=bool(section))
        case "ofb":
            return modes.OFB(iv)
        case "cbc":
            return modes.CBC(iv, padding=padding)
        case "cfb":
            return modes.CFB(iv, key_meshing=bool(section))
    raise AssertionError(v["does"])


def mac(v: Vector, key):
    section, size = v.get("section", 0), len(v["tag"]) if "tag" in v else None
    if "gost28147" in v["cipher"]:
        return Imitovstavka(key, size, key_meshing=bool(section))
    if section:
        return OMAC_ACPKM(key, section, v["master_section"], size)
    return OMAC(key, size)


def made(v: Vector, variant: str | None = None) -> bytes:
    """The encrypted bytes, the tag in the example's length, or both."""
    key, data = algorithm(v["cipher"], v["key"], variant), plain(v)
    match v["does"]:
        case "mgm":
            aead = {"kuznyechik": KuznyechikMGM, "magma": MagmaMGM}[v["cipher"]]
            return aead(v["key"], variant=variant).encrypt(v["iv"], data, v["associated"])
        case "mac":
            context = mac(v, key)
            context.update(data)
            return context.finalize()
        case "kexp15":
            mac_key = algorithm(v["cipher"], v["mac_key"], variant)
            return kexp15(mac_key, key, v["iv"], data)
    context = Cipher(key, mode(v)).encryptor()
    return context.update(data) + context.finalize()
