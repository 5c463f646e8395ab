// Words to numbers, and CPUs in the order in which cores are taken.
#include "kernels/threads/conditions.h"

#include <stdexcept>
#include <string>

#include "team/seat.h"

namespace stend::threads {
namespace {

bool is_bound(std::string_view affinity) {
    if (affinity == "none") return false;
    if (affinity == "bound") return true;
    throw std::invalid_argument("There is no affinity \"" + std::string(affinity) +
                                "\"; use none or bound.");
}

}  // namespace

Conditions conditions(std::string_view load, std::string_view affinity) {
    return {load_threads(load), is_bound(affinity)};
}

std::vector<int> own_cpus(const Conditions& conditions, unsigned members) {
    return conditions.bound ? first_cpus(members) : std::vector<int>{};
}

std::vector<int> all_cpus(const Conditions& conditions) {
    return own_cpus(conditions, static_cast<unsigned>(usable_cpus().size()));
}

std::vector<int> others_cpus(const Conditions& conditions) {
    std::vector<int> cpus = all_cpus(conditions);
    if (cpus.size() > 1) cpus.erase(cpus.begin());
    return cpus;
}

}  // namespace stend::threads
