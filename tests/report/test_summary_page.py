"""The page of a run by families: every odd run has one, ids are one each, links lead somewhere."""

import re
from collections import Counter

import pytest
from msgspec.structs import replace

import made
from report.example import HOSTILE, example
from report.figures_of import TIME, case
from report.parallel import parallel
from report.processor import processor
from report.test_page import Seen
from stend.record import Machine, Status
from stend.report import views
from stend.report.charts import draw, loads
from stend.report.measured_case import limits
from stend.report.page import page, section
from stend.report.views import parts


def ended(status, name="a.b"):
    return made.case((), benchmark=name, status=status, reason="It broke.")


ODD = {
    "only failures": lambda: made.run((ended(Status.CRASHED), ended(Status.WRONG, "c.d"))),
    "one repetition each": lambda: made.run(
        tuple(made.case((made.sample([1e-3]),), parameters={"n": i}) for i in range(3))
    ),
    "a machine with everything unknown": lambda: made.run(machine=Machine()),
    "under way": lambda: made.run(finished=None),
    "killed before a case ended": lambda: made.run((), finished=None),
    "a check": lambda: made.run((ended(Status.CHECKED),), size="check"),
    "a clock set back": lambda: made.run(finished="2020-01-01T00:00:00Z"),
    "a machine name with markup": lambda: made.run(
        (case(HOSTILE, 1e-3, TIME), case("machine.x", 1e-3), case("chart.x", 1e-3)),
        label=HOSTILE, machine=made.machine(host=HOSTILE, cpu_model=HOSTILE),
    ),
}  # fmt: skip


@pytest.mark.parametrize("run", ODD.values(), ids=ODD)
def test_an_odd_run_has_a_clear_page(run):
    seen = Seen(page([run()]))
    assert seen.open == []
    assert re.search(
        r"(Quiet enough|Unsteady|Too few processes|Wrong results|Only checked|No figure) ?: ",
        seen.text,
    )
    assert "What can’t be trusted, and why" in seen.text


@pytest.mark.parametrize("run", [*ODD.values(), example, processor, parallel])
def test_every_id_is_there_once_and_every_link_leads_to_one(run):
    seen = Seen(page([run()]))
    ids = Counter(value for name, value in seen.attributes if name == "id")
    assert [id for id, count in ids.items() if count > 1] == []
    links = {value[1:] for name, value in seen.attributes if name == "href" and value[:1] == "#"}
    assert links <= ids.keys()


def folded(text):
    """What is folded on the page: the first words of each closed <details> of a part."""
    return re.findall(
        r'<details class="(?:family|fold)"(?![^>]* open)[^>]*>\s*<summary>(.*?)<', text
    )


def test_a_page_of_many_figures_folds_tables_details_and_the_literature():
    run = processor()
    many = folded(page([run]))
    assert sum(bool(re.match(r"\d+ figures?$", said)) for said in many) >= 5
    few = [c for c in run.cases if c.benchmark.startswith("stream")][:3]
    assert folded(page([replace(run, cases=tuple(few))])) == []


def test_a_family_has_its_charts_and_its_figures_together():
    seen = Seen(page([example()]))
    ids = [value for name, value in seen.attributes if name == "id"]
    row = next(id for id in ids if id.endswith("-row"))
    places = [ids.index(id) for id in ("run-0-stream", "run-0-chart-0-figure", row, "run-0-memory")]
    assert places == sorted(places)


@pytest.mark.parametrize("run", [example(), processor(), parallel()], ids=["a", "b", "c"])
def test_families_drawn_apart_have_all_charts_that_they_have_together(run):
    """No chart needs two families, but for the roofline, which has a section of its own."""
    tables = views.tables(run, "")
    measured = [row.measured for table in tables for row in table.rows]
    bounds = limits(run.machine, measured)
    apart = [
        chart.title for part in parts(run.cases, tables, bounds, "") for _, chart in part.charts
    ]
    together = [chart.title for chart in draw(measured, bounds) + loads.ended_badly(run.cases)]
    assert Counter(apart) == Counter(together)


def test_the_contents_name_every_part_in_the_order_of_the_page():
    told = [id for id, _ in section(0, processor()).contents]
    ids = [value for name, value in Seen(page([processor()])).attributes if name == "id"]
    assert sorted(told, key=ids.index) == told
    assert told[0] == "run-0"


def test_a_machine_in_order_of_which_nothing_stands_out_says_so():
    text = Seen(
        page([made.run(tuple(case("a.b", 1e-3, parameters={"n": i}) for i in range(3)))])
    ).text
    assert "Nothing stands out: " in text
    assert "Nothing was found that casts doubt on these figures." in text
