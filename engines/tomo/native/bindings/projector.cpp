// _tomo.Projector: line integrals through the pixels of slices, and their transpose.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::OnThreads;
using stend::tomo::ParallelBeam;
using stend::tomo::SliceGrid;

class Projector {
public:
    Projector(std::size_t detectors, std::vector<double> angles, std::optional<double> center,
              std::size_t size, double pixel, std::string_view variant, unsigned threads)
        : detectors_(detectors),
          angles_(angles.size()),
          size_(size),
          threads_(threads),
          made_(ParallelBeam{detectors, std::move(angles), center}, SliceGrid{size, pixel},
                OnThreads{variant, threads}) {}

    // Both multiply by `factor`; or give where what they were given isn't finite.
    std::optional<Index> project(const In& slices, const Out& sinograms, float factor);
    std::optional<Index> back_project(const In& sinograms, const Out& slices, float factor);

    std::string_view variant() const { return made_.variant(); }
    std::size_t bytes() const { return made_.bytes(); }

private:
    template <typename Sinograms, typename Slices>
    void check(const Sinograms& sinograms, const Slices& slices) const {
        check_sides(sinograms, slices.shape(0), angles_, detectors_);
        check_sides(slices, sinograms.shape(0), size_, size_);
    }

    std::size_t detectors_, angles_, size_;
    unsigned threads_;
    bool busy_ = false;
    stend::tomo::Projector made_;
};

std::optional<Index> Projector::project(const In& slices, const Out& sinograms, float factor) {
    check(sinograms, slices);
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    if (const auto bad = not_finite(slices, threads_)) return bad;
    made_.project({slices.data(), slices.stride(0), slices.stride(1)}, slices.shape(0),
                  {sinograms.data(), sinograms.stride(0), sinograms.stride(1)});
    finish(sinograms, factor, threads_);
    return std::nullopt;
}

std::optional<Index> Projector::back_project(const In& sinograms, const Out& slices, float factor) {
    check(sinograms, slices);
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    if (const auto bad = not_finite(sinograms, threads_)) return bad;
    made_.back_project({sinograms.data(), sinograms.stride(0), sinograms.stride(1)},
                       sinograms.shape(0), {slices.data(), slices.stride(0), slices.stride(1)});
    finish(slices, factor, threads_);
    return std::nullopt;
}

}  // namespace

void bind_projector(nb::module_& module) {
    nb::class_<Projector>(module, "Projector")
        .def(nb::init<std::size_t, std::vector<double>, std::optional<double>, std::size_t, double,
                      std::string_view, unsigned>(),
             Unlocked(), "detectors"_a, "angles"_a, "center"_a.none(), "size"_a, "pixel"_a,
             "variant"_a, "threads"_a)
        .def("project", &Projector::project, "slices"_a.noconvert(), "sinograms"_a.noconvert(),
             "factor"_a)
        .def("back_project", &Projector::back_project, "sinograms"_a.noconvert(),
             "slices"_a.noconvert(), "factor"_a)
        .def_prop_ro("variant", &Projector::variant)
        .def_prop_ro("bytes", &Projector::bytes);
}

}  // namespace stend::bindings::tomo
