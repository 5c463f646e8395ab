// _tomo: preparation of a slab's projections; shapes are checked in stend.tomo.preparation, and
// here once more, behind which memory is written.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::Extent;
using stend::tomo::Fields;
using stend::tomo::Limits;
using stend::tomo::OnThreads;
using stend::tomo::Result;
using stend::tomo::Stack;

template <typename Pixel>
using Array = nb::ndarray<Pixel, nb::ndim<3>, nb::device::cpu>;
using Field = nb::ndarray<const float, nb::ndim<2>, nb::device::cpu, nb::c_contig>;

template <typename Pixel>
Extent extent_of(const Array<Pixel>& array) {
    if (array.shape(2) > 1 && array.stride(2) != 1)
        throw std::invalid_argument("The pixels of a row have to follow on each other.");
    return {array.shape(0), array.shape(1), array.shape(2)};
}

template <typename Pixel>
Stack<Pixel> stack(const Array<Pixel>& array) {
    return {array.data(), array.stride(0), array.stride(1)};
}

void check_same(const Extent& from, const Extent& to) {
    if (from.angles != to.angles || from.rows != to.rows || from.columns != to.columns)
        throw std::invalid_argument("The arrays have different shapes.");
}

template <typename Pixel>
std::pair<std::size_t, std::size_t> normalize(const Array<const Pixel>& counts, const Field& dark,
                                              const Field& gain, float least, float most,
                                              bool logarithm, const Out& out, unsigned threads,
                                              std::string_view variant) {
    const Extent extent = extent_of(counts);
    check_same(extent, extent_of(out));
    for (const Field* field : {&dark, &gain})
        if (field->shape(0) != extent.rows || field->shape(1) != extent.columns)
            throw std::invalid_argument("The fields have another shape than the projections.");
    const nb::gil_scoped_release unlocked;
    const auto seen = stend::tomo::normalize(
        stack(counts), extent, Fields{dark.data(), gain.data()}, Limits{least, most},
        logarithm ? Result::line_integrals : Result::transmission, stack(out),
        OnThreads{variant, threads});
    return {seen.limited, seen.not_finite};
}

template <typename Pixel>
std::size_t remove_zingers(const Array<const Pixel>& from, float share, const Array<Pixel>& out,
                           unsigned threads) {
    const Extent extent = extent_of(from);
    check_same(extent, extent_of(out));
    const nb::gil_scoped_release unlocked;
    return stend::tomo::remove_zingers(stack(from), extent, share, stack(out),
                                       OnThreads{{}, threads});
}

void remove_stripes(const In& from, std::size_t window, const Out& out, unsigned threads,
                    std::string_view variant) {
    const Extent extent = extent_of(from);
    check_same(extent, extent_of(out));
    const nb::gil_scoped_release unlocked;
    stend::tomo::remove_stripes(stack(from), extent, window, stack(out),
                                OnThreads{variant, threads});
}

template <typename Pixel>
void bind_counts(nb::module_& module) {
    module.def("normalize", &normalize<Pixel>, "counts"_a.noconvert(), "dark"_a.noconvert(),
               "gain"_a.noconvert(), "least"_a, "most"_a, "logarithm"_a, "out"_a.noconvert(),
               "threads"_a, "variant"_a = "");
    module.def("remove_zingers", &remove_zingers<Pixel>, "projections"_a.noconvert(), "share"_a,
               "out"_a.noconvert(), "threads"_a);
}

}  // namespace

void bind_preparation(nb::module_& module) {
    bind_counts<std::uint16_t>(module);
    bind_counts<float>(module);
    module.def("remove_stripes", &remove_stripes, "projections"_a.noconvert(), "window"_a,
               "out"_a.noconvert(), "threads"_a, "variant"_a = "");
    module.def("preparation_variants", &stend::tomo::preparation_variants);
}

}  // namespace stend::bindings::tomo
