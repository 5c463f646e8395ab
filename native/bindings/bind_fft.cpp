// _native.fft: the loop of a kernel in Python around a library in C, which ctypes has loaded.
#include "bindings.h"
#include "kernels/fft/chain.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

// Addresses are plain numbers, as ctypes gives them.
void bind_fft(nb::module_ module) {
    module.def(
        "chain",
        [](std::uintptr_t function, std::uintptr_t plan, std::uintptr_t into, std::uintptr_t out,
           std::size_t told, double without, double numbers) {
            const fft::Chain chain{reinterpret_cast<fft::Chain::Function>(function),
                                   reinterpret_cast<void*>(plan),
                                   reinterpret_cast<double*>(into),
                                   reinterpret_cast<double*>(out),
                                   told,
                                   without,
                                   numbers};
            return Loop{[chain](std::uint64_t times) { chain.repeat(times); }};
        },
        "function"_a, "plan"_a, "into"_a, "out"_a, "told"_a, "without"_a, "numbers"_a);
}

}  // namespace stend::bindings
