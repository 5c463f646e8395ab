// _native.tomo: tomographic reconstruction as measured work.
#include "bindings.h"
#include "kernels/tomo/tomo.h"
#include "tomo/variants.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

std::vector<VariantInfo> variants(std::string_view algorithm) {
    return variant_infos(tomo::makers(slices::algorithm(algorithm)));
}

}  // namespace

void bind_tomo(nb::module_ module) {
    module.def("variants", variants, "algorithm"_a);
    module.def(
        "kernel",
        [](std::string_view problem, std::string_view algorithm, std::size_t slices,
           unsigned threads, std::string_view variant) {
            return slices::kernel(slices::problem(problem), slices::algorithm(algorithm), slices,
                                  threads, variant);
        },
        "problem"_a, "algorithm"_a, "slices"_a, "threads"_a, "variant"_a);
}

}  // namespace stend::bindings
