// _native.cores: the way from one CPU to every other.
#include "bindings.h"
#include "kernels/cores/cores.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_cores(nb::module_ module) {
    module.def("row", &cores::row, "cpu"_a);
}

}  // namespace stend::bindings
