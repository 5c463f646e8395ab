// Tables and memory of direct Fourier reconstruction.
#include "tomo/dfr/tables.h"

#include <algorithm>

#include "tomo/bytes.h"

namespace stend::tomo::dfr {
namespace {

std::vector<float> signs_of(const std::vector<double>& angles) {
    std::vector<float> signs;
    for (const double angle : angles) signs.push_back(is_opposite(angle) ? -1 : 1);
    return signs;
}

Kernel kernel_for(const Plan& plan, const Geometry& geometry) {
    return Kernel(static_cast<double>(geometry.grid) / static_cast<double>(plan.size));
}

std::vector<float> over_apodisation(const Plan& plan, const Geometry& geometry) {
    const Kernel kernel = kernel_for(plan, geometry);
    std::vector<float> values;
    for (std::size_t i = 0; i < plan.size; ++i) {
        const double from_origin = static_cast<double>(i) - static_cast<double>(geometry.origin);
        const double position = from_origin / static_cast<double>(geometry.grid);
        values.push_back(static_cast<float>(1 / kernel.apodisation(position)));
    }
    return values;
}

}  // namespace

Tables::Tables(const Plan& plan)
    : detectors(plan.detectors),
      angles(plan.angles.size()),
      size(plan.size),
      geometry(plan),
      bands(bands_of(plan, geometry)),
      samples(samples_of(bands)),
      signs(signs_of(plan.angles)),
      gridding(gridding_of(plan, geometry, bands, kernel_for(plan, geometry))),
      fft(geometry.grid, +1),
      over_apodisation(dfr::over_apodisation(plan, geometry)) {}

Tables::~Tables() = default;

std::size_t Tables::bytes() const {
    std::size_t all = gridding.bytes() + bytes_of(bands) + bytes_of(signs) + fft.bytes() +
                      bytes_of(over_apodisation);
    for (const Band& band : bands)
        all += band.fft.bytes() + bytes_of(band.taps) + bytes_of(band.factors);
    return all;
}

Stages::Stages(const Plan& plan, unsigned lanes, Halfway halfway)
    : tables_(plan),
      lanes_(lanes),
      samples_(2 * lanes * tables_.angles * tables_.samples),
      halfway_(halfway.number * (tables_.size + tables_.size % 2) * tables_.geometry.columns),
      scales_(halfway.column * tables_.geometry.columns),
      scratch_(2 * lanes * 2 * room() * plan.threads) {}

Stages::~Stages() = default;

unsigned Stages::lanes() const {
    return lanes_;
}

unsigned Stages::stages() const {
    return 3;
}

// Pairs of angles, columns of the grid, pairs of the slice's rows.
std::size_t Stages::items(unsigned stage) const {
    if (stage == 0) return (tables_.angles + 1) / 2;
    return stage == 1 ? tables_.geometry.columns : (tables_.size + 1) / 2;
}

// A row of the detector or of the grid, a transform of one, or a slice's row in each lane.
std::size_t Stages::room() const {
    std::size_t longest = std::max({tables_.detectors, tables_.geometry.grid, row_pitch() / 2});
    for (const Band& band : tables_.bands) longest = std::max(longest, band.fft.length);
    return longest;
}

std::size_t Stages::bytes() const {
    return tables_.bytes() + bytes_of(samples_) + bytes_of(halfway_) + bytes_of(scales_) +
           bytes_of(scratch_);
}

}  // namespace stend::tomo::dfr
