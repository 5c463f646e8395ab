// Voronoi cells on the half circle, without what no projection saw, and the ends of a scan faded.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stend/tomo/parallel.hpp>

#include "tomo/checks.h"

namespace stend::tomo {
namespace {

using std::numbers::pi;

// Directions nearer than this are one direction: angles come from degrees in single precision.
constexpr double same = 1e-5;

double direction(double angle) {
    const double folded = std::fmod(std::fmod(angle, pi) + pi, pi);
    return folded > pi - same ? folded - pi : folded;
}

// Projections by their direction: those of one direction are a group.
class Directions {
public:
    explicit Directions(std::span<const double> angles) : order_(angles.size()) {
        std::vector<double> directions(angles.size());
        std::ranges::transform(angles, directions.begin(), direction);
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::sort(order_, {}, [&](std::size_t i) { return directions[i]; });
        for (std::size_t i = 0; i < order_.size(); ++i)
            if (at_.empty() || directions[order_[i]] - at_.back() > same) {
                at_.push_back(directions[order_[i]]);
                begin_.push_back(i);
            }
        begin_.push_back(order_.size());
    }

    std::size_t count() const { return at_.size(); }
    std::size_t before(std::size_t group) const { return (group + count() - 1) % count(); }
    std::size_t after(std::size_t group) const { return (group + 1) % count(); }

    std::span<const std::size_t> members(std::size_t group) const {
        return {&order_[begin_[group]], begin_[group + 1] - begin_[group]};
    }

    // From this group's direction on to the next's.
    double gap(std::size_t group) const {
        return group + 1 < count() ? at_[group + 1] - at_[group] : at_[0] + pi - at_[group];
    }

private:
    std::vector<std::size_t> order_;  // projections by direction
    std::vector<std::size_t> begin_;  // where in it each group begins
    std::vector<double> at_;          // each group's direction
};

// The gap that is usual: half of the half circle lies in gaps up to this one, the widest left
// aside.
double usual_gap(const Directions& directions) {
    std::vector<double> gaps(directions.count());
    for (std::size_t group = 0; group < gaps.size(); ++group) gaps[group] = directions.gap(group);
    std::ranges::sort(gaps);
    gaps.pop_back();
    double left = std::accumulate(gaps.begin(), gaps.end(), 0.0) / 2;
    for (const double gap : gaps)
        if ((left -= gap) <= 0) return gap;
    return pi;  // one direction alone
}

// How much of a gap counts. A wider one is a missing wedge: if its ends stood for all of it, they
// would streak the slice. Gaps of the golden angle are up to the golden ratio times the next
// smaller ones, and no wedges. A projection serves for its neighbourhood of 2.5° on each side
// anyway, which was the best of 1 to 3° for wedges of 10 to 120° and for random angles
// (peers/tomo).
double widest_gap(const Directions& directions) {
    return std::max(1.001 * std::numbers::phi * usual_gap(directions), pi / 36);
}

std::vector<double> voronoi(const Directions& directions, std::size_t projections) {
    std::vector<double> weights(projections);
    const double widest = widest_gap(directions);
    const auto seen = [&](std::size_t group) { return std::min(directions.gap(group), widest); };
    for (std::size_t group = 0; group < directions.count(); ++group) {
        const auto members = directions.members(group);
        const double cell = (seen(directions.before(group)) + seen(group)) / 2;
        for (const std::size_t i : members) weights[i] = cell / static_cast<double>(members.size());
    }
    return weights;
}

// How much of its share each projection keeps: from none at the scan's ends to all of it, in the
// part of the scan that was seen from the opposite side too.
std::vector<double> kept(std::span<const double> angles, double taper) {
    const auto [first, last] = std::ranges::minmax(angles);
    const double width = std::min(taper, last - first - pi);
    std::vector<double> kept(angles.size(), 1);
    for (std::size_t i = 0; width > 0 && i < angles.size(); ++i) {
        const double from_end = std::min(angles[i] - first, last - angles[i]);
        const double sine = std::sin(pi / 2 * std::min(1.0, from_end / width));
        kept[i] = sine * sine;
    }
    return kept;
}

struct Heir {
    std::size_t projection;
    double part;
};

// Who takes what projection i of a group gives away: others of the same direction, or else those of
// the directions on both sides, the nearer the more; the more, the more they keep themselves.
std::vector<Heir> heirs(const Directions& directions, std::size_t group, std::size_t i,
                        const std::vector<double>& kept) {
    std::vector<Heir> heirs;
    for (const std::size_t other : directions.members(group))
        if (other != i) heirs.push_back({other, kept[other]});
    if (heirs.empty() && directions.count() > 1) {
        const std::size_t before = directions.before(group), after = directions.after(group);
        for (const std::size_t other : directions.members(before))
            heirs.push_back({other, kept[other] / directions.gap(before)});
        for (const std::size_t other : directions.members(after))
            heirs.push_back({other, kept[other] / directions.gap(group)});
    }
    return heirs;
}

std::vector<double> faded(const Directions& directions, const std::vector<double>& weights,
                          const std::vector<double>& kept) {
    std::vector<double> faded = weights;
    for (std::size_t group = 0; group < directions.count(); ++group)
        for (const std::size_t i : directions.members(group)) {
            if (kept[i] == 1) continue;
            const std::vector<Heir> takers = heirs(directions, group, i, kept);
            double parts = 0;
            for (const Heir& heir : takers) parts += heir.part;
            if (parts == 0) continue;  // nobody to fade into
            const double given = weights[i] * (1 - kept[i]);
            faded[i] -= given;
            for (const Heir& heir : takers) faded[heir.projection] += given * heir.part / parts;
        }
    return faded;
}

}  // namespace

std::vector<double> angle_weights(std::span<const double> angles, double taper) {
    if (!(taper >= 0))
        refuse("The taper is " + in_words(taper) + " radians; it must be 0 or more.");
    if (angles.empty()) return {};
    check_angles(angles);
    const Directions directions(angles);
    return faded(directions, voronoi(directions, angles.size()), kept(angles, taper));
}

}  // namespace stend::tomo
