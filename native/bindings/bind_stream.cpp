// _native.stream: STREAM's four operations.
#include "bindings.h"
#include "stream/stream.h"
#include "team/seat.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_stream(nb::module_ module) {
    module.def("variants", [] { return variant_infos(stream::variants()); });
    module.def(
        "kernel",
        [](std::string_view operation, std::size_t elements, unsigned threads,
           std::string_view variant) {
            return stream::kernel(stream::operation(operation), elements, first_cpus(threads),
                                  chosen(stream::variants(), variant));
        },
        "operation"_a, "elements"_a, "threads"_a, "variant"_a);
}

}  // namespace stend::bindings
