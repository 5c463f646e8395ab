// _tomo: reconstruction (stend/tomo.hpp) for the Python package stend.tomo. A module beside
// _native, so that who only reconstructs loads none of the laboratory.
#include "tomo.h"

NB_MODULE(_tomo, module) {
    using namespace stend::bindings::tomo;
    nanobind::set_leak_warnings(false);  // a plan in a global variable is no fault
    bind_cone(module);
    bind_fan(module);
    bind_filter(module);
    bind_iterative(module);
    bind_names(module);
    bind_parallel(module);
    bind_phantom(module);
    bind_preparation(module);
    bind_projector(module);
}
