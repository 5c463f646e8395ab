// _native.noise: what the OS and the hypervisor take of a core.
#include "bindings.h"
#include "kernels/noise/noise.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_noise(nb::module_ module) {
    module.def("multiplications", &noise::multiplications, "seconds"_a);
    module.def("quantum", &noise::quantum, "seconds"_a, "cpu"_a);
    module.def("lost", &noise::lost, "window"_a, "cpu"_a);
    module.def("detour", &noise::detour, "patience"_a, "cpu"_a);
}

}  // namespace stend::bindings
