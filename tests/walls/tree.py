"""The repository as the walls see it: its files, without what was made or fetched."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MADE = {"build", "dist", "__pycache__", "node_modules", "screenshots"}
CODE = {".py", ".pyi", ".h", ".hpp", ".c", ".cpp", ".cmake", ".sh", ".js", ".css", ".html", ".j2"}
WORDS = {".md", ".toml", ".yaml", ".yml", ".txt", ".json"}


def everything(root: Path) -> Iterator[Path]:
    """Every file and folder below `root`, hidden and made ones left out."""
    for path in sorted(root.iterdir()):
        if path.name in MADE or (path.name.startswith(".") and path.name != ".ci"):
            continue
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from everything(path)


def is_code(path: Path) -> bool:
    """Source of ours: by suffix, or by the first line of a script without one."""
    if not path.is_file():
        return False
    if path.name in {"Makefile", "CMakeLists.txt"} or path.suffix in CODE:
        return True
    return path.suffix == "" and path.read_bytes()[:2] == b"#!"


def code(root: Path, *suffixes: str) -> Iterator[Path]:
    """Source files below `root`, of these suffixes if any are given."""
    for path in everything(root) if root.exists() else ():
        if is_code(path) and (not suffixes or path.suffix in suffixes):
            yield path


def plant(root: Path, name: str, text: str) -> Path:
    """Write a file for a test that wants to see a wall stand."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root
