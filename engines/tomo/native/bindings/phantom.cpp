// _tomo: phantoms of ellipsoids, their line integrals and their pictures. A phantom is an array of
// one row an ellipsoid: value, a, b, c, x, y, z, phi, theta, psi.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "tomo.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::tomo {
namespace {

using stend::tomo::DivergentBeam;
using stend::tomo::Ellipsoid;
using stend::tomo::Footprint;
using stend::tomo::ParallelBeam;
using stend::tomo::PhantomView;
using Table = nb::ndarray<const double, nb::shape<-1, 10>, nb::c_contig, nb::device::cpu>;
static_assert(sizeof(Ellipsoid) == 10 * sizeof(double));

std::span<const Ellipsoid> ellipsoids(const Table& table) {
    return {reinterpret_cast<const Ellipsoid*>(table.data()), table.shape(0)};
}

nb::object named(std::string_view name) {
    auto* made = new std::vector<Ellipsoid>(stend::tomo::phantom(name));
    nb::capsule owner(made,
                      [](void* p) noexcept { delete static_cast<std::vector<Ellipsoid>*>(p); });
    return nb::cast(
        nb::ndarray<nb::numpy, double, nb::shape<-1, 10>>(made->data(), {made->size(), 10}, owner));
}

Footprint footprint_named(std::string_view name) {
    for (const auto& [each, footprint] :
         {std::pair{"point", Footprint::point}, std::pair{"width", Footprint::width},
          std::pair{"area", Footprint::area}})
        if (name == each) return footprint;
    throw std::invalid_argument("There is no footprint \"" + std::string(name) +
                                "\"; there are point, width, area.");
}

// stend.tomo makes the arrays; this is the wall behind which memory is written.
void check(const Out& out, std::size_t second, std::size_t third) {
    if (out.shape(1) != second || out.shape(2) != third || (third > 1 && out.stride(2) != 1))
        throw std::invalid_argument("The array for the result has other sides than asked for.");
}

DivergentBeam::Shape shape_named(std::string_view name) {
    for (const auto& [each, shape] : {std::pair{"fans", DivergentBeam::Shape::fans},
                                      std::pair{"curved-fans", DivergentBeam::Shape::curved_fans},
                                      std::pair{"cone", DivergentBeam::Shape::cone}})
        if (name == each) return shape;
    throw std::invalid_argument("There is no beam \"" + std::string(name) +
                                "\"; there are parallel, fans, curved-fans, cone.");
}

void project(const Table& phantom, std::string_view beam, double source, std::size_t detectors,
             std::vector<double> angles, std::optional<double> center, std::size_t rows,
             std::optional<double> unit, std::optional<double> middle, std::string_view footprint,
             std::string_view variant, unsigned threads, std::size_t first, const Out& out) {
    check(out, angles.size(), detectors);
    const PhantomView view{rows, unit, middle, footprint_named(footprint), variant, threads};
    const std::size_t last = first + out.shape(0);
    const stend::tomo::LineIntegrals to{out.data(), out.stride(0), out.stride(1)};
    if (beam == "parallel") {
        const ParallelBeam rays{detectors, std::move(angles), center};
        const nb::gil_scoped_release unlocked;
        return stend::tomo::project(ellipsoids(phantom), rays, view, first, last, to);
    }
    const DivergentBeam rays{shape_named(beam), detectors, std::move(angles), source, center};
    const nb::gil_scoped_release unlocked;
    stend::tomo::project(ellipsoids(phantom), rays, view, first, last, to);
}

void draw(const Table& phantom, std::size_t detectors, std::size_t size, double pixel,
          std::size_t rows, std::optional<double> unit, std::optional<double> middle,
          unsigned lines, unsigned planes, unsigned threads, std::size_t first, const Out& out) {
    const std::size_t last = first + out.shape(0);
    check(out, size, size);
    const PhantomView view{.rows = rows, .unit = unit, .middle = middle, .threads = threads};
    const nb::gil_scoped_release unlocked;
    stend::tomo::draw(ellipsoids(phantom), detectors, {size, pixel}, view, {lines, planes}, first,
                      last, {out.data(), out.stride(0), out.stride(1)});
}

}  // namespace

void bind_phantom(nb::module_& module) {
    module.def("phantom", named, "name"_a);
    module.def("phantoms", stend::tomo::phantoms);
    module.def("phantom_variants", stend::tomo::phantom_variants);
    module.def("project_phantom", project, "phantom"_a, "beam"_a, "source"_a, "detectors"_a,
               "angles"_a, "center"_a.none(), "rows"_a, "unit"_a.none(), "middle"_a.none(),
               "footprint"_a, "variant"_a, "threads"_a, "first"_a, "out"_a);
    module.def("draw_phantom", draw, "phantom"_a, "detectors"_a, "size"_a, "pixel"_a, "rows"_a,
               "unit"_a.none(), "middle"_a.none(), "lines"_a, "planes"_a, "threads"_a, "first"_a,
               "out"_a);
}

}  // namespace stend::bindings::tomo
