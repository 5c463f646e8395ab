"""DMI tables made by hand: structures with their strings, as firmware writes them."""

END = b"\x7f\x04\xff\xff\0\0"


def structure(kind: int, handle: int, body: bytes, *strings: str) -> bytes:
    """One structure; `body` follows the header of four bytes."""
    head = bytes([kind, 4 + len(body)]) + handle.to_bytes(2, "little")
    text = b"".join(s.encode("latin-1") + b"\0" for s in strings) or b"\0"
    return head + body + text + b"\0"


def array(handle: int = 0x1000, use: int = 3) -> bytes:
    """A place for modules; 3 is system memory."""
    return structure(16, handle, bytes([3, use, 3]) + bytes(12))


def module(
    megabytes: int = 16384,
    kind: int = 0x1A,
    width: int = 64,
    speed: int = 3200,
    configured: int | None = None,
    device: str = "DIMM 0",
    bank: str = "BANK 0",
    array: int = 0x1000,
) -> bytes:
    """A module as version 3.3 writes it; 0 megabytes is an empty place."""
    body = bytearray(0x5C)
    configured = speed if configured is None else configured

    def put(offset: int, size: int, value: int) -> None:
        body[offset : offset + size] = value.to_bytes(size, "little")

    put(0x04, 2, array)
    put(0x08, 2, width + 8)
    put(0x0A, 2, width)
    put(0x0C, 2, min(megabytes, 0x7FFF))
    put(0x1C, 4, megabytes if megabytes >= 0x7FFF else 0)
    strings = [word for word in (device, bank) if word]  # an empty one is number 0
    put(0x10, 1, strings.index(device) + 1 if device else 0)
    put(0x11, 1, strings.index(bank) + 1 if bank else 0)
    put(0x12, 1, kind)
    put(0x15, 2, min(speed, 0xFFFF))
    put(0x54, 4, speed if speed >= 0xFFFF else 0)
    put(0x20, 2, min(configured, 0xFFFF))
    put(0x58, 4, configured if configured >= 0xFFFF else 0)
    return structure(17, 0x1100, bytes(body[4:]), *strings)


def table(*structures: bytes) -> bytes:
    """The whole table, begun and ended."""
    return structure(0, 0, bytes(20), "A maker", "1.0") + b"".join(structures) + END
