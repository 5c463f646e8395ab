// _native.isa: the names of instruction-set extensions.
#include "bindings.h"
#include "isa/isa.h"

namespace nb = nanobind;

namespace stend::bindings {

void bind_isa(nb::module_ module) {
    module.def("features", [] { return isa::usable().names(); });
    module.def("disabled", [] { return isa::disabled().names(); });
    module.def("known", [] { return isa::known().names(); });
}

}  // namespace stend::bindings
