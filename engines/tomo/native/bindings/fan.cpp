// _tomo.Rebinning: sinograms of a fan beam turned into those of a parallel one.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::Detector;
using stend::tomo::FanBeam;
using stend::tomo::OnThreads;

Detector detector_named(std::string_view name) {
    if (name == "flat") return Detector::flat;
    if (name == "curved") return Detector::curved;
    throw std::invalid_argument("There is no detector \"" + std::string(name) +
                                "\"; there are flat, curved.");
}

class Rebinning {
public:
    Rebinning(std::size_t detectors, std::vector<double> angles, double source_to_axis,
              double source_to_detector, double pitch, std::string_view detector,
              std::optional<double> center, std::string_view variant, unsigned threads)
        : detectors_(detectors),
          angles_(angles.size()),
          threads_(threads),
          made_(FanBeam{detectors, std::move(angles), source_to_axis, source_to_detector, pitch,
                        detector_named(detector), center},
                OnThreads{variant, threads}) {}

    // Or gives where a sinogram isn't finite.
    std::optional<Index> run(const In& sinograms, const Out& parallel);

    std::size_t detectors() const { return made_.beam().detectors; }
    const std::vector<double>& angles() const { return made_.beam().angles; }
    double center() const { return made_.beam().center.value(); }
    double pixel() const { return made_.pixel(); }
    std::string_view variant() const { return made_.variant(); }

private:
    std::size_t detectors_, angles_;
    unsigned threads_;
    bool busy_ = false;
    stend::tomo::Rebinning made_;
};

std::optional<Index> Rebinning::run(const In& sinograms, const Out& parallel) {
    check_sides(sinograms, parallel.shape(0), angles_, detectors_);
    check_sides(parallel, sinograms.shape(0), angles().size(), detectors());
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    const bool tame = small(sinograms, threads_);
    if (!tame)
        if (const auto bad = first_not_finite(sinograms)) return bad;
    made_.run({sinograms.data(), sinograms.stride(0), sinograms.stride(1)}, sinograms.shape(0),
              {parallel.data(), parallel.stride(0), parallel.stride(1)});
    if (!tame) finish(parallel, 1, threads_);
    return std::nullopt;
}

}  // namespace

void bind_fan(nb::module_& module) {
    nb::class_<Rebinning>(module, "Rebinning")
        .def(nb::init<std::size_t, std::vector<double>, double, double, double, std::string_view,
                      std::optional<double>, std::string_view, unsigned>(),
             Unlocked(), "detectors"_a, "angles"_a, "source_to_axis"_a, "source_to_detector"_a,
             "pitch"_a, "detector"_a, "center"_a.none(), "variant"_a, "threads"_a)
        .def("run", &Rebinning::run, "sinograms"_a.noconvert(), "parallel"_a.noconvert())
        .def_prop_ro("detectors", &Rebinning::detectors)
        .def_prop_ro("angles", &Rebinning::angles)
        .def_prop_ro("center", &Rebinning::center)
        .def_prop_ro("pixel", &Rebinning::pixel)
        .def_prop_ro("variant", &Rebinning::variant);
}

}  // namespace stend::bindings::tomo
