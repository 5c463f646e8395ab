// Under what a benchmark of threads measures. Comes in: the words of the parameters `load` and
// `affinity`; goes out: how many load threads compute meanwhile, and where the others sit.
#pragma once

#include <string_view>
#include <vector>

#include "team/load.h"

namespace stend::threads {

struct Conditions {
    unsigned load = 0;   // threads that compute meanwhile, for Load
    bool bound = false;  // whether threads are bound to CPUs; the load's too

    Load::Binding binding() const { return bound ? Load::Binding::dealt : Load::Binding::none; }
};

// Throws std::invalid_argument for a word that is not load_threads()'s, or an affinity other than
// "none" and "bound".
Conditions conditions(std::string_view load, std::string_view affinity);

// The CPUs of `members` measuring threads, each its own, one a core first; none where nobody is
// bound. Throws std::invalid_argument when there are fewer CPUs.
std::vector<int> own_cpus(const Conditions& conditions, unsigned members);

// All CPUs, one a core first; none where nobody is bound.
std::vector<int> all_cpus(const Conditions& conditions);

// The CPUs round which the threads are dealt that a bound measuring thread makes: all_cpus()
// but its own, the first, or that one where there is no other.
std::vector<int> others_cpus(const Conditions& conditions);

}  // namespace stend::threads
