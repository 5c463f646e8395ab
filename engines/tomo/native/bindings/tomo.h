// What the files of the Python module _tomo share: arrays as the library's strided pointers, names
// as its enumerations, and work shared by threads.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <stdexcept>
#include <stend/tomo.hpp>
#include <string_view>
#include <tuple>

namespace stend::bindings::tomo {

using In = nanobind::ndarray<const float, nanobind::ndim<3>, nanobind::device::cpu>;
using Out = nanobind::ndarray<float, nanobind::ndim<3>, nanobind::device::cpu>;

// Raise ValueError for another name.
stend::tomo::Algorithm algorithm_named(std::string_view name);
stend::tomo::Iteration iteration_named(std::string_view name);
stend::tomo::Window window_named(std::string_view name);

// Of a pixel, along an array's three sides.
using Index = std::tuple<std::size_t, std::size_t, std::size_t>;

// The first pixel, in order of the array's sides, that is infinite or no number; where there is
// none, as fast as memory gives them.
std::optional<Index> not_finite(const In& array, unsigned threads);
std::optional<Index> first_not_finite(const In& array);

// stend.tomo asks before with sentences for users; this is the wall behind which memory is written.
template <typename Array>
void check_sides(const Array& array, std::size_t first, std::size_t second, std::size_t third) {
    if (array.shape(0) != first || array.shape(1) != second || array.shape(2) != third)
        throw std::invalid_argument("An array has other sides than the plan's.");
    if (third > 1 && array.stride(2) != 1)
        throw std::invalid_argument("The pixels of a row have to follow on each other.");
}

// Marks a plan as in use: without the interpreter's lock, another thread could run it as well.
class InUse {
public:
    explicit InUse(bool& busy) : busy_(busy) {
        if (busy)
            throw std::invalid_argument(
                "Another thread is using this plan; give each thread one of its own.");
        busy = true;
    }
    ~InUse() { busy_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    bool& busy_;
};

// Lets Python's threads go on while tables are made.
using Unlocked = nanobind::call_guard<nanobind::gil_scoped_release>;

// To be called without the interpreter's lock: raises what Ctrl-C asked for.
void heed_signals();

// Whether the middle pixel of each slice is finite.
bool middles_finite(const Out& slices);

// Whether all are below 2^100, so that sums of as many as a row has are finite.
bool small(const In& array, unsigned threads);

// Multiplies by `factor`; raises std::overflow_error where a value, or then its product, isn't
// finite.
void finish(const Out& array, float factor, unsigned threads);
[[noreturn]] void refuse_overflow();

void bind_cone(nanobind::module_& module);
void bind_fan(nanobind::module_& module);
void bind_filter(nanobind::module_& module);
void bind_iterative(nanobind::module_& module);
void bind_names(nanobind::module_& module);
void bind_parallel(nanobind::module_& module);
void bind_phantom(nanobind::module_& module);
void bind_preparation(nanobind::module_& module);
void bind_projector(nanobind::module_& module);

}  // namespace stend::bindings::tomo
