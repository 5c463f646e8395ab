// _tomo.ConeReconstruction: volumes of a cone beam's projections, ended by Ctrl-C.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::ConeBeam;
using stend::tomo::ConeMethod;
using stend::tomo::VolumeGrid;

class ConeReconstruction {
public:
    ConeReconstruction(std::size_t columns, std::size_t rows, std::vector<double> angles,
                       double source_to_axis, double source_to_detector, double pitch,
                       std::optional<double> center, std::optional<double> center_row,
                       std::size_t size, std::size_t slices, double voxel, double middle,
                       std::string_view filter, double cutoff, std::string_view variant,
                       unsigned threads)
        : columns_(columns),
          rows_(rows),
          angles_(angles.size()),
          size_(size),
          slices_(slices),
          threads_(threads),
          made_(ConeBeam{columns, rows, std::move(angles), source_to_axis, source_to_detector,
                         pitch, center, center_row},
                VolumeGrid{size, slices, voxel, middle},
                ConeMethod{.filter = {window_named(filter), cutoff}, .how = {variant, threads}}) {}

    // Of projections as (rows, angles, columns); or gives where one isn't finite.
    std::optional<Index> run(const In& projections, const Out& volume);

    std::string_view variant() const { return made_.variant(); }
    std::size_t bytes() const { return made_.bytes(); }

private:
    std::size_t columns_, rows_, angles_, size_, slices_;
    unsigned threads_;
    bool busy_ = false;
    stend::tomo::ConeReconstruction made_;
};

std::optional<Index> ConeReconstruction::run(const In& projections, const Out& volume) {
    check_sides(projections, rows_, angles_, columns_);
    check_sides(volume, slices_, size_, size_);
    const InUse in_use(busy_);
    const nb::gil_scoped_release unlocked;
    if (const auto bad = not_finite(projections, threads_)) return bad;
    made_.run({projections.data(), projections.stride(1), projections.stride(0)},
              {volume.data(), volume.stride(0), volume.stride(1)}, heed_signals);
    finish(volume, 1, threads_);
    return std::nullopt;
}

}  // namespace

void bind_cone(nb::module_& module) {
    nb::class_<ConeReconstruction>(module, "ConeReconstruction")
        .def(nb::init<std::size_t, std::size_t, std::vector<double>, double, double, double,
                      std::optional<double>, std::optional<double>, std::size_t, std::size_t,
                      double, double, std::string_view, double, std::string_view, unsigned>(),
             Unlocked(), "columns"_a, "rows"_a, "angles"_a, "source_to_axis"_a,
             "source_to_detector"_a, "pitch"_a, "center"_a.none(), "center_row"_a.none(), "size"_a,
             "slices"_a, "voxel"_a, "middle"_a, "filter"_a, "cutoff"_a, "variant"_a, "threads"_a)
        .def("run", &ConeReconstruction::run, "projections"_a.noconvert(), "volume"_a.noconvert())
        .def_prop_ro("variant", &ConeReconstruction::variant)
        .def_prop_ro("bytes", &ConeReconstruction::bytes);
}

}  // namespace stend::bindings::tomo
