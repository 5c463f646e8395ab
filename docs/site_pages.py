"""The repository's Markdown and pictures → the site's pages, at the same paths, and their order.

Relative links between pages need no change. A link to a source becomes its text: the site has no
sources. A page of reference is added for each package.
"""

import posixpath
import re
import shutil
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[1]
FOLDERS = (".", "docs", "docs/benchmarks", "native/**", "peers/**", "engines/*", "engines/*/docs",
           "engines/*/native/**", "engines/*/peers/**")  # fmt: skip
REFERENCE = {
    "stend": (
        "the laboratory",
        ("store.Store", "report.write_report", "record.run_file", "errors"),
    ),
    "stend_gost": ("the GOST ciphers", ("modes", "file")),
    "stend_tomo": ("tomography", ("preparation", "phantoms")),
    "stend_unet": ("U-Nets", ()),
}
"""By package: what it is of, and which of its modules have public names that it has not itself."""
WITH_TITLE = """
    options:
      show_root_heading: true
      show_root_toc_entry: true
"""
Order: TypeAlias = "dict[str, Order] | str"
FAMILIES = {
    "Peak": "peak",
    "LINPACK": "linpack",
    "Fourier transforms": "fft",
    "Noise": "noise",
    "Memory": "memory",
    "STREAM": "stream",
    "Memory nodes": "numa",
    "Cores": "cores",
    "Threads": "threads",
    "MPI": "mpi",
    "Storage": "storage",
    "Ciphers": "gost",
    "Tomography": "tomo",
    "U-Net": "unet",
    "Clocks": "clock",
}


def _engine(name: str, **own: str) -> Order:
    return {
        "": f"engines/{name}/README.md",
        "Python and commands": f"engines/{name}/docs/{name}.md",
        **{title.replace("_", " "): path for title, path in own.items()},
        "Python reference": f"reference/stend_{name}.md",
        "C and C++" if name == "gost" else "C++": f"engines/{name}/native/{name}/README.md",
        "How it is fast": f"engines/{name}/native/{name}/*/*.md",
        "Compared with others": f"engines/{name}/peers/*.md",
        "Decisions": f"engines/{name}/docs/decisions.md",
    }


ORDER: Order = {
    "Laboratory": {
        "": "README.md",
        "By task": "docs/README.md",
        "Tutorial": "docs/tutorial.md",
        "Commands": "docs/commands.md",
        "Methodology": "METHODOLOGY.md",
        "Comparisons": "docs/comparisons.md",
        "Installing": "docs/installing.md",
        "Programs of your own": "docs/own-programs.md",
        "Results of other tools": "docs/other-tools.md",
        "Clusters": "docs/clusters.md",
        "Storage": "docs/storage.md",
        "A team's server": "docs/server.md",
        "The server's API": "docs/server-api.md",
        "File formats": "docs/formats.md",
    },
    "Benchmarks": {
        "": "docs/benchmarks/README.md",
        **{title: f"docs/benchmarks/{name}.*.md" for title, name in FAMILIES.items()},
    },
    "Ciphers": _engine("gost", Encrypted_files="engines/gost/docs/gost-file.md"),
    "Tomography": _engine("tomo", Files="engines/tomo/docs/tomo-files.md"),
    "U-Net": _engine("unet"),
    "Python": {"": "docs/api.md", "Reference": "reference/stend.md"},
    "Development": {
        "": "CONTRIBUTING.md",
        "Changes": "CHANGELOG.md",
        "Security": "SECURITY.md",
        "Decisions": "docs/decisions.md",
        "Native code": "native/*.md",
        "Compared with others": "peers/*.md",
    },
}
"""The menu. The page without a title opens its section; a name with a * is all that match it."""

LINK = re.compile(r"\[((?:[^][]|\[[^]]*\])*)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]+)?\)")
PICTURE = re.compile(
    r'<picture>\s*<source [^>]*srcset="(.*?)">\s*<img alt="(.*?)" src="(.*?)">\s*</picture>'
)
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\|.*", re.MULTILINE)
CODE = re.compile(r"`[^`]*`")


def names() -> list[str]:
    """Give the paths of all pages and pictures that the repository has."""
    return sorted(
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for suffix in ("md", "png")
        for path in set(ROOT.glob(f"{folder}/*.{suffix}"))
    )


def write(folder: Path) -> None:
    """Make the folder hold the pages and pictures, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    known = {*names(), *(f"reference/{package}.md" for package in REFERENCE)}
    for name in known:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    for name in names():
        if name.endswith(".md"):
            text = page((ROOT / name).read_text("utf-8"), name, known)
            (folder / name).write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(ROOT / name, folder / name)
    for package in REFERENCE:
        (folder / f"reference/{package}.md").write_text(_reference(package), encoding="utf-8")


def _reference(package: str) -> str:
    about, modules = REFERENCE[package]
    others = (f"\n::: {package}.{module}{WITH_TITLE}" for module in modules)
    return f"# `{package}`: {about}\n\n::: {package}\n{''.join(others)}"


def menu(order: Order = ORDER) -> list[object]:
    """Give the menu as MkDocs' `nav`."""
    return list(_entries(order))


def _entries(order: Order) -> Iterator[object]:
    if isinstance(order, str):
        yield from (name for name in names() if fnmatchcase(name, order))
        return
    for title, entry in order.items():
        if isinstance(entry, str) and "*" not in entry:
            yield {title: entry} if title else entry
        else:
            yield {title: menu(entry)}


def page(text: str, name: str, known: set[str]) -> str:
    """Give GitHub's Markdown as MkDocs reads it; `known` are all pages and pictures."""

    def linked(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if f"{path}/README.md" in known:
            return f"[{text}]({target.rstrip('/')}/README.md{anchor})"
        is_source = path not in known and (ROOT / path).exists()
        return text if is_source else found[0]

    parts = FENCE.split(text)
    parts[::2] = [_tables(LINK.sub(linked, _pictures(part))) for part in parts[::2]]
    return "".join(parts)


def _pictures(text: str) -> str:
    """One picture for light pages and one for dark ones, by the page's own switch."""
    return PICTURE.sub(r"![\2](\3#only-light)![\2](\1#only-dark)", text)


def _tables(text: str) -> str:
    r"""Write `a\|b` in a row as `a|b`: only GitHub's tables are split inside code."""
    return ROW.sub(lambda row: CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), text)
