"""The literature's tables with this machine's row in them, and the report of a published run."""

import re

import pytest

import made
from stend.comparing import estimate, publications
from stend.comparing.limits import FREQUENCY
from stend.record import Metric, Numbers, Work
from stend.report import page
from stend.report.literature import with_published
from stend.report.measured_case import Measured
from stend.storage.fio.results import FURTHER, METRIC

MIB = 2**20
RATE = Metric(name="rate", unit="B/s", better="higher")
FLOPS = Metric(name="rate", unit="FLOP/s", better="higher")
TIME = Metric(name="time", unit="s", better="lower")
A_SLICE = Metric(name="time", unit="s/slice", better="lower")


def samples(value, **also):
    """Three processes that hardly differ, of a value that the kernel reports."""
    columns = {name: Numbers([x, x]) for name, x in also.items()}
    return tuple(
        made.sample(
            [1e-3, 1e-3], process=i, values=Numbers([value * x, value * x]), also=columns
        )
        for i, x in enumerate((0.999, 1.0, 1.001))
    )  # fmt: skip


def case(benchmark, metric, value, variant="best", work=None, also=None, **parameters):
    return made.case(
        samples(value, **(also or {})),
        benchmark=benchmark,
        metric=metric,
        parameters=parameters,
        variant=variant,
        work=work or Work(bytes=1.0, flops=1.0, operations=1.0),
    )


def cipher(mib_a_second, cycles, **parameters):
    rate = mib_a_second * MIB
    told = {"mode": "ecb", "size": 10**9, "offset": 0, "threads": 1} | parameters
    return case("gost.kuznyechik", RATE, rate, also={FREQUENCY: rate * cycles}, **told)


CIPHERS = (
    cipher(400.0, 5.0),
    cipher(390.0, 5.1, offset=1),
    cipher(9999.0, 0.1, size=16384),
    cipher(100.0, 20.0, mode="cbc"),
    cipher(8888.0, 0.1, threads=2),
)
VOLUMES = (
    case("tomo.dfr", A_SLICE, 0.1, problem="shepp-logan-3d", slices=32, threads=1),
    case("tomo.hfbp", A_SLICE, 0.08, problem="shepp-logan-3d", slices=511, threads=1),
    case("tomo.dfr", A_SLICE, 0.01, problem="shepp-logan-3d", slices=32, threads=8),
)
REST = (
    case("unet.float32", TIME, 0.7, side=256, threads=1),
    case("threads.create_join", TIME, 1e-5, load="none", affinity="none", variant=None),
    case("threads.wake.all", TIME, 2e-4, blocked=100, load="none", affinity="none", variant=None),
    case("linpack.plain", FLOPS, 294e6, n=100, lda="2n+1"),
    case("linpack.lu", FLOPS, 40e9, n=1000, threads=1, variant="openblas"),
    case("fft.complex2d", FLOPS, 4.7e9, rows=512, columns=512,
         work=Work(flops=5 * 2**18 * 18), variant="scipy"),
    made.case(
        samples(2e5, **{"bandwidth B/s": 8e8, "latency s": 1e-3, "cpu share": 0.5}),
        benchmark="storage.randread",
        metric=METRIC,
        further={k: FURTHER[k] for k in ("bandwidth B/s", "latency s", "cpu share")},
        parameters={"block": 4096, "depth": 32, "jobs": 4},
        variant=None,
        work=Work(),
    ),
)  # fmt: skip


THREADRIPPER = "AMD Ryzen Threadripper 3970X"


def tables(*cases, **machine):
    measured = [Measured(i, c, estimate(c)) for i, c in enumerate(cases)]
    found = with_published(measured, made.machine(**machine))
    return {table.title: table for family in found for table in family.tables}


def heads(table):
    return [row.cells[0] for row in table.rows]


def own(table):
    (row,) = [row for row in table.rows if row.here]
    return row.cells


def test_a_cipher_measured_out_of_place_stands_beside_the_one_published_through_memory():
    apart = cipher(405.0, 5.0, mode="ecb-out-of-place")
    table = tables(*CIPHERS, apart)["Kuznyechik, parallel"]
    first, second = [row.cells for row in table.rows if row.here]
    assert (first[3], second[3]) == ("405.0 ± 1.0", "400.0 ± 1.0")
    assert first[0].endswith("messages of 1.00 GB, out of place")
    assert "here out of place" in table.says


def test_a_cipher_stands_in_its_place_among_the_processors():
    found = tables(*CIPHERS)
    table = found["Kuznyechik, parallel"]
    assert table.columns[2:] == ("unaligned, MB/s", "aligned, MB/s", "cycles a byte")
    assert own(table)[0] == "this machine (Example CPU), best, messages of 1.00 GB"
    assert own(table)[1:] == ("2.1", "390.0 ± 1.0", "400.0 ± 1.0", "5")
    place = [row.here for row in table.rows].index(True)
    names = heads(table)
    assert names[place - 1].startswith("Intel Core i7-9700K")  # 411
    assert names[place + 1].startswith("Intel Core i7-6700")  # 360
    assert ("Elbrus-16C", "2", "454", "455", "4.2") in [row.cells for row in table.rows]
    assert own(found["Kuznyechik, sequential"])[3].startswith("100")
    assert "Magma, parallel" not in found
    assert "MB of 2²⁰ bytes" in table.says
    assert "Magma and Kuznyechik on Elbrus”, Habr, 17.06.2021" in table.says


def test_the_longest_messages_on_one_thread_are_this_machines():
    shown = " ".join(" ".join(row.cells) for row in tables(*CIPHERS)["Kuznyechik, parallel"].rows)
    assert "9999" not in shown
    assert "8888" not in shown


def test_volumes_are_seconds_and_slices_a_second_on_one_thread_and_on_all():
    found = tables(*VOLUMES)
    assert list(found) == ["shepp-logan-3d, one thread", "shepp-logan-3d, all threads"]
    one, most = found.values()
    cells = dict(zip(one.columns, own(one), strict=True))
    assert cells["DFR, s"].startswith("51.1")
    assert cells["DFR, s"].endswith("*")
    assert cells["DFR, slices/s"] == "10*"
    assert not cells["HFBP, s"].endswith("*")
    assert cells["FBP, s"] == "–"
    assert "computed from the time of 32 slices" in one.says
    assert {row.cells[1] for row in one.rows} == {"1"}
    assert "64" in {row.cells[1] for row in most.rows}
    threadripper = next(row.cells for row in most.rows if row.cells[0] == THREADRIPPER)
    assert threadripper == (THREADRIPPER, "64", "5.1", "100", "19", "26.9", "2.3", "222")
    assert heads(one)[:2] == ["this machine (Example CPU)", THREADRIPPER]


def test_every_family_that_was_measured_has_its_table():
    found = tables(*REST)
    assert list(found) == [
        "U-Net, an image of 256×256 on one core",
        "Operations of pthread",
        "LINPACK, n=100",
        "LINPACK, n=1000",
        "Complex Fourier transform of 512×512",
        "Workloads of storage",
    ]
    assert heads(found["U-Net, an image of 256×256 on one core"])[0] == THREADRIPPER
    operations = found["Operations of pthread"]
    assert operations.columns[-1] == "this machine (Example CPU)"
    by_name = {row.cells[0]: row.cells for row in operations.rows}
    assert by_name["create and join one thread"][-1].startswith("10.0")
    assert by_name["lock a mutex"][1:] == ("42.0 ns", "33.0 ns", "15.0 ns", "–")
    rates = [row.cells[3] for row in found["LINPACK, n=100"].rows]
    assert rates == ["295.1 to 295.8", "293 to 295.1", "294.0 ± 0.7"]
    assert own(found["LINPACK, n=1000"])[1] == "openblas"
    transform = found["Complex Fourier transform of 512×512"]
    assert [row.cells[1] for row in transform.rows] == ["scipy", "EML", "ffts (not tuned)"]
    assert own(transform)[2].startswith("5.02")
    storage = found["Workloads of storage"]
    assert own(storage)[:3] == ("read 4k random", "this machine (Example CPU)", "32 × 4 = 128")
    assert [(row.cells[2], row.cells[5]) for row in storage.rows if not row.here] == [
        ("64 × 16 = 1,024", "–")
    ], "its latency is of other requests under way"
    assert {row.cells[0] for row in storage.rows} == {"read 4k random"}


@pytest.mark.parametrize("table", tables(*CIPHERS, *VOLUMES, *REST).values(), ids=lambda t: t.title)
def test_every_table_is_whole_cites_its_source_and_says_that_nothing_is_certain(table):
    assert {len(row.cells) for row in table.rows} == {len(table.columns)}
    assert any(source.cited in table.says for source in publications.SOURCES.values())
    assert re.search("without an interval|not a confidence interval", table.says)


def test_a_run_of_other_benchmarks_has_no_such_table():
    assert tables(made.case()) == {}


def test_figures_that_are_not_above_zero_stand_in_no_table():
    assert tables(cipher(0.0, 1.0), case("tomo.dfr", A_SLICE, 0.0, problem="may-beetle",
                                         slices=32, threads=1)) == {}  # fmt: skip


def test_the_page_marks_this_machine_and_escapes_its_name():
    run = made.run(CIPHERS + VOLUMES + REST, machine=made.machine(cpu_model="<b>CPU & co</b>"))
    text = page.page([run])
    titles = re.findall(r'<h2 id="run-0-(.+?)-title">', text)
    assert titles.index("literature") == titles.index("conditions") - 1  # after what is measured
    assert text.count('<tr class="here">') >= 8
    operations = text[text.index("Operations of pthread.") :]
    assert operations[: operations.index("</table>")].count('class="here"') == 1 + 11
    assert "<b>CPU" not in text
    assert "this machine (&lt;b&gt;CPU &amp; co&lt;/b&gt;)" in text


def test_a_published_run_has_its_figures_and_sources_and_nothing_else():
    run = publications.run("elbrus-8cb")
    text = page.page([run])
    for c in run.cases:
        assert c.published.note.replace("'", "&#39;") in text
        assert c.published.source in text
    for absent in (
        "How to reproduce",
        "Conditions",
        "Without a figure",
        "data-chart",
        "cases measured",
    ):
        assert absent not in re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)


def test_a_run_beside_published_ones_is_one_page_and_nothing_is_coloured():
    others = [publications.run(name) for name in ("elbrus-16c", "i7-6700", "athlon-700")]
    text = page.page([made.run(CIPHERS + REST), *others])
    body = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    for other in others:
        assert other.label in body
    assert "times the published figure" in body
    assert "a change is the ratio of the two figures shown" in body
    assert "Holm" not in body
    assert not re.search(r'class="verdict (faster|slower|same)', body)
    assert page.page([others[0], made.run(CIPHERS)])
    assert page.page(others)
