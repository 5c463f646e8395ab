"""The store's verbs, on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import msgspec
import pytest

from made import case, machine, run, sample
from stend.errors import Conflict, StoreError, UnknownName
from stend.record import Conditions, Disturbance, Integers, Numbers, Run, Status, Watched
from stend.record.run_file import from_run_file, to_run_file
from stend.store import Store


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store.open(store_url) as opened:
        yield opened


def named(digit: str, started: str = "2026-11-21T10:00:00Z", **also: object) -> Run:
    return run((), id=digit * 32, started=started, **also)


def test_each_case_is_there_as_soon_as_it_was_appended(store: Store, store_url: str) -> None:
    begun = run((), finished=None)
    store.begin(begun)
    cases = [case(parameters={"n": n}) for n in range(3)]
    with Store.open(store_url) as other:
        for n, ended in enumerate(cases):
            store.append(begun.id, ended)
            assert other.load(begun.id).cases == tuple(cases[: n + 1])


def test_finishing_notes_the_end_and_the_conditions(store: Store) -> None:
    store.begin(run((), finished=None))
    store.append(run().id, case())
    watched = Watched(at=Integers([5]), steal=Numbers([0.1]), others=Numbers([0]), mhz=Numbers([1]))
    seen = Conditions(during=(Disturbance(kind="steal", said="3%"),), watched=watched)
    store.finish(run().id, "2026-11-21T10:05:00Z", seen)
    assert store.load("last") == run(finished="2026-11-21T10:05:00Z", conditions=seen)
    assert store.find()[0].finished == "2026-11-21T10:05:00Z"


def test_a_run_begins_once(store: Store) -> None:
    store.begin(run())
    with pytest.raises(StoreError, match="already"):
        store.begin(run(label="again"))
    assert store.load("last") == run()


def test_runs_are_found_newest_first_whenever_they_were_stored(store: Store) -> None:
    store.add(named("b", "2026-11-21T10:00:01.5Z"))
    store.add(named("c", "2026-11-21T10:00:02+00:00"))
    store.add(named("a", "2026-11-21T10:00:01Z"))
    assert [found.id[0] for found in store.find()] == ["c", "b", "a"]
    assert [found.id[0] for found in store.find(limit=2)] == ["c", "b"]


def test_runs_are_found_by_label_and_host(store: Store) -> None:
    store.add(named("a", label="before", machine=machine(host="one")))
    store.add(named("b", label="before", machine=machine(host="two")))
    store.add(named("c", label="after", machine=machine(host="two")))
    assert [found.id[0] for found in store.find(label="before")] == ["b", "a"]
    assert [found.id[0] for found in store.find(host="two")] == ["c", "b"]
    assert [found.id[0] for found in store.find(host="two", label="before", limit=5)] == ["b"]
    assert store.find(label="a\0b", host="\udcff") == []
    assert store.find(label="BEFORE") == []


def test_a_summary_counts_the_cases_by_how_they_ended(store: Store) -> None:
    skipped = case((), status=Status.SKIPPED, reason="no such unit")
    store.add(run((case(), skipped, case(variant="other"))))
    [found] = store.find()
    assert found.cases == 3
    assert found.statuses == {"measured": 2, "skipped": 1}
    assert (found.label, found.host, found.size, found.stend) == ("made", "bench", "quick", "0.1.0")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a" * 32, "a"),
        ("A" * 32, "a"),
        ("aaaa", "a"),
        ("bbbbbbb", "b"),
        ("last", "c"),
        ("last~0", "c"),
        ("last~2", "a"),
        ("night", "b"),
    ],
)
def test_a_run_has_several_names(name: str, found: str, store: Store) -> None:
    store.add(named("a", "2026-11-01T00:00:00Z", label="night"))
    store.add(named("b", "2026-11-02T00:00:00Z", label="night"))
    store.add(named("c", "2026-11-03T00:00:00Z", label="day"))
    assert store.load(name).id == found * 32


@pytest.mark.parametrize(
    "name",
    ["", "aaa", "abcd", "last~3", "last~-1", "last~", "last~" + "9" * 30, "%", "night%", "\0"],
)
def test_a_name_that_nothing_has_is_one_sentence(name: str, store: Store) -> None:
    store.add(named("a", label="night"))
    with pytest.raises(UnknownName) as caught:
        store.load(name)
    assert str(caught.value).isprintable()


def test_a_beginning_that_several_ids_share_names_two_of_them(store: Store) -> None:
    store.add(run((), id="abcd" + "0" * 28))
    store.add(run((), id="abcd" + "1" * 28))
    with pytest.raises(UnknownName, match=r"abcd0000000.*abcd1111111"):
        store.load("abcd")


def test_no_label_hides_a_run_from_its_id(store: Store) -> None:
    store.add(named("a", label="honest"))
    store.add(named("b", "2027-01-01T00:00:00Z", label="a" * 32))
    store.add(named("c", "2027-01-02T00:00:00Z", label="last~1"))
    assert store.load("a" * 32).label == "honest"
    assert store.load("last~1").id == "b" * 32


@pytest.mark.parametrize("label", ["aaaa", "aaaaaaaa", "a" * 31])
def test_a_label_that_another_runs_id_begins_with_means_neither(label: str, store: Store) -> None:
    store.add(named("a"))
    store.add(named("b", label=label))
    with pytest.raises(UnknownName, match=f"{'a' * 32} or {'b' * 32}"):
        store.load(label)
    for name in ("a" * 32, label.upper()):
        assert store.load(name).id == "a" * 32
    store.add(named("c", label="cccc"))
    assert store.load("cccc").id == "c" * 32


def test_adding_a_run_twice_changes_nothing(store: Store) -> None:
    assert store.add(run()) is True
    assert store.add(run()) is False
    assert len(store.find()) == 1


def test_another_run_of_the_same_id_is_refused(store: Store) -> None:
    store.add(run(), digest="d")
    for other in (run(size="full"), run(()), run((case(), case(variant="more")))):
        for digest in (None, "e"):
            with pytest.raises(Conflict, match="other content, so nothing was changed"):
                store.add(other, digest=digest)
    assert store.load(run().id) == run()


def test_a_state_is_of_one_run_as_it_is_now(store: Store) -> None:
    store.add(run(id=f"{1:032x}"))
    first = store.state(f"{1:032x}")
    assert store.state(f"{1:032x}") == first
    store.relabel(f"{1:032x}", "another")
    second = store.state(f"{1:032x}")
    store.remove(f"{1:032x}")
    store.add(run(id=f"{1:032x}"))
    assert len({first, second, store.state(f"{1:032x}")}) == 3


def test_a_run_that_has_another_label_now_is_the_same(store: Store) -> None:
    store.add(run(), digest="d", sender="machine 1")
    store.relabel("last", "here")
    assert store.add(run(), digest="d") is False
    assert store.add(run(label="there"), sender="machine 2") is False
    assert store.load("last") == run(label="here")
    assert store.find()[0].sender == "machine 1"


def test_of_a_run_that_comes_with_its_digest_again_nothing_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(run(), digest="d")
    monkeypatch.setattr(store, "_load", None)
    assert store.add(run(), digest="d") is False


def test_a_case_grows_where_it_stands(store: Store) -> None:
    store.begin(run(()))
    one, two, three = (sample(process=i) for i in range(3))
    number = store.append(run().id, case((one,), variant="a"))
    store.append(run().id, case(variant="b"))
    store.extend(number, case((one, two), variant="a"))
    store.extend(number, case((one, two), variant="a"))  # a side that Ctrl-C gave no turn
    broken = case((one, two, three), variant="a", status=Status.CRASHED, reason="It died.")
    store.extend(number, broken)
    assert store.load(run().id).cases == (broken, case(variant="b"))
    assert store.find()[0].statuses == {"crashed": 1, "measured": 1}
    with pytest.raises(UnknownName, match="no case 4711"):
        store.extend(4711, case())


def test_a_removed_run_is_gone_with_its_cases(store: Store) -> None:
    store.add(run())
    store.add(named("b", label="stays"))
    assert store.remove("made") == run().id
    assert [found.label for found in store.find()] == ["stays"]
    store.begin(run(()))
    assert store.load(run().id).cases == ()


@pytest.mark.parametrize("verb", ["append", "finish", "remove"])
def test_a_run_that_is_not_there_is_one_sentence(verb: str, store: Store) -> None:
    words = {"append": (case(),), "finish": ("2026-11-21T10:00:00Z", Conditions()), "remove": ()}
    with pytest.raises(UnknownName, match="f" * 32):
        getattr(store, verb)("f" * 32, *words[verb])


def test_control_characters_are_stored_as_escapes_so_that_every_run_can_be_exchanged(
    store: Store,
) -> None:
    coloured = case(
        (),
        benchmark="time.sh -c 'a\nb'",
        status=Status.CRASHED,
        reason="It said \x1b[31mno\x1b[0m\r\n.",
        detail={"std\x07err": "\udcff\x00" + "x" * 100_000},
    )
    store.add(run((coloured,), label="two\nlines"))
    back = store.load("last")
    [crashed] = back.cases
    assert back.label == r"two\nlines"
    assert crashed.benchmark == r"time.sh -c 'a\nb'"
    assert crashed.reason == "It said \\x1b[31mno\\x1b[0m\\r\n."
    assert crashed.detail["std\\x07err"].startswith(r"\udcff\x00xxx")
    assert crashed.detail["std\\x07err"].endswith("x…")
    assert from_run_file(to_run_file(back)) == back


def test_a_case_that_is_not_sound_is_refused_with_the_place(store: Store) -> None:
    store.begin(run(()))
    short = sample([1e-3, 1e-3], core=Integers([1]))
    with pytest.raises(StoreError, match=r"`\$.samples\[0\].core`"):
        store.append(run().id, case((short,)))
    assert store.load("last").cases == ()


def test_a_run_with_an_infinite_number_is_refused(store: Store) -> None:
    unsound = msgspec.structs.replace(run(), machine=machine(cpu_limit=float("inf")))
    with pytest.raises(StoreError, match=r"finite.*`\$.machine.cpu_limit`"):
        store.begin(unsound)
    assert store.find() == []
