// What one measuring software adds to an empty body; each peer's file measures its own.
#pragma once

#include <chrono>
#include <vector>

struct Costs {
    double reading;    // what one timed call of an empty body reads, ns
    double wall;       // what one timed call takes in all, bookkeeping included, ns
    double operation;  // what one of many batched executions reads, ns
};

inline constexpr int timed_calls = 20'000;
inline constexpr int batch = 1'000'000;
inline constexpr int batches = 11;

Costs stend_costs();
Costs nanobench_costs();
Costs google_benchmark_costs();

double median(std::vector<double> values);

// What `function` takes, ns; statistics of what it collected stay outside.
template <typename Function>
double nanoseconds(Function function) {
    const auto before = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - before)
        .count();
}
