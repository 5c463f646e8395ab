"""The HTML file: whole, safe, small, and one file."""

import itertools
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import made
from report.example import HOSTILE, example, large
from report.parallel import cores, machine
from stend.errors import OutputError, UsageError
from stend.record import Status
from stend.report import write_report
from stend.report.frame import in_script
from stend.report.page import page

VOID = {"meta", "img", "br", "hr", "input", "link", "path", "wbr"}


class Seen(HTMLParser):
    """Tags, attributes and text of a page; complains about what is not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.words = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in {"script", "style"}:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


@pytest.fixture(scope="module")
def seen():
    return Seen(page([example()]))


def test_every_element_is_closed_in_order(seen):
    assert seen.open == []


def test_the_headings_go_down_one_level_at_a_time(seen):
    levels = [int(tag[1]) for tag in seen.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))


def test_every_case_is_in_the_page(seen):
    buttons = {value for name, value in seen.attributes if name == "aria-label"}
    for case in example().cases:
        if case.status is Status.MEASURED:
            assert f"Distribution of {case.name}" in buttons
        else:
            assert case.name in seen.text
            assert case.reason in seen.text


def test_conditions_say_what_they_disturbed_and_what_to_do(seen):
    assert "The hypervisor took 12% of the CPU time." in seen.text
    assert re.search(r"\d+ repetitions of stream.copy", seen.text)
    assert "compare only interleaved" in seen.text


def test_it_says_how_to_reproduce_it(seen):
    assert "stend run --quick" in seen.text
    assert f"stend export {example().id[:12]}" in seen.text


def test_nothing_is_loaded_from_elsewhere(seen):
    loading = {"src", "href", "action", "poster", "data", "srcset", "formaction"}
    references = [value for name, value in seen.attributes if name in loading]
    assert references
    assert all(value.startswith("#") for value in references)
    assert "link" not in seen.tags


def test_the_page_forbids_requests_and_other_scripts(seen):
    (policy,) = [v for n, v in seen.attributes if n == "content" and "default-src" in v]
    assert "default-src 'none'" in policy
    scripts = re.search(r"script-src ([^;]*);", policy)[1].split()
    assert len(scripts) == 2
    assert all(source.startswith("'sha256-") for source in scripts)


def test_our_own_parts_refer_to_no_address():
    from importlib.resources import files

    for part in (files("stend.report") / "template").iterdir():
        assert "http" not in part.read_text("utf-8").replace("http-equiv", "")


def test_hostile_names_never_become_markup():
    case = made.case(
        benchmark=HOSTILE,
        question=HOSTILE,
        parameters={HOSTILE: HOSTILE},
        variant=HOSTILE,
        reason=HOSTILE,
    )
    failed = made.case((), status=Status.FAILED, reason=HOSTILE, benchmark=HOSTILE)
    machine = made.machine(host=HOSTILE, cpu_model=HOSTILE, versions={HOSTILE: HOSTILE})
    run = made.run((case, failed), label=HOSTILE, command=(HOSTILE,), machine=machine)
    plain, hostile = Seen(page([made.run()])), Seen(page([run, run]))
    assert hostile.open == []
    assert hostile.tags.count("script") == plain.tags.count("script") + 1
    assert "img" not in hostile.tags
    assert not [name for name, _ in hostile.attributes if name.startswith("on")]
    assert HOSTILE[:20] in hostile.text
    assert "{{7*7}}" in hostile.text


@given(st.text())
def test_json_in_the_page_holds_nothing_that_html_reads(text):
    import json

    shown = in_script({"name": text})
    assert not set(shown) & set("<>&\u2028\u2029")
    assert json.loads(shown) == {"name": text}


def test_several_runs_are_compared_with_the_first():
    seen = Seen(page([example(1), example(2, 1.1)]))
    assert "faster" in seen.text
    assert seen.open == []
    ids = [value for name, value in seen.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_runs_of_one_label_are_told_apart_in_the_title():
    a, b = (replace(example(seed), id=f"{seed}" * 32, label="nightly") for seed in (1, 2))
    c = replace(b, id="3" * 32, label="weekly")
    assert "<h1>nightly 11111111 and nightly 22222222 and weekly</h1>" in page([a, b, c])


def test_a_comparison_rests_on_the_history_that_is_given():
    history = [example(seed) for seed in range(3, 8)]
    said = "5 stored runs of the machine"
    assert said in Seen(page([example(1), example(2)], history)).text
    assert said not in Seen(page([example(1), example(2)])).text


def test_what_only_one_run_has_is_a_count_before_a_list():
    more = example(2)
    fewer = made.run(tuple(c for c in more.cases if c.benchmark == "stream.triad"), id="b" * 32)
    seen = Seen(page([more, fewer]))
    assert seen.open == []
    assert re.search(r"\d+ cases are only in A: 4 of stream.copy, ", seen.text)
    assert "cases are only in B" not in seen.text
    assert seen.text.count("only in A") == 1


def test_a_comparison_names_parameters_and_which_way_is_better():
    seen = Seen(page([example(1), example(2, 1.5)]))
    assert re.search(r"With elements [^.]+; bandwidth, higher is better\.", seen.text)
    assert re.search(r"threads 2 · plain ▲ faster \+\S+%", seen.text)


def test_names_of_benchmarks_may_break_after_their_dots():
    assert ">stream.<wbr>triad</h4>" in page([example()])


@pytest.mark.parametrize(
    "cases",
    [(), (made.case(()),), (made.case((made.sample([]),)),), (made.case((made.sample([0.0]),)),)],
)
def test_a_run_without_figures_has_a_page(cases):
    seen = Seen(page([made.run(cases)]))
    assert "No figure : " in seen.text
    assert "There are no figures." in seen.text
    assert seen.open == []


def test_of_very_many_cases_those_with_cautions_keep_their_distributions(monkeypatch):
    monkeypatch.setattr("stend.report.page.DISTRIBUTIONS", 40_000)
    run = example()
    seen = Seen(page([run]))
    kept = [value for name, value in seen.attributes if name == "data-case"]
    figures = sum(case.has_figure for case in run.cases)
    assert 1 < len(kept) < figures
    warned = next(i for i, case in enumerate(run.cases) if case.cautions)
    assert f"run-0-case-{warned}" in kept
    said = f"distributions of {len(kept)} cases, those with cautions first"
    assert f"{said}; {figures - len(kept)} more" in seen.text


def test_a_million_repetitions_fit_into_8_megabytes(tmp_path):
    path = tmp_path / "large.html"
    write_report([large(200, 5000)], path)
    assert path.stat().st_size < 8_000_000


def test_a_matrix_of_256_cpus_fits_into_8_megabytes(tmp_path):
    path = tmp_path / "cores.html"
    where = machine(256, 4)
    write_report([made.run(tuple(cores(np.random.default_rng(1), where)), machine=where)], path)
    assert path.stat().st_size < 8_000_000


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(OutputError, match=r"can't be written: No such file"):
        write_report([made.run()], tmp_path / "missing" / "report.html")


def test_no_run_is_one_sentence(tmp_path):
    with pytest.raises(UsageError, match="at least one run"):
        write_report([], tmp_path / "report.html")


def test_a_failed_write_leaves_the_old_report_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("<!doctype html>old")
    monkeypatch.setattr("os.fsync", _full)
    with pytest.raises(OutputError, match="No space"):
        write_report([made.run()], path)
    assert [p.read_text() for p in tmp_path.iterdir()] == ["<!doctype html>old"]


def _full(*_words, **_named):
    raise OSError(28, "No space left on device")
