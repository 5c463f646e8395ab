"""A benchmark over many runs: what is found, what is kept of it, what an old store lacks."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine

from made import case, machine, run
from stend.record import CaseRecord, Run
from stend.store import Derivation, Filter, Store, tables
from stend.store.opening import open_database

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
OPEN = "import sys; from stend.store import Store; Store.open(sys.argv[1]).close()"


def counted() -> tuple[Derivation[list[int]], list[str]]:
    """Count the repetitions of each sample, and note for which cases that was done."""
    made: list[str] = []

    def lengths(case: CaseRecord) -> list[int]:
        made.append(case.name)
        return [len(sample.ticks) for sample in case.samples]

    return Derivation("lengths", list[int], lengths), made


def runs(count: int, change: Callable[[int], dict[str, object]] = lambda i: {}) -> list[Run]:
    """A run a day, of two cases."""
    return [
        run(
            (case(), case(benchmark="stream.copy")),
            **{"id": f"{i:032x}", "started": f"2026-03-{i + 1:02d}T08:00:00Z"} | change(i),
        )
        for i in range(count)
    ]


def stored(url: str, some: list[Run]) -> Store:
    store = Store.open(url)
    for one in some:
        store.add(one)
    return store


def as_version_3(path: Path) -> None:
    """Take from a store what version 4 brought."""
    with sqlite3.connect(path) as connection:
        connection.execute("drop table stend_derived")
        for index in ("of_benchmark", "of_kind", "unnamed"):
            connection.execute(f"drop index stend_cases_{index}")
        connection.execute("alter table stend_cases drop column benchmark")
        connection.execute("alter table stend_cases drop column kind")
        connection.execute("update stend_version set version = 3")
    connection.close()


def test_runs_come_in_the_order_of_time_whatever_the_order_of_storing(store_url: str) -> None:
    of, _ = counted()
    with stored(store_url, runs(5)[::-1]) as store:
        found = store.series(of, Filter(benchmarks=["stream.copy"]))
    assert [past.run.id for past in found.runs] == [f"{i:032x}" for i in range(5)]
    assert [past.cases for past in found.runs] == [([3, 3, 3],)] * 5
    assert found.runs[0].run.machine == runs(1)[0].machine


def test_it_is_made_once_and_kept(store_url: str) -> None:
    of, made = counted()
    with stored(store_url, runs(3)) as store:
        first = store.series(of, Filter())
        assert len(made) == 6
        assert store.series(of, Filter()) == first
        assert len(made) == 6


def test_it_is_made_anew_of_a_case_that_grew_though_its_run_had_ended(store_url: str) -> None:
    """As that of a node of a fleet that was given up and answered after all."""
    of, _ = counted()
    wanted = Filter(benchmarks=["stream.copy"])
    (ended,) = runs(1)
    with Store.open(store_url) as store:
        store.begin(replace(ended, cases=()))
        grown = case(benchmark="stream.copy")
        number = store.append(ended.id, replace(grown, samples=grown.samples[:1]))
        assert store.series(of, wanted).runs[0].cases == ([3],)
        store.extend(number, grown)
        assert store.series(of, wanted).runs[0].cases == ([3, 3, 3],)


def test_another_making_is_made_anew(store_url: str) -> None:
    of, _ = counted()
    longest = Derivation("longest", int, lambda case: max(len(s.ticks) for s in case.samples))
    with stored(store_url, runs(2)) as store:
        store.series(of, Filter())
        assert store.series(longest, Filter()).runs[0].cases == (3, 3)


def test_of_a_run_under_way_nothing_is_kept(store_url: str) -> None:
    of, _ = counted()
    with Store.open(store_url) as store:
        store.begin(run((), finished=None))
        number = store.append(run().id, case(case().samples[:1]))
        assert store.series(of, Filter()).runs[0].cases == ([3],)
        store.extend(number, case())
        assert store.series(of, Filter()).runs[0].cases == ([3, 3, 3],)


@pytest.mark.parametrize(
    ("wanted", "days"),
    [
        (Filter(hosts=["b"]), [2, 3]),
        (Filter(hosts=["b", None]), [2, 3, 4]),
        (Filter(label="odd"), [1, 3]),
        (Filter(since=datetime(2026, 3, 4, tzinfo=UTC)), [3, 4]),
        (Filter(limit=2), [3, 4]),
        (Filter(benchmarks=["no.such"]), []),
        (Filter(benchmarks=[]), []),
    ],
)
def test_only_what_is_wanted_comes(store_url: str, wanted: Filter, days: list[int]) -> None:
    hosts = ["a", "a", "b", "b", None]
    of, _ = counted()
    some = runs(5, lambda i: {"label": "odd" * (i % 2), "machine": machine(host=hosts[i])})
    with stored(store_url, some) as store:
        assert [int(past.run.id, 16) for past in store.series(of, wanted).runs] == days


def test_runs_are_counted_by_host(store_url: str) -> None:
    some = runs(3, lambda i: {"machine": machine(host="ab"[i % 2])})
    with stored(store_url, some) as store:
        assert store.benchmarks() == ["stream.copy", "stream.triad"]
        assert store.hosts(Filter(["stream.copy"])) == {"a": 2, "b": 1}
        assert store.hosts(Filter(["stream.copy"], kinds=[])) == {}


def sized(size: int, variant: str = "plain") -> CaseRecord:
    return case(parameters={"size": size, "of": "a"}, variant=variant)


def test_only_cases_of_the_kinds_that_are_wanted_are_read(store_url: str) -> None:
    of, made = counted()
    some = [replace(one, cases=(sized(1), sized(2), sized(2, "fast"))) for one in runs(2)]
    with stored(store_url, some) as store:
        kinds = store.kinds(["stream.triad"])
        wanted = [text for text, kind in kinds.items() if kind.parameters["size"] == 1]
        found = store.series(of, Filter(["stream.triad"], wanted))
    assert len(kinds) == 3
    assert [len(past.cases) for past in found.runs] == [1, 1]
    assert made == [sized(1).name] * 2


def test_a_case_whose_kind_is_too_long_for_a_column_comes_with_any(store_url: str) -> None:
    of, _ = counted()
    odd = case(parameters={"of": "x" * 5000})
    some = [replace(one, cases=(sized(1), odd)) for one in runs(1)]
    with stored(store_url, some) as store:
        assert len(store.kinds(["stream.triad"])) == 1
        assert len(store.series(of, Filter(["stream.triad"], [])).runs[0].cases) == 1


def test_a_run_that_is_removed_takes_what_was_kept_along(tmp_path: Path) -> None:
    of, _ = counted()
    with stored(str(tmp_path / "a.db"), runs(2)) as store:
        store.series(of, Filter())
        store.remove(f"{0:032x}")
        assert len(store.series(of, Filter()).runs) == 1
    with sqlite3.connect(tmp_path / "a.db") as connection:
        assert connection.execute("select count(*) from stend_derived").fetchone() == (2,)


@pytest.mark.parametrize("table", ["stend_runs", "stend_cases"])
def test_a_damaged_run_is_left_out_and_named(table: str, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    stored(str(path), runs(3)).close()
    key = "number" if table == "stend_runs" else "run"
    with sqlite3.connect(path) as connection:
        connection.execute(f"update {table} set columns = x'00' where {key} = 2")
    of, _ = counted()
    with Store.open(str(path)) as store:
        found = store.series(of, Filter())
    assert [int(past.run.id, 16) for past in found.runs] == [0, 2]
    assert found.damaged == (f"{1:032x}",)


@pytest.mark.parametrize(
    "damage",
    [
        "record = '['",
        "record = x'ff'",
        "record = cast(x'ff' as text)",
        "record = x''",
        "record = cast('[]' as blob)",
        "seal = x''",
        "seal = 'altered'",
        '(seal, record) = (select seal, record from stend_derived where "case" = 3)',
    ],
)
def test_what_is_kept_and_damaged_or_of_another_is_made_again(damage: str, tmp_path: Path) -> None:
    of, made = counted()
    path = tmp_path / "a.db"
    with stored(str(path), runs(2)) as store:
        store.series(of, Filter())
        with sqlite3.connect(path) as connection:
            connection.execute(f'update stend_derived set {damage} where "case" = 1')
        made.clear()
        for _ in range(2):
            assert store.series(of, Filter()).runs[0].cases == ([3, 3, 3],) * 2
        assert len(made) == 1


def test_a_case_whose_record_is_damaged_makes_no_read_a_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    of, _ = counted()
    with stored(str(path), runs(2)) as store:
        with sqlite3.connect(path) as connection:
            connection.execute("update stend_cases set record = '[', kind = '' where number = 1")
        store.series(of, Filter())
        monkeypatch.setattr(type(store._database), "writing", None)
        assert store.series(of, Filter()).damaged == (f"{0:032x}",)


def test_a_store_of_version_3_is_brought_forward_with_its_benchmarks(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    stored(str(path), runs(3)).close()
    as_version_3(path)
    with Store.open(str(path)) as store:
        assert [store.load(one.id) for one in runs(3)] == runs(3)
        assert store.benchmarks() == ["stream.copy", "stream.triad"]
        assert len(store.kinds(["stream.copy"])) == 1


def test_a_postgresql_store_of_version_3_is_brought_forward_too(postgresql_schema: str) -> None:
    stored(postgresql_schema, runs(2)).close()
    engine = create_engine(postgresql_schema.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql("drop table stend_derived")
        connection.exec_driver_sql(
            "alter table stend_cases drop column benchmark, drop column kind"
        )
        connection.exec_driver_sql("update stend_version set version = 3")
    engine.dispose()
    with Store.open(postgresql_schema) as store:
        assert store.load(f"{1:032x}") == runs(2)[1]
        assert store.benchmarks() == ["stream.copy", "stream.triad"]
        assert len(store.kinds(["stream.copy"])) == 1


def test_two_processes_bring_one_store_forward_at_once(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    stored(str(path), runs(20)).close()
    as_version_3(path)
    both = [
        subprocess.Popen([sys.executable, "-c", OPEN, str(path)], env=ENVIRONMENT) for _ in "ab"
    ]
    assert [process.wait() for process in both] == [0, 0]
    with Store.open(str(path)) as store:
        assert store.hosts(Filter(["stream.copy"])) == {"bench": 20}


def test_a_step_that_was_killed_leaves_the_old_store_whole(tmp_path: Path) -> None:
    """Killed after the cases were named and before the transaction ended."""
    path = tmp_path / "old.db"
    stored(str(path), runs(3)).close()
    as_version_3(path)
    die = (
        "import os; from stend.store import tables; name = tables.name_cases\n"
        "def named(c): name(c); os.kill(os.getpid(), 9)\n"
        f"tables.name_cases = named\n{OPEN}"
    )
    killed = subprocess.run([sys.executable, "-c", die, str(path)], env=ENVIRONMENT, check=False)
    assert killed.returncode == -9
    with sqlite3.connect(path) as connection:
        assert connection.execute("select version from stend_version").fetchone() == (3,)
    connection.close()
    with Store.open(str(path)) as store:
        assert [store.load(one.id) for one in runs(3)] == runs(3)
        assert store.hosts(Filter(["stream.copy"])) == {"bench": 3}


def test_cases_that_an_older_stend_adds_afterwards_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with stored(str(path), runs(2)) as store:
        with sqlite3.connect(path) as connection:
            connection.execute("update stend_cases set benchmark = '', kind = '' where run = 2")
        assert store.benchmarks() == ["stream.copy", "stream.triad"]
        assert store.hosts(Filter(["stream.copy"])) == {"bench": 2}
        of, _ = counted()
        assert len(store.series(of, Filter(benchmarks=["stream.copy"])).runs) == 2


def test_cases_that_an_older_stend_added_are_found_though_nobody_may_name_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, _ = counted()
    path = tmp_path / "a.db"
    with stored(str(path), runs(2)) as store:
        with sqlite3.connect(path) as connection:
            connection.execute("update stend_cases set kind = ''")
        monkeypatch.setattr(Store, "_name_cases", lambda store: None)
        wanted = Filter(["stream.copy"], [*store.kinds(["stream.copy"])])
        assert store.hosts(wanted) == {"bench": 2}
        assert [past.cases for past in store.series(of, wanted).runs] == [([3, 3, 3],)] * 2


def test_a_case_whose_record_is_damaged_has_no_name_and_hinders_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    stored(str(path), runs(2)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("update stend_cases set record = '[' where run = 1")
    connection.close()
    as_version_3(path)
    with Store.open(str(path)) as store:
        assert store.hosts(Filter(["stream.copy"])) == {"bench": 1}


def test_a_case_that_lost_its_record_hinders_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    stored(str(path), runs(2)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("pragma writable_schema = on")
        schema = "replace(sql, 'record TEXT NOT NULL', 'record TEXT')"
        connection.execute(f"update sqlite_master set sql = {schema} where type = 'table'")
    connection.close()
    with sqlite3.connect(path) as connection:
        connection.execute("update stend_cases set record = null, kind = '' where run = 1")
    connection.close()
    of, _ = counted()
    with Store.open(str(path)) as store:
        assert store.benchmarks() == ["stream.copy", "stream.triad"]
        assert store.series(of, Filter()).damaged == (f"{0:032x}",)


def test_a_series_asks_the_index_for_a_benchmark(tmp_path: Path) -> None:
    """It reads the rows of that benchmark or kind alone, whatever else is stored."""
    database = open_database(str(tmp_path / "a.db"))
    for wanted, index in (
        (Filter(["stream.copy"]), "stend_cases_of_benchmark"),
        (Filter(["stream.copy"], ["a kind"]), "stend_cases_of_kind"),
    ):
        query = wanted.runs().compile(database.reader, compile_kwargs={"literal_binds": True})
        with database.reading() as connection:
            plan = connection.exec_driver_sql(f"explain query plan {query}").all()
        assert f"INDEX {index} (benchmark=?" in str(plan)
        assert f"SCAN {tables.cases.name}" not in str(plan)
    database.close()


def test_an_empty_store_has_no_series(store_url: str) -> None:
    of, _ = counted()
    with Store.open(store_url) as store:
        assert store.benchmarks() == []
        assert store.series(of, Filter()).runs == ()


def test_more_runs_and_hosts_than_a_statement_takes_parameters_are_chosen(
    store_url: str,
) -> None:
    crowd = [f"no{number}" for number in range(70_000)]
    with Store.open(store_url) as store:
        for one in runs(2):
            store.add(one)
        ids, hosts = [*crowd, f"{0:032x}"], [*crowd, "bench", None]
        wanted = Filter(ids=ids, hosts=hosts)
        assert [run.id for run in store.heads(wanted)] == ids[-1:]
        assert [one.id for one in store.newest(wanted)] == ids[-1:]
        assert store.known(ids) == {ids[-1]} == set(store.statuses(ids))
