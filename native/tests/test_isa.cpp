// What a feature set promises, and what switching a feature off carries with it.
#include <algorithm>
#include <stdexcept>

#include "check.h"
#include "isa/cores.h"
#include "isa/isa.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace stend::isa;

#if defined(__x86_64__) && defined(__linux__)
static std::uint64_t permitted_states() {
    constexpr int get_permitted = 0x1022;  // of arch_prctl; older kernels know none of it
    std::uint64_t states = 0;
    return syscall(SYS_arch_prctl, get_permitted, &states) == 0 ? states : 0;
}

static void looking_changes_nothing_of_the_process() {
    const std::uint64_t before = permitted_states();
    (void)present();
    CHECK(permitted_states() == before);
}
#endif

static void switching_off_carries_what_builds_on_it() {
    using stend::isa::fma;  // not the function of <cmath>
    const Features machine{sse2, sse4_1, avx, avx2, fma, avx512, avx512vbmi, gfni};
    CHECK(without(machine, {avx512}) == Features{sse2, sse4_1, avx, avx2, fma, gfni});
    CHECK(without(machine, {avx}) == Features{sse2, sse4_1, gfni});
    CHECK(without(machine, {}) == machine);
}

static void a_list_is_parsed_and_an_unknown_name_is_an_error() {
    CHECK(parse("") == Features{});
    CHECK(parse(" avx512 ,gfni,") == Features{avx512, gfni});
    CHECK_THROWS(std::invalid_argument, parse("avx512,avx1024"));
}

static void names_and_parse_are_inverse() {
    for (const auto name : known().names()) CHECK(parse(name).names().front() == name);
}

static void missing_names_what_is_lacking() {
    CHECK((Features{avx2, gfni}.missing_from({avx2})) == Features{gfni});
    CHECK((Features{avx2}.missing_from({avx2, gfni})).empty());
    CHECK(why_not({}).empty());
    CHECK(!why_not(known()).empty());  // no machine is of every architecture
}

static void the_baseline_of_the_architecture_is_present() {
#if defined(__x86_64__)
    CHECK(present().contains(sse2));
#elif defined(__aarch64__)
    CHECK(present().contains(neon));
#endif
    CHECK(present().contains(usable()));
}

static void what_has_avx_has_all_of_the_second_level() {
    CHECK(x86_64_v2() || !present().contains(avx));
}

static void a_core_holds_its_own_cpu_or_is_not_told() {
    const auto core = core_of(0);
    CHECK(core.empty() || std::ranges::count(core, 0) == 1);
    CHECK(core_of(1'000'000).empty());
}

int main() {
#if defined(__x86_64__) && defined(__linux__)
    looking_changes_nothing_of_the_process();
#endif
    a_core_holds_its_own_cpu_or_is_not_told();
    switching_off_carries_what_builds_on_it();
    a_list_is_parsed_and_an_unknown_name_is_an_error();
    names_and_parse_are_inverse();
    missing_names_what_is_lacking();
    the_baseline_of_the_architecture_is_present();
    what_has_avx_has_all_of_the_second_level();
}
