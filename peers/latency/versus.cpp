// versus ROUNDS BYTES…: stend's chase beside the chaser in C, by turns on one core, each through
// its own memory of that many bytes in huge pages. Prints a line a pair: KiB, loads, seconds of the
// chaser, seconds of stend. Each goes unmeasured through what the other drove out of the caches.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "chaser.h"
#include "kernels/latency/latency.h"
#include "team/seat.h"

using namespace stend;

namespace {

constexpr std::size_t loads = 200'000;
constexpr std::size_t most_warming = 1'000'000;

template <typename Work>
double seconds(Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void require(bool right, const char* said) {
    if (right) return;
    std::fprintf(stderr, "%s\n", said);
    std::exit(1);
}

// Which of the two comes first alternates, so that neither profits from a drifting host.
void interleave(std::size_t bytes, int rounds) {
    const auto kernel = latency::chase(bytes, latency::Pages::huge);
    kernel->prepare();
    void** const cycle = chaser_make(bytes);
    require(cycle, "There is no memory for the chaser.");
    void** at = cycle;
    const std::size_t warming = std::min(bytes / 64, most_warming);
    for (int round = 0; round < rounds; ++round) {
        double theirs = 0, ours = 0;
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn ^ round) & 1) {
                kernel->repeat(warming);
                ours = seconds([&] { kernel->repeat(loads); });
            } else {
                at = chaser_follow(at, warming);
                theirs = seconds([&] { at = chaser_follow(at, loads); });
            }
        }
        std::printf("%zu %zu %.9f %.9f\n", bytes >> 10, loads, theirs, ours);
    }
    std::fflush(stdout);
    require(kernel->check(), "stend's chase ended elsewhere.");
    require(chaser_follow(at, bytes / 64) == at, "the chaser's cycle is none.");
    chaser_free(cycle);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return std::fprintf(stderr, "versus ROUNDS BYTES…\n"), 2;
    const Seat seat = sit(first_cpus(1).front());
    for (int i = 2; i < count; ++i)
        interleave(std::strtoull(arguments[i], nullptr, 10), std::atoi(arguments[1]));
}
