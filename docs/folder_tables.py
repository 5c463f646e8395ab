"""The READMEs of large folders of Python files: tables of the files' first lines."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("src/stend", "engines/gost/python", "engines/tomo/python", "engines/unet/python")
MOST = 12
"""Files that a folder may have without a table of them."""


def tables() -> dict[Path, str]:
    """Give the READMEs that there must be, by their paths."""
    inits = [init for package in PACKAGES for init in (ROOT / package).rglob("__init__.py")]
    folders = [init.parent for init in inits if len(list(init.parent.glob("*.py"))) > MOST]
    return {folder / "README.md": _text(folder) for folder in sorted(folders)}


def _text(folder: Path) -> str:
    package = folder.relative_to(ROOT).as_posix().partition("stend")
    lines = [
        f"# {(package[1] + package[2]).replace('/', '.')}",
        "",
        _doc(folder / "__init__.py").partition("\n\n")[0].replace("\n", " "),
        "",
        "| file | what is in it |",
        "| --- | --- |",
        *(f"| [{path.name}]({path.name}) | {_first(path)} |" for path in _members(folder)),
        "",
        "`make docs` writes this table from the first line of each file.",
        "",
    ]
    return "\n".join(lines)


def _members(folder: Path) -> list[Path]:
    files = [path for path in folder.glob("*.py") if not path.name.startswith("__")]
    return sorted([*files, *(init.parent for init in folder.glob("*/__init__.py"))])


def _first(path: Path) -> str:
    doc = _doc(path / "__init__.py" if path.is_dir() else path)
    return doc.partition("\n")[0].replace("|", "\\|")


def _doc(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
