"""What devices that hold something begin with: a file in, made to look like one that does."""

import struct
from collections.abc import Callable
from pathlib import Path

from needed import needs
from storage.loop_devices import PARTITION, SIZE, dos_entry, gpt_tables, put, ran


def ext4(file: Path) -> None:
    needs("mkfs.ext4", "e2fsprogs")
    ran("mkfs.ext4", "-q", "-F", str(file))


def swap(file: Path) -> None:
    file.chmod(0o600)
    ran("mkswap", str(file))


def dos(file: Path) -> None:
    put(file, (446, dos_entry(0x83, *PARTITION)), (510, b"\x55\xaa"))


def gpt(file: Path) -> None:
    """Put both tables where UEFI 2.10, 5.3 wants them."""
    put(file, *gpt_tables(SIZE))


def xfs(file: Path) -> None:
    """Version 4, with every size that libblkid checks (xfs_format.h, struct xfs_dsb)."""
    block, blocks, groups = 4096, 4096, 4
    put(file, (0, struct.pack(">4sIQ", b"XFSB", block, blocks)))
    put(file, (80, struct.pack(">III", 1, blocks // groups, groups)))
    put(file, (100, struct.pack(">4H", 4, 512, 256, 16)))
    put(file, (120, bytes((12, 9, 8, 4, 10, 0, 0, 25))))


def lvm(file: Path) -> None:
    """A label in the second sector (lvm2, format_text/layout.h); its checksum is asked for."""
    label = b"LVM2 001" + b"A1b2C3d4" * 4 + bytes(512 - 40)
    body = (32).to_bytes(4, "little") + label
    check = _crc(body[: 512 - 20])
    head = b"LABELONE" + (1).to_bytes(8, "little") + check.to_bytes(4, "little")
    put(file, (512, (head + body)[:512]))


def _crc(data: bytes) -> int:
    """CRC-32 without its last inversion, begun with LVM's own value."""
    value = 0xF597A6CF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
    return value


def vmfs(file: Path) -> None:
    """A datastore of VMware ESXi."""
    put(file, (1 << 20, (0xC001D00D).to_bytes(4, "little")))


def bluestore(file: Path) -> None:
    """A disk of Ceph."""
    put(file, (0, b"bluestore block device\n"))


def luks(file: Path) -> None:
    put(file, (0, b"LUKS\xba\xbe\x00\x01"))


SIGNED: dict[str, Callable[[Path], None]] = {
    "ext4": ext4,
    "swap": swap,
    "gpt": gpt,
    "dos": dos,
    "xfs": xfs,
    "LVM2_member": lvm,
    "VMFS_volume_member": vmfs,
    "ceph_bluestore": bluestore,
    "crypto_LUKS": luks,
}
