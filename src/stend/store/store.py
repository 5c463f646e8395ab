"""The store's verbs: begin a run, append and extend its cases, finish it; list, load, add, remove.

Each verb is one transaction: when it returns, what it was given is on the disk; when it
raises, the store is as it was before.
"""

import zlib
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from stend.errors import Conflict, Damaged, StoreError, UnknownName
from stend.record import CaseRecord, Conditions, Record, Run, Sample
from stend.record.text import refuse_unfit
from stend.store import audit, backup, listing, newest, opening, time_series
from stend.store.access import Access
from stend.store.audit import Audit
from stend.store.codec import unpack
from stend.store.listing import Choices, Listing, Query, Summary
from stend.store.lookup import microseconds, number_of
from stend.store.names import Kind, one_of
from stend.store.newest import Newest
from stend.store.opening import Database, Turn, open_database
from stend.store.progress import Cursor, Progress, RunUpdate, fresh
from stend.store.rows import (
    add_run,
    case_row,
    digest_of,
    existing,
    id_with,
    insert_samples,
    locked,
    sound,
    state_of,
    update_run,
)
from stend.store.tables import cases, derived, name_cases, progress, runs, samples, unnamed
from stend.store.time_series import AT_ONCE, Derivation, Filter, Row, Series
from stend.store.trash import Trash, refuse_removed
from stend.store.uploads import Uploads

T = TypeVar("T", bound=Record)
D = TypeVar("D")


class Store:
    """Runs kept in one database; several processes can use it at once.

    Control characters in a record's strings are stored as escapes (stend.record.text); all
    else comes back exactly. Every verb raises StoreError, or NoSpace as its kind, when the
    database can't do it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, url: str | None = None, *, create: bool = True) -> Self:
        """Open the store at a path or a URL; None: $STEND_STORE, else in the user's data folder.

        Without `create`, a file that is not there stays so, and the store is empty.

        Raises:
            BadValue: no store can be there.
            SetupError: PostgreSQL is asked for, but psycopg is not installed.
            StoreError: it can't be opened; NewerStore: a newer stend wrote it.
        """
        return cls(open_database(url, create))

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Where the store is, safe to show: without a password."""
        return self._database.name

    @property
    def access(self) -> Access:
        """Who may do what."""
        return Access(self._database)

    @property
    def audit(self) -> Audit:
        """Who changed what."""
        return Audit(self._database)

    @property
    def uploads(self) -> Uploads:
        """What is being sent."""
        return Uploads(self._database)

    @property
    def progress(self) -> Progress:
        """How far runs under way are."""
        return Progress(self._database)

    def back_up(self, path: Path, told: backup.Told = backup.untold) -> backup.Copied:
        """Write all that the store holds at one moment to a file, which is a store itself.

        `told` gets how many steps are done, of how many. Only its owner can read it: it has the
        tokens' hashes.

        Raises:
            BadValue: there is such a file.
            OutputError: it can't be written; nothing is left of it.
        """
        return backup.write(self._database, path, told)

    def restore(
        self, path: Path, told: backup.Told = backup.untold, by: str | None = None
    ) -> backup.Copied:
        """Put all that a backup of any version holds into this store, which has to be empty.

        Raises:
            BadValue: there is no such file.
            StoreError: it is damaged, or this store is not empty; nothing was changed.
        """
        return backup.restore(self._database, path, told, by)

    def damaged(self) -> list[str]:
        """The ids of the runs that can't be loaded."""
        found = []
        with self._database.reading() as connection:
            for number, run_id in connection.execute(select(runs.c.number, runs.c.id)).all():
                try:
                    self._load(connection, number)
                except StoreError:
                    found.append(run_id)
        return found

    def begin(self, run: Run) -> None:
        """Store a new run, with the cases it has already."""
        run = sound(run)
        with self._database.writing() as connection:
            refuse_removed(connection, run.id)
            if not add_run(connection, run):
                raise Conflict(f"The run {run.id} is in the store already.")

    def append(self, run_id: str, case: CaseRecord) -> int:
        """Store a case that is being measured, and give the number to `extend` it by."""
        case = sound(case)
        with self._database.writing() as connection:
            run = existing(connection, run_id)
            stored = insert(cases).values(run=run, **case_row(case, samples=()))
            number = int(connection.execute(stored.returning(cases.c.number)).scalar_one())
            insert_samples(connection, number, case.samples)
        return number

    def extend(self, number: int, case: CaseRecord) -> None:
        """Store what has become of an appended case: its state, and the samples that are new.

        Raises:
            UnknownName: there is no case of that number.
        """
        with self._database.writing() as connection:
            count = select(func.count()).where(samples.c.case == number)
            stored = connection.scalar(count) or 0
            new = case.samples[stored:]
            case = sound(msgspec.structs.replace(case, samples=new or case.samples[-1:]))
            state = update(cases).where(cases.c.number == number)
            done = connection.execute(state.values(**case_row(case, samples=())))
            if done.rowcount != 1:
                raise UnknownName(f"The store has no case {number}: its run was removed.")
            insert_samples(connection, number, case.samples if new else ())
            connection.execute(delete(derived).where(derived.c.case == number))

    def finish(self, run_id: str, finished: str, conditions: Conditions) -> None:
        """Note when a run ended and under which conditions it was made."""
        with self._database.writing() as connection:
            number = locked(connection, existing(connection, run_id))
            run = self._load(connection, number, with_cases=False)
            ended = msgspec.structs.replace(run, finished=finished, conditions=conditions)
            update_run(connection, number, sound(ended))
            connection.execute(delete(progress).where(progress.c.run == number))

    def find(
        self,
        *,
        limit: int | None = None,
        label: str | None = None,
        host: str | None = None,
        group: str | None = None,
    ) -> list[Summary]:
        """Sum up the stored runs, newest first."""
        with self._database.reading() as connection:
            query = Query(label=label, host=host, group=group)
            return list(listing.newest(connection, query, limit))

    def listing(
        self, query: Query, limit: int, after: str | None = None, before: str | None = None
    ) -> Listing:
        """Sum up a page of what the query wants: the first, or after or before one that gave this.

        Raises:
            BadValue: no page gave that, or the search has too many words.
        """
        with self._database.reading() as connection:
            return listing.listing(connection, query, limit, after, before)

    def choices(self) -> Choices:
        """What a query can be narrowed by."""
        with self._database.reading() as connection:
            return listing.choices(connection)

    def id_of(self, name: str) -> str:
        """The id of the run that `name` means, as in `load`; it may be damaged."""
        with self._database.reading() as connection:
            return id_with(connection, number_of(connection, name))

    def known(self, ids: Collection[str]) -> set[str]:
        """Those of the whole ids that stored runs have."""
        with self._database.reading() as connection:
            return set(connection.scalars(select(runs.c.id).where(one_of(runs.c.id, ids))))

    def load(self, name: str) -> Run:
        """Give the run that `name` means: an id or its beginning, a label, last, last~1.

        Raises:
            UnknownName: no run has this name, or several do.
            StoreError: the run is damaged.
        """
        with self._database.reading() as connection:
            return self._load(connection, number_of(connection, name))

    def head(self, name: str) -> Run:
        """The same without its cases."""
        with self._database.reading() as connection:
            return self._load(connection, number_of(connection, name), with_cases=False)

    def state(self, run_id: str) -> bytes:
        """What stays the same as long as a finished run does, and is no other's: reads no case.

        A run's number is never another's, and of what is stored under it only the head changes.

        Raises:
            UnknownName: there is none of this whole id.
        """
        with self._database.reading() as connection:
            return state_of(connection, existing(connection, run_id))

    def news(self, run_id: str, after: Cursor, limit: int) -> RunUpdate:
        """What came of a run under way since somebody looked; of much news the newest.

        Raises:
            StoreError: a case of it is damaged.
        """
        with self._database.reading() as connection:
            places = fresh(connection, run_id, after, limit)
            found = self._cases(connection, cases.c.number.in_(places), run_id)
        changed = tuple(found[number] for number in places if number in found)
        return RunUpdate(changed, after.farthest(places.values()))

    def series(self, of: Derivation[D], wanted: Filter) -> Series[D]:
        """What `of` makes of each case that is wanted, run by run, in the order of time.

        It is made once of each case of a finished run and kept, so that a thousand runs are
        quick; a store that can only be read is read all the same. A run of which anything that
        is needed is damaged is left out, and named.
        """
        self._name_cases()
        with self._database.reading() as connection:
            rows = time_series.rows(connection, wanted, of.name)
            heads, damaged = self._heads(connection, wanted)
            kept = time_series.decoded(rows, of.kind)
            lacking: dict[int, list[int]] = {}
            for row in rows:
                if row.number not in kept:
                    lacking.setdefault(row.run, []).append(row.number)
            made: dict[int, D] = {}
            for run, numbers in lacking.items():
                try:
                    made |= self._made(connection, of, heads[run], numbers) if run in heads else {}
                except StoreError:
                    damaged.append(heads.pop(run).id)
        self._keep(of.name, {r: made[r.number] for r in rows if r.finished and r.number in made})
        return Series(time_series.joined(heads, rows, kept | made), tuple(damaged))

    def heads(self, wanted: Filter) -> list[Run]:
        """The runs that are wanted without their cases, newest first; no damaged one."""
        self._name_cases()
        with self._database.reading() as connection:
            found, _ = self._heads(connection, wanted)
        return list(found.values())[::-1]

    def benchmarks(self) -> list[str]:
        """All benchmarks that stored runs have."""
        self._name_cases()
        with self._database.reading() as connection:
            return listing.benchmarks(connection)

    def kinds(self, benchmarks: Sequence[str]) -> dict[str, Kind]:
        """The kinds of cases that stored runs have of these, by what a filter takes."""
        with self._database.reading() as connection:
            return time_series.kinds(connection, benchmarks)

    def hosts(self, wanted: Filter) -> dict[str | None, int]:
        """How many of the runs that are wanted each host has."""
        with self._database.reading() as connection:
            return time_series.hosts(connection, wanted)

    def newest(self, wanted: Filter, *, by_kind: bool = False) -> list[Newest]:
        """The newest run that is wanted of each machine; or of each machine, label and size."""
        with self._database.reading() as connection:
            return newest.newest_of_each(connection, wanted, by_kind)

    def newest_of_each_case(self, wanted: Filter) -> list[str]:
        """The ids of the runs in which some machine tried some case for the last time."""
        self._name_cases()
        with self._database.reading() as connection:
            return newest.newest_of_each_case(connection, wanted)

    def fingerprint(self, wanted: Filter) -> str:
        """What changes whenever other runs are wanted, or one has another label."""
        with self._database.reading() as connection:
            return newest.fingerprint(connection, wanted)

    def statuses(self, ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """How many cases of these runs ended how, by the run's id."""
        with self._database.reading() as connection:
            return newest.statuses(connection, ids)

    def add(
        self,
        run: Run,
        *,
        digest: str | None = None,
        sender: str | None = None,
        address: str = "",
        of: Derivation[Any] | None = None,
    ) -> bool:
        """Store a whole run from elsewhere; False when the same run is there already.

        The same it is by its digest (SHA-256 of the file it came in), else by its content but for
        the label, which may have been changed here. `sender` is whose token sent it, from which
        address; the audit log has an entry of it. What `of` makes is kept with it, for `series`.

        Raises:
            Conflict: another run with this id is there, or it was removed and can be put back.
        """
        run = sound(run)
        made = [of.make(case) for case in run.cases] if of else []
        with self._database.writing() as connection:
            refuse_removed(connection, run.id)
            if added := add_run(connection, run, digest, sender):
                if of:
                    time_series.keep_of_new(connection, of.name, run.id, added, made)
                refuse_removed(connection, run.id)  # while it waited for who removed it
                if sender is not None:
                    audit.note(connection, sender, address, "run add", run.id, run.label)
                return True
            number = existing(connection, run.id)
            if digest and digest == digest_of(connection, number):
                return False
            there = self._load(connection, number)
            if msgspec.structs.replace(there, label=run.label) != run:
                raise Conflict(
                    f"The store has a run {run.id} already, with other content, so nothing was "
                    f"changed. Look at it with `stend show {run.id}`."
                )
        return False

    def relabel(self, name: str, label: str, by: str | None = None, address: str = "") -> str:
        """Give the run that `name` means another label, and give its id.

        By whom and from which address is for the audit log.

        Raises:
            BadValue: the label means something else, or is too long.
            UnknownName: no run has this name, or several do.
        """
        refuse_unfit(label)
        with self._database.writing() as connection:
            number = locked(connection, number_of(connection, name))
            run = self._load(connection, number, with_cases=False)
            update_run(connection, number, sound(msgspec.structs.replace(run, label=label)))
            audit.note(connection, by, address, "run label", run.id, label)
        return run.id

    @property
    def trash(self) -> Trash:
        """The runs that were removed and can be put back."""
        return Trash(self._database)

    def remove(self, name: str, by: str | None = None, address: str = "") -> str:
        """Remove the run that `name` means, as in `load`, for good, and give its id.

        By whom and from which address is for the audit log.
        """
        with self._database.writing() as connection:
            opening.take(connection, Turn.TRASH)
            number = number_of(connection, name)
            found = id_with(connection, number)
            connection.execute(delete(runs).where(runs.c.number == number))
            audit.note(connection, by, address, "run forget", found)
        return found

    def _load(self, connection: Connection, number: int, with_cases: bool = True) -> Run:
        head = connection.execute(
            select(runs.c.id, runs.c.record, runs.c.columns).where(runs.c.number == number)
        ).one()
        run = self._head(head.record, head.columns, head.id)
        if not with_cases:
            return run
        whole = self._cases(connection, cases.c.run == number, run.id)
        return msgspec.structs.replace(run, cases=tuple(whole.values()))

    def _cases(
        self, connection: Connection, which: ColumnElement[bool], run_id: str
    ) -> dict[int, CaseRecord]:
        """Cases of one run with all their samples, by number, in the order of measuring."""
        of_these = select(cases.c.number, cases.c.record, cases.c.columns).where(which)
        rows = connection.execute(of_these.order_by(cases.c.number))
        found = {n: self._unpacked(text, blob, CaseRecord, run_id) for n, text, blob in rows}
        of_each = select(samples.c.case, samples.c.record, samples.c.columns).where(which)
        joined = of_each.join(cases, samples.c.case == cases.c.number)
        rows = connection.execute(joined.order_by(samples.c.number))
        more: dict[int, list[Sample]] = {}
        for n, text, blob in rows:
            more.setdefault(n, []).append(self._unpacked(text, blob, Sample, run_id))
        return {
            n: msgspec.structs.replace(case, samples=(*case.samples, *more.get(n, ())))
            for n, case in found.items()
        }

    def _heads(self, connection: Connection, wanted: Filter) -> tuple[dict[int, Run], list[str]]:
        """The runs that are wanted without their cases, oldest first, and the damaged ones' ids."""
        found, damaged = {}, []
        rows = connection.execute(
            select(runs.c.number, runs.c.id, runs.c.record, runs.c.columns)
            .where(runs.c.number.in_(wanted.runs()))
            .order_by(runs.c.began, runs.c.number)
        )
        for number, run_id, text, blob in rows:
            try:
                found[number] = self._head(text, blob, run_id)
            except StoreError:
                damaged.append(run_id)
        return found, damaged

    def _made(
        self, connection: Connection, of: Derivation[D], run: Run, numbers: Sequence[int]
    ) -> dict[int, D]:
        parts = (numbers[i : i + AT_ONCE] for i in range(0, len(numbers), AT_ONCE))
        return {
            number: of.make(case)
            for part in parts
            for number, case in self._cases(connection, cases.c.number.in_(part), run.id).items()
        }

    def _keep(self, name: str, made: dict[Row, D]) -> None:
        """Where it can't be kept, it is made again the next time."""
        for some in time_series.in_parts(made):
            with suppress(StoreError), self._database.writing() as connection:
                time_series.keep(connection, name, some)

    def _name_cases(self) -> None:
        """Name the cases that an older stend, still measuring, stored without their benchmark."""
        with self._database.reading() as connection:
            lacking = unnamed(connection)
        if lacking:
            with suppress(StoreError), self._database.writing() as connection:
                name_cases(connection)

    def _head(self, text: str, blob: bytes, run_id: str) -> Run:
        """A run without its cases, whose times can be reckoned with."""
        run = self._unpacked(text, blob, Run, run_id)
        try:
            for time in filter(None, (run.started, run.finished)):
                microseconds(time)
        except (ValueError, TypeError) as error:
            raise self._damaged(run_id) from error
        return run

    def _unpacked(self, text: str, blob: bytes, kind: type[T], run_id: str) -> T:
        try:
            return unpack(text, blob, kind)
        except (ValueError, TypeError, RecursionError, zlib.error) as error:
            raise self._damaged(run_id) from error

    def _damaged(self, run_id: str) -> Damaged:
        return Damaged(
            f"The run {run_id} is damaged; the other runs of the store can still be read. "
            "Take this one from a backup or a run file."
        )
