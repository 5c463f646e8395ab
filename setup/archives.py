"""Packs the source archives of all distributions into dist/, and unpacks stend's.

stend's archive is the whole tree. An engine's archive has what its build reads and no other engine:
`pip install stend_gost-0.1.0.tar.gz` compiles the ciphers alone. Its pyproject.toml is at the top,
and its folders are where they are in the tree.
"""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
ENGINES = ("gost", "tomo", "unet")
SHARED = [
    "CMakeLists.txt",
    "LICENSE",
    "engines/compiler.cmake",
    "engines/shared_library.cmake",
    "native/ground",
    "native/include",
    "native/kernel.h",
]
"""What an engine's build reads besides its own folder."""
AT_THE_TOP = {
    'readme = "README.md"': 'readme = "{engine}/README.md"',
    'source-dir = "../.."': 'source-dir = "."',
    'build-dir = "../../build/{name}-': 'build-dir = "build/',
    'packages = ["python/': 'packages = ["{engine}/python/',
    'testpaths = ["tests"]': 'testpaths = ["{engine}/tests"]',
    'pythonpath = ["tests"]': 'pythonpath = ["{engine}/tests"]',
}
"""Paths in an engine's pyproject.toml → the same in an archive."""


def pack(work: Path, python: Path) -> Path:
    """Pack the archives.

    Args:
        work: a folder for files on the way.
        python: of an environment with build and the build backend.

    Returns:
        The folder of stend's unpacked archive.
    """
    DIST.mkdir(exist_ok=True)
    for name in ENGINES:
        tree = work / name
        shutil.rmtree(tree, ignore_errors=True)
        copy_engine(name, tree)
        make_archive(tree, python)
    make_archive(ROOT, python)
    (archive,) = DIST.glob("stend-*.tar.gz")
    sources = work / archive.name.removesuffix(".tar.gz")
    shutil.rmtree(sources, ignore_errors=True)
    with tarfile.open(archive) as file:
        file.extractall(work, filter="data")
    return sources


def copy_engine(name: str, tree: Path) -> None:
    """Copy what git has of an engine and of what it shares, with its pyproject.toml at the top."""
    engine = f"engines/{name}"
    words = ["git", "-C", str(ROOT), "ls-files", "-z", "--", engine, *SHARED]
    for path in subprocess.check_output(words, text=True).rstrip("\0").split("\0"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tree / path)
    text = (tree / engine / "pyproject.toml").read_text("utf-8")
    for here, there in AT_THE_TOP.items():
        said = here.format(name=name)
        if text.count(said) != 1:
            sys.exit(f"setup/archives.py: {engine}/pyproject.toml must have {said} exactly once")
        text = text.replace(said, there.format(engine=engine, name=name))
    (tree / "pyproject.toml").write_text(text, "utf-8")


def make_archive(tree: Path, python: Path) -> None:
    """Pack one archive into dist/ by the build backend."""
    words = [str(python), "-m", "build", "--sdist", "--no-isolation", "--outdir", str(DIST)]
    subprocess.run([*words, str(tree)], check=True, stdout=subprocess.DEVNULL)
