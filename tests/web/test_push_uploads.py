"""Runs that are sent: stored once and whole, whatever is repeated, broken off or forged."""

import gzip
import socket
import zlib
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import msgspec
import pytest

import made
from stend.comparing.history import MEDIANS
from stend.record.run_file import to_run_file
from stend.store import Derivation, Filter, Right, Store
from stend.web.api import ingest, uploads
from web import sent
from web.served import ask, served


@pytest.fixture
def site(store_url):
    with Store.open(store_url) as store, served(store) as running:
        yield running


@pytest.fixture
def shown(site):
    return sent.token(site.store)


def nothing_is_stored(site):
    return site.store.find() == [] and not site.store.known([f"{1:032x}"])


@pytest.mark.parametrize("pack", [to_run_file, sent.packed])
def test_a_run_that_is_sent_whole_is_stored_as_it_was(site, shown, pack):
    answer = sent.put(site, shown, pack(sent.run()))
    assert (answer.status, answer.json) == (201, {"run": f"{1:032x}", "new": True})
    assert site.store.load(f"{1:032x}") == sent.run()


def test_what_pages_of_fleets_need_of_a_run_is_there_when_it_has_arrived(site, shown):
    sent.put(site, shown, sent.packed(sent.run()))
    kept = Derivation(MEDIANS.name, MEDIANS.kind, pytest.fail)
    [past] = site.store.series(kept, Filter()).runs
    assert past.cases == tuple(map(MEDIANS.make, sent.run().cases))


def test_who_sent_a_run_is_in_the_audit_log(site, shown):
    sent.put(site, shown, sent.packed(sent.run()))
    entry = site.store.audit.read(1)[0]
    assert (entry.who, entry.address, entry.did, entry.to) == (
        "bench1", "127.0.0.1", "run add", f"{1:032x}",
    )  # fmt: skip


def test_a_run_that_is_sent_again_changes_nothing(site, shown):
    for status in (201, 200, 200):
        answer = sent.put(site, shown, sent.packed(sent.run()))
        assert (answer.status, answer.json["new"]) == (status, status == 201)
    assert sent.send(site, shown, sent.packed(sent.run())).status == 200
    assert len(site.store.find()) == 1
    assert [e.did for e in site.store.audit.read(9)].count("run add") == 1


def test_a_run_that_many_send_at_once_is_stored_once(site):
    tokens = [sent.token(site.store, f"bench{i}") for i in range(4)]
    content = sent.packed(sent.run())
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda shown: sent.send(site, shown, content), tokens))
    assert sorted(answer.status for answer in answers) == [200, 200, 200, 201]
    assert len(site.store.find()) == 1


def test_other_content_under_the_same_id_is_refused(site, shown):
    sent.put(site, shown, sent.packed(sent.run()))
    other = msgspec.structs.replace(sent.run(), started="2025-01-01T00:00:00Z")
    answer = sent.put(site, shown, sent.packed(other))
    assert answer.status == 409
    assert site.store.load("last") == sent.run()


def test_a_run_that_was_removed_does_not_come_back_by_itself(site, shown):
    sent.put(site, shown, sent.packed(sent.run()))
    site.store.trash.put(f"{1:032x}", "someone")
    answer = sent.put(site, shown, sent.packed(sent.run()))
    assert answer.status == 409
    assert "removed" in answer.json["detail"]
    assert nothing_is_stored(site)


def test_a_run_of_another_id_than_its_address_has_is_refused(site, shown):
    answer = sent.put(site, shown, sent.packed(sent.run()), f"{2:032x}")
    assert answer.status == 422
    assert nothing_is_stored(site)


def test_a_run_that_may_still_be_measured_is_refused(site, shown):
    now = made.run(id=f"{1:032x}", started="2999-01-01T00:00:00Z", finished=None)
    answer = sent.put(site, shown, sent.packed(now))
    assert answer.status == 422
    assert "not ended" in answer.json["detail"]
    assert nothing_is_stored(site)


@pytest.mark.parametrize("year", ["0001", "1970", "1999", "2999", "9999"])
def test_a_run_of_a_clock_that_is_wrong_is_refused(site, shown, year):
    wrong = made.run(id=f"{1:032x}", started=f"{year}-01-01T00:00:00Z")
    answer = sent.put(site, shown, sent.packed(wrong))
    assert answer.status == 422
    assert year in answer.json["detail"]
    assert "clock" in answer.json["detail"]
    assert nothing_is_stored(site)


def test_a_rate_below_nothing_is_refused(site, shown):
    whole = to_run_file(sent.run()).replace(b'"values":null', b'"values":[-5.0,-5.0,-5.0]')
    answer = sent.put(site, shown, whole)
    assert answer.status == 422
    assert "a rate is at least 0, not -5.0" in answer.json["detail"]
    assert nothing_is_stored(site)


@pytest.mark.parametrize("right", [None, Right.READ])
def test_only_who_may_write_sends(site, right):
    shown = sent.token(site.store, "reader", right) if right else ""
    content = sent.packed(sent.run())
    for answer in (sent.put(site, shown, content), sent.begin(site, shown, content)):
        assert answer.status == (403 if right else 401)
    assert nothing_is_stored(site)


def test_a_file_in_parts_goes_on_where_it_broke_off(site, shown):
    content = sent.packed(sent.run(repetitions=500))
    upload = sent.begin(site, shown, content).json["id"]
    sent.append(site, shown, upload, 0, content[:1000])
    again = sent.begin(site, shown, content).json
    assert again == {"id": upload, "received": 1000}
    assert ask(site.url, f"/api/v1/uploads/{upload}", token=shown).json == again
    sent.append(site, shown, upload, 1000, content[1000:])
    assert sent.finish(site, shown, upload).status == 201
    assert site.store.load("last") == sent.run(repetitions=500)
    assert sent.finish(site, shown, upload).status == 404


def test_a_part_in_the_wrong_place_is_told_the_right_one(site, shown):
    content = sent.packed(sent.run())
    upload = sent.begin(site, shown, content).json["id"]
    sent.append(site, shown, upload, 0, content[:100])
    answer = sent.append(site, shown, upload, 200, content[200:])
    assert answer.status == 409
    assert "continue from byte 100" in answer.json["detail"]


@pytest.mark.parametrize("part", [b"", b"x" * 5000])
def test_a_part_that_is_empty_or_goes_beyond_the_end_is_refused(site, shown, part):
    upload = sent.begin(site, shown, b"x" * 1000).json["id"]
    assert sent.append(site, shown, upload, 0, part).status == 400
    assert ask(site.url, f"/api/v1/uploads/{upload}", token=shown).json["received"] == 0


def test_a_file_that_is_not_whole_is_not_stored(site, shown):
    content = sent.packed(sent.run())
    upload = sent.begin(site, shown, content).json["id"]
    sent.append(site, shown, upload, 0, content[:-1])
    answer = sent.finish(site, shown, upload)
    assert answer.status == 409
    assert nothing_is_stored(site)


def test_other_bytes_than_were_announced_are_refused_and_forgotten(site, shown):
    content = sent.packed(sent.run())
    upload = sent.begin(site, shown, content, digest="0" * 64).json["id"]
    sent.append(site, shown, upload, 0, content)
    answer = sent.finish(site, shown, upload)
    assert answer.status == 422
    assert "0000" in answer.json["detail"]
    assert nothing_is_stored(site)
    assert sent.finish(site, shown, upload).status == 404


def test_somebody_elses_upload_is_not_there(site, shown):
    content = sent.packed(sent.run())
    upload = sent.begin(site, shown, content).json["id"]
    other = sent.token(site.store, "bench2")
    assert sent.append(site, other, upload, 0, content).status == 404
    assert sent.finish(site, other, upload).status == 404
    assert ask(site.url, f"/api/v1/uploads/{upload}", token=other).status == 404
    assert sent.begin(site, other, content).json["id"] != upload


def test_uploads_that_are_begun_and_left_are_bounded(site, shown):
    answers = [sent.begin(site, shown, b"x", digest=f"{i:064x}") for i in range(140)]
    refused = [answer for answer in answers if answer.status != 200]
    assert {answer.status for answer in refused} == {429}
    assert len(answers) - len(refused) == 128
    assert "retry-after" in refused[0].headers


def test_uploads_that_were_left_are_forgotten(site, shown, monkeypatch):
    upload = sent.begin(site, shown, b"x" * 10).json["id"]
    monkeypatch.setattr(uploads, "FORGOTTEN", -1)
    sent.begin(site, shown, b"y" * 10)
    assert ask(site.url, f"/api/v1/uploads/{upload}", token=shown).status == 404


BAD = {
    "nothing": b"",
    "no JSON": b"hello",
    "no run file": b'{"stend":"page"}',
    "nested": b"[" * 100_000,
    "cut": sent.packed(sent.run())[:-20],
    "cut at the magic": b"\x1f\x8b",
    "more behind": sent.packed(sent.run()) + b"x",
    "two members": sent.packed(sent.run()) * 2,
    "a flipped bit": bytes(b ^ (i == 300) for i, b in enumerate(sent.packed(sent.run()))),
    "packed twice": gzip.compress(sent.packed(sent.run()), mtime=0),
    "zlib": zlib.compress(to_run_file(sent.run())),
    "not UTF-8": to_run_file(sent.run()).replace(b"bench", b"\xff\xfe", 1),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_what_is_no_sound_run_file_is_refused_in_a_sentence(site, shown, content):
    answer = sent.put(site, shown, content)
    assert answer.status == 422
    assert answer.json["detail"].isprintable()
    if content:
        assert sent.send(site, shown, content).status == 422
    assert nothing_is_stored(site)


def test_a_bomb_is_refused_before_it_unpacks(site, shown):
    bomb = gzip.compress(bytes(24 << 20), 9)
    for answer in (sent.put(site, shown, bomb), sent.send(site, shown, bomb)):
        assert answer.status == 413
        assert "200 times" in answer.json["detail"]
    assert nothing_is_stored(site)


def test_a_file_that_unpacks_to_too_much_is_refused(site, shown, monkeypatch):
    monkeypatch.setattr(ingest, "LARGEST", 1000)
    monkeypatch.setattr(uploads, "LARGEST", 1000)
    assert sent.put(site, shown, sent.packed(sent.run())).status == 413
    assert sent.begin(site, shown, bytes(1001)).status == 413
    assert nothing_is_stored(site)


def test_a_body_that_is_too_large_is_refused(site, shown, monkeypatch):
    content = bytes(uploads.MOST_WHOLE + 1)
    assert sent.put(site, shown, content).status == 413
    upload = sent.begin(site, shown, content).json["id"]
    assert sent.append(site, shown, upload, 0, content).status == 413


def test_another_encoding_than_gzip_is_refused(site, shown):
    content = sent.packed(sent.run())
    assert sent.put(site, shown, content, Content_Encoding="br").status == 415
    assert sent.put(site, shown, content, Content_Encoding="gzip").status == 201


@pytest.mark.parametrize("length", ["Content-Length: 100000", "Transfer-Encoding: chunked"])
def test_a_body_that_breaks_off_changes_nothing(site, shown, length):
    content = sent.packed(sent.run())
    body = content if "Content" in length else b"%x\r\n%s\r\n" % (len(content), content)
    parts = urlsplit(site.url)
    with socket.create_connection((parts.hostname, parts.port)) as connection:
        head = f"PUT /api/v1/runs/{1:032x} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        head += f"Authorization: Bearer {shown}\r\n{length}\r\n\r\n"
        connection.sendall(head.encode() + body)
        connection.shutdown(socket.SHUT_WR)
        connection.makefile("rb").read()  # until the server has done with it
    assert nothing_is_stored(site)
    assert sent.put(site, shown, content).status == 201


def test_a_chunked_body_is_taken_as_one_that_tells_its_length(site, shown):
    content = sent.packed(sent.run())
    parts = urlsplit(site.url)
    with socket.create_connection((parts.hostname, parts.port)) as connection:
        head = (
            f"PUT /api/v1/runs/{1:032x} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n"
        )
        head += f"Authorization: Bearer {shown}\r\nTransfer-Encoding: chunked\r\n\r\n"
        halves = content[:500], content[500:], b""
        body = b"".join(b"%x\r\n%s\r\n" % (len(half), half) for half in halves)
        connection.sendall(head.encode() + body)
        assert connection.makefile("rb").readline().split()[1] == b"201"
    assert site.store.load("last") == sent.run()


@pytest.mark.parametrize("run_id", ["..%2f..%2fetc", "1' or '1'='1", "A" * 32, "x" * 5000])
def test_an_address_with_no_id_is_refused(site, shown, run_id):
    quoted = run_id.replace(" ", "%20").replace("'", "%27")
    answer = sent.put(site, shown, sent.packed(sent.run()), quoted)
    assert answer.status in (400, 404, 414)
    assert nothing_is_stored(site)


def test_which_runs_are_there_is_told_of_whole_ids_only(site, shown):
    sent.put(site, shown, sent.packed(sent.run()))
    ids = [f"{1:032x}", f"{2:032x}"]
    known = ask(site.url, "/api/v1/runs/known", "POST", {"runs": ids}, shown)
    assert known.json == {"runs": ids[:1]}
    for wrong in ("last", "0000", "%"):
        assert ask(site.url, "/api/v1/runs/known", "POST", {"runs": [wrong]}, shown).status == 400
