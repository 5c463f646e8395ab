"""Storage: operations per second that fio achieves on its own file, and the latency of each.

The workloads are those of the profile `quick`; each process fills a new file in `folder`, warms it
up, measures once and removes it. Whole profiles, devices and long loads are `stend storage run`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from stend.benchmarks.definition import About, Case, benchmark
from stend.benchmarks.parameters import Parameter, Size, choice, size_in_bytes, whole
from stend.errors import MeasuringError
from stend.processes.packages import install
from stend.record import Machine
from stend.record.files import cache_folder
from stend.storage.fio.installation import lacking
from stend.storage.fio.profile import read_profile
from stend.storage.fio.results import FURTHER, METRIC, QUESTIONS
from stend.storage.fio.workload import Rw, Workload
from stend.storage.trial import Trial

FILES = {"check": 8 << 20, "quick": 256 << 20, "full": 4 << 30}
"""Bytes of the file: every process writes it anew, which is to take less than measuring does."""


@cache
def _of_profile(rw: str) -> tuple[Workload, ...]:
    return tuple(each for each in read_profile("quick").workloads if each.rw == rw)


def _blocks(rw: Rw) -> Parameter:
    return size_in_bytes(
        "bytes of each request",
        lambda machine, size: sorted({each.block for each in _of_profile(rw)})[: _most(size)],
        least=512,
        most=1 << 30,
    )


def _most(size: Size) -> int | None:
    return 1 if size == "check" else None


def _numbers(help: str, rw: Rw, of: Callable[[Workload], int], most: int) -> Parameter:
    """With --full one, too: what a single request takes."""

    def defaults(machine: Machine, size: Size) -> Sequence[int]:
        usual = {of(each) for each in _of_profile(rw)}
        return sorted(usual | ({1} if size == "full" else set()))

    return whole(help, defaults, least=1, most=most)


FILE = size_in_bytes(
    "bytes of the file that is created, filled and removed again; 256 MiB, or 4 GiB with --full",
    lambda machine, size: (FILES[size],),
    least=1 << 20,
)
FOLDER = choice(
    "folder of the file, on the storage to be measured; default: your cache folder",
    lambda machine, size: ("",),
)


def _folder(case: Case) -> Path:
    if case.folder:
        return Path(str(case.folder))
    try:
        folder = cache_folder() / "storage"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise MeasuringError(
            f"There is no cache folder for the file: {error}; give one with --set folder=PATH."
        ) from error
    return folder


def _needs(case: Case, machine: Machine) -> str | None:
    if missing := lacking():
        return missing
    if case.folder and not Path(str(case.folder)).is_dir():
        return f"there is no folder {str(case.folder)!r}; give another with --set folder=PATH."
    return None


ABOUT = About(
    work="the requests that fio completes in the measured round.",
    proof="fio must end without an error, none of its workers may have been killed, and each job "
    "must have made requests for the full time.",
    bound="The device or array, the path to it (bus, network), or, for small blocks, the CPU that "
    "submits the requests.",
    reading="If the file fits a cache, the cache is measured: make it larger with `--set "
    "file=SIZE`, and choose the storage with `--set folder=PATH`. Read IOPS together with "
    "the latency. For whole load tests use `stend storage run`.",
    rooms=("docs/storage.md",),
    installs={"fio": install("fio", "apt-get")},
)


def _register(rw: Rw) -> None:
    @benchmark(
        f"storage.{rw}",
        question=QUESTIONS[rw],
        parameters={
            "block": _blocks(rw),
            "depth": _numbers("requests that each job keeps in flight", rw, _depth, 1 << 16),
            "jobs": _numbers("processes that read or write at once", rw, _jobs, 1 << 10),
            "file": FILE,
            "folder": FOLDER,
        },
        metric=METRIC,
        further=FURTHER,
        quick=rw in ("randread", "randwrite"),
        card=rw == "randread",
        needs=_needs,
        about=ABOUT,
    )
    def on_a_file(case: Case) -> Trial:
        """A new file each time, so that no process reads what another one cached."""
        profile = read_profile("quick")
        workload = Workload(
            name=f"{rw}-{case.block}",
            rw=rw,
            block=int(case.block),
            depth=int(case.depth),
            jobs=int(case.jobs),
        )
        folder = str(_folder(case))
        return Trial(workload, folder, int(case.file), profile.warm_up, profile.seconds)


def _depth(workload: Workload) -> int:
    return workload.depth


def _jobs(workload: Workload) -> int:
    return workload.jobs


for _rw in ("read", "write", "randread", "randwrite"):
    _register(_rw)
