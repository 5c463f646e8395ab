// Google Benchmark (Apache-2.0): a repetition of one iteration is a timed call.
#include <benchmark/benchmark.h>

#include "peer.h"

namespace {

void body(benchmark::State& state) {
    unsigned long x = 0;
    for (auto _ : state) benchmark::DoNotOptimize(x += 1);
}

// Keeps the readings instead of printing them.
class Readings : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            if (run.run_type == Run::RT_Iteration) ns.push_back(run.GetAdjustedRealTime());
    }
    std::vector<double> ns;
};

std::vector<double> readings(const char* name, int iterations, int repetitions) {
    benchmark::ClearRegisteredBenchmarks();
    benchmark::RegisterBenchmark(name, body)->Iterations(iterations)->Repetitions(repetitions);
    Readings kept;
    benchmark::RunSpecifiedBenchmarks(&kept, name);
    return kept.ns;
}

}  // namespace

Costs google_benchmark_costs() {
    std::vector<double> calls;
    const double wall = nanoseconds([&] { calls = readings("call", 1, timed_calls); });
    return {median(calls), wall / timed_calls, median(readings("batch", batch, batches))};
}
