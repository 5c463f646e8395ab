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

constexpr std::uint32_t exponent = 0x7F80'0000;

// Without a branch in the loop, so that it is vectorised: it runs as fast as memory gives.
bool all_finite(const float* row, std::size_t pixels) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < pixels; ++i)
        found |= (std::bit_cast<std::uint32_t>(row[i]) & exponent) == exponent ? 1U : 0U;
    return found == 0;
}

bool finite(float value) {
    return all_finite(&value, 1);
}

const float* row_of(const In& sinograms, std::size_t slice, std::size_t angle) {
    return sinograms.data() + static_cast<std::ptrdiff_t>(slice) * sinograms.stride(0) +
           static_cast<std::ptrdiff_t>(angle) * sinograms.stride(1);
}

template <typename Work>
void for_each(std::size_t items, unsigned threads, Work&& work) {
    Team team(Unbound{},
              static_cast<unsigned>(std::clamp<std::size_t>(items, 1, std::size_t{threads})));
    team.run([&](unsigned member) noexcept {
        for (std::size_t item = member; item < items; item += team.size()) work(item);
    });
}

bool all_finite(const In& sinograms, unsigned threads) {
    // In the order of memory, whichever that is: rows of other pages wait for each other.
    const bool by_angle = sinograms.stride(1) > sinograms.stride(0);
    const std::size_t inner = sinograms.shape(by_angle ? 0 : 1);
    std::atomic<bool> all = true;
    for_each(sinograms.shape(by_angle ? 1 : 0), threads, [&](std::size_t outer) noexcept {
        for (std::size_t i = 0; i < inner; ++i) {
            const float* row = by_angle ? row_of(sinograms, i, outer) : row_of(sinograms, outer, i);
            if (!all_finite(row, sinograms.shape(2))) all = false;
        }
    });
    return all;
}

}  // namespace

std::optional<Index> not_finite(const In& array, unsigned threads) {
    return all_finite(array, threads) ? std::nullopt : first_not_finite(array);
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

void multiply(const Out& slices, float factor, unsigned threads) {
    for_each(slices.shape(0), threads, [&](std::size_t slice) noexcept {
        for (std::size_t row = 0; row < slices.shape(1); ++row) {
            float* pixels = slices.data() + static_cast<std::ptrdiff_t>(slice) * slices.stride(0) +
                            static_cast<std::ptrdiff_t>(row) * slices.stride(1);
            for (std::size_t i = 0; i < slices.shape(2); ++i) pixels[i] *= factor;
        }
    });
}

}  // namespace stend::bindings::tomo
