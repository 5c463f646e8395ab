// What 16 and 32 bits hold.
#include "tomo/fbp/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stend::tomo::fbp {
namespace {

constexpr std::int32_t most_unit = 1 << int16_weight_bits;

}  // namespace

std::vector<float> fractions(unsigned weight_bits) {
    std::vector<float> fractions(std::size_t{1} << weight_bits);
    for (std::size_t i = 0; i < fractions.size(); ++i)
        fractions[i] = std::ldexp(static_cast<float>(i), -static_cast<int>(weight_bits));
    return fractions;
}

// A sum over all angles has to stay below 2³¹: samples of 2³¹ / (angles × unit) at most. Rounding
// a sample costs an error of about peak × angles × unit / 2³¹, rounding a weight one of about slope
// / unit; in filtered projections the slope is a fraction of the peak, so that both are alike where
// unit² is a quarter of 2³¹ / angles.
std::int32_t unit(std::size_t angles) {
    const double alike = std::sqrt(0x1p29 / static_cast<double>(angles));
    std::int32_t unit = 1;
    while (2 * unit <= alike && 2 * unit <= most_unit) unit *= 2;
    return unit;
}

std::vector<std::int32_t> weight_pairs(std::int32_t unit) {
    std::vector<std::int32_t> pairs;
    for (const float fraction : fractions(int16_weight_bits)) {
        const auto next =
            static_cast<std::int32_t>(std::lround(fraction * static_cast<float>(unit)));
        pairs.push_back((unit - next) | next << 16);
    }
    return pairs;
}

void choose_scales(const float* peaks, std::size_t angles, std::size_t lanes, std::int32_t unit,
                   float* up, float* down) noexcept {
    // Each sample may be rounded up by a half.
    const double most_sum = 0x1p31 / unit - static_cast<double>(angles);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        double peak = 0, sum = 0;
        for (std::size_t a = 0; a < angles; ++a) {
            peak = std::max(peak, static_cast<double>(peaks[a * lanes + lane]));
            sum += peaks[a * lanes + lane];
        }
        const double scale = std::min(most_int16 / peak, most_sum / sum);
        // Nothing to see: numbers so small that scales would not be normal ones.
        const bool something = scale <= 0x1p110;
        up[lane] = something ? static_cast<float>(scale) : 0;
        down[lane] = something ? static_cast<float>(1 / (scale * unit)) : 0;
        if (!std::isfinite(sum)) down[lane] = std::numeric_limits<float>::quiet_NaN();
    }
}

}  // namespace stend::tomo::fbp
