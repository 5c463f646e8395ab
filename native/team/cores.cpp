// A stable sort by each CPU's turn in its core.
#include "team/cores.h"

#include <algorithm>
#include <map>

namespace stend {

std::vector<int> one_a_core_first(std::vector<int> cpus,
                                  const std::function<std::vector<int>(int cpu)>& core_of) {
    std::map<int, std::ptrdiff_t> turn;  // how many of `cpus` in its core come before it
    for (const int cpu : cpus)
        turn[cpu] = std::ranges::count_if(core_of(cpu), [&](int sibling) {
            return sibling < cpu && std::ranges::binary_search(cpus, sibling);
        });
    std::ranges::stable_sort(cpus, {}, [&](int cpu) { return turn[cpu]; });
    return cpus;
}

}  // namespace stend
