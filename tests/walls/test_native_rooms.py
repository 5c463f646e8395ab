"""The native walls: a kernel room includes kernel.h and the ground; Python stays in bindings/."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from walls.tree import ROOT, code, plant

GROUND = {
    "isa": set(),
    "kernel.h": {"isa"},
    "clock": {"isa", "kernel.h"},
    "sampler": {"isa", "kernel.h", "clock", "include"},  # include: it keeps the public promise
    "buffers": {"isa"},
    "team": {"isa", "buffers"},
    "topology": {"isa", "kernel.h"},
    "nodes": {"isa", "kernel.h", "team"},
    "blas": {"kernel.h"},
    "include": {"isa", "kernel.h", "clock", "sampler"},
}
"""Rooms that are not kernels → what they include beside themselves."""
ENGINES = {
    "gost": {"isa"},
    "tomo": {"isa", "buffers", "team"},
    "unet": {"isa", "buffers", "team"},
}
"""Engines in folders of their own → what they include of the ground."""
KERNEL_ROOM = {"kernel.h", "isa", "buffers", "team", "clock", "blas", "nodes"}
MEASURED = {room: {"include"} for room in ENGINES}
"""Rooms that measure an engine → what they know of it: what its users do."""
EVERYTHING = {"bindings", "tests"}
PYTHON = re.compile(r"^(Python\.h|nanobind/|pybind11/|numpy/)")


def wrong_includes(root: Path) -> list[str]:
    """Sentences about includes that reach into another room, or to Python."""
    native = root / "native"
    sources = (".h", ".hpp", ".c", ".cpp")
    return [
        f"{path.relative_to(root)} includes {target}: {why}"
        for path in code(native, *sources)
        for target in includes(path)
        if (why := objection(native, path, target))
    ] + [
        f"{path.relative_to(root)} includes {target}: of native/ it may include {ground}"
        for engine, ground in ENGINES.items()
        for folder in ("native", "include")
        for path in code(root / "engines" / engine / folder, *sources)
        for target in includes(path)
        if path.relative_to(root / "engines" / engine).parts[1] != "bindings"
        if PYTHON.match(target) or room_of(native, path, target) not in {None, *ground}
    ]


def objection(native: Path, path: Path, target: str) -> str | None:
    """Why this file may not include `target`; None: it may."""
    here, there = room(native, path), room_of(native, path, target)
    if PYTHON.match(target):
        return None if here == "bindings" else "only bindings/ knows Python"
    allowed = GROUND.get(here, KERNEL_ROOM | MEASURED.get(here, set()))
    if here in EVERYTHING or there in {None, here} or there in allowed:
        return None
    return f"{here} may include only {', '.join(sorted(allowed)) or 'itself'}"


def room_of(native: Path, path: Path, target: str) -> str | None:
    """The room a header is in; None for the system's."""
    for folder in (path.parent, native, native / "ground", native / "include"):
        header = (folder / target).resolve()
        if header.is_file():
            return room(native.resolve(), header)
    return None


def room(native: Path, path: Path) -> str:
    """The room a file of native/ is in."""
    first, *rest = path.relative_to(native).parts
    return rest[0] if first in {"ground", "kernels"} else first


def includes(path: Path) -> Iterator[str]:
    """What the file includes, quoted or in angle brackets."""
    text = path.read_text(encoding="utf-8")
    yield from re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', text, re.MULTILINE)


def test_includes_keep_to_their_rooms() -> None:
    assert wrong_includes(ROOT) == []


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("kernels/stream/stream.cpp", '"kernels/memory/memory.h"'),
        ("kernels/stream/stream.cpp", '"sampler/sampler.h"'),
        ("kernels/stream/stream.cpp", "<stend/measure.hpp>"),
        ("kernels/stream/stream.cpp", "<Python.h>"),
        ("ground/clock/tsc.cpp", "<nanobind/nanobind.h>"),
        ("ground/isa/x86.cpp", '"clock/clock.h"'),
        ("kernel.h", '"buffers/buffers.h"'),
        ("../engines/gost/native/gost/modes/ctr.cpp", '"buffers/buffers.h"'),
        ("../engines/gost/native/gost/modes/ctr.cpp", "<Python.h>"),
    ],
)
def test_an_include_through_a_wall_is_found(tmp_path: Path, name: str, target: str) -> None:
    for name_there in ("kernels/memory", "sampler", "ground/clock", "ground/buffers"):
        plant(tmp_path, f"native/{name_there}/{Path(name_there).name}.h", "// a room")
    plant(tmp_path, "native/include/stend/measure.hpp", "// what users include")
    assert len(wrong_includes(plant(tmp_path, f"native/{name}", f"#include {target}\n"))) == 1


def test_the_ground_and_the_system_are_open_to_a_kernel_room(tmp_path: Path) -> None:
    plant(tmp_path, "native/ground/isa/isa.h", "// a room")
    plant(tmp_path, "native/kernels/stream/stream.h", "// a room")
    text = '#include <vector>\n#include "isa/isa.h"\n#include "kernels/stream/stream.h"\n'
    assert wrong_includes(plant(tmp_path, "native/kernels/stream/stream.cpp", text)) == []
