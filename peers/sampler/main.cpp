// Interleaves the peers in rounds and prints what each adds to an empty body, and the
// ratio to stend's in the same round.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "peer.h"

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

namespace {

struct Peer {
    const char* name;
    Costs (*measure)();
};

constexpr Peer peers[] = {
    {"stend", stend_costs},
#if defined(WITH_NANOBENCH)
    {"nanobench", nanobench_costs},
#endif
    {"Google Benchmark", google_benchmark_costs},
};

constexpr int rounds = 15;

using Rounds = std::map<std::string, std::vector<Costs>>;

Rounds interleaved() {
    Rounds costs;
    for (int round = 0; round < rounds; ++round)
        for (const Peer& peer : peers) costs[peer.name].push_back(peer.measure());
    return costs;
}

void print(const char* title, double Costs::*cost, const Rounds& costs) {
    std::printf("%-46s %14s %28s\n", title, "median", "times stend's (range)");
    for (const Peer& peer : peers) {
        std::vector<double> values, ratios;
        for (int round = 0; round < rounds; ++round) {
            values.push_back(costs.at(peer.name)[round].*cost);
            ratios.push_back(values.back() / (costs.at("stend")[round].*cost));
        }
        const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
        std::printf("  %-44s %11.3f ns %12.2f (%.2f to %.2f)\n", peer.name, median(values),
                    median(ratios), *least, *most);
    }
}

}  // namespace

int main() {
    const Rounds costs = interleaved();
    print("a timed call of an empty body reads", &Costs::reading, costs);
    print("a timed call of an empty body takes in all", &Costs::wall, costs);
    print("one of 1,000,000 batched executions reads", &Costs::operation, costs);
    return 0;
}
