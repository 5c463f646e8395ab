"""What the API gives is what the verbs print; what it refuses it tells, and nothing changes."""

import gzip
import json

import pytest

from stend.cli import app as stend
from stend.record.run_file import from_run_file
from stend.store import Right, Store
from web.asking import IDS, Asking, stocked

A, B, C = IDS


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return str(tmp_path_factory.mktemp("api") / "stend.db")


@pytest.fixture(scope="module")
def api(path):
    with Store.open(path) as store:
        yield Asking(stocked(store))


def printed(capsys, *words):
    stend([*words, "--json"], standalone_mode=False)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"/runs/{B}/figures", ["show", B]),
        (f"/compare?a={A}&b={B}", ["compare", A, B]),
        (f"/compare?a={A}&a={B}&b=label:sides", ["compare", f"{A},{B}", C]),
        (f"/compare?a={C}", ["compare", C]),
        ("/trend?metric=stream.triad&metric=threads%3D2&host=bench",
         ["trend", "stream.triad", "threads=2", "--host", "bench"]),
    ],
)  # fmt: skip
def test_what_a_verb_prints_the_api_gives(api, path, capsys, address, words):
    assert api[address] == printed(capsys, *words, "--store", path)


def test_the_benchmarks_are_those_that_list_prints(api, capsys):
    assert api["/benchmarks?pattern=stream&pattern=memory.*"] == printed(
        capsys, "list", "stream", "memory.*"
    )
    assert "# " in api["/benchmarks/stream.triad"]["page"]


def test_a_run_comes_whole_by_the_beginning_of_its_id(api):
    whole = api.ask("/runs/aaaa")
    assert from_run_file(whole.body) == api.store.load(A)


def test_an_answer_is_packed_for_who_takes_that(api):
    plain = api.ask(f"/runs/{A}")
    packed = api.ask(f"/runs/{A}", headers={"accept-encoding": "br, gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


def test_what_is_known_is_not_sent_again(api):
    tag = api.ask("/runs").headers["etag"]
    again = api.ask("/runs", headers={"if-none-match": f'"other", {tag}'})
    assert (again.status, again.body) == (304, b"")
    assert api.ask("/runs?limit=1", headers={"if-none-match": tag}).status == 200


def test_head_is_answered_as_get(api):
    got, head = api.ask("/runs"), api.ask("/runs", "HEAD")
    assert (head.status, head.headers["etag"]) == (200, got.headers["etag"])


@pytest.mark.parametrize("accepted", ["*/*", "text/html, application/*;q=0.1", "application/json"])
def test_json_is_given_to_who_accepts_it(api, accepted):
    assert api.ask("/runs", headers={"accept": accepted}).status == 200


@pytest.mark.parametrize("accepted", ["text/html", "application/json;q=0", "image/*"])
def test_no_other_form_is_promised(api, accepted):
    assert api.ask("/runs", headers={"accept": accepted}).status == 406


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("POST", "/runs", "GET HEAD"),
        ("BREW", f"/runs/{A}", "DELETE GET HEAD PATCH PUT"),
        ("PUT", "/health", "GET HEAD"),
        ("GET", "/runs/known", "POST"),
        ("DELETE", "/runs/choices", "GET HEAD"),
    ],
)
def test_a_method_that_is_not_there_is_told_which_are(api, method, address, allowed):
    refused = api.ask(address, method)
    assert refused.status == 405
    assert sorted(refused.headers["allow"].split(", ")) == allowed.split()
    assert refused.json["status"] == 405


def test_only_who_may_read_learns_the_version(api):
    assert "stend" in api["/health"]
    stranger = api.ask("/health", headers={"authorization": "none"})
    assert stranger.json == {"status": "ok"}


def test_the_text_of_a_token_is_told_once_and_the_log_knows_who_made_it(api):
    body = b'{"name": "bench7", "right": "write", "expires": "2999-01-01"}'
    made = api.ask("/tokens", "POST", body)
    assert made.status == 201
    assert made.headers["cache-control"] == "no-store"
    text, token = made.json["text"], made.json["token"]
    assert api.store.access.who(text).name == "bench7"
    assert text.encode() not in api.ask("/tokens").body
    assert api.ask(f"/tokens/{token['id']}", "DELETE").json["revoked"]
    revoked, added = api["/audit?limit=2"]["entries"]
    assert [revoked["did"], added["did"]] == ["token revoke", "token add"]
    assert (added["who"], added["address"], added["to"]) == ("the admin", "192.0.2.7", "bench7")


@pytest.mark.parametrize("right", [Right.NONE, Right.READ, Right.WRITE])
@pytest.mark.parametrize("address", ["/tokens", "/audit"])
def test_tokens_and_the_log_are_for_admins(api, right, address):
    refused = api.ask(address, headers={"authorization": f"Bearer {right}"})
    assert refused.status == (401 if right is Right.NONE else 403)
    assert ("www-authenticate" in refused.headers) == (right is Right.NONE)


def test_more_runs_a_side_than_are_compared_at_once_are_refused(api):
    refused = api.ask("/compare?" + "&".join(["a=last"] * 21))
    assert refused.status == 400
