// _native.stream: STREAM's four operations.
#include "bindings.h"
#include "kernels/stream/stream.h"
#include "team/seat.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_stream(nb::module_ module) {
    module.def("variants", [] { return variant_infos(stream::variants()); });
    const auto made = [](stream::Arrays arrays) {
        return [arrays](std::string_view operation, std::size_t elements, unsigned threads,
                        std::string_view variant) {
            return stream::kernel(stream::operation(operation), arrays, elements,
                                  first_cpus(threads), chosen(stream::variants(), variant));
        };
    };
    module.def("kernel", made(stream::Arrays::shared), "operation"_a, "elements"_a, "threads"_a,
               "variant"_a);
    module.def("copies", made(stream::Arrays::own), "operation"_a, "elements"_a, "copies"_a,
               "variant"_a);
}

}  // namespace stend::bindings
