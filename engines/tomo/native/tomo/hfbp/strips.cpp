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

std::vector<Fit> fits(unsigned width, const Ladder& ladder) {
    std::vector<Fit> lines;
    for (unsigned shift = 0; shift <= ladder.last_shift(width); ++shift)
        lines.push_back(fit(ladder, width, shift));
    return lines;
}

std::vector<std::vector<Share>> shares(const std::vector<Direction>& directions, bool backwards,
                                       const std::vector<Fit>& lines) {
    std::vector<std::vector<Share>> of_shift(lines.size());
    for (const Direction& direction : directions) {
        if (std::signbit(direction.slope) != backwards) continue;
        const double slope = std::abs(direction.slope);
        const auto steeper = std::ranges::upper_bound(lines, slope, {}, &Fit::slope);
        const auto below = static_cast<std::size_t>(steeper - lines.begin()) - 1;
        if (steeper == lines.end()) {
            of_shift[below].push_back({direction, 1});
            continue;
        }
        const double flat = lines[below].slope;
        const auto above = static_cast<float>((slope - flat) / (steeper->slope - flat));
        of_shift[below].push_back({direction, 1 - above});
        if (above > 0) of_shift[below + 1].push_back({direction, above});
    }
    return of_shift;
}

unsigned strip_width(std::size_t size) {
    return std::max(16U, static_cast<unsigned>(size / 256 * 8));
}

std::vector<unsigned> cuts(std::size_t size, unsigned width) {
    const std::size_t pieces = (size + width - 1) / width;
    std::vector<unsigned> first;
    for (std::size_t piece = 0; piece < pieces; ++piece)
        first.push_back(static_cast<unsigned>(piece) * width);
    if (pieces > 1) first.back() = static_cast<unsigned>((first[pieces - 2] + size + 1) / 2);
    first.push_back(static_cast<unsigned>(size));
    return first;
}

}  // namespace stend::tomo::hfbp
