"""Python's walls: a room imports the rooms above it, never one below; a verb no other verb."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from walls.tree import ROOT, code, plant

ROOMS = (
    # the ground
    ("errors",),
    ("record",),
    ("aliases", "statistics", "_native"),
    ("native",),
    ("processes",),
    ("machine",),
    # the flow, from a definition to a page
    ("benchmarks.parameters", "benchmarks.needs", "benchmarks.runner"),
    ("storage.fio",),
    ("running.sampling",),
    ("storage", "running.job", "running.command", "foreign"),
    ("benchmarks.definition",),
    ("benchmarks.families", "benchmarks.skeleton"),
    ("benchmarks",),
    ("running",),
    ("store",),
    ("comparing",),
    ("comparing.published", "trends"),
    ("laboratory",),
    ("fleet", "web.push"),
    ("report",),
    ("web",),
    ("cli",),
)
"""Top first. Rooms of one line are neighbours and don't import each other.

A part of a room has a line of its own where other rooms stand between the two.
"""

LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
VERB = re.compile(r"(\w+_)?verb")
ENGINES = {"stend_gost", "stend_tomo", "stend_unet"}
KNOW_ENGINES = {"aliases", "benchmarks", "cli", "errors", "web"}
"""Rooms that may import an engine: the site shows scans, `errors` has classes of former names."""
STARTERS = {"processes/child.py", "storage/watchdog.py"}
"""What may start a process: the class of children, and fio's watchdog, which has none of ours."""
STARTING = re.compile(
    r"\bsubprocess\.(Popen|run|call|check_call|check_output|getoutput)\b|"
    r"\bos\.(fork|forkpty|posix_spawnp?|system|popen|spawn\w+)\(|"
    r"\bcreate_subprocess_|\bfrom subprocess import\b|\bmultiprocessing\b"
)
FRONT_DOORS = {"__init__", "__main__"}
"""What stands in front of all rooms and may open any of them."""


def wrong_imports(root: Path) -> list[str]:
    """Sentences about imports that go down, sideways or to a room that the table lacks."""
    package = root / "src/stend"
    verbs = set(verbs_of(package / "cli"))
    found = []
    for path in code(package, ".py"):
        module = path.relative_to(package).with_suffix("").parts
        if module[0] in FRONT_DOORS:
            continue
        if room_of(module) not in LEVEL:
            found.append(f"{path.name}: the room {module[0]} is not in the table")
            continue
        found += [
            f"{'.'.join(module)} imports {'.'.join(target)}: {why}"
            for target in imports(path, module)
            if (why := objection(module, target, verbs))
        ]
    return found


def objection(module: tuple[str, ...], target: tuple[str, ...], verbs: set[str]) -> str | None:
    """Why `module` may not import `target`, both as parts below stend; None: it may."""
    if not target:
        return None
    here, there = room_of(module), room_of(target)
    if there not in LEVEL:
        return f"the room {there} is not in the table"
    if here != there:
        return None if LEVEL[there] < LEVEL[here] else "that room is not above"
    if here == "cli" and module[1:] != ("__init__",) and verbs.intersection(target[1:2]):
        return "a verb imports no other verb"
    return None


def room_of(module: tuple[str, ...]) -> str:
    """The part of a room that has a line in the table, or the room."""
    part = ".".join(module[:2])
    return part if part in LEVEL else module[0]


def verbs_of(cli: Path) -> Iterator[str]:
    """Modules of the command line that define a function it calls, `verb` or `…_verb`."""
    for path in code(cli, ".py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        if any(isinstance(node, ast.FunctionDef) and VERB.fullmatch(node.name) for node in body):
            yield path.stem


def imports(path: Path, module: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What the file imports from stend, as parts below stend; `from stend import x` is x."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, module)
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = tuple(name.split("."))
            if parts[0] == "stend" and parts[1:] != ("__version__",):
                yield parts[1:]


def absolute(node: ast.ImportFrom, module: tuple[str, ...]) -> str:
    """The module that `from … import` names, relative dots resolved."""
    if not node.level:
        return node.module or ""
    package = ("stend", *module)[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


def ties(root: Path) -> list[str]:
    """Sentences about what an engine imports of the laboratory or of another engine."""
    return [
        f"{path.relative_to(root)} imports {name}"
        for engine in sorted(root.glob("engines/*"))
        for path in code(engine / "python", ".py", ".pyi")
        for name in outer_imports(path)
        if re.match(r"stend(_|\.|$)", name) and name.split(".")[0] != f"stend_{engine.name}"
    ]


def outer_imports(path: Path) -> Iterator[str]:
    """Give the modules that the file imports by their whole names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def strangers(root: Path) -> list[str]:
    """Sentences about rooms that import an engine and have no business with it."""
    package = root / "src/stend"
    return [
        f"{path.relative_to(package)} imports {name}"
        for path in code(package, ".py")
        if path.relative_to(package).with_suffix("").parts[0] not in KNOW_ENGINES
        for name in outer_imports(path)
        if name.split(".")[0] in ENGINES
    ]


def starters(root: Path) -> list[str]:
    """Sentences about modules that start a process in a way of their own."""
    package = root / "src/stend"
    return [
        f"{name} has {found[0]}"
        for path in code(package, ".py")
        if (name := str(path.relative_to(package))) not in STARTERS
        and (found := STARTING.search(path.read_text(encoding="utf-8")))
    ]


def untold(text: str) -> set[str]:
    """Rooms that a document's table lacks; the compiled module is `native`'s."""
    told = "".join(line for line in text.splitlines() if line.startswith("|"))
    named = {name.rstrip("/") for name in re.findall(r"`([a-z_]+/?)`", told)}
    return {room.split(".")[0] for room in LEVEL if not room.startswith("_")} - named


def test_imports_follow_the_table() -> None:
    assert wrong_imports(ROOT) == []


def test_an_engine_imports_nothing_of_the_laboratory_and_few_rooms_import_an_engine() -> None:
    assert ties(ROOT) + strangers(ROOT) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("engines/gost/python/stend_gost/mac.py", "from stend.errors import StendError"),
        ("engines/gost/python/stend_gost/mac.py", "def f():\n    import stend"),
        ("engines/gost/python/stend_gost/mac.py", "import stend_tomo.beams"),
        ("src/stend/report/chart.py", "from stend_gost import modes"),
    ],
)
def test_a_tie_between_an_engine_and_the_laboratory_is_found(
    tmp_path: Path, name: str, line: str
) -> None:
    plant(tmp_path, name, line)
    assert len(ties(tmp_path) + strangers(tmp_path)) == 1


def test_children_are_started_in_one_place() -> None:
    assert starters(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "done = subprocess.run(['ls'], check=True)",
        "from subprocess import Popen",
        "pid = os.fork()",
        "await asyncio.create_subprocess_exec('ls')",
    ],
)
def test_a_child_that_is_started_elsewhere_is_found(tmp_path: Path, line: str) -> None:
    assert len(starters(plant(tmp_path, "src/stend/fleet/hosts.py", line))) == 1


def test_every_room_is_told_of_to_who_works_here() -> None:
    assert untold((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")) == set()


def test_a_room_that_is_not_told_of_is_found() -> None:
    rooms = [f"| `{room.split('.')[0]}/` |" for room in LEVEL if room != "store"]
    assert untold("\n".join([*rooms, "the `store`"])) == {"store"}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("running/plan.py", "from stend.store import Store"),
        ("benchmarks/definition.py", "from stend.benchmarks import registry"),
        ("storage/fio/schema.py", "import stend.storage.gates"),
        ("machine/processor.py", "import stend.store"),
        ("machine/processor.py", "from stend import store"),
        ("machine/processor.py", "from ..store import Store"),
        ("statistics/median.py", "def f():\n    from stend.report import tables"),
        ("errors.py", "from stend.record import Run"),
        ("cli/time_.py", "from stend.cli.run import verb"),
        ("cli/time_.py", "from stend.cli import run"),
        ("attic.py", ""),
    ],
)
def test_an_import_through_a_wall_is_found(tmp_path: Path, name: str, line: str) -> None:
    plant(tmp_path, "src/stend/cli/run.py", "def verb(): ...")
    assert len(wrong_imports(plant(tmp_path, f"src/stend/{name}", line))) == 1


def test_an_import_of_a_room_above_is_allowed(tmp_path: Path) -> None:
    text = "from stend.record import Run\nfrom stend import errors\nfrom .facts import memory\n"
    assert wrong_imports(plant(tmp_path, "src/stend/machine/block_devices.py", text)) == []
