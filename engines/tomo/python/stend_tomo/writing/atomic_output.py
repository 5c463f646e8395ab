"""Output that is not whole is seen to be: it lies in NAME.unfinished until all of it is on disk.

Its journal says how many slices were written; meanwhile somebody may have removed or cut some.

The folder NAME.unfinished holds the output, a lock, and a journal: what is written (its plan), and
how many slices are there for good. Work that was interrupted goes on where the journal ends. At the
end the output takes its name, which is one step of the file system.

Of several calls of one process that write one folder only the latest goes on, and one at a time.
"""

import errno
import fcntl
import json
import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from weakref import WeakValueDictionary

from stend_tomo.errors import BadOption, Keyword, OutputError, TomoError, printable
from stend_tomo.writing.durable_files import synchronise_folder, write_durably

JOURNAL, OUTPUT, LOCK = "journal.json", "output", "lock"
FOLLOWS = "window"
"""What follows from the other settings where it is not given: told only where it differs alone."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Unfinished:
    """A place for an output that is not whole yet."""

    def __init__(self, target: Path, plan: dict[str, Any], resume: bool) -> None:
        """Begin, or go on with what an earlier run with the same plan has left.

        Args:
            target: what it will be called.
            plan: what decides the output, for JSON; `kept` of an earlier plan is taken over.
            resume: whether to go on; else what was left is thrown away.

        Raises:
            BadOption: the target exists, or something else was begun under this name.
            OutputError: it can't be written.
        """
        self.target = target
        self.folder = target.with_name(target.name + ".unfinished")
        self.output = self.folder / OUTPUT
        self._journal = self.folder / JOURNAL
        self._turns = turns_of(self.folder)
        self.plan, self.written = plan, 0
        with refusals_told(target):
            if target.exists() or target.is_symlink():
                raise BadOption(f"{printable(str(target))} exists; give another name or remove it.")
            _make_or_know(self.folder)
            synchronise_folder(target.parent)
            with self._turns.lock:
                self._lock()
                if not resume:
                    self._journal.unlink(missing_ok=True)
                self._go_on(plan)
                self._turns.latest += 1
                self._number = self._turns.latest

    @property
    def begun(self) -> bool:
        """Whether an earlier run has begun it, so that the output is there."""
        return self._journal.exists()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Keep other calls of this process from writing here meanwhile.

        Raises:
            BadOption: a later call has begun to, which this one would only spoil.
        """
        with self._turns.lock:
            if self._number != self._turns.latest:
                raise BadOption(
                    f"{printable(str(self.target))} is being written by a later call of this "
                    "process; write to the volume of that call."
                )
            yield

    def _lock(self) -> None:
        """Keep other processes out."""
        file = self._turns.file(
            self.folder / LOCK, lambda path: _plain_file(path, os.O_RDWR | os.O_CREAT)
        )
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # not taken over by a forked child
        except (BlockingIOError, PermissionError) as error:
            name = printable(str(self.target))
            raise BadOption(f"{name} is being written by another process.") from error
        except OSError:  # a file system without locks
            pass

    def _go_on(self, plan: dict[str, Any]) -> None:
        found = self._read()
        if found is not None and found[1] == 0 and not _same(plan, found[0]):
            self._journal.unlink()  # nothing is lost: no slice was written with those settings
            found = None
        if found is None:
            if self.output.is_dir():
                shutil.rmtree(self.output)
            self.output.unlink(missing_ok=True)
            return
        earlier, self.written = found
        if not _same(plan, earlier):
            others = ", ".join(_told(_different(plan, earlier)))
            raise BadOption(
                f"{printable(str(self.folder))} was begun with other settings ({others}), so it "
                "can't be continued. Give the same ones, or another name, or start over with ",
                Keyword("resume", False),
                ".",
            )
        self.plan = earlier

    def _read(self) -> tuple[dict[str, Any], int] | None:
        """The plan and the number of slices; None where nothing was begun."""
        try:
            with _plain_file(self._journal, os.O_RDWR) as file:
                found = json.load(file)
            plan, written = found["plan"], found["written"]
            if not isinstance(plan["kept"], dict) or type(written) is not int:
                raise TypeError(f"{written!r} slices")
            if not 0 <= written <= plan["shape"][0]:
                raise ValueError(f"{written} slices of {plan['shape']}")
            return plan, written
        except FileNotFoundError:
            return None
        except TomoError:
            raise
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadOption(
                f"{printable(str(self._journal))} has been altered; "
                f"remove {printable(str(self.folder))} to start over."
            ) from error

    def record(self, written: int) -> None:
        """Note that so many slices are on the disk."""
        part = self._journal.with_suffix(".part")
        write_durably(part, json.dumps({"plan": self.plan, "written": written}).encode())
        part.replace(self._journal)
        synchronise_folder(self.folder)
        self.written = written

    def take_place(self) -> None:
        """Give the output its name."""
        if self.target.exists():
            raise BadOption(
                f"{printable(str(self.target))} was created meanwhile; the slices written are in "
                f"{printable(str(self.output))}."
            )
        self.output.replace(self.target)
        synchronise_folder(self.target.parent)
        self._turns.close()
        with suppress(OSError):  # it is whole, whatever else somebody has put into the folder
            for name in (JOURNAL, LOCK):
                (self.folder / name).unlink()
            self.folder.rmdir()


def _make_or_know(folder: Path) -> None:
    """Make a folder, or see that it is this user's own: in another's, links may lead anywhere."""
    try:
        folder.mkdir()
    except FileExistsError:
        told, name = folder.lstat(), printable(str(folder))
        if not stat.S_ISDIR(told.st_mode):
            raise BadOption(f"{name} is not a folder; remove it, or give another name.") from None
        if told.st_uid != os.geteuid():
            raise BadOption(
                f"{name} belongs to another user (number {told.st_uid}); give another name."
            ) from None


def _plain_file(path: Path, flags: int) -> IO[bytes]:
    """Open a file to read and write; no link is followed, no pipe waited for, nothing emptied."""
    safe = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file = os.fdopen(os.open(path, flags | safe, 0o666), "r+b", buffering=0)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise BadOption(_stray(path)) from error
        raise
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise BadOption(_stray(path))
    return file


def _stray(path: Path) -> str:
    folder = printable(str(path.parent))
    return f"{printable(str(path))} is not a regular file; remove {folder} to start over."


def _same(plan: dict[str, Any], earlier: dict[str, Any]) -> bool:
    return not _different(plan, earlier)


def _different(plan: dict[str, Any], earlier: dict[str, Any]) -> list[str]:
    """The names of the settings that differ."""
    now, then = _settings(plan), _settings(earlier)
    places = dict.fromkeys([*now, *then])
    return [printable(key) for part, key in places if now.get((part, key)) != then.get((part, key))]


def _told(different: list[str]) -> list[str]:
    """What to give again: without what then is the same by itself."""
    return [name for name in different if name != FOLLOWS] or different


def _settings(plan: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """All settings by the part of the plan they are in, if any; what is only kept is none."""
    parts = {key: value for key, value in plan.items() if isinstance(value, dict)}
    alone = {("", key): value for key, value in plan.items() if key not in parts}
    nested = (part for part in parts if part != "kept")
    return alone | {(part, key): value for part in nested for key, value in parts[part].items()}


@contextmanager
def refusals_told(target: Path) -> Iterator[None]:
    """Tell what the system or a library refuses while `target` is written."""
    try:
        yield
    except TomoError:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        raise OutputError(_sentence(target, error)) from error


def _sentence(target: Path, error: Exception) -> str:
    name = printable(str(target))
    kept = f"What was written is kept in {name}.unfinished"
    if no_room(error):
        return f"No space is left for {name}. {kept}; free space, then repeat the call to continue."
    said = error.strerror if isinstance(error, OSError) and error.strerror else error
    return f"{name} can't be written: {printable(str(said))[:200]}."


def no_room(error: Exception) -> bool:
    """Whether this says that a disk is full, or a file too large for it."""
    return isinstance(error, OSError) and error.errno in NO_ROOM


class Turns:
    """What all calls of one process share that write one folder.

    Locks of files keep other processes out, but not this one; and closing any file of that name
    gives them up. So all calls share one.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.latest = 0
        """Number of the call that may write."""
        self._file: IO[bytes] | None = None

    def file(self, path: Path, opened: Callable[[Path], IO[bytes]]) -> IO[bytes]:
        """Give the file that is locked against other processes, as long as one has this object."""
        if self._file is None or self._file.closed or not _is_at(self._file, path):
            self._file = opened(path)
        return self._file

    def close(self) -> None:
        """Give up what the file keeps out."""
        if self._file is not None:
            self._file.close()


_of_folder: WeakValueDictionary[Path, Turns] = WeakValueDictionary()
_looking = threading.Lock()


def turns_of(folder: Path) -> Turns:
    """Give what calls share that write this folder, as long as one of them has it."""
    with _looking:
        return _of_folder.setdefault(Path(os.path.realpath(folder.parent), folder.name), Turns())


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Whether this is the file of that name still: its folder may have been removed."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.lstat())
    except FileNotFoundError:
        return False
