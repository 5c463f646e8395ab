"""The gates before a write: a claim on the targets, or why they are refused.

What a path leads to can be exchanged after the last check and before fio opens it. A descriptor
that stend holds and fio inherits can't: /dev/fd/N, a link of the kernel's in /proc, leads to what
was opened (proc(5)).

It trusts nothing that made the text: whatever a job names has to be a target, and one that is only
read has to be only read there.

Every gate has to be passed; what can't be found out counts as no. All are passed again right
before each start of fio (`Claim.check`), for a disk can be mounted at any moment. Between two
checks the kernel keeps watch: a device is held open with O_EXCL, under which mount(2), swapon(2),
mdadm and device-mapper get EBUSY, and fio, which doesn't ask for it, works.
"""

import errno
import fcntl
import os
import re
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from stend.errors import BadValue, MeasuringError, UsageError
from stend.machine.block_devices import BlockDevice, BlockDevices, block_devices
from stend.machine.device_users import file_users, users
from stend.machine.tree import Tree, Unreadable
from stend.storage.fio.jobfile import HANDED, escaped
from stend.storage.own_files import NAME, left_behind, own_file
from stend.storage.signatures import share_unwritten, signatures
from stend.storage.targets import NULL, Target, check_direct, check_space, resolved_again


def by_descriptor(job: str, held: Mapping[str, int]) -> str:
    """Name the descriptors that are held of the targets; each job's description has their paths.

    Raises:
        BadValue: the job names what is not held.
    """
    handed = {f"filename={escaped(path)}": f"filename={HANDED}{n}" for path, n in held.items()}
    return "\n".join(_section(section, handed) for section in re.split(r"\n(?=\[)", job))


def _section(section: str, handed: Mapping[str, str]) -> str:
    lines = section.split("\n")
    names = [line for line in lines if line.startswith("filename=")]
    if unknown := [line for line in names if line not in handed]:
        raise BadValue(f"a job has {unknown[0]}, of which no descriptor is held")
    if not names:
        return section
    paths = ":".join(line.removeprefix("filename=") for line in names)
    head, *rest = (handed.get(line, line) for line in lines)
    return "\n".join([head, f"description={paths}", *rest])


def by_path(text: str, held: Mapping[str, int]) -> str:
    """Put the targets' paths where fio names their descriptors."""
    paths = {str(n): path for path, n in held.items()}
    return re.sub(rf"{re.escape(HANDED)}(\d+)", lambda found: paths.get(found[1], found[0]), text)


READING = {"read", "randread"}


def only_what_is_claimed(job: str, written: Mapping[str, bool]) -> None:
    """BadValue where a job leads to something else than a claimed path, or writes what it may not.

    `written`: whether a path may be.
    """
    for options in _sections(job):
        names = [name for key, name in options if key == "filename"]
        paths = [part.replace("\\:", ":") for n in names for part in re.split(r"(?<!\\):", n)]
        pattern = _pattern(options)
        if not paths:
            raise BadValue("a job names no file, and fio would make one of its own")
        for path in paths:
            if path not in written:
                raise BadValue(f"a job leads to {path}, which is not a target")
            if not written[path] and pattern not in READING:
                raise BadValue(f"a job writes {path}, which is only read ({pattern})")


def only_reads(job: str) -> bool:
    """Whether no job of it writes, so that fio itself can be forbidden to (--readonly)."""
    return all(_pattern(options) in READING for options in _sections(job))


def _pattern(options: Sequence[tuple[str, str]]) -> str:
    """The last that is given holds; where there is none, fio reads."""
    patterns = [value for key, value in options if key in {"rw", "readwrite"}]
    return patterns[-1] if patterns else "read"


def _sections(job: str) -> Iterator[list[tuple[str, str]]]:
    """The options of each job, those of [global] before its own."""
    shared: list[tuple[str, str]] = []
    own: list[tuple[str, str]] | None = None
    for line in map(str.strip, job.splitlines()):
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if own is not None and own is not shared:
                yield own
            own = shared if line == "[global]" else list(shared)
            continue
        name, _, value = line.partition("=")
        if own is not None:
            own.append((name.strip(), value.strip()))
    if own is not None and own is not shared:
        yield own


AGAIN_AFTER = 0.5
"""Seconds. udev and smartd look at a device for an instant; who stays longer uses it."""
OF_OTHER_HOSTS = ("nfs", "cifs", "smb", "ceph", "fuse", "9p", "afs", "lustre", "gpfs", "glusterfs")
"""Filesystems on which a lease says nothing of who has the file open."""


@dataclass
class Claim:
    """Targets that may be loaded, as long as the claim is held."""

    targets: tuple[Target, ...]
    writing: bool
    overwrite: frozenset[str]
    tree: Tree
    held: dict[str, int] = field(default_factory=dict)
    """Descriptors by path."""
    remarks: list[str] = field(default_factory=list)
    """What the person should know, though it forbids nothing."""

    def check(self, job: str | None = None) -> None:
        """Pass every gate again, right before fio is started; MeasuringError where one is shut.

        `job`: the job file that it is about to be given.
        """
        try:
            if job is not None:
                written = {t.path: self.writing or t.own or t.kind == NULL for t in self.targets}
                only_what_is_claimed(job, written)
            for target in self.targets:
                self.same(target)
                if self.writing and not target.own and target.kind != NULL:
                    self.unused(target)
                    if target.kind == "file":
                        _nobody_has_open(target, self.held[target.path])
                    self.nothing_known_on(target)
        except UsageError as why:
            raise MeasuringError(f"{why} (found right before the start of fio)") from None

    def stay(self) -> None:
        """After a run: what was loaded still is what the paths name; MeasuringError if not."""
        try:
            for target in self.targets:
                self.same(target)
        except UsageError as why:
            raise MeasuringError(f"{why} (found right after the run)") from None

    def same(self, target: Target) -> None:
        """The path still is what was opened."""
        if target.kind == NULL:
            return
        found = os.fstat(self.held[target.path])
        opened = (found.st_dev, found.st_ino)
        if target.kind == "block device":
            opened = (os.major(found.st_rdev), os.minor(found.st_rdev))
        now = resolved_again(target)
        if now != opened or (target.which and target.which != opened):
            raise BadValue(f"{target.said} isn't what it was a moment ago: something replaced it")
        size = os.lseek(self.held[target.path], 0, os.SEEK_END)
        if size < target.bytes:
            # fio would remove a file that is too short, and make it anew.
            raise BadValue(f"{target.said} shrank from {target.bytes:,} to {size:,} bytes")

    def unused(self, target: Target) -> None:
        """Nobody uses what the target shares bytes with."""
        said = self._users(target)
        if said:
            time.sleep(AGAIN_AFTER)
            said = tuple(one for one in self._users(target) if one in said)
        if said:
            raise BadValue(f"{target.said} is in use and is not written: {'; '.join(said)}")

    def _users(self, target: Target) -> tuple[str, ...]:
        tree = self.tree.again()
        try:
            devices = block_devices(tree)
            if target.device is None:
                return file_users(tree, devices, target.path)
            return users(tree, devices, _device(devices, target))
        except Unreadable as why:
            raise BadValue(f"can't determine who uses {target.said} ({why}): not written") from None

    def nothing_known_on(self, target: Target) -> None:
        """No signature but those that may be overwritten."""
        for path in self._with_partitions(target):
            if shut := signatures(path) - self.overwrite:
                raise BadValue(
                    f"{path} holds {_listed(shut)}, which writing destroys; to allow that, add "
                    f"{' '.join(f'--overwrite={name}' for name in sorted(shut))}"
                )

    def words(self, target: Target) -> str:
        """What has to be typed so that an existing target may be written.

        Raises:
            BadValue: what is on it can't be told.
        """
        shut = sorted(self.known_on(target) - self.overwrite)
        return " ".join([f"--destroy={target.identity}", *(f"--overwrite={name}" for name in shut)])

    def known_on(self, target: Target) -> set[str]:
        """Signatures on the target and its partitions."""
        return {name for path in self._with_partitions(target) for name in signatures(path)}

    def _with_partitions(self, target: Target) -> Iterator[str]:
        yield target.path
        if target.device is None:
            return
        devices = _now(self.tree)
        for part in _device(devices, target).partitions:
            path = devices.by_name[part].node
            if devices.of_path(path) != devices.by_name[part]:
                raise BadValue(f"{target.said} has a partition {part} that can't be inspected")
            yield path


@contextmanager
def claimed(
    targets: Sequence[Target],
    *,
    writing: bool,
    destroy: Sequence[str] = (),
    overwrite: Sequence[str] = (),
    direct: bool = True,
    tree: Tree | None = None,
) -> Iterator[Claim]:
    """Pass the gates and hold the targets; own files are made, and removed at the end.

    `destroy`: what was typed, one for each existing target that is written; `overwrite`: names of
    signatures. UsageError (exit code 2) with what shut a gate and what to type.
    """
    claim = Claim(tuple(targets), writing, frozenset(overwrite), tree or Tree())
    existing = [t for t in claim.targets if not t.own and t.kind != NULL]
    with ExitStack() as stack:
        for target in existing:
            _hold(claim, stack, target)
        _named(claim, existing, destroy)
        if writing:
            for target in existing:
                claim.nothing_known_on(target)
        for target in claim.targets:
            if target.own:
                _make(claim, stack, target, direct)
        yield claim


def _hold(claim: Claim, stack: ExitStack, target: Target) -> None:
    """Open it; for writing so that nobody else can have it."""
    if claim.writing:
        _writable(claim, target)
        claim.unused(target)
    exclusive = os.O_EXCL if claim.writing and target.kind == "block device" else 0
    try:
        descriptor = os.open(target.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | exclusive)
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise BadValue(
                f"{target.said} is in use and is not written: the kernel refuses exclusive "
                "access (a mount, a RAID, a volume group or another program holds it)"
            ) from None
        raise BadValue(f"{target.said} can't be opened: {error.strerror}") from None
    stack.callback(os.close, descriptor)
    claim.held[target.path] = descriptor
    claim.same(target)
    if claim.writing and target.kind == "file":
        _nobody_has_open(target, descriptor)
    elif claim.writing:
        _locked(target, descriptor)
    if not claim.writing and (said := claim._users(target)):
        claim.remarks.append(f"{target.said} is loaded by others too: {'; '.join(said)}")


def _writable(claim: Claim, target: Target) -> None:
    device = None
    if target.device:
        device = _now(claim.tree).by_name.get(target.device)
        if os.geteuid():
            raise BadValue(
                f"{target.said} may be written only by root: other users can't see which "
                "programs have it open"
            )
    if (device and device.read_only) or not os.access(target.path, os.W_OK):
        raise BadValue(
            f"{target.said} is read-only, or may not be written by this user: name another target"
        )


def _locked(target: Target, descriptor: int) -> None:
    """Take systemd's lock: mkfs and sfdisk hold it while they write, and udev leaves us alone.

    https://systemd.io/BLOCK_DEVICE_LOCKING; udev itself holds it for an instant.
    """
    for _ in range(4):
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(AGAIN_AFTER)
    raise BadValue(f"{target.said} is in use and is not written: another program has locked it")


def _nobody_has_open(target: Target, descriptor: int) -> None:
    """The kernel gives a lease for writing only on a file that nobody else has open (fcntl(2))."""
    if (target.record.filesystem or "").startswith(OF_OTHER_HOSTS):
        return
    try:
        # Who opens it meanwhile would else end this process by SIGIO.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        if error.errno == errno.EAGAIN:
            raise BadValue(
                f"{target.said} is in use and is not written: another program has it open"
            ) from None


def _named(claim: Claim, existing: Sequence[Target], destroy: Sequence[str]) -> None:
    """Each that is written was named by what it is, each name names one."""
    identities = [target.identity for target in existing]
    if claim.writing:
        for target in existing:
            if identities.count(target.identity) > 1:
                raise BadValue(
                    f"--destroy={target.identity} matches two targets, which may be the same "
                    "storage; write to only one of them"
                )
            if target.identity not in destroy:
                raise BadValue(_what_to_type(claim, target, destroy))
    for name in destroy:
        if name not in identities:
            known = ", ".join(identities) or "none"
            raise BadValue(f"--destroy={name} names no target; existing targets: {known}")


def _what_to_type(claim: Claim, target: Target, destroy: Sequence[str]) -> str:
    """What the target is, what is on it, and what says that it may be destroyed."""
    found = claim.known_on(target)
    wrong = f"--destroy={', '.join(destroy)} names something else; " if destroy else ""
    return (
        f"{_description(target)}; on it {_contents(target, found)}. stend only reads it: "
        f"{wrong}to destroy all data on it, add {claim.words(target)}"
    )


def _description(target: Target) -> str:
    record = target.record
    facts = [f"{target.bytes:,} bytes"]
    facts += [record.model] if record.model else []
    facts += [f"serial {record.serial}"] if record.serial else []
    facts += [f"on {record.filesystem}"] if record.filesystem else []
    return f"{target.said} is a {target.kind} that exists ({', '.join(facts)})"


def _contents(target: Target, found: set[str]) -> str:
    if found:
        return f"is {_listed(found)}"
    empty = share_unwritten(target.path, target.bytes)
    if empty == 1:
        return "is no known signature, and 64 random blocks are all zeros"
    return "is no known signature, but it isn't empty"


def _listed(names: set[str] | frozenset[str]) -> str:
    return " and ".join(sorted(names))


def _now(tree: Tree) -> BlockDevices:
    try:
        return block_devices(tree.again())
    except Unreadable as why:
        raise BadValue(f"the machine's block devices can't be listed ({why})") from None


def _device(devices: BlockDevices, target: Target) -> BlockDevice:
    device = devices.by_name.get(target.device or "")
    if device is None or device.number != target.which:
        raise BadValue(f"{target.said} isn't what it was a moment ago: the device is gone")
    return device


def _make(claim: Claim, stack: ExitStack, target: Target, direct: bool) -> None:
    """An own file, after what killed runs left of theirs is gone."""
    path = Path(target.path)
    if NAME.fullmatch(path.name) and (left := left_behind(path.parent)):
        claim.remarks.append(
            f"removed files that a killed run had left in {path.parent}: {', '.join(left)}"
        )
    check_space(path.parent, target.bytes)
    claim.held[target.path] = stack.enter_context(own_file(path, target.bytes))
    if direct:
        check_direct(target)
