// measured FROM: stend's way from one CPU to the other, 500 observations. Prints their mean: ns one
// way. For a process that may use two CPUs alone.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "kernels/cores/cores.h"

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const auto row = stend::cores::row(std::atoi(arguments[1]));
    row->prepare();
    auto& observer = dynamic_cast<stend::Observer&>(*row);
    std::vector<double> times(500);
    for (double& time : times) time = 1e9 * observer.observe();
    if (!row->check() || !row->prove().right || row->columns().size() != 1) return 1;
    const double sum = std::accumulate(times.begin(), times.end(), 0.0);
    std::printf("%.3f\n", sum / static_cast<double>(times.size()));
}
