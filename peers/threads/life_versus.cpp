// life_versus ROUNDS SUBJECT…: stend's life of threads beside plain loops in C, by turns in one
// process. Subjects: create, create_join, create_bound, create_join_bound, detached=LENGTH,
// joined=LENGTH, wake_one=BLOCKED, wake_all=BLOCKED. A turn makes as many events of one side as
// take some 50 ms; its median is that side's of the pair. Prints a line a pair: subject, 1, seconds
// of the loop, seconds of stend. Each side's first turn is not printed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/threads/life.h"
#include "kernels/threads/wake.h"
#include "life.h"
#include "team/seat.h"

using namespace stend;

namespace {

constexpr std::chrono::milliseconds a_turn{50};
constexpr std::size_t fewest = 3;

using Event = std::function<double()>;

double turn(const Event& event) {
    std::vector<double> seen;
    const auto end = std::chrono::steady_clock::now() + a_turn;
    while (seen.size() < fewest || std::chrono::steady_clock::now() < end) {
        seen.push_back(event());
        if (!(seen.back() > 0)) std::fprintf(stderr, "A loop failed.\n"), std::exit(1);
    }
    std::ranges::nth_element(seen, seen.begin() + std::ptrdiff_t(seen.size() / 2));
    return seen[seen.size() / 2];
}

// Which of the two comes first alternates, so that neither profits from a drifting host.
void interleave(std::string_view subject, int rounds, Kernel& kernel, const Event& theirs) {
    kernel.prepare();
    auto& observer = dynamic_cast<Observer&>(kernel);
    const Event ours = [&] {
        kernel.ready(1);
        return observer.observe();
    };
    for (int round = -1; round < rounds; ++round) {
        double seen[2];
        for (const int side : {round & 1, 1 - (round & 1)}) seen[side] = turn(side ? ours : theirs);
        if (round >= 0)
            std::printf("%.*s 1 %.9f %.9f\n", int(subject.size()), subject.data(), seen[0],
                        seen[1]);
    }
    std::fflush(stdout);
    if (!kernel.check()) std::fprintf(stderr, "stend missed a thread.\n"), std::exit(1);
}

void life(std::string_view subject, int rounds) {
    const bool with_join = subject.starts_with("create_join"), bound = subject.ends_with("bound");
    const threads::Conditions conditions{0, bound};
    const int cpu = bound ? threads::others_cpus(conditions).front() : -1;
    const Seat seat = bound ? sit(threads::own_cpus(conditions, 1).front()) : nullptr;
    const auto kernel = with_join ? threads::create_join(conditions) : threads::create(conditions);
    interleave(subject, rounds, *kernel,
               [=] { return with_join ? life_create_join(cpu) : life_create(cpu); });
}

void chain(std::string_view subject, int rounds, long length) {
    const bool joined = subject.starts_with("joined");
    const auto kernel =
        threads::chain(std::uint64_t(length), threads::keep(joined ? "joined" : "detached"), {});
    interleave(subject, rounds, *kernel, [=] { return life_chain(length, joined); });
}

void wake(std::string_view subject, int rounds, long blocked) {
    const bool all = subject.starts_with("wake_all");
    const auto kernel = all ? threads::wake_all(std::uint64_t(blocked), {})
                            : threads::wake_one(std::uint64_t(blocked), {});
    dormitory* const theirs = dormitory_open(int(blocked));
    interleave(subject, rounds, *kernel,
               [=] { return all ? dormitory_wake_all(theirs) : dormitory_wake_one(theirs); });
    dormitory_close(theirs);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return std::fprintf(stderr, "life_versus ROUNDS SUBJECT…\n"), 2;
    const int rounds = std::atoi(arguments[1]);
    for (int i = 2; i < count; ++i) {
        const std::string subject = arguments[i];
        const long number = std::atol(subject.c_str() + subject.find('=') + 1);
        if (subject.starts_with("create"))
            life(subject, rounds);
        else if (subject.starts_with("wake"))
            wake(subject, rounds, number);
        else
            chain(subject, rounds, number);
    }
}
