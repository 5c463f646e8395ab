"""Whatever stands around fio's documents, they are found, whole, in order and in linear time."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.storage.fio.documents import Scanner, scan
from storage.fio.reports import job, printed, report, way

ONE = report(job("one", read=way({1000: 5})))
TWO = report(job("two", read=way({2000: 7})))

NOTES = st.text(st.characters(codec="utf-8", exclude_characters="{}"), max_size=40)


@given(st.lists(st.sampled_from([ONE, TWO]), max_size=4), NOTES, st.booleans())
def test_documents_are_found_between_any_notes(
    documents: list[dict[str, object]], note: str, compact: bool
) -> None:
    lay_out = (lambda d: json.dumps(d).encode()) if compact else printed
    text = note.encode() + b"".join(b"\n" + lay_out(d) + b"\n" + note.encode() for d in documents)
    found = scan(text)
    assert found.documents == documents
    assert not found.truncated


def test_notes_before_between_and_behind_are_kept() -> None:
    text = b"note: capped\n" + printed(ONE) + b"fio: pid=7, got signal=9\n" + printed(TWO) + b"bye"
    found = scan(text)
    assert found.documents == [ONE, TWO]
    assert found.stray == ["note: capped", "fio: pid=7, got signal=9", "bye"]


def test_braces_and_quotes_in_a_note_hide_no_document() -> None:
    assert scan(b'fio: bad {"x \n' + printed(ONE)).documents == [ONE]
    assert scan(b'{ } } " {{ \n' + printed(ONE)).documents == [ONE]


def test_documents_in_a_list_and_without_line_breaks_are_found() -> None:
    assert scan(json.dumps([ONE, TWO]).encode()).documents == [ONE, TWO]
    assert scan(json.dumps(ONE).encode() + json.dumps(TWO).encode()).documents == [ONE, TWO]


@pytest.mark.parametrize("lay_out", [printed, lambda d: json.dumps(d).encode()])
def test_a_document_cut_anywhere_is_told_and_those_before_it_are_used(lay_out: object) -> None:
    whole = lay_out(ONE)  # type: ignore[operator]
    cut = lay_out(TWO).rstrip()  # type: ignore[operator]
    for length in range(40, len(cut), 7):
        found = scan(whole + cut[:length])
        assert found.documents == [ONE]
        assert found.truncated
        assert found.end <= len(whole)


def test_a_document_that_was_cut_off_by_the_next_one_is_told() -> None:
    found = scan(printed(ONE)[:200] + b"\n" + printed(TWO))
    assert found.documents == [TWO]
    assert found.truncated


def test_what_is_no_json_but_printed_by_fio_is_read() -> None:
    text = printed(ONE).replace(b'"mean" : 1000.0', b'"mean" : -nan')
    text = text.replace(b'"jobname" : "one"', b'"jobname" : "o\tn\xff"')
    assert text.count(b"-nan") == 2
    found = scan(text)
    assert not found.truncated
    (read,) = found.documents
    assert read["jobs"][0]["read"]["lat_ns"]["mean"] is None
    assert read["jobs"][0]["jobname"] == "o\tn�"


def test_a_nested_bomb_is_a_broken_document_and_no_crash() -> None:
    bomb = b'{"fio version" : "x", "jobs" : ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    found = scan(bomb + b"\n" + printed(ONE))
    assert found.documents == [ONE]
    assert found.truncated


@pytest.mark.parametrize(
    "hostile",
    [
        b"{",
        b"{ ",
        b'{"',
        b'{"a":',
        b'{"a":\n',
        b"{\n ",
        b"\n{\n",
        b'"',
        b'{"\\"',
        b"{}",
        b'"\\"',
        b"}",
    ],
)
def test_hostile_text_takes_linear_time(hostile: bytes) -> None:
    """Ten times the text takes about ten times as long, not a hundred."""

    def seconds(n: int) -> float:
        text = hostile * (n // len(hostile))
        began = time.process_time()
        scan(text)
        return time.process_time() - began

    assert min(seconds(200_000) for _ in range(3)) < 40 * min(
        max(seconds(20_000), 1e-4) for _ in range(3)
    )


@given(st.lists(st.integers(1, 400), max_size=30))
def test_a_growing_text_gives_each_document_once(cuts: list[int]) -> None:
    text = b"note\n" + printed(ONE) + b"fio: x\n" + printed(TWO)
    scanner, found, at = Scanner(), [], 0
    for cut in [*cuts, len(text)]:
        found += scanner.feed(text[at : at + cut])
        at += cut
    assert found == [ONE, TWO]
