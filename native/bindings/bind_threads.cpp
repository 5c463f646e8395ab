// _native.threads: the life of threads and their synchronisation, under load and with affinity.
#include "bindings.h"
#include "kernels/threads/life.h"
#include "kernels/threads/sync.h"
#include "kernels/threads/wake.h"

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

// Kernels of so many threads, under load and affinity.
template <auto make>
std::unique_ptr<Kernel> of_threads(unsigned count, std::string_view load,
                                   std::string_view affinity) {
    return make(count, conditions(load, affinity));
}

template <auto variants>
std::unique_ptr<Kernel> relay(std::string_view place, std::string_view load,
                              std::string_view affinity, std::string_view variant) {
    return chosen(variants(), variant).function(threads::place(place), conditions(load, affinity));
}

void bind_sync(nb::module_& module) {
    module.def(
        "mutex",
        [](std::string_view step, std::string_view load, std::string_view affinity) {
            return threads::mutex(threads::step(step), conditions(load, affinity));
        },
        "step"_a, "load"_a, "affinity"_a);
    module.def("lock_unlock", of_threads<threads::lock_unlock>, "threads"_a, "load"_a,
               "affinity"_a);
    module.def("spinlock", of_threads<threads::spinlock>, "threads"_a, "load"_a, "affinity"_a);
    module.def("semaphore", of_threads<threads::semaphore>, "threads"_a, "load"_a, "affinity"_a);
    module.def("atomic_add", of_threads<threads::atomic_add>, "threads"_a, "load"_a, "affinity"_a);
    module.def(
        "false_sharing",
        [](unsigned count, std::size_t apart, std::string_view load, std::string_view affinity) {
            return threads::false_sharing(count, apart, conditions(load, affinity));
        },
        "threads"_a, "apart"_a, "load"_a, "affinity"_a);

    module.def("barrier_variants", [] { return variant_infos(threads::barrier_variants()); });
    module.def(
        "barrier",
        [](unsigned count, std::string_view load, std::string_view affinity,
           std::string_view variant) {
            return chosen(threads::barrier_variants(), variant)
                .function(count, conditions(load, affinity));
        },
        "threads"_a, "load"_a, "affinity"_a, "variant"_a);

    module.def("switch_variants", [] { return variant_infos(threads::switch_variants()); });
    module.def("switch", relay<threads::switch_variants>, "place"_a, "load"_a, "affinity"_a,
               "variant"_a);
    module.def("ping_pong_variants", [] { return variant_infos(threads::ping_pong_variants()); });
    module.def("ping_pong", relay<threads::ping_pong_variants>, "place"_a, "load"_a, "affinity"_a,
               "variant"_a);
}

}  // namespace

void bind_threads(nb::module_ module) {
    bind_life(module);
    bind_wake(module);
    bind_sync(module);
}

}  // namespace stend::bindings
