// versus FROM TO ROUNDS: stend's way from one CPU to the other beside the ping-pong in C, by turns
// in one process, each over the lines of a page that is mapped anew. Prints a line a pair: the
// CPUs, plain-C, median, 1, seconds one way there, seconds in stend.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels/cores/cores.h"
#include "pingpong.h"

namespace {

double ours(int from) {
    const auto row = stend::cores::row(from);
    row->prepare();
    auto& observer = dynamic_cast<stend::Observer&>(*row);
    std::vector<double> times(320);
    for (double& time : times) time = 1e9 * observer.observe();
    if (!row->check() || row->columns().size() != 1) std::exit(1);
    std::ranges::sort(times);
    return times[times.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    const int from = std::atoi(arguments[1]), to = std::atoi(arguments[2]);
    for (int round = -1; round < std::atoi(arguments[3]); ++round) {
        double seen[2];
        for (const int side : {round & 1, 1 - (round & 1)})
            seen[side] = side ? ours(from) : pingpong(from, to);
        if (round >= 0)
            std::printf("%d-%d plain-C median 1 %.12f %.12f\n", from, to, seen[0] * 1e-9,
                        seen[1] * 1e-9);
    }
}
