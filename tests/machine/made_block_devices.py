"""Machines with block devices, made of files as sysfs and /proc show them: for a `Tree`."""

from pathlib import Path

from stend.machine.block_devices import BlockDevices, block_devices
from stend.machine.device_users import users
from stend.machine.tree import Tree


class Machine:
    """Begins with no device and nothing mounted; every call adds something."""

    def __init__(self, folder: Path) -> None:
        """Lay out the tables under `folder`."""
        self.folder = folder
        self.numbers: dict[str, tuple[int, int]] = {}
        (folder / "sys/block").mkdir(parents=True)
        self.put("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")
        self.mount("proc", "/proc", number=(0, 5), type_="proc")

    @property
    def tree(self) -> Tree:
        return Tree(self.folder)

    @property
    def devices(self) -> BlockDevices:
        return block_devices(self.tree)

    def users(self, name: str) -> tuple[str, ...]:
        """Who uses the device of that name."""
        devices = self.devices
        return users(self.tree, devices, devices.by_name[name])

    def put(self, path: str, text: str | bytes) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def disk(self, name: str, sectors: int = 2048, **files: str | bytes) -> str:
        """Add a whole device; `files` of its folder, `__` for a slash."""
        self._device(f"sys/block/{name}", sectors)
        for path, text in files.items():
            self.put(f"sys/block/{name}/{path.replace('__', '/')}", text)
        return name

    def renumber(self, name: str, number: tuple[int, int]) -> None:
        """Give a device the number of a real one, whose node a test can open."""
        self.numbers[name] = number
        self.put(f"{self.place(name)}/dev", "{}:{}\n".format(*number))

    def partition(self, disk: str, number: int, sectors: int = 1024) -> str:
        """Add a partition, named as the kernel does."""
        name = f"{disk}{'p' if disk[-1].isdigit() else ''}{number}"
        self._device(f"sys/block/{disk}/{name}", sectors)
        self.put(f"sys/block/{disk}/{name}/partition", f"{number}\n")
        return name

    def over(self, name: str, *slaves: str, sectors: int = 2048, **files: str) -> str:
        """Add a device that is made of others (dm, md)."""
        self.disk(name, sectors, **files)
        for slave in slaves:
            self.put(f"sys/block/{name}/slaves/{slave}", "")
            self.put(f"{self.place(slave)}/holders/{name}", "")
        return name

    def place(self, name: str) -> str:
        """The device's folder."""
        folders = (
            self.folder.glob(f"sys/block/{name}/dev"),
            self.folder.glob(f"sys/block/*/{name}/dev"),
        )
        found = next(path for paths in folders for path in paths)
        return str(found.parent.relative_to(self.folder))

    def mount(
        self,
        source: str,
        point: str,
        number: tuple[int, int] | None = None,
        type_: str = "ext4",
        process: str = "self",
    ) -> None:
        """Add a line to the process's mountinfo; the number is the device's own unless given."""
        major, minor = number or self.numbers[source.removeprefix("/dev/")]
        path = self.folder / f"proc/{process}/mountinfo"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(f"30 1 {major}:{minor} / {point} rw shared:1 - {type_} {source} rw\n")

    def swap(self, path: str) -> None:
        with (self.folder / "proc/swaps").open("a") as file:
            file.write(f"{path} partition 1000 0 -2\n")

    def _device(self, place: str, sectors: int) -> None:
        name = place.rpartition("/")[2]
        self.numbers[name] = 8, len(self.numbers)
        self.put(f"{place}/dev", "{}:{}\n".format(*self.numbers[name]))
        self.put(f"{place}/size", f"{sectors}\n")
        self.put(f"{place}/ro", "0\n")
