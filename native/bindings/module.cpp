// _native: a submodule for each room that has a bind_<room>.cpp. CMake writes rooms.inc.
#include "bindings.h"

namespace stend::bindings {
#define STEND_ROOM(name) void bind_##name(nanobind::module_ module);
#include "rooms.inc"
#undef STEND_ROOM
}  // namespace stend::bindings

NB_MODULE(_native, module) {
    using namespace stend::bindings;
    bind_kernel(module);
#define STEND_ROOM(name) bind_##name(module.def_submodule(#name));
#include "rooms.inc"
#undef STEND_ROOM
}
