"""What stands beside the bar fits beside it."""

from types import SimpleNamespace

from rich.console import Console

from stend.benchmarks.definition import Case
from stend.cli.progress import Shown

SAME = {"problem": "shepp-logan-3d", "slices": 32}
CASES = [
    Case("tomo.dfr", SAME | {"threads": 1}, "avx512"),
    Case("tomo.hfbp_fine", SAME | {"threads": 2}, "avx512"),
]


def line_of(cases):
    """What is drawn for the last of these cases, on a terminal of 80 columns."""
    shown = Shown()
    shown.begun([SimpleNamespace(case=case) for case in cases])
    shown._console.print = lambda *_, **__: None  # passes, where no bar is drawn
    shown.case(SimpleNamespace(planned=SimpleNamespace(case=cases[-1]), made=0))
    terminal = Console(width=80, force_terminal=True, color_system=None)
    with terminal.capture() as drawn:
        terminal.print(shown._bar.get_renderable())
    return drawn.get()


def test_parameters_that_all_cases_share_do_not_stand_beside_the_bar():
    assert line_of(CASES).rstrip().endswith(" 0:00:00 tomo.hfbp_fine threads=2 [avx512]")


def test_the_time_is_whole_beside_a_long_name():
    whole = "problem=shepp-logan-3d slices=32 threads=2 [avx512]"
    assert f"0:00:00 tomo.hfbp_fine {whole}" in line_of(CASES[1:])
