// _gost: the ciphers' C interface (stend/gost.h) for the Python package stend_gost. A module beside
// _native, so that who only encrypts loads none of the laboratory.
#include "gost.h"

NB_MODULE(_gost, module) {
    using namespace stend::bindings::gost;
    nanobind::set_leak_warnings(false);  // a key in a global variable is no fault
    bind_key(module);
    bind_stream(module);
    bind_mac(module);
    bind_mgm(module);
    bind_mgm_encryption(module);
    bind_mgm_decryption(module);
    bind_kexp15(module);
}
