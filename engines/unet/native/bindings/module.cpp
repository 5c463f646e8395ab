// _unet: inference of U-Nets (stend/unet.hpp) for the Python package stend_unet. A module beside
// _native, so that who only segments loads none of the laboratory.
#include "unet.h"

NB_MODULE(_unet, module) {
    using namespace stend::bindings::unet;
    nanobind::set_leak_warnings(false);  // a network in a global variable is no fault
    bind_model(module);
    bind_sgemm(module);
    bind_network(module);
    bind_onnx(module);
}
