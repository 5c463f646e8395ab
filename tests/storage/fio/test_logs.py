"""Logs are read fast and exactly as line by line, or refused with the line that is wrong."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.errors import RunFileError
from stend.storage.fio.logs import bin_values, columns_of, looks_like_a_log, names_a_log, read_log

NUMBERS = st.integers(0, 2**63 - 1) | st.integers(0, 99)


def log(folder: Path, text: str | bytes, name: str = "x_lat.1.log") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def naively(text: str, wanted: int) -> list[list[int]]:
    return [[int(field) for field in line.split(",")[:wanted]] for line in text.splitlines()]


@given(
    st.integers(4, 6).flatmap(
        lambda width: st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=1)
    ),
    st.sampled_from([", ", ","]),
    st.booleans(),
)
def test_a_log_is_read_as_line_by_line(rows: list[list[int]], comma: str, ended: bool) -> None:
    text = "\n".join(comma.join(map(str, row)) for row in rows) + "\n" * ended
    with TemporaryDirectory() as folder:
        path = log(Path(folder), text)
        assert columns_of(path, range(4, 7)).T.tolist() == naively(text, 4)
        assert columns_of(path).T.tolist() == naively(text, 6)


@given(st.text("0123, \n-x.\r", max_size=60))
def test_whatever_is_read_is_what_stands_there(text: str) -> None:
    with TemporaryDirectory() as folder:
        try:
            read = columns_of(log(Path(folder), text)).T.tolist()
        except RunFileError:
            return
    lines = [line for line in text.splitlines() if line.strip()]
    assert read == naively("\n".join(lines), 60)


def test_other_line_ends_and_spaces_are_read_too(tmp_path: Path) -> None:
    path = log(tmp_path, "1,2,0,4096\r\n 3 , 4,\t1, 512\r\n")
    assert columns_of(path).T.tolist() == [[1, 2, 0, 4096], [3, 4, 1, 512]]


@pytest.mark.parametrize(
    "columns", ["", ", 0", ", 8192, 0", ", 8192, 0x4001"], ids=["4", "5", "6", "6 hex"]
)
def test_logs_with_4_to_6_columns_are_read(tmp_path: Path, columns: str) -> None:
    read = read_log(log(tmp_path, f"500, 31042, 0, 4096{columns}\n500, 3071, 1, 4096{columns}\n"))
    assert (read.kind, read.job, read.name, read.single) == ("lat", 1, "x", True)
    assert (read.ms.tolist(), read.values.tolist()) == ([500, 500], [31042, 3071])
    assert read.directions.tolist() == [0, 1]


def test_the_name_tells_the_kind(tmp_path: Path) -> None:
    for name, kind in [("a_b_bw.12.log", "bw"), ("iops.log", "iops"), ("a_slat.1.log.n1", "slat")]:
        assert read_log(log(tmp_path, "1, 2, 0, 0\n", name)).kind == kind
    with pytest.raises(RunFileError, match=r"its name does not tell .* `NAME_bw\.1\.log`"):
        read_log(log(tmp_path, "1, 2, 0, 0\n", "results.txt"))


def test_a_log_is_known_by_its_name_or_its_first_line() -> None:
    assert names_a_log(Path("a/x_clat_hist.3.log"))
    assert not names_a_log(Path("a/lat.json"))
    assert looks_like_a_log(b"500, 31042, 0, 0, 0\n501, ")
    assert not looks_like_a_log(b"3;fio-3.33;one;0;0;16785708")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("500, 12, 0", "line 3 reads “500, 12, 0”, where 4 whole numbers"),
        ("500, -12, 0, 0, 0", "line 3 reads"),
        ("500, 1e5, 0, 0, 0", "line 3 reads"),
        ("500, 9223372036854775808, 0, 0, 0", "line 3 reads"),
        ("\x1b[2J, 1, 0, 0, 0", r"line 3 reads “\\x1b\[2J"),
        ("500, 12, 3, 0, 0", "line 3 has the direction 3"),
        ("9999999999999, 12, 0, 0, 0", "line 3 has the time 9,999,999,999,999 ms"),
    ],
)
def test_a_wrong_line_is_one_sentence_with_its_number(tmp_path: Path, line: str, said: str) -> None:
    good = "500, 12, 0, 0, 0\n"
    with pytest.raises(RunFileError, match=said):
        read_log(log(tmp_path, good * 2 + line + "\n" + good))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1, 2, 0\n", "has 3 columns"),
        ("1, 2, 0, 0, 0, 0, 0\n", "has 7 columns"),
        (b"\x00" * 90_000, "65,536 bytes or more"),
    ],
)
def test_a_file_that_is_no_log_is_one_sentence(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    with pytest.raises(RunFileError, match=said):
        read_log(log(tmp_path, text))


def test_a_log_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="can't be read: No such file"):
        read_log(tmp_path / "x_bw.1.log")


def test_a_compressed_log_is_to_be_unpacked(tmp_path: Path) -> None:
    packed = log(tmp_path, gzip.compress(b"1, 2, 0, 0\n"), "x_bw.1.log.gz")
    with pytest.raises(RunFileError, match="it is compressed; unpack it"):
        columns_of(packed)


def test_an_empty_log_has_no_entry(tmp_path: Path) -> None:
    assert read_log(log(tmp_path, "")).ms.size == 0


def index_to_value(index: int) -> int:
    """stat.c, plat_idx_to_val."""
    if index < 128:
        return index
    dropped = (index >> 6) - 1
    return int((1 << (dropped + 6)) + (index % 64 + 0.5) * (1 << dropped))


@pytest.mark.parametrize("coarseness", range(7))
@pytest.mark.parametrize(("bins", "unit"), [(1856, 1), (1216, 1000)], ids=["fio 3", "fio 2"])
def test_a_histogram_log_tells_its_coarseness_and_its_unit(
    tmp_path: Path, coarseness: int, bins: int, unit: int
) -> None:
    n = bins >> coarseness
    row = ", ".join(map(str, range(n)))
    read = read_log(log(tmp_path, f"1000, 0, 4096, {row}\n", "x_clat_hist.1.log"))
    assert (read.kind, read.unit, read.values.shape) == ("hist", unit, (n, 1))
    middle = (1 << coarseness) // 2
    expected = [index_to_value((i << coarseness) + middle) * unit for i in range(n)]
    assert bin_values(read).tolist() == expected


def test_a_histogram_log_of_no_known_width_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="which no histogram of fio has"):
        read_log(log(tmp_path, "1000, 0, 4096, 1, 2\n", "x_clat_hist.1.log"))
