"""`stend outliers` as a user meets it: run files or a session in, sentences and codes out."""

import json
import os

import pytest

import in_process
from made import case, machine, run, sample
from stend.record.run_file import write_run_file


@pytest.fixture
def stend(tmp_path):
    def call(*words, **more):
        env = os.environ | {"STEND_STORE": str(tmp_path / "runs.db"), "COLUMNS": "80"} | more
        return in_process.stend(*words, env=env, cwd=tmp_path)

    return call


@pytest.fixture
def fleet(tmp_path):
    """Run files of four nodes, the third half as slow again."""
    names = []
    for i, slow in enumerate((1, 1, 1.5, 1), 1):
        samples = tuple(sample([1e-3 * slow * (1 + 0.001 * p)] * 3, process=p) for p in (0, 1, 2))
        about = {"id": str(i) * 32, "machine": machine(host=f"n{i}"), "group": "ab" * 16}
        names.append(f"n{i}.json")
        write_run_file(run((case(samples),), **about), tmp_path / names[-1])
    return names


def test_run_files_of_nodes_are_set_beside_each_other(stend, fleet):
    done = stend("outliers", *fleet)
    assert done.returncode == 0, done.stderr
    assert "n3: stream.triad threads=2 elements=1000 [plain] is 33% below" in done.stdout
    assert stend("outliers", *fleet, "--fail-on", "slower").returncode == 1
    assert stend("outliers", *fleet, "--fail-on", "faster").returncode == 0


def test_one_run_of_a_session_stands_for_all_of_it(stend, fleet):
    stend("import", *fleet)
    told = json.loads(stend("outliers", "n2.json", "--json").stdout)
    assert [node["host"] for node in told["fleet"]["nodes"]] == ["n1", "n2", "n3", "n4"]
    assert [one["who"] for one in told["fleet"]["apart"]] == ["n3"]


def test_mistakes_are_refused_before_any_host_is_asked(stend, tmp_path):
    (tmp_path / "hosts").write_text("n1\n")
    reached = tmp_path / "reached"
    shell = {"STEND_REMOTE_SHELL": f"touch {reached}"}
    for words in (["straem"], ["stream", "--set", "thread=1"], ["stream", "--variant", "none"]):
        done = stend("run", *words, "--hosts", "hosts", **shell)
        assert done.returncode == 2, done.stderr
    assert not reached.exists()


def test_a_hostfile_with_a_bad_line_is_one_sentence(stend, tmp_path):
    (tmp_path / "hosts").write_text("n1\nn2 slots=x\n")
    done = stend("run", "--hosts", "hosts")
    assert done.returncode == 2
    assert "Line 2 of hosts, 'n2 slots=x': slots must be a whole number, not 'x'." in done.stderr
