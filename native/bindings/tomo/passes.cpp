// What is done to whole arrays before and after a reconstruction, by as many threads.
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

// Whether a slice's sinogram is finite.
bool finite_slice(const In& sinograms, std::size_t slice) {
    for (std::size_t angle = 0; angle < sinograms.shape(1); ++angle)
        if (!all_finite(row_of(sinograms, slice, angle), sinograms.shape(2))) return false;
    return true;
}

Place place_in(const In& sinograms, std::size_t slice) {
    for (std::size_t angle = 0;; ++angle) {
        const float* row = row_of(sinograms, slice, angle);
        if (!all_finite(row, sinograms.shape(2))) {
            const float* found = std::find_if_not(row, row + sinograms.shape(2), finite);
            return {slice, angle, static_cast<std::size_t>(found - row)};
        }
    }
}

template <typename Work>
void for_each_slice(std::size_t slices, unsigned threads, Work&& work) {
    Team team(Unbound{},
              static_cast<unsigned>(std::clamp<std::size_t>(slices, 1, std::size_t{threads})));
    team.run([&](unsigned member) noexcept {
        for (std::size_t slice = member; slice < slices; slice += team.size()) work(slice);
    });
}

}  // namespace

std::optional<Place> first_not_finite(const In& sinograms, unsigned threads) {
    const std::size_t slices = sinograms.shape(0);
    std::atomic<std::size_t> first = slices;
    for_each_slice(slices, threads, [&](std::size_t slice) noexcept {
        if (finite_slice(sinograms, slice)) return;
        std::size_t seen = first;
        while (slice < seen && !first.compare_exchange_weak(seen, slice)) {
        }
    });
    if (first == slices) return std::nullopt;
    return place_in(sinograms, first);
}

void multiply(const Out& slices, float factor, unsigned threads) {
    for_each_slice(slices.shape(0), threads, [&](std::size_t slice) noexcept {
        for (std::size_t row = 0; row < slices.shape(1); ++row) {
            float* pixels = slices.data() + static_cast<std::ptrdiff_t>(slice) * slices.stride(0) +
                            static_cast<std::ptrdiff_t>(row) * slices.stride(1);
            for (std::size_t i = 0; i < slices.shape(2); ++i) pixels[i] *= factor;
        }
    });
}

}  // namespace stend::bindings::tomo
