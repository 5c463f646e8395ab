"""The list of runs: a query wants exactly what a plain model of it wants, page by page."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made import case, machine, run
from stend.errors import BadValue
from stend.record import Run, Status
from stend.record.text import printable
from stend.store import Listing, Query, Store

BEGIN = datetime(2026, 11, 21, tzinfo=UTC)
LABELS = ["", "night", "Night 50%", "a_b", "a'b\"; drop table stend_runs;--", "НОЧЬ", "\\", "x/y"]
HOSTS = [None, "one", "ONE.example", "two", "%"]
BENCHMARKS = ["stream.copy", "stream.triad", "time.Make [all]", "clock.tsc", "streams"]
COMMANDS = [(), ("stend", "run", "stream.*"), ("stend", "time", "--", "MAKE")]
WORDS = [*LABELS, "one", "ONE", "%", "_", "stream", "make", "ake [a", "ночь", "zz", "\0", "0001"]
PATTERNS = ["stream", "stream.*", "*", "clock.tsc", "[cs]*", "none", "%", "time.Make [all]"]


def made(n: int, label: str, host: str | None, command: tuple[str, ...], **also: object) -> Run:
    return run(
        id=f"{n:04x}" + "0" * 28, label=label, machine=machine(host=host), command=command, **also
    )


@st.composite
def some_runs(draw: st.DrawFn) -> list[Run]:
    count = draw(st.integers(0, 7))
    return [
        made(
            n,
            draw(st.sampled_from(LABELS)),
            draw(st.sampled_from(HOSTS)),
            draw(st.sampled_from(COMMANDS)),
            started=(BEGIN + timedelta(hours=draw(st.integers(0, 3)))).isoformat(),
            finished=draw(st.sampled_from([None, "2026-11-22T00:00:00Z"])),
            group=draw(st.sampled_from(["", "c" * 32])),
            size=draw(st.sampled_from(["quick", "full"])),
            cases=tuple(
                case(samples=(), benchmark=name, status=status, reason="It did.")
                for name, status in draw(
                    st.lists(
                        st.tuples(
                            st.sampled_from(BENCHMARKS),
                            st.sampled_from([Status.SKIPPED, Status.FAILED, Status.CRASHED]),
                        ),
                        max_size=3,
                    )
                )
            ),
        )
        for n in range(1, count + 1)
    ]


def seldom(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(st.none(), st.none(), values)


hours = st.integers(0, 4).map(lambda h: BEGIN + timedelta(hours=h))
queries = st.builds(
    Query,
    label=seldom(st.sampled_from(LABELS)),
    host=seldom(st.sampled_from(["one", "%", "nobody"])),
    nameless=st.booleans(),
    group=seldom(st.sampled_from(["", "c" * 32])),
    size=seldom(st.sampled_from(["quick", "full", "'"])),
    statuses=seldom(st.lists(st.sampled_from(["failed", "skipped", "%"]))),
    finished=seldom(st.booleans()),
    benchmark=seldom(st.sampled_from(PATTERNS)),
    since=seldom(hours),
    until=seldom(hours),
    search=st.lists(st.sampled_from(WORDS), max_size=2).map(" ".join),
)


def wants(query: Query, run: Run) -> bool:
    began = datetime.fromisoformat(run.started)
    names = [case.benchmark for case in run.cases]
    return (
        query.label in (None, run.label)
        and query.host in (None, run.machine.host)
        and not (query.nameless and run.machine.host)
        and query.group in (None, run.group)
        and query.size in (None, run.size)
        and (query.statuses is None or any(c.status in query.statuses for c in run.cases))
        and query.finished in (None, run.finished is not None)
        and (query.benchmark is None or any(means(query.benchmark, name) for name in names))
        and (query.since is None or began >= query.since)
        and (query.until is None or began < query.until)
        and all(says(run, names, word) for word in printable(query.search).casefold().split())
    )


def means(pattern: str, name: str) -> bool:
    return fnmatchcase(name, pattern) or name.startswith(f"{pattern}.")


def says(run: Run, names: list[str], word: str) -> bool:
    texts = [run.label, run.machine.host or "", " ".join(run.command), *names]
    of_id = len(word) >= 4 and run.id.startswith(word)
    return of_id or any(word in text.casefold() for text in texts)


def pages(store: Store, query: Query, limit: int) -> list[Listing]:
    found = [store.listing(query, limit)]
    while found[-1].next is not None:
        found.append(store.listing(query, limit, found[-1].next))
    return found


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url) as opened:
        yield opened


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(str(tmp_path_factory.mktemp("store") / "stend.db")) as store:
        yield store


@pytest.fixture(scope="module")
def in_postgresql(postgresql: str) -> Iterator[Store]:
    with Store.open(postgresql) as store:
        yield store


def agrees(store: Store, runs: list[Run], query: Query, limit: int) -> None:
    for one in store.find():
        store.remove(one.id)
    for one in runs:
        store.add(one)
    newest = sorted(enumerate(runs), key=lambda n: (n[1].started, n[0]), reverse=True)
    wanted = [one.id for _, one in newest if wants(query, one)]
    found = pages(store, query, limit)
    assert [one.id for page in found for one in page.runs] == wanted
    assert {page.total for page in found} == {len(wanted)}
    assert all(len(page.runs) == limit for page in found[:-1])
    for before, page in pairwise(found):
        again = store.listing(query, limit, before=page.previous)
        assert (again.runs, again.next) == (before.runs, before.next)
    assert found[0].previous is None


@given(runs=some_runs(), query=queries, limit=st.integers(1, 4))
def test_sqlite_lists_what_is_wanted(
    in_sqlite: Store, runs: list[Run], query: Query, limit: int
) -> None:
    agrees(in_sqlite, runs, query, limit)


@given(runs=some_runs(), query=queries, limit=st.integers(1, 4))
def test_postgresql_lists_what_is_wanted(
    in_postgresql: Store, runs: list[Run], query: Query, limit: int
) -> None:
    agrees(in_postgresql, runs, query, limit)


@given(text=st.text())
def test_no_text_in_a_query_is_an_error_or_changes_anything(in_sqlite: Store, text: str) -> None:
    try:
        found = in_sqlite.listing(
            Query(label=text, host=text, group=text, size=text, statuses=[text], benchmark=text), 5
        )
        in_sqlite.listing(Query(search=text), 5)
    except BadValue as error:
        assert "words" in str(error)  # noqa: PT017 - too many is the only thing wrong with a text
    else:
        assert found.total == 0


@pytest.mark.parametrize("text", ["\0", "\udcff", "'; drop table stend_runs; --", "%", "_", "\\"])
def test_a_hostile_filter_matches_literally(text: str, store: Store) -> None:
    store.add(run(label="plain"))
    store.add(run(id="f" * 32, label=f"with {text} in it"))
    assert [one.id[0] for one in store.listing(Query(search=text), 5).runs] == ["f"]
    assert store.listing(Query(label=text, benchmark=text, statuses=[text]), 5).total == 0
    assert len(store.find()) == 2


def test_a_page_goes_on_where_the_last_one_ended_whatever_came_or_went(store: Store) -> None:
    for n in range(6):
        store.add(run(id=f"{n:x}" * 32, started=f"2026-11-21T10:0{n}:00Z"))
    first = store.listing(Query(), 2)
    store.add(run(id="e" * 32, started="2027-01-01T00:00:00Z"))
    store.remove("4" * 32)
    second = store.listing(Query(), 2, first.next)
    assert [one.id[0] for one in (*first.runs, *second.runs)] == ["5", "4", "3", "2"]
    assert (first.total, second.total) == (6, 6)


@pytest.mark.parametrize("after", ["last", "f" * 32, "=" * 22, "\0", "ф" * 22, "A" * 23])
def test_a_place_that_no_page_gave_is_one_sentence(after: str, store: Store) -> None:
    with pytest.raises(BadValue, match="not a place in a list of runs") as caught:
        store.listing(Query(), 5, after)
    assert str(caught.value).isprintable()


def test_what_came_since_is_on_the_pages_before(store: Store) -> None:
    for n in range(4):
        store.add(run(id=f"{n:x}" * 32, started=f"2026-11-21T10:0{n}:00Z"))
    second = store.listing(Query(), 2, store.listing(Query(), 2).next)
    store.add(run(id="e" * 32, started="2027-01-01T00:00:00Z"))
    newer = store.listing(Query(), 2, before=second.previous)
    assert [one.id[0] for one in newer.runs] == ["3", "2"]
    newest = store.listing(Query(), 2, before=newer.previous)
    assert [one.id[0] for one in newest.runs] == ["e", "3"]
    assert newest.previous is None


def test_a_search_of_too_many_words_is_one_sentence(store: Store) -> None:
    with pytest.raises(BadValue, match="17 words"):
        store.listing(Query(search=" ".join(map(str, range(17)))), 5)


def test_a_menu_has_what_runs_have(store: Store) -> None:
    store.add(made(1, "b", "two", (), cases=(case(), case(benchmark="clock.tsc"))))
    store.add(made(2, "a", None, ()))
    store.add(made(3, "", "one", (), cases=(case(benchmark="stream.copy"),)))
    found = store.choices()
    assert found.labels == ("a", "b")
    assert found.hosts == ("one", "two")
    assert found.benchmarks == ("clock.tsc", "stream.copy", "stream.triad")
    assert found.families == ("clock", "stream")


def test_a_case_that_is_being_measured_is_found_by_its_benchmark(store: Store) -> None:
    store.begin(run((), finished=None))
    store.append(run().id, case(benchmark="fresh.one"))
    assert store.listing(Query(search="FRESH"), 5).total == 1
    assert store.listing(Query(benchmark="fresh", finished=False), 5).total == 1


def test_another_label_is_found_shown_and_kept_to_the_end(store: Store) -> None:
    store.begin(run(finished=None, label="before"))
    assert store.relabel(run().id[:6], "two\nlines") == run().id
    store.finish(run().id, "2026-11-21T10:05:00Z", run().conditions)
    assert store.load("last") == run(label=r"two\nlines", finished="2026-11-21T10:05:00Z")
    assert [one.label for one in store.find(label=r"two\nlines")] == [r"two\nlines"]
    assert store.listing(Query(search="lines"), 5).total == 1
    assert store.listing(Query(search="before"), 5).total == 0


@pytest.mark.parametrize("label", ["last", "last~1"])
def test_a_label_that_means_something_else_is_refused(label: str, store: Store) -> None:
    store.add(run())
    with pytest.raises(BadValue, match=f"is reserved: `{label}` has a meaning"):
        store.relabel("last", label)
    assert store.load("last") == run()


def test_menus_and_searches_look_through_so_many_names_and_no_more(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stend.store.listing._MOST_NAMES", 3)
    with Store.open(store_url) as store:
        store.add(run(tuple(case(benchmark=f"x.{n}") for n in range(9))))
        assert store.benchmarks() == ["x.0", "x.1", "x.2"]
        assert store.choices().benchmarks == ("x.0", "x.1", "x.2")
        assert store.listing(Query(search="x.2"), 1).total == 1
