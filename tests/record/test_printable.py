"""Text of anywhere becomes text that a terminal can show, and a record without it stays itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made import case, run
from stend.record.text import NAME_LIMIT, TEXT_LIMIT, fault_of, printable, tidied


@given(st.text(st.characters()), st.booleans())
def test_any_text_becomes_printable_once_and_for_all(text: str, name: bool) -> None:
    shown = printable(text, name)
    assert fault_of(shown, name) == ""
    assert printable(shown, name) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("C:\\new", "C:\\new"),
        ("a\tb", r"a\tb"),
        ("ночь Ω 👩‍💻 \u00a0", "ночь Ω 👩‍💻 \u00a0"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\udcff", r"\udcff"),
        ("x" * (NAME_LIMIT + 1), "x" * (NAME_LIMIT - 1) + "…"),
    ],
)
def test_a_name_is_shown_on_one_line(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_text_may_have_line_breaks_and_more_characters() -> None:
    assert printable("a\n\tb", name=False) == "a\n\tb"
    assert printable("x" * (TEXT_LIMIT + 5), name=False) == "x" * (TEXT_LIMIT - 1) + "…"


def test_a_record_that_is_printable_is_not_copied() -> None:
    sound = run((case(), case()))
    assert tidied(sound) is sound


def test_only_what_is_not_printable_is_replaced() -> None:
    messy = run((case(), case(detail={"stderr": "\x07"})))
    clean = tidied(messy)
    assert clean.cases[1].detail == {"stderr": r"\x07"}
    assert clean.cases[0] is messy.cases[0]
    assert clean.machine is messy.machine
