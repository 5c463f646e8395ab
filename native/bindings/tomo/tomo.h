// What the files of the Python module _tomo share: arrays as the library's strided pointers, names
// as its enumerations, and work shared by threads.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <stend/tomo.hpp>
#include <string_view>

namespace stend::bindings::tomo {

using In = nanobind::ndarray<const float, nanobind::ndim<3>, nanobind::device::cpu>;
using Out = nanobind::ndarray<float, nanobind::ndim<3>, nanobind::device::cpu>;

// Raise ValueError for another name.
stend::tomo::Algorithm algorithm_named(std::string_view name);
stend::tomo::Window window_named(std::string_view name);

// Whether no pixel is infinite or no number; as fast as memory gives them.
bool all_finite(const In& sinograms, unsigned threads);

// The first pixel, in order of slices, angles and detector pixels, that is.
struct Place {
    std::size_t slice, angle, pixel;
};
std::optional<Place> first_not_finite(const In& sinograms);

// Whether the middle pixel of each slice is finite.
bool middles_finite(const Out& slices);

void multiply(const Out& slices, float factor, unsigned threads);

void bind_names(nanobind::module_& module);
void bind_parallel(nanobind::module_& module);
void bind_phantom(nanobind::module_& module);
void bind_preparation(nanobind::module_& module);

}  // namespace stend::bindings::tomo
