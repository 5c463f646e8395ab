#!/usr/bin/python3
"""Installs one distribution's Python sources and metadata: python_part.py PROJECT PACKAGE.

The compiled module is already installed. The metadata that pip would read comes from
PROJECT/pyproject.toml, without the dependencies that Debian lacks.
"""

import shutil
import sys
import tomllib
from pathlib import Path

NOT_IN_DEBIAN = "scipy-openblas32"  # stend finds Debian's OpenBLAS by itself
TREE = Path("debian/tmp")
PACKAGES = TREE / "usr/lib/python3/dist-packages"
COMMAND = """#!/usr/bin/python3
import sys

from {module} import {function}

sys.exit({function}())
"""


def main(project: Path, package: Path) -> None:
    """Install what pip would install of the project."""
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    target = PACKAGES / package.name
    unwanted = shutil.ignore_patterns("__pycache__", "README.md", "LICENSE", "*.so")
    shutil.copytree(package, target, ignore=unwanted, dirs_exist_ok=True)
    folder = PACKAGES / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(about), "utf-8")
    (folder / "INSTALLER").write_text("debian\n")
    scripts = about.get("scripts", {})
    lines = [f"{name} = {entry}\n" for name, entry in scripts.items()]
    (folder / "entry_points.txt").write_text("".join(["[console_scripts]\n", *lines]))
    for name, entry in scripts.items():
        module, function = entry.split(":")
        command = TREE / "usr/bin" / name
        command.parent.mkdir(parents=True, exist_ok=True)
        command.write_text(COMMAND.format(module=module, function=function))
        command.chmod(0o755)


def metadata(about: dict) -> str:
    """The core metadata, version 2.1, of a [project] table."""
    engines = [] if about["name"] != "stend" else ["gost", "tomo", "unet"]
    wanted = [each for each in about.get("dependencies", []) if NOT_IN_DEBIAN not in each]
    wanted += [f"stend-{engine}=={about['version']}" for engine in engines]
    fields = [
        ("Metadata-Version", "2.1"),
        ("Name", about["name"]),
        ("Version", about["version"]),
        ("Summary", about["description"]),
        ("License", about["license"]),
        ("Requires-Python", about["requires-python"]),
        *(("Requires-Dist", each) for each in wanted),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
