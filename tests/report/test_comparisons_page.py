"""docs/comparisons.md tells of every column of the CSV and of every field of the JSON."""

import re
from pathlib import Path

import pytest

from stend.comparing import Comparison, Difference, Family, Judgement, Noise, Normalised, Side
from stend.report.comparison_text import COLUMNS

PAGE = (Path(__file__).parents[2] / "docs" / "comparisons.md").read_text("utf-8")


def told(heading: str) -> list[str]:
    section = PAGE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    return re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)


def test_every_column_is_told_in_order() -> None:
    assert told("### CSV") == list(COLUMNS)


@pytest.mark.parametrize(
    "kind", [Comparison, Side, Judgement, Noise, Normalised, Family, Difference]
)
def test_every_field_is_told_in_order(kind: type) -> None:
    assert told(f"#### {kind.__name__}") == list(kind.__struct_fields__)
