// versus plain|perf ROUNDS: stend's kernels of synchronisation beside plain C, or beside `perf
// bench sched pipe`, by turns, on the same CPUs. Prints a line a pair: what, threads, 1, seconds an
// operation there, seconds in stend.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/threads/sync.h"
#include "plain.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::threads;

namespace {

constexpr Conditions bound{0, true};

double middle(std::array<double, 3> of) {
    std::ranges::sort(of);
    return of[1];
}

// What stend's kernel and the loop in C say of `rounds` rounds.
double observed(Kernel& kernel, int rounds) {
    double sum = 0;
    for (int i = 0; i < rounds; ++i) sum += dynamic_cast<Observer&>(kernel).observe();
    return sum / rounds;
}

void require(bool right, const std::string& what) {
    if (right) return;
    std::fprintf(stderr, "stend's %s is wrong.\n", what.c_str());
    std::exit(1);
}

long turns_of(const Kernel& kernel) {
    return std::atol(kernel.about().c_str());  // "4096 turns a round"
}

using Plain = double (*)(const where*, long);

struct alignas(128) Taken {
    char bytes[512];
};

using Make = std::function<std::unique_ptr<Kernel>()>;

// Which of the two comes first alternates, so that neither profits from a drifting host. A turn is
// the middle one of three timings of eight rounds: the threads of plain C begin and end in each.
// Each pair has a kernel of its own, for which the lines it may take are moved on, so that they
// have other homes, as plain C's have; and none waits, or yields, while plain C is measured.
void interleave(const std::string& what, const Make& make, Plain plain,
                const std::vector<int>& cpus, int pairs) {
    constexpr int rounds = 8;
    const where there{static_cast<int>(cpus.size()), cpus.data()};
    static std::vector<std::unique_ptr<Taken>> taken;
    long turns = 0;
    const auto theirs = [&] { return plain(&there, rounds * turns) / 1e9; };
    for (int pair = -1; pair < pairs; ++pair) {
        std::array<double, 2> seconds{};
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn ^ pair) & 1) {
                for (int i = rand() % 64; i >= 0; --i) taken.emplace_back(new Taken);
                const auto kernel = make();
                kernel->prepare();
                turns = turns_of(*kernel);
                const auto ours = [&] { return observed(*kernel, rounds); };
                seconds[1] = middle({ours(), ours(), ours()});
                require(kernel->check(), what);
            } else if (turns > 0) {
                seconds[0] = middle({theirs(), theirs(), theirs()});
            }
        }
        if (pair >= 0) std::printf("%s 1 %.15f %.15f\n", what.c_str(), seconds[0], seconds[1]);
    }
    std::fflush(stdout);
}

template <typename List>
auto named(const List& variants, std::string_view name) {
    return chosen(variants, name).function;
}

void beside_plain(int pairs) {
    const int cpu = first_cpus(1).front();
    const std::vector one{cpu};
    interleave(
        "mutex.create 1", [&] { return mutex(Step::create, bound); }, plain_mutex_create, one,
        pairs);
    interleave(
        "mutex.lock 1", [&] { return mutex(Step::lock, bound); }, plain_mutex_lock, one, pairs);
    interleave(
        "mutex.unlock 1", [&] { return mutex(Step::unlock, bound); }, plain_mutex_unlock, one,
        pairs);
    interleave(
        "mutex.destroy 1", [&] { return mutex(Step::destroy, bound); }, plain_mutex_destroy, one,
        pairs);
    const auto most = static_cast<unsigned>(usable_cpus().size());
    for (const unsigned threads : {1U, std::min(2U, most)}) {
        const std::vector<int> cpus = first_cpus(threads);
        const std::string many = " " + std::to_string(threads);
        const int homes = threads > 1 ? 6 * pairs : pairs;  // of lines that travel
        interleave(
            "mutex.lock_unlock" + many, [&] { return lock_unlock(threads, bound); },
            plain_lock_unlock, cpus, homes);
        interleave(
            "spinlock" + many, [&] { return spinlock(threads, bound); }, plain_spinlock, cpus,
            homes);
        interleave(
            "semaphore" + many, [&] { return semaphore(threads, bound); }, plain_semaphore, cpus,
            homes);
        interleave(
            "atomic_add" + many, [&] { return atomic_add(threads, bound); }, plain_atomic_add, cpus,
            homes);
    }
    const std::vector same{cpu, cpu};
    const auto switches = switch_variants();
    const auto hop = [&](const char* name) { return named(switches, name)(Place::same, bound); };
    interleave(
        "switch.yield 2", [&] { return hop("yield"); }, plain_yield, same, pairs);
    interleave(
        "switch.pipe 2", [&] { return hop("pipe"); }, plain_pipe, same, pairs);
    interleave(
        "switch.futex 2", [&] { return hop("futex"); }, plain_futex, same, pairs);
    if (most < 2) return;
    const std::vector<int> two = first_cpus(2);
    interleave(
        "barrier 2", [&] { return named(barrier_variants(), "pthread")(2, bound); }, plain_barrier,
        two, pairs);
    const auto there = [&](const char* name) {
        return named(ping_pong_variants(), name)(Place::other, bound);
    };
    interleave(
        "ping_pong.pipe 2", [&] { return there("pipe"); }, plain_pipe, two, pairs);
    interleave(
        "ping_pong.futex 2", [&] { return there("futex"); }, plain_futex, two, pairs);
}

// As the loops in C: ns of a hop. A process of its own, so at least 20,000 round trips.
double perf_pipe(const where* where, long times) {
    const std::string command = "taskset -c " + std::to_string(where->cpus[0]) +
                                " perf bench --format=default sched pipe -T -l " +
                                std::to_string(std::max(20'000L, times)) + " 2>/dev/null";
    FILE* const told = popen(command.c_str(), "r");
    char line[256];
    double microseconds = 0;
    while (told && std::fgets(line, sizeof line, told))
        if (std::strstr(line, "usecs/op")) microseconds = std::atof(line);
    if (told && pclose(told) == 0 && microseconds > 0) return microseconds * 1000 / 2;
    std::fprintf(stderr, "`%s` did not say how long an operation takes.\n", command.c_str());
    std::exit(1);
}

void beside_perf(int pairs) {
    const int cpu = first_cpus(1).front();
    const auto make = [] { return named(switch_variants(), "pipe")(Place::same, bound); };
    interleave("switch.pipe 2", make, perf_pipe, {cpu, cpu}, pairs);
}

}  // namespace

int main(int count, char** arguments) {
    const std::string peer = count == 3 ? arguments[1] : "";
    if (peer != "plain" && peer != "perf")
        return std::fprintf(stderr, "versus plain|perf ROUNDS\n"), 2;
    (peer == "plain" ? beside_plain : beside_perf)(std::atoi(arguments[2]));
}
