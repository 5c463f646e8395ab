// _tomo.Reconstruction: slices of a parallel beam's projections, and the weights of its angles.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numbers>
#include <stdexcept>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::Algorithm;
using stend::tomo::Method;
using stend::tomo::ParallelBeam;
using stend::tomo::SliceGrid;

// A geometry and a method made, with what is needed to check arrays against them.
class Reconstruction {
public:
    Reconstruction(std::size_t detectors, std::vector<double> angles, std::optional<double> center,
                   std::size_t size, double pixel, std::string_view algorithm,
                   std::string_view filter, double cutoff, double taper, std::string_view variant,
                   unsigned threads)
        : detectors_(detectors),
          angles_(angles.size()),
          size_(size),
          threads_(threads),
          fast_(algorithm_named(algorithm) == Algorithm::dfr),
          shows_(shows_what_is_not_finite(algorithm_named(algorithm)) &&
                 sees_middle(center, pixel)),
          made_(ParallelBeam{detectors, std::move(angles), center}, SliceGrid{size, pixel},
                Method{.algorithm = algorithm_named(algorithm),
                       .filter = {window_named(filter), cutoff},
                       .taper = taper,
                       .variant = variant,
                       .threads = threads}) {}

    // Reconstructs, and multiplies by `factor`; or gives where a sinogram isn't finite, and leaves
    // the slices as they may be.
    std::optional<Index> run(const In& sinograms, const Out& slices, float factor);

    std::string_view variant() const { return made_.variant(); }
    std::size_t together() const { return made_.together(); }
    std::size_t bytes() const { return made_.bytes(); }

private:
    // Where floating point is computed with, one value that isn't finite makes all of its filtered
    // row so, and the row the middle of the slice. To look at that saves reading the projections
    // once more: a tenth of the time of direct Fourier reconstruction.
    static bool shows_what_is_not_finite(Algorithm algorithm) {
        return algorithm == Algorithm::dfr || algorithm == Algorithm::dfr_half ||
               algorithm == Algorithm::fbp;
    }
    // From every angle: an even slice's middle is a corner of the pixel that is looked at, whose
    // own middle goes around the axis half a diagonal away.
    bool sees_middle(std::optional<double> center, double pixel) const {
        const double end = static_cast<double>(detectors_) - 1;
        const double away = size_ % 2 == 0 ? pixel / std::numbers::sqrt2 : 0;
        const double axis = center.value_or(end / 2);
        return axis - away >= 0 && axis + away <= end;
    }

    std::size_t detectors_, angles_, size_;
    unsigned threads_;
    // To look at all slices takes a tenth of the time of direct Fourier reconstruction, too, and a
    // hundredth of others'.
    bool fast_;
    bool shows_;
    bool busy_ = false;
    stend::tomo::Reconstruction made_;
};

std::optional<Index> Reconstruction::run(const In& sinograms, const Out& slices, float factor) {
    check_sides(sinograms, slices.shape(0), angles_, detectors_);
    check_sides(slices, sinograms.shape(0), size_, size_);
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    const bool tame = shows_ || small(sinograms, threads_);
    if (!tame)
        if (const auto bad = first_not_finite(sinograms)) return bad;
    made_.run({sinograms.data(), sinograms.stride(0), sinograms.stride(1)}, sinograms.shape(0),
              {slices.data(), slices.stride(0), slices.stride(1)});
    if (!middles_finite(slices)) {
        if (const auto bad = first_not_finite(sinograms)) return bad;
        refuse_overflow();
    }
    if (factor != 1 || !tame || !fast_) finish(slices, factor, threads_);
    return std::nullopt;
}

std::vector<double> weights(const std::vector<double>& angles, double taper) {
    return stend::tomo::angle_weights(angles, taper);
}

}  // namespace

void bind_parallel(nb::module_& module) {
    module.def("angle_weights", &weights, "angles"_a, "taper"_a);
    nb::class_<Reconstruction>(module, "Reconstruction")
        .def(nb::init<std::size_t, std::vector<double>, std::optional<double>, std::size_t, double,
                      std::string_view, std::string_view, double, double, std::string_view,
                      unsigned>(),
             Unlocked(), "detectors"_a, "angles"_a, "center"_a.none(), "size"_a, "pixel"_a,
             "algorithm"_a, "filter"_a, "cutoff"_a, "taper"_a, "variant"_a, "threads"_a)
        .def("run", &Reconstruction::run, "sinograms"_a.noconvert(), "slices"_a.noconvert(),
             "factor"_a)
        .def_prop_ro("variant", &Reconstruction::variant)
        .def_prop_ro("together", &Reconstruction::together)
        .def_prop_ro("bytes", &Reconstruction::bytes);
}

}  // namespace stend::bindings::tomo
