// What is done to whole arrays before and after a reconstruction, by as many threads; and Ctrl-C
// meanwhile.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "team/team.h"
#include "tomo.h"

namespace stend::bindings::tomo {
namespace {

// Magnitudes by their bits, which are in the same order; what is no number is above all.
constexpr std::int32_t magnitude = 0x7FFF'FFFF, infinite = 0x7F80'0000;
constexpr std::int32_t large = std::bit_cast<std::int32_t>(0x1p100F);

// Without a branch in the loop, so that it is vectorised: it runs as fast as memory gives.
bool all_below(std::int32_t limit, const float* row, std::size_t pixels) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < pixels; ++i)
        found |= (std::bit_cast<std::int32_t>(row[i]) & magnitude) >= limit ? 1U : 0U;
    return found == 0;
}

// Or multiplies them, and says whether the products are finite.
bool multiply(float* row, std::size_t pixels, float factor) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < pixels; ++i) {
        row[i] *= factor;
        found |= (std::bit_cast<std::int32_t>(row[i]) & magnitude) >= infinite ? 1U : 0U;
    }
    return found == 0;
}

bool finite(float value) {
    return all_below(infinite, &value, 1);
}

template <typename Array>
auto row_of(const Array& array, std::size_t first, std::size_t second) {
    return array.data() + static_cast<std::ptrdiff_t>(first) * array.stride(0) +
           static_cast<std::ptrdiff_t>(second) * array.stride(1);
}

template <typename Work>
void for_each(std::size_t items, unsigned threads, Work&& work) {
    Team team(Unbound{},
              static_cast<unsigned>(std::clamp<std::size_t>(items, 1, std::size_t{threads})));
    team.run([&](unsigned member) noexcept {
        for (std::size_t item = member; item < items; item += team.size()) work(item);
    });
}

// Whether all rows hold it, in the order of memory, whichever that is: rows of other pages wait for
// each other.
template <typename Array, typename Holds>
bool all_rows(const Array& array, unsigned threads, Holds&& holds) {
    const bool by_second = array.stride(1) > array.stride(0);
    const std::size_t inner = array.shape(by_second ? 0 : 1);
    std::atomic<bool> all = true;
    for_each(array.shape(by_second ? 1 : 0), threads, [&](std::size_t outer) noexcept {
        for (std::size_t i = 0; i < inner; ++i)
            if (!holds(by_second ? row_of(array, i, outer) : row_of(array, outer, i))) all = false;
    });
    return all;
}

bool all_below(std::int32_t limit, const In& array, unsigned threads) {
    return all_rows(array, threads,
                    [&](const float* row) { return all_below(limit, row, array.shape(2)); });
}

}  // namespace

std::optional<Index> not_finite(const In& array, unsigned threads) {
    return all_below(infinite, array, threads) ? std::nullopt : first_not_finite(array);
}

std::optional<Index> first_not_finite(const In& sinograms) {
    for (std::size_t slice = 0; slice < sinograms.shape(0); ++slice)
        for (std::size_t angle = 0; angle < sinograms.shape(1); ++angle) {
            const float* row = row_of(sinograms, slice, angle);
            const float* end = row + sinograms.shape(2);
            const float* found = std::find_if_not(row, end, finite);
            if (found != end) return Index{slice, angle, static_cast<std::size_t>(found - row)};
        }
    return std::nullopt;
}

void heed_signals() {
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

bool middles_finite(const Out& slices) {
    for (std::size_t slice = 0; slice < slices.shape(0); ++slice)
        if (!finite(slices(slice, slices.shape(1) / 2, slices.shape(2) / 2))) return false;
    return true;
}

bool small(const In& array, unsigned threads) {
    return all_below(large, array, threads);
}

void finish(const Out& array, float factor, unsigned threads) {
    const std::size_t pixels = array.shape(2);
    const bool all_finite = all_rows(array, threads, [&](float* row) {
        return factor == 1 ? all_below(infinite, row, pixels) : multiply(row, pixels, factor);
    });
    if (!all_finite) refuse_overflow();
}

void refuse_overflow() {
    throw std::overflow_error(
        "These values are too large for float32, their sums are not finite; divide them.");
}

}  // namespace stend::bindings::tomo
