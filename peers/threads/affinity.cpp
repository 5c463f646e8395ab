// affinity ROUNDS [LOAD…]: what binding threads to CPUs is worth to stend's own kernels, by turns
// in one process, under each load (none, half, all, twice). Prints a line a pair: what, threads,
// load, 1, seconds unbound, seconds bound.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/threads/life.h"
#include "kernels/threads/sync.h"
#include "team/load.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::threads;

namespace {

using Make = std::function<std::unique_ptr<Kernel>(const Conditions&)>;

struct Subject {
    const char* name;  // and threads
    int events;        // of one turn
    Make make;
};

Make hop(const char* variant) {
    return [variant](const Conditions& conditions) {
        return chosen(ping_pong_variants(), variant)
            .function(conditions.bound ? Place::other : Place::any, conditions);
    };
}

// The median of a turn, by a kernel of its own: its load threads end with it.
double turn(const Subject& subject, const Conditions& conditions) {
    const auto kernel = subject.make(conditions);
    kernel->prepare();
    auto& observer = dynamic_cast<Observer&>(*kernel);
    std::vector<double> seen;
    for (int i = 0; i < subject.events; ++i) {
        kernel->ready(1);
        seen.push_back(observer.observe());
    }
    if (!kernel->check()) std::fprintf(stderr, "%s is wrong.\n", subject.name), std::exit(1);
    std::ranges::sort(seen);
    return seen[seen.size() / 2];
}

void interleave(const Subject& subject, const std::string& load, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        double seen[2];
        for (const int bound : {round & 1, 1 - (round & 1)})
            seen[bound] = turn(subject, {load_threads(load), bound == 1});
        std::printf("%s %s 1 %.12f %.12f\n", subject.name, load.c_str(), seen[0], seen[1]);
    }
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return std::fprintf(stderr, "affinity ROUNDS [LOAD…]\n"), 2;
    std::vector<std::string> loads(arguments + 2, arguments + count);
    if (loads.empty()) loads = {"none", "half", "all", "twice"};
    std::vector<Subject> subjects{
        {"create 1", 200, [](const Conditions& conditions) { return create(conditions); }},
        {"create_join 1", 50, [](const Conditions& conditions) { return create_join(conditions); }},
        {"mutex.lock_unlock 1", 3,
         [](const Conditions& conditions) { return lock_unlock(1, conditions); }}};
    if (usable_cpus().size() > 1) {
        subjects.push_back({"mutex.lock_unlock 2", 3, [](const Conditions& conditions) {
                                return lock_unlock(2, conditions);
                            }});
        subjects.push_back({"atomic_add 2", 3, [](const Conditions& conditions) {
                                return atomic_add(2, conditions);
                            }});
        subjects.push_back(
            {"barrier 2", 3, [](const Conditions& conditions) {
                 return chosen(barrier_variants(), "pthread").function(2, conditions);
             }});
        subjects.push_back({"ping_pong.futex 2", 3, hop("futex")});
        subjects.push_back({"ping_pong.pipe 2", 3, hop("pipe")});
    }
    for (const Subject& subject : subjects)
        for (const std::string& load : loads) interleave(subject, load, std::atoi(arguments[1]));
}
