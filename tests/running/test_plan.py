"""From what was asked for to the ordered cases."""

from types import SimpleNamespace

import pytest

from made import benchmark, machine
from stend.benchmarks import parameters
from stend.errors import BadValue, DefinitionError, UnknownName, UsageError
from stend.running import plan
from stend.running.plan import Choice


def variant(name: str, reason: str = ""):
    return SimpleNamespace(name=name, needs=(), available=not reason, reason=reason)


def bench(name: str = "a.b", **also):
    fields = {
        "parameters": {
            "threads": parameters.up_to_all_cores,
            "bytes": parameters.size_in_bytes("size", lambda m, s: (8, 16)),
        },
        "variants": lambda: [
            variant("plain"),
            variant("fast"),
            variant("wide", "the processor lacks avx512."),
        ],
    }
    return benchmark(name=name, **(fields | also))


ONE = {"threads": ["1"], "bytes": ["8"]}


def cases(*benchmarks, **choice):
    return plan.plan(benchmarks or (bench(),), machine(), Choice(**choice))


def test_a_quick_run_takes_the_best_variant_that_the_machine_has():
    assert {p.case.variant for p in cases()} == {"fast"}


def test_a_full_run_takes_every_variant_and_says_why_one_is_skipped():
    skips = {p.case.variant: p.skip for p in cases(size="full")}
    assert skips == {"plain": None, "fast": None, "wide": "the processor lacks avx512."}


def test_where_no_variant_can_run_the_best_is_skipped_with_its_reason():
    lacking = [variant("plain", "no compiler."), variant("fast", "no MPI.")]
    skips = {p.case.variant: p.skip for p in cases(bench(variants=lambda: lacking))}
    assert skips == {"fast": "no MPI."}


def test_every_combination_of_parameters_is_one_case_in_order():
    combinations = [tuple(p.case.parameters.values()) for p in cases()]
    assert combinations == [(1, 8), (1, 16), (2, 8), (2, 16)]


def test_the_card_comes_first_and_one_case_of_each_benchmark_before_another():
    of = (bench("a.rest"), bench("b.card", card=True), bench("c.card", card=True))
    order = plan.breadth_first(cases(*of))
    names = [p.case.benchmark for p in order]
    assert names == ["b.card", "c.card"] * 4 + ["a.rest"] * 4
    values = [tuple(p.case.parameters.values()) for p in order if p.case.benchmark == "c.card"]
    assert values == [(2, 16), (2, 8), (1, 16), (1, 8)], "the largest tells most"


def test_the_case_that_begins_is_one_that_can_be_measured():
    lacking = [variant("plain"), variant("wide", "the processor lacks avx512.")]
    order = plan.breadth_first(cases(bench(variants=lambda: lacking), size="full"))
    assert order[0].case.variant == "plain"


def taken(benchmark, **choice):
    return [(*p.case.parameters.values(), p.case.variant) for p in cases(benchmark, **choice)]


def diagonal(case, machine, size):
    """A definition's rule."""
    if size == "full":
        return ("fast",)
    return ("plain", "default", "none such") if 8 * case.threads == case.bytes else ()


def test_of_default_values_a_run_takes_what_the_definition_says():
    b = bench(takes=diagonal)
    assert taken(b) == [(1, 8, "plain"), (1, 8, "fast"), (2, 16, "plain"), (2, 16, "fast")]
    assert taken(b, size="full") == [(t, n, "fast") for t in (1, 2) for n in (8, 16)]


def test_what_is_named_is_measured_by_every_variant_that_the_definition_takes_anywhere():
    b = bench(takes=diagonal)
    assert taken(b, settings={"threads": ["1"], "bytes": ["16"]}) == [
        (1, 16, "plain"),
        (1, 16, "fast"),
    ]
    assert taken(b, size="full", settings=ONE) == [(1, 8, "fast")]
    assert taken(b, variants=["plain"]) == [(t, n, "plain") for t in (1, 2) for n in (8, 16)]


def test_without_variants_a_definition_says_which_cases_there_are():
    b = bench(variants=None, takes=diagonal)
    assert taken(b) == [(1, 8, None), (2, 16, None)]


def test_set_replaces_the_values_of_a_parameter():
    chosen = cases(settings={"threads": ["2"], "bytes": ["1KiB", "2kB"]})
    assert [p.case.bytes for p in chosen] == [1024, 2000]


def test_a_default_can_follow_another_parameter_until_it_is_named():
    sides = {
        "rows": parameters.whole("rows", lambda m, s: (8, 9)),
        "columns": parameters.whole("columns", lambda m, s: (parameters.SameAs("rows"),)),
    }

    def shapes(**choice):
        planned = cases(bench(parameters=sides), **choice)
        return [(p.case.rows, p.case.columns) for p in planned]

    assert shapes() == [(8, 8), (9, 9)]
    assert shapes(settings={"rows": ["5"]}) == [(5, 5)]
    assert shapes(settings={"columns": ["4"]}) == [(8, 4), (9, 4)]


def test_an_unknown_parameter_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="did you mean 'threads'"):
        cases(settings={"thread": ["2"]})


def test_an_unknown_variant_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="default, fast, plain, wide"):
        cases(variants=["zzz"])


@pytest.mark.parametrize("word", ["x", "0", "-1", "1.5", "99999999999999999999", "", "1e9", "1e-3"])
def test_a_bad_number_of_threads_is_refused_naming_the_parameter(word):
    with pytest.raises(BadValue, match="--set threads"):
        cases(settings={"threads": [word]})


@pytest.mark.parametrize(
    ("word", "value"),
    [("4096", 4096), ("0.5MiB", 524288), ("2GB", 2 * 10**9), ("1k", 1000), ("3KiB", 3072)],
)
def test_sizes_are_read_with_decimal_and_binary_units(word, value):
    assert parameters.parse_bytes(word) == value


@pytest.mark.parametrize("word", ["", "MB", "1iB", "1XB", "-5", "1e9", "0x10", "1" * 40])
def test_a_word_that_is_no_size_is_refused(word):
    with pytest.raises(BadValue):
        parameters.parse_bytes(word)


def test_versus_puts_another_variant_beside_each_case():
    (first, *_) = cases(variants=["plain"], versus="fast")
    assert (first.case.variant, first.versus.variant) == ("plain", "fast")


def test_a_variant_can_be_set_against_itself():
    (first, *_) = cases(variants=["plain"], versus="plain")
    assert first.versus == first.case


def test_what_was_asked_for_and_cannot_run_is_refused_with_its_reason():
    with pytest.raises(UsageError, match=r"nothing can be measured: .*the processor lacks avx512"):
        cases(versus="wide")
    needy = bench(needs=lambda case, machine: "too big.")
    assert {p.skip for p in cases(needy)} == {"too big."}
    with pytest.raises(UsageError, match="too big"):
        cases(needy, settings={"bytes": ["8"]})


def test_a_value_that_is_given_twice_is_measured_once():
    assert len(cases(settings={"bytes": ["8", "8"], "threads": ["1", "1"]})) == len(
        cases(settings={"bytes": ["8"], "threads": ["1"]})
    )


def test_what_a_benchmark_needs_is_asked_for_each_case():
    needy = bench(needs=lambda case, machine: "too big." if case.bytes > 8 else None)
    assert [p.skip for p in cases(needy)] == [None, "too big.", None, "too big."]


def test_more_cases_than_anyone_can_wait_for_are_refused():
    with pytest.raises(UsageError, match="cases"):
        cases(settings={"bytes": [str(n) for n in range(1, 10_001)]})


def test_stream_arrays_are_four_last_caches_but_at_most_a_share_of_the_memory():
    rule = parameters.four_last_caches.defaults
    assert rule(machine(), "quick") == (4 * (8 << 20) // 8,)
    assert rule(machine(memory_available=3 << 20), "full") == ((1 << 19) // 8,)
    assert rule(machine(memory_available=12 << 20), "quick") == ((1 << 19) // 8,)


def test_free_memory_that_differs_a_little_gives_the_same_cases():
    rule = parameters.four_last_caches.defaults
    there = 3 << 20
    assert rule(machine(memory_available=there), "full") == rule(
        machine(memory_available=there + 4096), "full"
    )


def test_a_definition_that_raises_is_named():
    broken = bench(needs=lambda case, machine: 1 / 0)
    with pytest.raises(DefinitionError, match=r"a\.b in nowhere .* division by zero"):
        cases(broken)
