"""Trees made by hand: a dictionary of paths and contents, laid out in a folder."""

from pathlib import Path

from stend.machine.tree import Tree


def made(folder: Path, files: dict[str, str], **told) -> Tree:
    """A machine that has these files and no other."""
    write(folder, files)
    return Tree(folder, **told)


def write(folder: Path, files: dict[str, str]) -> None:
    """Write or overwrite these files of a made machine."""
    for path, content in files.items():
        place = folder / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
