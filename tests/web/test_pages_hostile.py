"""Records that would become markup or scripts, on every page that shows them; and axe on each."""

import pytest
from msgspec.structs import replace

import made
from report.example import HOSTILE, example
from stend.record import Status
from web.served import served
from web.watched import WINDOWS, watched

FIRST, SECOND = f"{1:032x}", f"{2:032x}"
NAME = HOSTILE.replace("\u2028", "")
"""As the store keeps it."""


def _hostile(run_id, **also):
    failed = made.case(
        samples=(), status=Status.CRASHED, benchmark=f"x.{HOSTILE}", reason=HOSTILE,
        parameters={HOSTILE: HOSTILE}, variant=HOSTILE,
    )  # fmt: skip
    measured = made.case(
        benchmark=f"y.{HOSTILE}", question=HOSTILE, parameters={HOSTILE: 1}, variant=HOSTILE
    )
    machine = made.machine(host=HOSTILE, cpu_model=HOSTILE, kernel=HOSTILE, os=HOSTILE)
    run = example(int(run_id, 16), processes=2, label=HOSTILE, machine=machine)
    return replace(
        run, cases=(*run.cases[:12], failed, measured), command=("stend", HOSTILE), **also
    )


@pytest.fixture(scope="module")
def site(shared):
    for run_id in (FIRST, SECOND, f"{3:032x}"):
        shared.add(_hostile(run_id), sender=HOSTILE)
    shared.trash.put(f"{3:032x}", HOSTILE, "")
    with served(shared) as running:
        yield running


PAGES = [
    "/runs",
    f"/runs?removed={3:032x}",
    "/runs?search=%3Cscript%3Ealert(1)%3C/script%3E&label=%22onfocus=alert(1)%20autofocus=%22",
    f"/runs/{FIRST}",
    f"/report?run={FIRST}&run={SECOND}",
    f"/compare?a={FIRST}&b={SECOND}",
    "/compare?a=%3Cimg%20src=x%20onerror=alert(1)%3E&b=",
    "/trash",
    "/benchmarks?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "/benchmarks/stream.triad",
]


@pytest.mark.parametrize("path", PAGES)
def test_no_record_becomes_markup_or_a_script(browser, site, path):
    with watched(browser, site.address) as page:
        page.goto(site.url + path)
        page.wait_for_load_state("load")
        page.wait_for_timeout(50)
        assert page.locator("img").count() == 0
        assert page.locator("main script:not([type]), main style").count() == 0


def test_a_hostile_run_is_picked_labelled_and_removed_like_any_other(browser, site):
    with watched(browser, site.address) as page:
        page.locator("input[name=run]").first.check()
        assert page.locator(".picked li span").inner_text().startswith("</script>")
        row = page.locator(f"#run-{SECOND}")
        row.get_by_role("button", name="Delete").click()
        page.get_by_role("button", name="Undo").click()
        page.locator(f"#run-{SECOND}").wait_for()


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("path", [PAGES[i] for i in (1, 3, 6, 7, 8, 9)])
def test_axe_finds_nothing_to_object_to(browser, axe, site, window, path):
    with watched(browser, site.address, window) as page:
        page.goto(site.url + path)
        found = axe.run(page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"]) for v in found] == []
