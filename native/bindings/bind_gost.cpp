// _native.gost: the GOST ciphers as measured work.
#include "bindings.h"
#include "gost/engine.h"
#include "kernels/gost/gost.h"
#include "team/seat.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

std::vector<VariantInfo> variants(std::string_view cipher) {
    std::vector<VariantInfo> infos;
    for (const gost::Engine* engine : gost::engines(gost::Cipher(ciphers::cipher(cipher))))
        infos.push_back(variant_info(engine->name, engine->needs));
    return infos;
}

}  // namespace

void bind_gost(nb::module_ module) {
    module.def("variants", variants, "cipher"_a);
    module.def("modes", [] {
        std::vector<std::string_view> names;
        for (const ciphers::Mode& mode : ciphers::modes()) names.push_back(mode.name);
        return names;
    });
    module.def(
        "kernel",
        [](std::string_view cipher, std::string_view mode, std::size_t size, std::size_t offset,
           unsigned threads, std::string_view variant) {
            return ciphers::kernel(ciphers::cipher(cipher), ciphers::mode(mode), size, offset,
                                   first_cpus(threads), variant);
        },
        "cipher"_a, "mode"_a, "size"_a, "offset"_a, "threads"_a, "variant"_a);
}

}  // namespace stend::bindings
