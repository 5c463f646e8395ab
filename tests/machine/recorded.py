"""Recorded machines: one text file each, unpacked into a folder that a `Tree` reads.

A file begins with what only system calls tell (`architecture`, `page_bytes`); then every
recorded file has a line `== PATH` and its content. Where CPUs have the same file, the path
stands once, as `/sys/devices/system/cpu/cpu[0-3,8]/online`.
"""

import re
from pathlib import Path

from stend.machine.tree import Tree, cpu_list

TREES = Path(__file__).parent / "trees"

MACHINES = sorted(path.stem for path in TREES.glob("*.txt"))

_MANY = re.compile(r"\[([\d,-]+)\]")


def recorded(name: str, folder: Path) -> Tree:
    """The machine `name`, its files laid out in `folder`."""
    head, *files = re.split(r"^== ", (TREES / f"{name}.txt").read_text(), flags=re.MULTILINE)
    for file in files:
        path, _, content = file.partition("\n")
        for one in expanded(path):
            place = folder / one.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content)
    told = dict(line.split(maxsplit=1) for line in head.splitlines())
    page = told.get("page_bytes")
    return Tree(folder, told.get("architecture"), int(page) if page else None)


def expanded(path: str) -> list[str]:
    """Every path that a packed one stands for."""
    many = _MANY.search(path)
    if not many:
        return [path]
    return [path.replace(many[0], str(n)) for n in cpu_list(many[1], path)]


def packed(tree: Tree, paths: list[str]) -> str:
    """The text of a recorded machine: `paths` of `tree`, equal files of several CPUs once."""
    facts = [("architecture", tree.architecture), ("page_bytes", tree.page_bytes)]
    head = "".join(f"{name} {value}\n" for name, value in facts if value is not None)
    groups: dict[tuple[str, str], list[int]] = {}
    for path in paths:
        number = re.search(r"(?<=/cpu)\d+(?=/)", path)
        content = _without_repeated_flags(path, tree.text(path).rstrip("\n") + "\n")
        key = (re.sub(r"(?<=/cpu)\d+(?=/)", "[]", path), content)
        groups.setdefault(key, []).extend([int(number[0])] if number else [])
    return head + "".join(
        f"== {path.replace('[]', _short(numbers))}\n{content}"
        for (path, content), numbers in sorted(groups.items())
    )


def _short(numbers: list[int]) -> str:
    """`3` for one number, `[0-3,8]` for several."""
    if len(numbers) == 1:
        return str(numbers[0])
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return "[" + ",".join(f"{a}-{b}" if a < b else f"{a}" for a, b in runs) + "]"


def _without_repeated_flags(path: str, content: str) -> str:
    """Cpuinfo says the same hundred flags for every processor: keep the first one's."""
    if path != "/proc/cpuinfo":
        return content
    first, *others = content.split("\n\n")
    long = re.compile(r"^(flags|bugs|Features|isa|hart isa|power management)\s*:.*\n", re.MULTILINE)
    return "\n\n".join([first, *(long.sub("", block) for block in others)])
