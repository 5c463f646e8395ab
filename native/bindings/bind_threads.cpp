// _native.threads: the life of threads and their synchronisation, under load and with affinity.
#include "bindings.h"
#include "threads/life.h"
#include "threads/wake.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

using threads::conditions;

void bind_life(nb::module_& module) {
    module.def(
        "create",
        [](std::string_view load, std::string_view affinity) {
            return threads::create(conditions(load, affinity));
        },
        "load"_a, "affinity"_a);
    module.def(
        "create_join",
        [](std::string_view load, std::string_view affinity) {
            return threads::create_join(conditions(load, affinity));
        },
        "load"_a, "affinity"_a);
    module.def(
        "chain",
        [](std::uint64_t length, std::string_view keep, std::string_view load,
           std::string_view affinity) {
            return threads::chain(length, threads::keep(keep), conditions(load, affinity));
        },
        "length"_a, "keep"_a, "load"_a, "affinity"_a);
}

void bind_wake(nb::module_& module) {
    module.def(
        "wake_one",
        [](std::uint64_t blocked, std::string_view load, std::string_view affinity) {
            return threads::wake_one(blocked, conditions(load, affinity));
        },
        "blocked"_a, "load"_a, "affinity"_a);
    module.def(
        "wake_all",
        [](std::uint64_t blocked, std::string_view load, std::string_view affinity) {
            return threads::wake_all(blocked, conditions(load, affinity));
        },
        "blocked"_a, "load"_a, "affinity"_a);
}

}  // namespace

void bind_threads(nb::module_ module) {
    bind_life(module);
    bind_wake(module);
}

}  // namespace stend::bindings
