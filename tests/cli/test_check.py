"""`stend run --check`: the work of every benchmark is proved, and nothing is measured."""

import json
import os
import subprocess
import sys


def test_check_proves_everything_without_measuring(tmp_path):
    def stend(*words):
        env = os.environ | {"STEND_STORE": str(tmp_path / "runs.db")}
        words = [sys.executable, "-m", "stend", *words]
        done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=tmp_path,
                              check=False)  # fmt: skip
        assert done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    stend("run", "--check")
    cases = json.loads(stend("show", "--json"))["cases"]
    assert {c["status"] for c in cases} <= {"checked", "skipped"}
    assert {c["benchmark"] for c in cases} >= {"stream.add", "memory.write", "clock.error"}
