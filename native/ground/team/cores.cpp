// Stable sorts: by each CPU's turn in its core, by its socket, by its turn in its socket.
#include "team/cores.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace stend {
namespace {

using Turns = std::map<int, std::ptrdiff_t>;

// For each CPU, how many of `cpus` in its core come before it.
Turns turns_in_core(const std::vector<int>& cpus, const CoreOf& core_of) {
    Turns turns;
    for (const int cpu : cpus)
        turns[cpu] = std::ranges::count_if(core_of(cpu), [&](int sibling) {
            return sibling < cpu && std::ranges::binary_search(cpus, sibling);
        });
    return turns;
}

}  // namespace

std::vector<int> one_a_core_first(std::vector<int> cpus, const CoreOf& core_of) {
    Turns turn = turns_in_core(cpus, core_of);
    std::ranges::stable_sort(cpus, {}, [&](int cpu) { return turn[cpu]; });
    return cpus;
}

std::vector<int> scattered(std::vector<int> cpus, const CoreOf& core_of,
                           const PackageOf& package_of) {
    Turns turn = turns_in_core(cpus, core_of);
    std::map<std::pair<std::ptrdiff_t, int>, int> dealt;  // by turn in the core and socket
    Turns round;
    for (const int cpu : cpus) round[cpu] = dealt[{turn[cpu], package_of(cpu)}]++;
    std::ranges::stable_sort(
        cpus, {}, [&](int cpu) { return std::tuple(turn[cpu], round[cpu], package_of(cpu)); });
    return cpus;
}

std::vector<int> compacted(std::vector<int> cpus, const CoreOf& core_of,
                           const PackageOf& package_of) {
    Turns turn = turns_in_core(cpus, core_of);
    std::ranges::stable_sort(cpus, {},
                             [&](int cpu) { return std::pair(package_of(cpu), turn[cpu]); });
    return cpus;
}

}  // namespace stend
