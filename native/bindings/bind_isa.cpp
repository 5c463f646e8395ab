// _native.isa: the names of instruction-set extensions.
#include "bindings.h"
#include "isa/isa.h"

namespace nb = nanobind;

namespace stend::bindings {

void bind_isa(nb::module_ isa) {
    isa.def("features", [] { return stend::isa::usable().names(); });
    isa.def("disabled", [] { return stend::isa::disabled().names(); });
    isa.def("known", [] { return stend::isa::known().names(); });
}

}  // namespace stend::bindings
