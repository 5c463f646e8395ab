"""`stend run --check`: the work of every benchmark is proved, and nothing is measured."""

import json
import os

import pytest

import in_process
from stend.benchmarks.registry import families

LONG = {"gost"}
"""Families of hundreds of cases."""


@pytest.mark.parametrize(
    "family",
    [pytest.param(name, marks=[pytest.mark.full] * (name in LONG)) for name in families()],
)
def test_check_proves_a_family_without_measuring(tmp_path, family):
    env = os.environ | {"STEND_STORE": str(tmp_path / "runs.db")}
    done = in_process.stend("run", "--check", f"{family}.*", env=env, cwd=tmp_path)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    shown = in_process.stend("show", "--json", env=env)
    cases = json.loads(shown.stdout)["cases"]
    assert {case["benchmark"].partition(".")[0] for case in cases} == {family}
    assert {case["status"] for case in cases} <= {"checked", "skipped"}
