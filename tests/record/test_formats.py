"""docs/formats.md tells of every field of every record and of every column of the store."""

import re
from pathlib import Path

import pytest

from stend import record
from stend.record import loads
from stend.store import tables

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
RECORDS = [
    kind for kind in (vars(record) | vars(loads)).values() if isinstance(kind, type)
    and issubclass(kind, record.Record) and kind is not record.Record
]  # fmt: skip


def told(heading: str) -> list[str]:
    """The first cells of the table under a heading."""
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    return re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_record_is_told_in_order(kind: type[record.Record]) -> None:
    assert told(kind.__name__) == list(kind.__struct_fields__)


@pytest.mark.parametrize("table", tables.metadata.tables)
def test_every_column_of_the_store_is_told_in_order(table: str) -> None:
    assert told(f"`{table}`") == [column.name for column in tables.metadata.tables[table].columns]


def test_every_status_is_told() -> None:
    assert [s for s in record.Status if f'`"{s}"`' not in PAGE] == []


def test_a_field_that_is_not_told_is_found() -> None:
    class Mood(record.Record, frozen=True, kw_only=True):
        quiet: bool

    assert told(Mood.__name__) != list(Mood.__struct_fields__)


def test_the_newest_versions_are_told() -> None:
    exchange, _, store = PAGE.partition("\n## The store\n")
    newest = [max(map(int, re.findall(r"^\| (\d+) \|", part, re.M))) for part in (exchange, store)]
    assert newest == [record.SCHEMA, len(tables.STEPS)]
