"""The reader: typed values, or a reason."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine.made_trees import made
from stend.machine.tree import Tree, Unreadable, cpu_list, cpu_mask, integer, known

numbers = st.sets(st.integers(0, 8191), min_size=1)


def listed(cpus):
    return ",".join(str(c) for c in sorted(cpus))


def masked(cpus, prefix=""):
    bits = sum(1 << c for c in cpus)
    words = [(bits >> (32 * i)) & 0xFFFFFFFF for i in range(max(cpus) // 32 + 1)]
    return ",".join(f"{prefix}{w:08x}" for w in reversed(words))


@given(numbers)
def test_lists_and_masks_of_cpus_say_the_same(cpus):
    assert cpu_list(listed(cpus), "it") == tuple(sorted(cpus))
    assert cpu_mask(masked(cpus), "it") == tuple(sorted(cpus))
    assert cpu_mask(masked(cpus, "0x"), "it") == tuple(sorted(cpus))


def test_ranges_are_inclusive():
    assert cpu_list("0-2,7,5", "it") == (0, 1, 2, 5, 7)


def test_hwloc_leaves_out_words_of_zero():
    assert cpu_mask("0x00000001,,0x0000000f", "it") == (0, 1, 2, 3, 64)


@pytest.mark.parametrize("text", ["", "a", "1-", "3-1", "0-99999", "1,,2", "٣", "-1", "1 2"])
def test_what_is_no_list_of_cpus_is_unreadable(text):
    with pytest.raises(Unreadable, match="it "):
        cpu_list(text, "it")


@pytest.mark.parametrize("text", ["", "g", "0x", "1" * 9, "0x0x1", "f" * 40000, "1,"])
def test_what_is_no_mask_of_cpus_is_unreadable(text):
    with pytest.raises(Unreadable):
        cpu_mask(text, "it")


@given(st.text())
def test_any_text_is_a_list_and_a_mask_or_unreadable(text):
    known(cpu_list, text, "it")
    known(cpu_mask, text, "it")
    known(integer, text, "it")


@pytest.mark.parametrize("text", ["", "1.5", "0x10", "9" * 19, "1 2", "٣", "--1"])
def test_what_is_no_whole_number_of_63_bits_is_unreadable(text):
    with pytest.raises(Unreadable, match="not a whole number"):
        integer(text, "the file")


def test_reasons_tell_missing_empty_and_forbidden_apart(tmp_path, monkeypatch):
    tree = made(tmp_path, {"/empty": " \n", "/folder/file": "1", "/forbidden": "1"})
    reasons = {}
    for name in ("/missing", "/empty", "/folder"):
        with pytest.raises(Unreadable) as why:
            tree.text(name)
        reasons[name] = str(why.value)
    assert reasons["/missing"] == "there is no /missing"
    assert reasons["/empty"] == "/empty is empty"
    assert reasons["/folder"] == "/folder can't be read: Is a directory"

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Unreadable, match="/forbidden may not be read by this user"):
        tree.text("/forbidden")


def test_a_pipe_that_nobody_writes_to_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="empty"):
        Tree(tmp_path).text("/pipe")


def test_a_tree_reads_each_file_once_and_anew_when_asked(tmp_path):
    tree = made(tmp_path, {"/n": "1\n"})
    assert tree.integer("/n") == 1
    (tmp_path / "n").write_text("2\n")
    assert tree.integer("/n") == 1
    assert tree.again().integer("/n") == 2


def test_control_characters_never_reach_a_terminal(tmp_path):
    tree = made(tmp_path, {"/n": "\x1b[31mred\x07  name\n"})
    assert tree.line("/n") == "[31mred name"


def test_bytes_that_are_no_text_are_still_read(tmp_path):
    (tmp_path / "n").write_bytes(b"\xff\xfe\n")
    assert Tree(tmp_path).line("/n") == "\N{REPLACEMENT CHARACTER}" * 2
