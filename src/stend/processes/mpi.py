"""The site's MPI libraries, our program compiled against one, and the command that starts it.

Ranks bind themselves, so every launcher is told not to. What a site sets for its MPI in the
environment (OMPI_MCA_…, HYDRA_…, UCX_…, SLURM_…) passes through.
"""

import ctypes
import functools
import hashlib
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from shutil import which

from stend.errors import MeasuringError, SetupError
from stend.processes.child import Child, ask
from stend.processes.packages import install
from stend.record.files import cache_folder

WRAPPERS = ("mpicxx", "mpicxx.openmpi", "mpicxx.mpich")
"""Debian keeps several MPIs side by side under names of their own; mpicxx is one of them."""
LAUNCHERS = ("mpirun", "mpiexec")
INSTALLABLE = ("openmpi", "mpich")
"""Those that stend knows how to install."""
_NAMES = (
    ("Open MPI", "openmpi"),
    ("Intel", "intel"),
    ("MVAPICH", "mvapich"),
    ("MPICH", "mpich"),
)
"""What a wrapper calls itself → the variant's name. Those that descend from MPICH come first."""


@dataclass(frozen=True, slots=True)
class Mpi:
    """One MPI as a variant: `reason` is empty when it can be tried."""

    name: str
    reason: str = ""
    wrapper: str = ""
    """Path of its compiler."""
    launcher: str = ""
    """Path of its mpirun or mpiexec."""
    version: str = ""
    """As the wrapper tells it."""

    @property
    def available(self) -> bool:
        """Whether it can be tried."""
        return not self.reason


def libraries() -> tuple[Mpi, ...]:
    """Those found and those that stend knows how to install; PATH's own mpicxx last."""
    return _libraries(os.environ.get("PATH", ""))


def library(name: str) -> Mpi:
    """The one of that name, which must be one of `libraries()`."""
    return next(each for each in libraries() if each.name == name)


@functools.cache
def _libraries(path: str) -> tuple[Mpi, ...]:
    found: dict[str, Mpi] = {}
    for mpi in _found(path):
        found.setdefault(mpi.name, mpi)
    for name in INSTALLABLE:
        lacking = f"No mpicxx of {name} is in PATH; install it with `{install(name)}`."
        found.setdefault(name, Mpi(name, lacking))
    return tuple(reversed(found.values()))


def _found(path: str) -> Iterator[Mpi]:
    for name in WRAPPERS:
        wrapper = which(name, path=path)
        version = _version(wrapper) if wrapper else ""
        known = next((variant for word, variant in _NAMES if word in version), None)
        if wrapper and known:
            yield _with_launcher(known, wrapper, version)


def _version(wrapper: str) -> str:
    """Open MPI's wrappers know --showme:version, MPICH's and their descendants -v."""
    for option in ("--showme:version", "-v"):
        text = ask([wrapper, option])
        if not text:  # it can't be started, or hangs
            return ""
        first = text.strip().partition("\n")[0]
        if any(word in first for word, _ in _NAMES):
            return first
    return ""


def _with_launcher(name: str, wrapper: str, version: str) -> Mpi:
    for own in _own_names(Path(wrapper)):
        suffix = own.name.removeprefix("mpicxx")
        for launcher in LAUNCHERS:
            launcher_path = own.with_name(launcher + suffix)
            if os.access(launcher_path, os.X_OK):
                return Mpi(name, "", wrapper, str(launcher_path), version)
    brings = f"; install one with `{install(name)}`" if name in INSTALLABLE else ""
    return Mpi(
        name, f"{wrapper} has no mpirun or mpiexec next to it{brings}.", wrapper, "", version
    )


def _own_names(wrapper: Path) -> list[Path]:
    """The wrapper by the most telling of its names first: /usr/bin/mpicxx.openmpi, mpicxx.

    Without links among their folders: Open MPI's launcher takes its files to lie beside its own,
    and where /bin is /usr/bin, beside /bin lies nothing.
    """
    link = wrapper.parent.resolve() / wrapper.name
    names = [link]
    while link.is_symlink() and len(names) < 10:
        link = link.parent / link.readlink()
        names.append(link)
    telling = [each for each in names if re.fullmatch(r"mpicxx\..+", each.name)]
    return [*telling, *(each for each in names if each.name == "mpicxx")]


def joined(hosts: Iterable[str]) -> str:
    """Names → the value."""
    return "+".join(hosts)


def parted(value: object) -> tuple[str, ...]:
    """The value → names."""
    return tuple(host for host in str(value).split("+") if host)


HERE = "localhost"


@dataclass(frozen=True, slots=True)
class Layout:
    """How many ranks run on each of some hosts; without hosts all of them on this machine."""

    ranks: int
    hosts: tuple[str, ...] = ()

    @property
    def a_host(self) -> int:
        """Ranks on the first host; the last may have fewer."""
        return -(-self.ranks // max(1, len(self.hosts)))


def command(mpi: Mpi, layout: Layout, program: Path, words: Sequence[str]) -> tuple[str, ...]:
    """What starts `program` with its `words` on all ranks."""
    if layout.hosts and (flavour := _slurm(mpi.name)):
        launcher = _srun(layout, flavour)
    elif mpi.name == "openmpi":
        launcher = _mpirun(mpi, layout)
    else:
        launcher = _hydra(mpi, layout)
    return (*launcher, str(program), *words)


def environment(mpi: Mpi, layout: Layout) -> dict[str, str]:
    """This process's, with what the launcher needs here; what the site set stays as it is."""
    passed = dict(os.environ)
    if not layout.hosts:  # this machine, even where a job's hosts are others
        passed = {name: value for name, value in passed.items() if not name.startswith("SLURM_")}
    if mpi.name == "openmpi":
        if os.geteuid() == 0:
            passed["OMPI_ALLOW_RUN_AS_ROOT"] = passed["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        if not _memory_of_others():
            passed.setdefault("OMPI_MCA_btl_vader_single_copy_mechanism", "none")
    return passed


def last_words(said: str) -> str:
    """The sentence of a launcher's or MPI's complaint that tells most."""
    parts = _RULE.split(said)
    lines = [line.strip() for part in parts[::2] for line in part.splitlines()]
    telling = [line for line in lines if _TELLING.search(line)]
    direct = [line for line in telling if not _INDIRECT.search(line)]
    boxed = [words for part in parts[1::2] if (words := _first_sentence(part))]
    boxed.sort(key=lambda words: words.startswith("Primary job"))  # tells only that another failed
    others = [line for line in lines if line.strip(" =-|:.")]
    return [*direct, *boxed, *telling, *others, "it printed nothing"][0].rstrip(".")[:300]


_RULE = re.compile(r"^-{20,}$", re.MULTILINE)
"""Open MPI prints its help between two of these."""
_TELLING = re.compile(
    r"unable|cannot|can't|could not|error|fail|not found|refused|denied|no route|no such|killed|"
    r"terminated|exit string",
    re.IGNORECASE,
)
_INDIRECT = re.compile(
    r"^\[(mpiexec|proxy)|error stack:|BAD TERMINATION|WARN|Warning|total processes failed"
)
"""Hydra's own trace of calls, and headings."""


def _first_sentence(box: str) -> str:
    """Or what comes before a list."""
    text = " ".join(box.split())
    return "" if text.startswith("WARNING") else re.split(r"(?<=[a-z)\]])\. |: \*", text)[0]


def _mpirun(mpi: Mpi, layout: Layout) -> tuple[str, ...]:
    hosts = layout.hosts or (HERE,)
    places = ",".join(f"{host}:{layout.a_host}" for host in hosts)
    return (mpi.launcher, "-n", str(layout.ranks), "--host", places, "--bind-to", "none")


def _hydra(mpi: Mpi, layout: Layout) -> tuple[str, ...]:
    """MPICH's, which Intel's and MVAPICH's are made of."""
    hosts = ("-hosts", ",".join(layout.hosts), "-ppn", str(layout.a_host)) if layout.hosts else ()
    return (mpi.launcher, "-n", str(layout.ranks), *hosts)


def _srun(layout: Layout, flavour: str) -> tuple[str, ...]:
    """A step of the job this process is in; rank 0 alone gets the standard input."""
    even = () if layout.ranks % len(layout.hosts) else (f"--ntasks-per-node={layout.a_host}",)
    return (
        "srun",
        f"--mpi={flavour}",
        "--input=0",
        "--cpu-bind=none",
        "--overlap",
        "--kill-on-bad-exit=1",
        f"--nodes={len(layout.hosts)}",
        f"--ntasks={layout.ranks}",
        *even,
        f"--nodelist={','.join(layout.hosts)}",
    )


def _slurm(name: str) -> str:
    """How srun starts such ranks in the job that this process is in; "" where mpirun has to.

    MPICH's launcher uses srun itself for its own helpers.
    """
    if name != "openmpi" or "SLURM_JOB_ID" not in os.environ:
        return ""
    srun = which("srun")
    return "pmix" if srun and "pmix" in _flavours(srun) else ""


@functools.cache
def _flavours(srun: str) -> tuple[str, ...]:
    return tuple(ask([srun, "--mpi=list"]).split())


def _memory_of_others() -> bool:
    """Whether ranks may read each other's memory, which many containers forbid.

    Open MPI tries it all the same and complains at each message (its vader, CMA).
    """
    read, own = getattr(ctypes.CDLL(None), "process_vm_readv", None), ctypes.create_string_buffer(8)
    if read is None:
        return False

    class Span(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    into = Span(ctypes.addressof(ctypes.create_string_buffer(8)), 8)
    source = Span(ctypes.addressof(own), 8)
    count = ctypes.c_ulong(1)
    done: int = read(os.getpid(), ctypes.byref(into), count, ctypes.byref(source), count,
                     ctypes.c_ulong(0))  # fmt: skip
    return done == 8


NAME = "stend-mpi"
OPTIONS = ("-std=c++17", "-O2", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX")
PATIENCE = 50.0
"""Seconds that compiling may take; a worker has little more than a minute."""


def program(mpi: Mpi) -> Path:
    """The program's path. It is kept for the wrapper, its version, what it adds, and the sources.

    Raises:
        MeasuringError: it can't be compiled; `detail` has the command and what was printed.
        SetupError: the sources are not installed.
    """
    sources = _sources()
    made = _cache() / _key(mpi, sources) / NAME
    if not os.access(made, os.X_OK):
        _compile(mpi, sources, made)
    return made


def _sources() -> Path:
    """The folder of the sources: installed as files beside the package."""
    folder = Path(str(files("stend") / "mpi_program"))
    if not (folder / "mpi" / "main.cpp").is_file():
        raise SetupError(f"stend's MPI program is missing in {folder}; reinstall stend.")
    return folder


def _cache() -> Path:
    """The user's: /root and homes are mostly shared by a cluster's nodes, /tmp never is."""
    try:
        return cache_folder() / "mpi"
    except RuntimeError:
        raise MeasuringError(
            "No home folder is known for the MPI program; set XDG_CACHE_HOME."
        ) from None


def _key(mpi: Mpi, sources: Path) -> str:
    hashed = hashlib.sha256()
    for part in (mpi.wrapper, mpi.version, _shown(mpi), *OPTIONS):
        hashed.update(part.encode() + b"\0")
    for path in sorted(sources.glob("*/*")):
        hashed.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"{mpi.name}-{hashed.hexdigest()[:16]}"


def _shown(mpi: Mpi) -> str:
    """The compiler's own command, which tells of another MPI below the same wrapper."""
    return ask([mpi.wrapper, "-show"])


def _compile(mpi: Mpi, sources: Path, made: Path) -> None:
    try:
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=made.parent) as folder:
            fresh = Path(folder) / NAME
            command = [mpi.wrapper, *OPTIONS, f"-I{sources}", *_files(sources), "-o", str(fresh)]
            done = _run(command)
            if done.returncode or not fresh.is_file():
                raise _failure(mpi, command, done.stdout)
            fresh.replace(made)  # whole, whoever else compiles it now
    except OSError as error:
        raise MeasuringError(
            f"The MPI program can't be kept in {made.parent}: {error.strerror}; set "
            "XDG_CACHE_HOME to a writable folder."
        ) from error


def _files(sources: Path) -> Iterator[str]:
    return (str(path) for path in sorted(sources.glob("*/*.cpp")))


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """In the worker's group, so that a compiler below the wrapper ends when that does."""
    try:
        return Child(command, stderr=subprocess.STDOUT, own_group=False).result(PATIENCE)
    except subprocess.TimeoutExpired:
        raise MeasuringError(
            f"`{shlex.join(command)}` took longer than {PATIENCE:.0f} s."
        ) from None


def _failure(mpi: Mpi, command: list[str], printed: str) -> MeasuringError:
    errors = [line.strip() for line in printed.splitlines() if "error:" in line.lower()]
    telling = errors[0] if errors else last_words(printed)
    return MeasuringError(
        f"The MPI program can't be compiled against {mpi.name} by {mpi.wrapper}: {telling}.",
        {"compiling": shlex.join(command), "compiler": printed[-4000:]},
    )
