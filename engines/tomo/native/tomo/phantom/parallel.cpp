// Line integrals by parallel rays: each row's ellipses, and of each ellipse its chords at each
// angle.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "isa/variant.h"
#include "tomo/checks.h"
#include "tomo/phantom/variants.h"
#include "tomo/phantom/view.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {
namespace {

using namespace ellipsoids;

// The ellipse's shadow has the half width √(eᵀ S e) along the detector's direction e.
chords::Chords shadow(const Ellipse& ellipse, const Direction& e, double center) {
    const double square = ellipse.xx * e.cosine * e.cosine + 2 * ellipse.xy * e.cosine * e.sine +
                          ellipse.yy * e.sine * e.sine;
    const double determinant = ellipse.xx * ellipse.yy - ellipse.xy * ellipse.xy;
    return {2 * ellipse.value * std::sqrt(determinant) / square,
            center + ellipse.x * e.cosine + ellipse.y * e.sine, std::sqrt(square)};
}

// A thread's memory.
struct Member {
    std::vector<Ellipse> ellipses;
    std::vector<double> row, scratch;
};

}  // namespace

void project(std::span<const Ellipsoid> phantom, const ParallelBeam& beam, const PhantomView& view,
             std::size_t first, std::size_t last, const LineIntegrals& to) {
    const double center = checked_center(beam);
    const std::vector<Direction> all = directions(beam.angles);
    const chords::Variant& variant = chosen(chords::variants(), view.variant);
    const bool area = view.footprint == Footprint::area;
    const Rows rows(phantom, view, unit_of(view, beam.detectors),
                    area ? gauss_places() : even_places(1), first, last);
    check_written("The line integrals", {to.data, last - first, all.size(), beam.detectors,
                                         to.row_stride, to.angle_stride});

    std::vector<Member> members(view.threads);
    for (Member& member : members) {
        member.ellipses.reserve(rows.most());
        member.row.resize(beam.detectors);
        member.scratch.resize(beam.detectors + 1);
    }

    const auto line = [&](Member& mine, const Direction& direction, float* out) {
        std::ranges::fill(mine.row, 0.0);
        for (const Ellipse& ellipse : mine.ellipses) {
            const chords::Chords chord = shadow(ellipse, direction, center);
            if (view.footprint == Footprint::point)
                variant.points(chord, mine.row.data(), beam.detectors);
            else
                variant.widths(chord, mine.row.data(), beam.detectors, mine.scratch.data());
        }
        std::ranges::transform(mine.row, out, [](double sum) { return static_cast<float>(sum); });
    };

    const std::size_t blocks = (all.size() + angles_an_item - 1) / angles_an_item;
    Team team(Unbound{}, view.threads);
    share_each(team, (last - first) * blocks, [&](std::size_t item, unsigned member) {
        Member& mine = members[member];
        const std::size_t row = item / blocks, block = item % blocks;
        rows.cut(first + row, mine.ellipses);
        const std::size_t from = block * angles_an_item;
        const std::size_t up_to = std::min(all.size(), from + angles_an_item);
        for (std::size_t angle = from; angle < up_to; ++angle)
            line(mine, all[angle],
                 to.data + static_cast<std::ptrdiff_t>(row) * to.row_stride +
                     static_cast<std::ptrdiff_t>(angle) * to.angle_stride);
    });
}

}  // namespace stend::tomo
