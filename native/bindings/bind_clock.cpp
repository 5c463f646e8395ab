// _native.clock: sources, calibration, and the kernels of the clock benchmark.
#include "bindings.h"
#include "clock/clock.h"
#include "clock/timers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

void bind_records(nb::module_& module) {
    nb::class_<clock::Source>(module, "Source")
        .def_ro("name", &clock::Source::name)
        .def_prop_ro("available", &clock::Source::available)
        .def_ro("reason", &clock::Source::reason);

    nb::class_<clock::Calibration>(module, "Calibration")
        .def_ro("hz", &clock::Calibration::hz)
        .def_ro("hz_uncertainty", &clock::Calibration::hz_uncertainty)
        .def_ro("resolution", &clock::Calibration::resolution)
        .def_ro("typical_step", &clock::Calibration::typical_step)
        .def_ro("overhead", &clock::Calibration::overhead);

    nb::class_<clock::Timer>(module, "Timer")
        .def_ro("name", &clock::Timer::name)
        .def_prop_ro("available", &clock::Timer::available)
        .def_ro("reason", &clock::Timer::reason);
}

}  // namespace

void bind_clock(nb::module_ module) {
    bind_records(module);
    const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
    module.def("sources", &clock::sources);
    module.def("default", &clock::default_name);
    module.def("calibrate", &clock::calibrate, "name"_a, "seconds"_a, unlocked);
    module.def("core_frequency", &clock::core_frequency, "seconds"_a, unlocked);
    module.def("monotonic_ns", &clock::monotonic_ns);
    module.def("timers", &clock::timers);
    module.def("read", &clock::read, "timer"_a);
    module.def("step", &clock::step, "timer"_a);
    module.def("error", &clock::error, "timer"_a, "seconds"_a);
}

}  // namespace stend::bindings
