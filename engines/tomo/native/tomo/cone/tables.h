// A cone beam's geometry as tables: weights of its rays, and where voxels project to.
#pragma once

#include <stend/tomo/cone.hpp>
#include <vector>

#include "tomo/filter.h"

namespace stend::tomo::cone {

inline constexpr std::size_t most_rows_together = 32;  // that are filtered at once

struct Tables {
    // Of the detector as far as it reaches on its longer side, on both sides: a filtered row has
    // values where no ray was measured. Those that were are `measured` from `before` on.
    std::size_t columns, before, measured;
    std::size_t rows;
    double center_column, center_row;
    double source_to_axis;
    double magnified;  // source to detector, in pixels
    VolumeGrid grid;
    struct Angle {
        double cosine, sine;
    };
    std::vector<Angle> angles;
    // [angle][measured column]: the share of the angle and of the ray among those that are the
    // same.
    std::vector<float> shares;
    // [measured column][row], rows up to a multiple of most_rows_together: the cosine of the angle
    // between the pixel's ray and the middle one.
    std::vector<float> cosines;
    std::size_t padded_rows() const {
        return (rows + most_rows_together - 1) / most_rows_together * most_rows_together;
    }
    RampFilter ramp;
};

// Throws std::invalid_argument for a geometry that makes no sense and a scan that is too short.
Tables tables(const ConeBeam& beam, const VolumeGrid& grid, const Filter& filter);

}  // namespace stend::tomo::cone
