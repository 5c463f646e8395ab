// Slopes and their neighbours among the digital lines.
#include "tomo/hfbp/strips.h"

#include <algorithm>
#include <cmath>

namespace stend::tomo::hfbp {

// s = x cos θ + y sin θ with x = pixel · column and y = -pixel · row, from the image's middle.
std::array<std::vector<Direction>, 2> directions(const Plan& plan) {
    std::array<std::vector<Direction>, 2> found;
    for (unsigned angle = 0; angle < plan.angles.size(); ++angle) {
        const double cosine = std::cos(plan.angles[angle]), sine = std::sin(plan.angles[angle]);
        if (std::abs(cosine) >= std::abs(sine))
            found[rows].push_back({angle, plan.pixel * cosine, sine / cosine});
        else
            found[columns].push_back({angle, -plan.pixel * sine, cosine / sine});
    }
    return found;
}

std::vector<std::vector<Share>> shares(const std::vector<Direction>& directions, bool backwards,
                                       unsigned width, const Ladder& ladder) {
    const unsigned last = ladder.last_shift(width);
    std::vector<std::vector<Share>> of_shift(last + 1);
    for (const Direction& direction : directions) {
        if (std::signbit(direction.slope) != backwards) continue;
        const double exact = std::abs(direction.slope) * last;
        const auto below = std::min(static_cast<unsigned>(exact), last);
        const auto above = static_cast<float>(exact - below);
        of_shift[below].push_back({direction, 1 - above});
        if (above > 0 && below < last) of_shift[below + 1].push_back({direction, above});
    }
    return of_shift;
}

std::vector<unsigned> cuts(std::size_t size, unsigned widest) {
    const std::size_t strips = (size + widest - 1) / widest;
    std::vector<unsigned> first(strips + 1);
    for (std::size_t strip = 0; strip <= strips; ++strip)
        first[strip] = static_cast<unsigned>(strip * size / strips);
    return first;
}

}  // namespace stend::tomo::hfbp
