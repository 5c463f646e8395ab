// versus FIRST THREADS ROUNDS [VARIANT…]: stend's STREAM beside the classic one, repetitions
// back to back in one process, on the same CPUs and as many elements. Prints a line a pair:
// threads, operation, variant, bytes, seconds of the classic program, seconds of stend.
// FIRST, classic or stend, is who takes memory first: on a virtual machine one part of the
// memory can be a fifth slower than another, whoever works in it.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "classic.h"
#include "kernels/stream/stream.h"
#include "team/seat.h"

using namespace stend;

namespace {

constexpr const char* names[]{"copy", "scale", "add", "triad"};
constexpr std::size_t bytes[]{16, 16, 24, 24};  // an element, as STREAM counts them

template <typename Work>
double seconds(Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Which of the two comes first alternates, so that neither profits from a drifting host.
void interleave(int operation, Kernel& kernel, int rounds) {
    for (int round = -1; round < rounds; ++round) {
        double classic = 0, ours = 0;
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn ^ round) & 1)
                ours = seconds([&] { kernel.repeat(1); });
            else
                classic = seconds([&] { classic_do(operation); });
        }
        if (round < 0) continue;  // warm-up
        std::printf("%u %s %s %zu %.6f %.6f\n", kernel.threads(), names[operation],
                    kernel.variant().data(), bytes[operation] * std::size_t{ELEMENTS}, classic,
                    ours);
    }
    std::fflush(stdout);
}

std::unique_ptr<Kernel> prepared(int operation, const Variant<stream::Loops>& variant,
                                 const std::vector<int>& cpus) {
    auto kernel = stream::kernel(static_cast<stream::Operation>(operation), stream::Arrays::shared,
                                 ELEMENTS, cpus, variant);
    kernel->prepare();
    return kernel;
}

void compare(int operation, const Variant<stream::Loops>& variant, const std::vector<int>& cpus,
             int rounds) {
    const auto kernel = prepared(operation, variant, cpus);
    interleave(operation, *kernel, rounds);
    const Proof proof = kernel->prove();
    if (!proof.right || !classic_is_right(operation)) {
        std::fprintf(stderr, "%s: %s\n", names[operation],
                     proof.right ? "the classic program is wrong" : proof.said.c_str());
        std::exit(1);
    }
}

// The classic threads sit on the same CPUs as ours.
std::vector<Seat> seated(const std::vector<int>& cpus) {
    std::vector<Seat> seats(cpus.size());
    omp_set_dynamic(0);
    omp_set_num_threads(static_cast<int>(cpus.size()));
#pragma omp parallel
    seats[std::size_t(omp_get_thread_num())] = sit(cpus[std::size_t(omp_get_thread_num())]);
    return seats;
}

std::vector<Variant<stream::Loops>> asked_for(int count, char** arguments) {
    std::vector<Variant<stream::Loops>> asked;
    for (int i = 4; i < count; ++i) asked.push_back(chosen(stream::variants(), arguments[i]));
    if (!asked.empty()) return asked;
    const auto here = [](const auto& variant) { return isa::why_not(variant.needs).empty(); };
    std::ranges::copy_if(stream::variants(), std::back_inserter(asked), here);
    return {asked.front(), asked.back()};
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return std::fprintf(stderr, "versus FIRST THREADS ROUNDS [VARIANT…]\n"), 2;
    const bool stend_first = arguments[1] == std::string_view("stend");
    const std::vector<int> cpus = first_cpus(unsigned(std::atoi(arguments[2])));
    const int rounds = std::atoi(arguments[3]);

    const auto seats = seated(cpus);
    auto holding = stend_first ? prepared(0, stream::variants()[0], cpus) : nullptr;
    classic_fill();
    holding.reset();  // what comes next takes the same memory again
    for (int operation = 0; operation < 4; ++operation) {
        classic_do(operation);
        for (const auto& variant : asked_for(count, arguments))
            compare(operation, variant, cpus, rounds);
    }
}
