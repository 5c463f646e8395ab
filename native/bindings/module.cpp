// _native: a table of contents, one line a room; bind_<room>.cpp has the rest.
#include "bindings.h"

NB_MODULE(_native, module) {
    using namespace stend::bindings;
    bind_kernel(module);
    bind_isa(module.def_submodule("isa"));
    bind_topology(module.def_submodule("topology"));
    bind_clock(module.def_submodule("clock"));
    bind_sampler(module.def_submodule("sampler"));
    bind_stream(module.def_submodule("stream"));
    bind_memory(module.def_submodule("memory"));
    bind_linpack(module.def_submodule("linpack"));
    bind_peak(module.def_submodule("peak"));
    bind_noise(module.def_submodule("noise"));
    bind_latency(module.def_submodule("latency"));
    bind_bandwidth(module.def_submodule("bandwidth"));
    bind_fft(module.def_submodule("fft"));
    bind_cores(module.def_submodule("cores"));
    bind_numa(module.def_submodule("numa"));
    bind_threads(module.def_submodule("threads"));
    bind_ciphers(module.def_submodule("ciphers"));
    bind_slices(module.def_submodule("slices"));
    bind_inference(module.def_submodule("inference"));
}
