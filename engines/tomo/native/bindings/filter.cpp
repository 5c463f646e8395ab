// _tomo.Filtering: projections through the ramp filter alone.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::Filter;
using stend::tomo::OnThreads;

class Filtering {
public:
    Filtering(std::size_t detectors, std::string_view filter, double cutoff,
              std::string_view variant, unsigned threads)
        : detectors_(detectors),
          threads_(threads),
          made_(detectors, Filter{window_named(filter), cutoff}, OnThreads{variant, threads}) {}

    // Or gives where a sinogram isn't finite.
    std::optional<Index> run(const In& sinograms, const Out& to);

    std::string_view variant() const { return made_.variant(); }

private:
    std::size_t detectors_;
    unsigned threads_;
    bool busy_ = false;
    stend::tomo::Filtering made_;
};

std::optional<Index> Filtering::run(const In& sinograms, const Out& to) {
    check_sides(sinograms, to.shape(0), to.shape(1), detectors_);
    check_sides(to, sinograms.shape(0), sinograms.shape(1), detectors_);
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    const bool tame = small(sinograms, threads_);
    if (!tame)
        if (const auto bad = first_not_finite(sinograms)) return bad;
    made_.run({sinograms.data(), sinograms.stride(0), sinograms.stride(1)}, sinograms.shape(0),
              sinograms.shape(1), {to.data(), to.stride(0), to.stride(1)});
    if (!tame) finish(to, 1, threads_);
    return std::nullopt;
}

}  // namespace

void bind_filter(nb::module_& module) {
    nb::class_<Filtering>(module, "Filtering")
        .def(nb::init<std::size_t, std::string_view, double, std::string_view, unsigned>(),
             Unlocked(), "detectors"_a, "filter"_a, "cutoff"_a, "variant"_a, "threads"_a)
        .def("run", &Filtering::run, "sinograms"_a.noconvert(), "to"_a.noconvert())
        .def_prop_ro("variant", &Filtering::variant);
}

}  // namespace stend::bindings::tomo
