"""Records keep every value through JSON and through run files."""

from pathlib import Path

import pytest
from hypothesis import given

import drawn
from made import case, run, sample
from stend.record import Numbers, Run, from_json, to_json
from stend.record.invariants import validate
from stend.record.run_file import from_run_file, read_run_file, to_run_file, write_run_file


@given(drawn.runs)
def test_a_run_comes_back_from_json_as_it_was(run: Run) -> None:
    assert from_json(to_json(run), Run) == run


@given(drawn.runs)
def test_a_drawn_run_keeps_the_invariants_and_comes_back_from_a_run_file(run: Run) -> None:
    validate(run)
    assert from_run_file(to_run_file(run)) == run


def test_no_value_is_null_in_json_and_equals_itself() -> None:
    column = Numbers([1.5, float("nan")])
    measured = case((sample([1e-3, 1e-3], values=column),))
    assert b'"values":[1.5,null]' in to_json(measured)
    assert from_json(to_json(measured), type(measured)) == measured
    assert column != Numbers([1.5, 0.0])
    assert column != Numbers([1.5])


def test_a_written_file_is_read_back(tmp_path: Path) -> None:
    write_run_file(run(), tmp_path / "a.json")
    assert read_run_file(tmp_path / "a.json") == run()


def test_fields_of_a_later_minor_version_are_ignored() -> None:
    text = to_run_file(run()).replace(b'"label":', b'"mood":{"quiet":[1,2]},"label":')
    assert from_run_file(text) == run()


@pytest.mark.parametrize("number", [0.1, 1e-320, 1.7976931348623157e308, -0.0, 1e22, 2**53 + 2.0])
def test_numbers_come_back_bit_by_bit(number: float) -> None:
    measured = case((sample([1e-3], values=Numbers([number])),), parameters={"x": number})
    back = from_json(to_json(measured), type(measured))
    assert back.samples[0].values is not None
    assert back.samples[0].values.tobytes() == Numbers([number]).tobytes()
    assert repr(back.parameters["x"]) == repr(number)
