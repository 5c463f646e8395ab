// _native.threads: the life of threads and their synchronisation, under load and with affinity.
#include "bindings.h"
#include "threads/life.h"

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
}

}  // namespace

void bind_threads(nb::module_ module) {
    bind_life(module);
}

}  // namespace stend::bindings
