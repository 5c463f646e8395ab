// versus copy|latency ROUNDS BYTES: stend on every pair of memory nodes beside plain C and beside
// stend's own kernel for any memory, by turns on one CPU. Prints a line a pair for ../pairs.py:
// what it is set against, the nodes, bytes or loads, seconds of the other, seconds of stend.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "../latency/chaser.h"
#include "bound.h"
#include "kernels/bandwidth/bandwidth.h"
#include "kernels/latency/latency.h"
#include "team/seat.h"

using namespace stend;

namespace {

constexpr std::size_t loads = 200'000, warming = 1'000'000;

using Work = std::function<void()>;

double seconds(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void require(bool right, const char* said) {
    if (right) return;
    std::fprintf(stderr, "%s\n", said);
    std::exit(1);
}

// Gives the seconds of one measurement.
using Side = std::function<double()>;

void interleave(const char* peer, int node, int memory, std::size_t amount, int rounds,
                const Side& theirs, const Side& ours) {
    for (int round = 0; round < rounds; ++round) {
        double of_theirs = 0, of_ours = 0;
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn ^ round) & 1)
                of_ours = ours();
            else
                of_theirs = theirs();
        }
        std::printf("%s %d-%d %zu %.9f %.9f\n", peer, node, memory, amount, of_theirs, of_ours);
    }
    std::fflush(stdout);
}

// The widest stores past the caches, which is what numa.copy takes, or else the widest.
const Variant<bandwidth::Copy>& variant() {
    const auto all = bandwidth::copy_variants();
    const Variant<bandwidth::Copy>* best = nullptr;
    for (const auto& one : all)
        if (isa::why_not(one.needs).empty() && (!best || one.name.starts_with("nontemporal")))
            best = &one;
    return *best;
}

// Each has all memory to itself while it is measured, and gives it back: what two hold at the same
// time differs by a third on this host, and who came first had the better.
double copied(const std::unique_ptr<Kernel>& kernel) {
    kernel->prepare();
    kernel->repeat(1);
    const double time = seconds([&] { kernel->repeat(1); });
    require(kernel->check(), "stend's copy is wrong.");
    return time;
}

double copied_plainly(std::size_t bytes, int node, int memory) {
    void *const source = bound_memory(bytes, node), *const target = bound_memory(bytes, memory);
    require(source && target, "There is no memory for plain C.");
    bound_copy(target, source, bytes);
    const double time = seconds([&] { bound_copy(target, source, bytes); });
    bound_free(source, bytes);
    bound_free(target, bytes);
    return time;
}

void copies(int node, int memory, std::size_t bytes, int rounds, const nodes::Home& from,
            const nodes::Home& to) {
    const Side ours = [&] {
        return copied(bandwidth::copy_between(2 * bytes, from, to, variant()));
    };
    if (node == memory)
        interleave(
            "memory.bandwidth.copy", node, memory, 2 * bytes, rounds,
            [&] { return copied(bandwidth::copy(2 * bytes, {from->cpu()}, variant())); }, ours);
    interleave(
        "memcpy", node, memory, 2 * bytes, rounds,
        [&] { return copied_plainly(bytes, node, memory); }, ours);
}

void loads_of(int node, int memory, std::size_t bytes, int rounds, const nodes::Home& from,
              const nodes::Home& to) {
    const auto side = [](Kernel& kernel) -> Side {
        return [&] {
            kernel.repeat(warming);
            return seconds([&] { kernel.repeat(loads); });
        };
    };
    const auto ours = latency::chase_on(bytes, from, to);
    ours->prepare();
    if (node == memory) {
        const auto own = latency::chase(bytes, latency::Pages::huge);
        own->prepare();
        interleave("memory.latency", node, memory, loads, rounds, side(*own), side(*ours));
    }
    require(bound_to(memory) == 0, "The system binds no memory.");
    void** at = chaser_make(bytes);
    bound_to(-1);
    require(at, "There is no memory for the chaser.");
    interleave(
        "chaser", node, memory, loads, rounds,
        [&] {
            at = chaser_follow(at, warming);
            return seconds([&] { at = chaser_follow(at, loads); });
        },
        side(*ours));
    require(ours->check(), "stend's chase ended elsewhere.");
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return std::fprintf(stderr, "versus copy|latency ROUNDS BYTES\n"), 2;
    const bool copying = arguments[1] == std::string("copy");
    for (int node = 0; node < 8; ++node)
        for (int memory = 0; memory < 8; ++memory) try {
                const nodes::Home from = nodes::node(node), to = nodes::node(memory);
                const Seat seat = sit(from->cpu());
                (copying ? copies : loads_of)(node, memory,
                                              std::strtoull(arguments[3], nullptr, 10),
                                              std::atoi(arguments[2]), from, to);
            } catch (const Unavailable&) {  // no such pair
            }
}
