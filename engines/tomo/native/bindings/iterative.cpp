// _tomo.IterativeReconstruction: SIRT and CGLS, which tell of each iteration and end at Ctrl-C.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::IterativeMethod;
using stend::tomo::ParallelBeam;
using stend::tomo::SliceGrid;
using stend::tomo::SlicesToRead;

class IterativeReconstruction {
public:
    IterativeReconstruction(std::size_t detectors, std::vector<double> angles,
                            std::optional<double> center, std::size_t size, double pixel,
                            std::string_view algorithm, unsigned iterations, bool non_negative,
                            std::string_view variant, unsigned threads)
        : detectors_(detectors),
          angles_(angles.size()),
          size_(size),
          threads_(threads),
          made_(ParallelBeam{detectors, std::move(angles), center}, SliceGrid{size, pixel},
                IterativeMethod{.iteration = iteration_named(algorithm),
                                .iterations = iterations,
                                .non_negative = non_negative,
                                .how = {variant, threads}}) {}

    // Begins at what `slices` hold or at zero; tells `told` as Watch is. Or gives where a sinogram
    // isn't finite, and leaves the slices as they are.
    std::optional<Index> run(const In& sinograms, const Out& slices, bool begins_there,
                             const nb::callable& told);

    std::string_view variant() const { return made_.variant(); }
    std::size_t together() const { return made_.together(); }
    std::size_t bytes() const { return made_.bytes(); }

private:
    std::size_t detectors_, angles_, size_;
    unsigned threads_;
    bool busy_ = false;
    stend::tomo::IterativeReconstruction made_;
};

std::optional<Index> IterativeReconstruction::run(const In& sinograms, const Out& slices,
                                                  bool begins_there, const nb::callable& told) {
    check_sides(sinograms, slices.shape(0), angles_, detectors_);
    check_sides(slices, sinograms.shape(0), size_, size_);
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    if (const auto bad = not_finite(sinograms, threads_)) return bad;
    const auto watch = [&](std::size_t first, unsigned iterations, std::span<const double> norms) {
        heed_signals();
        const nb::gil_scoped_acquire locked;
        told(first, iterations, std::vector<double>(norms.begin(), norms.end()));
    };
    const SlicesToRead start{begins_there ? slices.data() : nullptr, slices.stride(0),
                             slices.stride(1)};
    made_.run({sinograms.data(), sinograms.stride(0), sinograms.stride(1)}, sinograms.shape(0),
              {slices.data(), slices.stride(0), slices.stride(1)}, start, watch);
    return std::nullopt;
}

}  // namespace

void bind_iterative(nb::module_& module) {
    nb::class_<IterativeReconstruction>(module, "IterativeReconstruction")
        .def(nb::init<std::size_t, std::vector<double>, std::optional<double>, std::size_t, double,
                      std::string_view, unsigned, bool, std::string_view, unsigned>(),
             Unlocked(), "detectors"_a, "angles"_a, "center"_a.none(), "size"_a, "pixel"_a,
             "algorithm"_a, "iterations"_a, "non_negative"_a, "variant"_a, "threads"_a)
        .def("run", &IterativeReconstruction::run, "sinograms"_a.noconvert(),
             "slices"_a.noconvert(), "begins_there"_a, "told"_a)
        .def_prop_ro("variant", &IterativeReconstruction::variant)
        .def_prop_ro("together", &IterativeReconstruction::together)
        .def_prop_ro("bytes", &IterativeReconstruction::bytes);
}

}  // namespace stend::bindings::tomo
