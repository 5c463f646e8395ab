"""The repository as the walls see it: its files, without what was made or fetched."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MADE = {"build", "dist", "__pycache__", "node_modules", "screenshots"}
CODE = {".py", ".pyi", ".h", ".hpp", ".c", ".cpp", ".cmake", ".sh", ".js", ".css", ".html", ".j2"}
WORDS = {".md", ".toml", ".yaml", ".yml", ".txt", ".json"}


def everything(root: Path) -> Iterator[Path]:
    """Every file and folder of the sources below `root`, hidden ones left out but for `.ci`."""
    for path in sorted(_in_git(root) or _on_disk(root)):
        hidden = {part for part in path.relative_to(root).parts if part.startswith(".")}
        if hidden <= {".ci"} and path.exists():
            yield path


def _in_git(root: Path) -> set[Path]:
    """What git keeps, and new files in the folders of that; what is beside them is a user's own."""
    kept = _listed(root, "--cached")
    folders = {Path(name).parts[0] for name in kept if "/" in name}
    new = {
        n for n in _listed(root, "--others", "--exclude-standard") if Path(n).parts[0] in folders
    }
    return _with_folders(root, {root / name for name in kept | new})


def _listed(root: Path, *options: str) -> set[str]:
    """Names from git, relative to `root`; none where there is no repository, as in an archive."""
    command = ["git", "-C", str(root), "ls-files", "-z", *options]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    return set(listed.stdout.split("\0")) - {""}


def _on_disk(root: Path) -> set[Path]:
    files = {path for path in root.rglob("*") if not MADE & set(path.relative_to(root).parts)}
    return _with_folders(root, files)


def _with_folders(root: Path, paths: set[Path]) -> set[Path]:
    above = {parent for path in paths for parent in path.parents}
    return paths | {folder for folder in above if folder.is_relative_to(root)} - {root}


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
