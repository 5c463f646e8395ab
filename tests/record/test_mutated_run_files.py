"""The fuzzer's promise on its first 2,000 files: a run or one sentence, never anything else."""

import importlib.util
import itertools
import random
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def fuzzer() -> ModuleType:
    path = Path(__file__).parents[2] / "fuzz" / "run_file.py"
    spec = importlib.util.spec_from_file_location("fuzz_run_file", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_2000_mutated_run_files_are_runs_or_one_sentence_each(fuzzer: ModuleType) -> None:
    files = itertools.islice(fuzzer.mutants(random.Random(1)), 2000)
    sound = [fuzzer.try_one(file) for file in files]
    assert 0 < sum(sound) < 1000  # both answers are really given


def test_the_fuzzer_sees_a_broken_promise(
    fuzzer: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careless(text: bytes) -> None:
        raise KeyError("run")

    monkeypatch.setattr(fuzzer, "from_run_file", careless)
    with pytest.raises(KeyError):
        fuzzer.try_one(b"{}")
