"""What only one room may know: SQL is the store's, CPUID isa's, /proc and /sys the machine's.

One folder of /sys says what CPUID says elsewhere, so isa may read it: a kernel that is used
without Python places its threads by it. Memory is bound to the nodes that the kernel's files list.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from walls.tree import ROOT, code, plant

DATABASES = {"sqlalchemy", "sqlite3", "psycopg"}
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s.+\sSET|DELETE\s+FROM|(CREATE|DROP|ALTER)\s+TABLE|"
    r"PRAGMA\s)",
    re.DOTALL,
)
KERNEL_FILES = re.compile(r"/(proc|sys)(/|$)")
PROCESSOR = re.compile(
    r"\b(__)?(get_)?cpuid\w*|\bxgetbv\b|\bgetauxval\b|\bHWCAP\w*|__builtin_cpu_\w+|riscv_hwprobe|"
    r"\bsysctlbyname\b|\bGetLogicalProcessorInformation\w*"
)
OPENED = {
    "isa": ("/sys/devices/system/cpu/",),
    "nodes": ("/sys/devices/system/node/", "/proc/self/status"),
}
"""Rooms of the native ground → where the files of the kernel lie that they open."""
NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def wrong_python(root: Path) -> list[str]:
    """Sentences about SQL outside the store and kernel files outside the machine."""
    package = root / "src/stend"
    found = []
    for path in code(package, ".py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        said = list(strings(nodes))
        room = path.relative_to(package).with_suffix("").parts[0]
        if room != "store":
            found += [f"{path.name} imports {n}" for n in imported(nodes) if n in DATABASES]
            found += [f"{path.name} says {s!r}" for s in said if SQL.search(s)]
        if room != "machine":
            found += [f"{path.name} opens {s!r}" for s in said if KERNEL_FILES.match(s)]
    return found


def wrong_native(root: Path) -> list[str]:
    """Sentences about processor questions outside isa/, and kernel files opened elsewhere."""
    native = root / "native"
    found = []
    sources = (".h", ".hpp", ".c", ".cpp")
    for path in (*code(native, *sources), *code(root / "engines", *sources)):
        if "tests" in path.relative_to(root).parts[2:]:
            continue
        text = NO_CODE.sub("", path.read_text(encoding="utf-8"))
        name = path.relative_to(root)
        room = path.parent.name if path.parent.parent == native / "ground" else ""
        if room != "isa" and (asks := PROCESSOR.search(text)):
            found.append(f"{name} asks the processor: {asks[0]}")
        opens = [m[1] for m in re.finditer(r'"(/(proc|sys)/[^"]*)"', text)]
        allowed = OPENED.get(room, ())
        found += [f"{name} opens {o}" for o in opens if not o.startswith(allowed)]
    return found


def imported(nodes: list[ast.AST]) -> Iterator[str]:
    """First parts of the names of all modules that the file imports."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def strings(nodes: list[ast.AST]) -> Iterator[str]:
    """Every string the code uses; docstrings only explain, so they are left out."""
    spoken = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in spoken
        ):
            yield node.value


def test_only_the_store_knows_sql_and_only_the_machine_reads_kernel_files() -> None:
    assert wrong_python(ROOT) == []


def test_only_isa_asks_the_processor() -> None:
    assert wrong_native(ROOT) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("report/table.py", "import sqlite3"),
        ("cli/runs.py", "def f():\n    from sqlalchemy import select"),
        ("cli/runs.py", "x = 'SELECT id FROM runs'"),
        ("record/run_file.py", "x = f'DELETE  FROM runs WHERE id = {3}'"),
        ("running/plan.py", "open('/proc/meminfo')"),
        ("running/plan.py", "x = f'/sys/devices/{1}'"),
    ],
)
def test_knowledge_in_a_wrong_room_is_found(tmp_path: Path, name: str, line: str) -> None:
    assert len(wrong_python(plant(tmp_path, f"src/stend/{name}", line))) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("clock/tsc.cpp", "#include <cpuid.h>"),
        ("stream/plain.cpp", "if (__builtin_cpu_supports(name)) return;"),
        ("clock/counter.cpp", "auto h = getauxval(AT_HWCAP);"),
        ("team/seat.cpp", "sysctlbyname(name, &value, &size, nullptr, 0);"),
        ("isa/x86.cpp", 'open("/proc/cpuinfo");'),
        ("team/seat.cpp", 'open("/sys/devices/system/cpu/online");'),
    ],
)
def test_a_processor_question_in_a_wrong_room_is_found(
    tmp_path: Path, name: str, line: str
) -> None:
    assert len(wrong_native(plant(tmp_path, f"native/{name}", line))) == 1


def test_explaining_is_allowed_everywhere(tmp_path: Path) -> None:
    plant(tmp_path, "src/stend/running/plan.py", '"""Unlike /proc, SELECT id FROM runs is SQL."""')
    plant(tmp_path, "native/ground/clock/tsc.cpp", "// CPUID is isa's; see /proc/cpuinfo\n")
    assert wrong_python(tmp_path) + wrong_native(tmp_path) == []
