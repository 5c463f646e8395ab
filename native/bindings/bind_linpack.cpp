// _native.linpack: LINPACK by the plain algorithm and by any BLAS.
#include "bindings.h"
#include "kernels/linpack/linpack.h"
#include "kernels/linpack/own.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
void bind_linpack(nb::module_ module) {
    nb::class_<blas::Description>(module, "Library")
        .def(nb::init<std::string, std::vector<std::string>, std::string, std::string, std::string,
                      std::string, bool, std::string, std::string, std::string>(),
             nb::kw_only(), "name"_a, "before"_a, "blas"_a, "lapack"_a, "prefix"_a, "suffix"_a,
             "wide"_a, "set_threads"_a, "threads_variable"_a, "version"_a);

    module.def("plain_variants", [] { return variant_infos(linpack::plain_variants()); });
    module.def(
        "plain",
        [](std::size_t n, std::size_t lda, std::string_view variant) {
            return linpack::kernel({n, lda},
                                   linpack::plain(chosen(linpack::plain_variants(), variant)),
                                   linpack::Side::row_sums);
        },
        "n"_a, "lda"_a, "variant"_a);
    module.def(
        "on_level",
        [](unsigned level, std::size_t n, unsigned threads, const blas::Description& library) {
            return linpack::kernel({n, n}, linpack::on_level(level, library, threads),
                                   linpack::Side::random);
        },
        "level"_a, "n"_a, "threads"_a, "library"_a);
    module.def("own_variants", [] { return variant_infos(linpack::own_variants()); });
    module.def(
        "own",
        [](std::size_t n, unsigned threads, std::string_view variant) {
            return linpack::kernel({n, n},
                                   linpack::own(chosen(linpack::own_variants(), variant), threads),
                                   linpack::Side::random);
        },
        "n"_a, "threads"_a, "variant"_a);
    module.def(
        "lapack",
        [](std::size_t n, unsigned threads, const blas::Description& library) {
            return linpack::kernel({n, n}, linpack::lapack(library, threads),
                                   linpack::Side::random);
        },
        "n"_a, "threads"_a, "library"_a);
}

}  // namespace stend::bindings
