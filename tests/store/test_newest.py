"""The newest run of each machine, on either database: no older one and none of another kind."""

from datetime import UTC, datetime

import pytest

from made import case, machine, run
from stend.record import Status
from stend.store import Filter, Store

HOSTS = ("a", "b", None, "", "%", "'; --")


def day(i: int) -> datetime:
    return datetime(2026, 11, i, 10, tzinfo=UTC)


@pytest.fixture
def store(store_url):
    """Each host on three days, the second one in full, the third one under way still."""
    with Store.open(store_url) as opened:
        for i, host in enumerate(HOSTS):
            for on, size, ended in ((1, "quick", True), (2, "full", True), (3, "quick", False)):
                began = day(on).isoformat()
                failed = case((), variant="x", status=Status.FAILED, reason="It failed.")
                opened.begin(
                    run(
                        (case(), failed),
                        id=f"{i:02x}{on:02x}" * 8,
                        started=began,
                        finished=began if ended else None,
                        size=size,
                        label=size,
                        machine=machine(host=host),
                        group="ab" * 16 if host == "a" else "",
                    )
                )
        yield opened


def chosen(store: Store, **words) -> dict[str | None, str]:
    return {one.host: one.id[2:4] for one in store.newest(Filter(**words))}


def test_each_machine_has_its_newest_run_and_how_many_there_are(store):
    assert chosen(store) == dict.fromkeys(HOSTS, "03")
    assert {one.runs for one in store.newest(Filter())} == {3}
    assert store.newest(Filter())[-1].host is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"finished": True}, dict.fromkeys(HOSTS, "02")),
        ({"sizes": ("quick",), "finished": True}, dict.fromkeys(HOSTS, "01")),
        ({"before": day(2)}, dict.fromkeys(HOSTS, "01")),
        ({"since": day(2), "before": day(3)}, dict.fromkeys(HOSTS, "02")),
        ({"label": "full"}, dict.fromkeys(HOSTS, "02")),
        ({"group": "ab" * 16}, {"a": "03"}),
        ({"hosts": [None, "%"]}, {None: "03", "%": "03"}),
        ({"label": "' or 1=1 --"}, {}),
        ({"since": day(4)}, {}),
    ],
)
def test_only_runs_that_are_wanted_count(store, words, expected):
    assert chosen(store, **words) == expected


def test_by_kind_there_is_one_a_label_and_size(store):
    found = store.newest(Filter(hosts=["a"]), by_kind=True)
    assert [(one.size, one.id[2:4], one.runs) for one in found] == [
        ("quick", "03", 2),
        ("full", "02", 1),
    ]


def test_how_cases_ended_is_counted_for_each_run(store):
    ids = [one.id for one in store.newest(Filter())]
    assert store.statuses(ids) == {id: {"measured": 1, "failed": 1} for id in ids}
    assert store.statuses([]) == {}


def test_the_runs_of_the_last_attempts_are_found_whatever_came_later(store):
    """Each run has a case that was measured and one that failed; further ones have less."""
    skipped = case((), status=Status.SKIPPED, reason="Not here.")
    for i, of in enumerate([(skipped,), (case(parameters={"threads": 9}),), ()]):
        began, id = day(4 + i).isoformat(), f"{i:032x}"
        store.begin(run(of, id=id, started=began, finished=began, machine=machine(host="a")))
    wanted = Filter(hosts=["a"], finished=True)
    assert store.newest_of_each_case(wanted) == [f"{1:032x}", "0002" * 8]


def test_the_fingerprint_tells_other_runs_and_labels(store):
    wanted = Filter(hosts=["a"], finished=True)
    found = [store.fingerprint(wanted)]
    store.begin(run(id="e" * 32, started=day(5).isoformat(), machine=machine(host="b")))
    assert store.fingerprint(wanted) == found[0]
    store.relabel("0001" * 8, "another")
    found.append(store.fingerprint(wanted))
    store.remove("0001" * 8)
    found.append(store.fingerprint(wanted))
    assert len(set(found)) == 3
