// Detours are found, measured and nothing else is taken for one, on a clock of known gaps; on the
// real clock, everything that was watched adds up.
#include <cmath>
#include <limits>
#include <vector>

#include "check.h"
#include "clock/clock.h"
#include "kernels/noise/watcher.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::noise;

namespace {

// A clock whose readings are so far apart: 10 ticks, but for those planted by the number of the
// reading. A gap may be negative.
struct Played {
    static inline std::uint64_t now = 0, reading = 0;
    static inline std::vector<std::pair<std::uint64_t, std::int64_t>> planted;

    static std::uint64_t begin() {
        std::int64_t gap = 10;
        for (const auto& [number, instead] : planted)
            if (number == reading) gap = instead;
        ++reading;
        return now += static_cast<std::uint64_t>(gap);
    }
    static void play(std::vector<std::pair<std::uint64_t, std::int64_t>> gaps) {
        now = 1'000'000'000;
        reading = 0;
        planted = std::move(gaps);
    }
};

constexpr std::uint64_t threshold = 90, any = UINT64_MAX;

void a_window_without_detours_has_none() {
    Played::play({});
    const Watched seen = watch<Played>(1000, threshold, any);
    CHECK(seen.covered() == 1000 && seen.loops == 100 && seen.within == 1000);
    CHECK(seen.detours == 0 && seen.beyond == 0 && !seen.backwards);
}

void detours_are_counted_and_measured() {
    Played::play({{5, 500}, {6, 91}, {7, 90}, {20, 30}});
    const Watched seen = watch<Played>(1000, threshold, any);
    CHECK(seen.detours == 2 && seen.beyond == 591);
    CHECK(seen.within + seen.beyond == seen.covered() && seen.covered() >= 1000);
}

void watching_ends_with_the_detour_that_was_waited_for() {
    Played::play({{5, 500}, {6, 700}});
    const Watched seen = watch<Played>(1'000'000, threshold, 1);
    CHECK(seen.detours == 1 && seen.beyond == 500 && seen.loops == 5);
}

void a_clock_that_runs_backwards_is_found() {
    Played::play({{7, -3}});
    CHECK(watch<Played>(1000, threshold, any).backwards);
}

void the_shortest_loop_is_the_shortest_that_is_not_nothing() {
    Played::play({{3, 0}, {4, 4}, {5, -50}, {9, 400}});
    CHECK(shortest_loop<Played>(20) == 4);
}

constexpr double hz = 1e9;                         // of the played clock
constexpr std::uint64_t prepared = 1 + (1 << 16);  // readings that prepare() makes

double observed_once(Kernel& kernel) {
    return dynamic_cast<Observer&>(kernel).observe();
}

void the_share_lost_is_that_of_the_detours_without_their_loop() {
    Lost<Played> made(hz, 1e-6, usable_cpus().front());
    Played::play({{prepared + 5, 210}});
    made.prepare();
    CHECK(observed_once(made) == 0.2);
    CHECK(made.check() && made.prove().right);
    CHECK(observed_once(made) == 0.0);
    CHECK(made.check() && made.prove().right);
}

void a_detour_is_as_long_as_the_gap_without_its_loop() {
    Detour<Played> made(hz, 1e-6, usable_cpus().front());
    Played::play({{prepared + 5, 210}});
    made.prepare();
    CHECK(std::abs(observed_once(made) - 200e-9) < 1e-15);
    CHECK(made.check());
}

void no_detour_is_no_value() {
    Detour<Played> made(hz, 1e-6, usable_cpus().front());
    Played::play({});
    made.prepare();
    CHECK(std::isnan(observed_once(made)));
    CHECK(made.check() && made.prove().right);
}

void an_observation_by_a_clock_that_ran_backwards_is_wrong() {
    Lost<Played> made(hz, 1e-6, usable_cpus().front());
    Played::play({{prepared + 5, -3}});
    made.prepare();
    observed_once(made);
    CHECK(!made.check() && !made.prove().right);
}

void what_is_watched_on_this_machine_adds_up() {
    const int cpu = usable_cpus().back();
    const auto share = lost(2e-3, cpu);
    share->prepare();
    for (int i = 0; i < 5; ++i) {
        const double value = observed_once(*share);
        CHECK(value >= 0 && value < 1);
        CHECK(share->check());
    }
    CHECK(share->prove().right);

    const auto next = detour(5e-3, cpu);
    next->prepare();
    for (int i = 0; i < 5; ++i) {
        const double value = observed_once(*next);
        CHECK(std::isnan(value) || value > 0);
        CHECK(next->check());
    }
    CHECK(next->prove().right);
}

void a_quantum_is_proved() {
    const auto made = quantum(20e-6, usable_cpus().front());
    made->prepare();
    CHECK(made->check() && made->prove().right);
    for (int i = 0; i < 10; ++i) {
        CHECK(took_time(observed_once(*made)));
        CHECK(made->check());
    }
    made->repeat(3);
    CHECK(made->check() && made->prove().right);
}

void a_quantum_is_the_same_work_everywhere() {
    CHECK(multiplications(20e-6) == 20'000);
    CHECK(multiplications(1e-12) == 1);
}

void what_cannot_be_is_refused() {
    const int cpu = usable_cpus().front();
    for (const double seconds : {0.0, -1.0, 61.0, std::nan(""), HUGE_VAL}) {
        CHECK_THROWS(std::invalid_argument, quantum(seconds, cpu));
        CHECK_THROWS(std::invalid_argument, lost(seconds, cpu));
        CHECK_THROWS(std::invalid_argument, detour(seconds, cpu));
    }
    for (const int nowhere : {-1, 1 << 20}) {
        CHECK_THROWS(std::invalid_argument, quantum(1e-3, nowhere)->prepare());
        CHECK_THROWS(std::invalid_argument, lost(1e-3, nowhere)->prepare());
        CHECK_THROWS(std::invalid_argument, detour(1e-3, nowhere)->prepare());
    }
}

}  // namespace

int main() {
    a_window_without_detours_has_none();
    detours_are_counted_and_measured();
    watching_ends_with_the_detour_that_was_waited_for();
    a_clock_that_runs_backwards_is_found();
    the_shortest_loop_is_the_shortest_that_is_not_nothing();
    the_share_lost_is_that_of_the_detours_without_their_loop();
    a_detour_is_as_long_as_the_gap_without_its_loop();
    no_detour_is_no_value();
    an_observation_by_a_clock_that_ran_backwards_is_wrong();
    what_is_watched_on_this_machine_adds_up();
    a_quantum_is_proved();
    a_quantum_is_the_same_work_everywhere();
    what_cannot_be_is_refused();
}
