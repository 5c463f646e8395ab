"""Files that are being sent: whatever order, repetition or rival, what is kept is what was sent."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stend.errors import BadValue, QuotaExceeded, UnknownName, WrongPlace
from stend.store import Store, Upload, uploads
from stend.store.opening import open_database
from stend.store.uploads import Uploads

FILE = bytes(range(256)) * 40


def digest(content: bytes = FILE) -> str:
    return sha256(content).hexdigest()


@pytest.fixture
def under_way(store_url: str) -> Iterator[Uploads]:
    with Store.open(store_url) as store:
        yield store.uploads


def begun(under_way: Uploads, content: bytes = FILE, sender: str = "bench") -> Upload:
    return under_way.begin(sender, digest(content), len(content))


def test_what_was_sent_in_parts_comes_out_whole(under_way: Uploads) -> None:
    upload = begun(under_way)
    for first in range(0, len(FILE), 3000):
        part = FILE[first : first + 3000]
        assert under_way.append(upload.id, "bench", first, part) == first + len(part)
    assert under_way.state(upload.id, "bench").whole
    assert b"".join(under_way.content(upload.id)) == FILE
    under_way.done(upload.id)
    assert under_way.forget_older(-1e6) == 0
    with pytest.raises(UnknownName, match=f"No upload {upload.id} is in progress"):
        list(under_way.content(upload.id))


def test_an_upload_goes_on_where_it_was(under_way: Uploads) -> None:
    upload = begun(under_way)
    under_way.append(upload.id, "bench", 0, FILE[:100])
    again = begun(under_way)
    assert (again.id, again.received) == (upload.id, 100)
    assert begun(under_way, sender="another").id != upload.id


@given(st.lists(st.tuples(st.integers(0, 120), st.integers(1, 60)), max_size=30))
def test_parts_in_any_order_leave_the_file_or_say_where_to_go_on(
    sent: list[tuple[int, int]],
) -> None:
    database = open_database("/nowhere/at/all.db", create=False)
    under_way, content, received = Uploads(database), FILE[:120], 0
    upload = begun(under_way, content)
    for first, length in sent:
        part = content[first : first + length]
        end = first + len(part)
        if not part:
            continue
        if first == received or end <= received:
            received = max(received, end)
            assert under_way.append(upload.id, "bench", first, part) == received
        else:
            with pytest.raises(WrongPlace) as caught:
                under_way.append(upload.id, "bench", first, part)
            assert caught.value.received == received
        assert b"".join(under_way.content(upload.id)) == content[:received]
    database.close()


def test_other_bytes_than_those_that_are_there_are_refused(under_way: Uploads) -> None:
    upload = begun(under_way)
    for first in range(0, 300, 100):
        under_way.append(upload.id, "bench", first, FILE[first : first + 100])
    assert under_way.append(upload.id, "bench", 50, FILE[50:250]) == 300
    with pytest.raises(BadValue, match="are here already, but differ"):
        under_way.append(upload.id, "bench", 50, FILE[51:251])
    assert b"".join(under_way.content(upload.id)) == FILE[:300]


def test_no_more_comes_than_was_said(under_way: Uploads) -> None:
    upload = begun(under_way)
    with pytest.raises(BadValue, match="was announced with 10,240 bytes"):
        under_way.append(upload.id, "bench", 0, FILE + b"x")
    for content in (b"", bytes(uploads.MOST_AT_ONCE + 1)):
        with pytest.raises(BadValue, match="A part has 1 to 4,194,304 bytes"):
            under_way.append(upload.id, "bench", 0, content)
    for first in (-1, 1, 2**70):
        with pytest.raises(WrongPlace) as caught:
            under_way.append(upload.id, "bench", first, b"x")
        assert caught.value.received == 0


def test_a_senders_upload_is_nobody_elses(under_way: Uploads) -> None:
    upload = begun(under_way)
    with pytest.raises(UnknownName):
        under_way.append(upload.id, "another", 0, b"x")
    with pytest.raises(UnknownName):
        under_way.state(upload.id, "another")


@pytest.mark.parametrize(
    "wrong", ["", "A" * 64, "0" * 63, "0" * 63 + "\0", "' or 1=1 --", "٣" * 64]
)
def test_a_digest_is_sha_256_in_hex(under_way: Uploads, wrong: str) -> None:
    with pytest.raises(BadValue, match="is not a SHA-256 digest"):
        under_way.begin("bench", wrong, 1)


def test_hostile_names_find_nothing(under_way: Uploads) -> None:
    upload = under_way.begin("\0\ud800" * 10_000, digest(), 10)
    assert len(upload.sender) == 1000
    assert upload.sender.isprintable()
    with pytest.raises(UnknownName) as caught:
        under_way.state("\0'\x1b" * 1000, "bench")
    assert str(caught.value).isprintable()
    under_way.done("\0")


def test_a_file_has_one_size(under_way: Uploads) -> None:
    begun(under_way)
    with pytest.raises(BadValue, match="being sent with 10,240 bytes, not 7"):
        under_way.begin("bench", digest(), 7)
    for size in (0, -1, 2**70):
        with pytest.raises(BadValue, match="A file must have 1 to"):
            under_way.begin("bench", digest(), size)


def test_a_sender_has_so_much_under_way_and_no_more(
    under_way: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_EACH", 3)
    monkeypatch.setattr(uploads, "MOST_BYTES_EACH", 1000)
    first = under_way.begin("bench", digest(b"0"), 400)
    under_way.begin("bench", digest(b"1"), 600)
    with pytest.raises(QuotaExceeded, match="bench has 2 uploads of 1,000 bytes in progress"):
        under_way.begin("bench", digest(b"2"), 1)
    under_way.begin("another", digest(b"2"), 1)
    under_way.done(first.id)
    for i in (2, 3):
        under_way.begin("bench", digest(b"%d" % i), 1)
    with pytest.raises(QuotaExceeded, match="at most 3 of"):
        under_way.begin("bench", digest(b"4"), 1)
    assert under_way.begin("bench", digest(b"3"), 1).received == 0


def test_all_together_have_so_much_under_way_and_no_more(
    under_way: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST", 2)
    for i in range(2):
        under_way.begin(f"bench {i}", digest(), 1)
    with pytest.raises(QuotaExceeded, match="2 uploads of 2 bytes are in progress"):
        under_way.begin("bench 2", digest(), 1)


def test_what_nobody_goes_on_with_is_forgotten(store_url: str) -> None:
    now = 1_700_000_000_000_000
    database = open_database(store_url)
    under_way = Uploads(database, lambda: now)
    left, taken_up = begun(under_way), begun(under_way, FILE[:200])
    under_way.append(left.id, "bench", 0, b"x")
    now += 3_600_000_000
    begun(under_way, FILE[:200])
    now += 1
    assert under_way.forget_older(3600) == 1
    assert under_way.state(taken_up.id, "bench").received == 0
    with database.reading() as connection:
        assert connection.exec_driver_sql("select count(*) from stend_parts").scalar() == 0
    database.close()


def test_rivals_who_send_the_same_leave_it_once(store_url: str) -> None:
    def send(store: Store) -> None:
        upload = begun(store.uploads)
        place = upload.received
        while place < len(FILE):
            try:
                part = FILE[place : place + 700]
                place = store.uploads.append(upload.id, "bench", place, part)
            except WrongPlace as error:
                place = error.received

    with Store.open(store_url) as one, Store.open(store_url) as other:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(send, [one, other] * 2))
        upload = begun(one.uploads)
        assert upload.whole
        assert b"".join(one.uploads.content(upload.id)) == FILE


SENDING = """
import sys
from stend.store import Store
with Store.open(sys.argv[1]) as store:
    upload = store.uploads.begin("bench", "0" * 64, 1 << 30)
    place = upload.received
    while True:
        place = store.uploads.append(upload.id, "bench", place, place.to_bytes(8, "big") * 1000)
        print(place, flush=True)
"""


def test_what_a_killed_server_acknowledged_is_there(store_url: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SENDING, store_url]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        told = [int(process.stdout.readline()) for _ in range(5)]
    finally:
        process.kill()
    told += [int(line) for line in process.stdout.read().splitlines()]
    process.wait()
    with Store.open(store_url) as store:
        upload = store.uploads.begin("bench", "0" * 64, 1 << 30)
        assert told[-1] <= upload.received <= told[-1] + 8000
        place = 0
        for part in store.uploads.content(upload.id):
            assert part == place.to_bytes(8, "big") * 1000
            place += len(part)
    assert place == upload.received
