// _unet.Sgemm: the BLAS that the variant `blas` multiplies with.
#include "sgemm.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "unet.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::unet {
namespace {

using Text = std::string;

void make(Sgemm* sgemm, Text name, std::vector<Text> before, Text blas, Text lapack, Text prefix,
          Text suffix, bool wide, Text set_threads, Text threads_variable, Text version) {
    new (sgemm) Sgemm({.name = std::move(name),
                       .before = std::move(before),
                       .blas = std::move(blas),
                       .lapack = std::move(lapack),
                       .prefix = std::move(prefix),
                       .suffix = std::move(suffix),
                       .wide = wide,
                       .set_threads = std::move(set_threads),
                       .threads_variable = std::move(threads_variable),
                       .version = std::move(version)});
}

std::int64_t whole(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

}  // namespace

stend::unet::Sgemm Sgemm::routine() const {
    return [library = library_](std::size_t m, std::size_t n, std::size_t k, const float* a,
                                std::size_t lda, const float* b, std::size_t ldb, float* c,
                                std::size_t ldc, bool add) {
        library.sgemm_by_rows(whole(m), whole(n), whole(k), a, whole(lda), b, whole(ldb), c,
                              whole(ldc), add);
    };
}

void bind_sgemm(nb::module_& module) {
    nb::class_<Sgemm>(module, "Sgemm")
        .def("__init__", &make, nb::kw_only(), "name"_a, "before"_a, "blas"_a, "lapack"_a,
             "prefix"_a, "suffix"_a, "wide"_a, "set_threads"_a, "threads_variable"_a, "version"_a);
}

}  // namespace stend::bindings::unet
