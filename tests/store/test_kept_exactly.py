"""What is stored comes back exactly, from SQLite and from PostgreSQL."""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
from made import case, sample
from stend.record import CaseRecord, Integers, Numbers, Run
from stend.store import Store
from stend.store.codec import pack, unpack


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(str(tmp_path_factory.mktemp("store") / "stend.db")) as store:
        yield store


@pytest.fixture(scope="module")
def in_postgresql(postgresql: str) -> Iterator[Store]:
    with Store.open(postgresql) as store:
        yield store


def keeps(store: Store, run: Run) -> None:
    store.add(run)
    assert store.load(run.id) == run
    assert store.add(run) is False
    store.remove(run.id)


@given(run=drawn.runs)
def test_sqlite_keeps_a_run(in_sqlite: Store, run: Run) -> None:
    keeps(in_sqlite, run)


@given(run=drawn.runs)
def test_postgresql_keeps_a_run(in_postgresql: Store, run: Run) -> None:
    keeps(in_postgresql, run)


@given(st.lists(st.binary(min_size=8, max_size=8), min_size=1))
def test_every_bit_of_a_number_is_kept(patterns: list[bytes]) -> None:
    """NaN has 2⁵³ − 2 patterns, and a column keeps whichever it was given."""
    n = len(patterns)
    measured = case((sample([1.0] * n, values=Numbers(b"".join(patterns))),))
    back = unpack(*pack(measured), CaseRecord).samples[0].values
    assert back is not None
    assert back.tobytes() == b"".join(patterns)


def test_columns_are_stored_little_endian_whatever_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = case((sample([1e-3, 2e-3]),))
    column = here.samples[0].ticks
    swapped = Integers(struct.pack(">2q", *column))
    monkeypatch.setattr(sys, "byteorder", "big")
    there = case((sample([1e-3, 2e-3], ticks=swapped),))
    text, blob = pack(there)
    assert unpack(text, blob, CaseRecord).samples[0].ticks == swapped
    monkeypatch.undo()
    assert unpack(text, blob, CaseRecord).samples[0].ticks == column


def test_samples_take_far_less_room_than_their_bytes(tmp_path: Path) -> None:
    ticks = [100_000 + 37 * i % 3001 for i in range(10_000)]
    measured = case((sample([t * 1e-9 for t in ticks]),))
    text, blob = pack(measured)
    assert len(text) + len(blob) < 4 * 8 * len(ticks) / 4
