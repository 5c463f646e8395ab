"""Prints the version of this tree, or with --tag the text of its tag, if all places agree.

The version is in the pyproject.toml of each of the four distributions, in CMake's project, gost.h,
the citation, Debian's changelog and CHANGELOG.md, whose section of that version is the tag's text.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = {
    "pyproject.toml": r'^version = "(.+)"',
    "engines/gost/pyproject.toml": r'^version = "(.+)"',
    "engines/tomo/pyproject.toml": r'^version = "(.+)"',
    "engines/unet/pyproject.toml": r'^version = "(.+)"',
    "CMakeLists.txt": r"^project\(stend VERSION (\S+)",
    "CITATION.cff": r"^version: (\S+)",
    "debian/changelog": r"^stend \((\S+)\)",
    "engines/gost/include/stend/gost.h": r'^#define STEND_GOST_VERSION "(.+)"',
}


def versions() -> dict[str, str]:
    """Give what each place says."""
    found = {}
    for place, pattern in PLACES.items():
        match = re.search(pattern, (ROOT / place).read_text("utf-8"), re.MULTILINE)
        found[place] = match[1] if match else "none"
    return found


def section(version: str) -> str:
    """Give the changelog's section of a version; empty where it has none with a date."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heading = rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)"
    match = re.search(heading, text, re.MULTILINE | re.DOTALL)
    return match[1].strip() if match else ""


def main(words: list[str]) -> None:
    """Print the version or its tag's text."""
    found = versions()
    if len(set(found.values())) != 1:
        differing = ", ".join(f"{place} {version}" for place, version in found.items())
        sys.exit(f"setup/version.py: the versions differ: {differing}.")
    version = found["pyproject.toml"]
    text = section(version)
    if not text:
        sys.exit(f'setup/version.py: CHANGELOG.md needs a section "## {version} - YYYY-MM-DD".')
    print(f"stend {version}\n\n{text}" if words == ["--tag"] else version)


if __name__ == "__main__":
    main(sys.argv[1:])
