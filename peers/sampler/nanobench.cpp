// nanobench (Martin Leitner-Ankerl, MIT licence): an epoch of one iteration is a timed call.
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include "peer.h"

namespace {

using ankerl::nanobench::Bench;

void run(Bench& bench, int iterations, int epochs) {
    unsigned long x = 0;
    bench.output(nullptr).warmup(0).performanceCounters(false);
    bench.epochs(static_cast<std::size_t>(epochs)).epochIterations(iterations);
    bench.run([&] { ankerl::nanobench::doNotOptimizeAway(x += 1); });
}

double median_reading(const Bench& bench) {
    return bench.results().front().median(ankerl::nanobench::Result::Measure::elapsed) * 1e9;
}

}  // namespace

Costs nanobench_costs() {
    Bench calls, batched;
    const double wall = nanoseconds([&] { run(calls, 1, timed_calls); });
    run(batched, batch, batches);
    return {median_reading(calls), wall / timed_calls, median_reading(batched)};
}
