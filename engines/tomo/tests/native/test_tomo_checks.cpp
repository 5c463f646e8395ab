// What makes no sense is refused, by whatever is called, before anything is computed from it: no
// number in a geometry makes a call hang or overflow, and no slice is written over another.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <stend/tomo.hpp>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

using namespace stend::tomo;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = NAN;
constexpr double no_lengths[] = {0, -1, nan, inf, -inf, 1e-300, 5e-324, 1e300};
const std::vector<double> angles{0, 0.5, 1, 1.5, 2, 2.5, 3};
const ParallelBeam beam{8, angles};

template <typename Call>
bool refuses(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument& error) {
        const std::string said = error.what();
        CHECK(said.size() > 15 && said.back() == '.');
        return true;
    }
    return false;
}

// Everything that takes a parallel beam and a slice.
bool refused_by_all(const ParallelBeam& given, const SliceGrid& grid) {
    bool all = true;
    for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16, Algorithm::dfr,
                                      Algorithm::dfr_half, Algorithm::hfbp, Algorithm::hfbp_fine})
        all &= refuses([&] { Reconstruction(given, grid, {.algorithm = algorithm}); });
    all &= refuses([&] { Projector(given, grid); });
    all &= refuses([&] { IterativeReconstruction(given, grid); });
    return all;
}

void a_parallel_beam_is_one_that_there_can_be() {
    for (const std::size_t count : {std::size_t{0}, std::size_t{32769}, SIZE_MAX}) {
        CHECK(refused_by_all({count, angles}, {8}));
        CHECK(refused_by_all(beam, {count}));
        CHECK(refuses([&] { project({}, ParallelBeam{count, angles}, {}, 0, 0, {}); }));
        CHECK(refuses([&] { draw({}, 8, {count}, {}, {}, 0, 0, {}); }));
        CHECK(refuses([&] { draw({}, count, {8}, {}, {}, 0, 0, {}); }));
    }
    for (const double center : {nan, inf, -inf, 1e300, -8.0, 16.0}) {
        CHECK(refused_by_all({8, angles, center}, {8}));
        CHECK(refuses([&] { project({}, ParallelBeam{8, angles, center}, {}, 0, 0, {}); }));
    }
    for (const double angle : {nan, inf, -inf}) {
        CHECK(refused_by_all({8, {0, angle}}, {8}));
        CHECK(refuses([&] { angle_weights(std::vector<double>{0, angle}); }));
        CHECK(refuses([&] { project({}, ParallelBeam{8, {0, angle}}, {}, 0, 0, {}); }));
    }
    CHECK(refused_by_all({8, {}}, {8}));
}

void a_pixel_is_one_that_can_be_seen() {
    for (const double pixel : no_lengths) {
        CHECK(refused_by_all(beam, {8, pixel}));
        CHECK(refuses([&] { draw({}, 8, {8, pixel}, {}, {}, 0, 0, {}); }));
    }
    CHECK(refused_by_all(beam, {1, std::nextafter(1.0 / 1024, 0.0)}));
    CHECK(refused_by_all(beam, {4, std::nextafter(32768.0, inf)}));
}

// At the bounds themselves, and about the farthest axes.
const std::pair<SliceGrid, double> limits[] = {{{1, 1.0 / 1024}, 15.9}, {{1, 1.0 / 1024}, 3},
                                               {{1, 131072.0}, -7.9},   {{1, 131072.0}, 3.5},
                                               {{4, 32768.0}, 3.5},     {{3, 40000.0}, 12}};

// Eight pixels of each angle, no two alike.
std::vector<float> measured(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 1 + 0.1F * static_cast<float>(i * 7 % 5);
    return values;
}

// Of so few angles direct Fourier reconstruction makes another picture; lines of the fast Hough
// transform bend between pixels that are farther apart than the detector is wide.
void what_is_allowed_is_filtered_back_projection() {
    const std::vector<float> rows = measured(8 * angles.size());
    for (const auto& [grid, center] : limits) {
        const auto slice = [&](Algorithm algorithm, std::string_view variant) {
            std::vector<float> pixels(grid.size * grid.size, -7.0F);
            Reconstruction({8, angles, center}, grid, {.algorithm = algorithm, .variant = variant})
                .run({rows.data(), 0, 8}, 1,
                     {pixels.data(), 0, static_cast<std::ptrdiff_t>(grid.size)});
            return pixels;
        };
        const std::vector<float> expected = slice(Algorithm::fbp, "reference");
        for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16, Algorithm::dfr,
                                          Algorithm::hfbp, Algorithm::hfbp_fine})
            for (const std::string_view variant : variants(algorithm)) {
                if (algorithm == Algorithm::dfr && variant == "reference") continue;  // slow
                const std::vector<float> found = slice(algorithm, variant);
                const bool by_sums = algorithm <= Algorithm::fbp_int16;
                const bool one_pixel = grid.size == 1 && algorithm >= Algorithm::hfbp;
                for (std::size_t i = 0; i < found.size(); ++i)
                    CHECK(std::abs(found[i] - expected[i]) < (by_sums     ? 2e-4
                                                              : one_pixel ? 6e-4
                                                                          : 0.2));
            }
    }
}

void projectors_of_what_is_allowed_equal_the_reference() {
    const std::vector<float> given = measured(8 * angles.size());
    for (const auto& [grid, center] : limits) {
        const auto both_ways = [&](std::string_view variant) {
            const auto row = static_cast<std::ptrdiff_t>(grid.size);
            std::vector<float> all(grid.size * grid.size + given.size());
            float* const sinogram = all.data() + grid.size * grid.size;
            Projector made({8, angles, center}, grid, {variant});
            made.back_project({given.data(), 0, 8}, 1, {all.data(), 0, row});
            made.project({given.data(), 0, row}, 1, {sinogram, 0, 8});
            return all;
        };
        const std::vector<float> expected = both_ways("reference");
        const float most = std::ranges::max(expected);
        CHECK((most > 0) == (center != 15.9));
        for (const std::string_view variant : projector_variants()) {
            const std::vector<float> found = both_ways(variant);
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK(std::abs(found[i] - expected[i]) <= 1e-5F * most);
        }
    }
}

// What comes out doesn't depend on the unit of length, but for attenuation in it.
void lengths_may_be_in_any_unit() {
    std::vector<double> turn;
    for (int i = 0; i < 8; ++i) turn.push_back(0.1 + i * std::numbers::pi / 4);
    const std::vector<float> given = measured(8 * 4 * 8);
    const auto parallel = [&](double unit) {
        Rebinning made({8, turn, 20 * unit, 30 * unit, unit});
        CHECK(std::abs(made.pixel() / unit - 2.0 / 3) < 1e-9);
        const std::size_t width = made.beam().detectors;
        std::vector<float> to(made.beam().angles.size() * width);
        made.run({given.data(), 0, 8}, 1, {to.data(), 0, static_cast<std::ptrdiff_t>(width)});
        return to;
    };
    const auto volume = [&](double unit, std::string_view variant) {
        std::vector<float> to(4 * 64);
        ConeReconstruction({8, 4, turn, 20 * unit, 30 * unit, unit}, {8, 4, unit}, {{}, {variant}})
            .run({given.data(), 32, 8}, {to.data(), 64, 8});
        for (float& value : to) value = static_cast<float>(value * unit);
        return to;
    };
    const std::vector<float> rows = parallel(1), voxels = volume(1, {});
    for (const double unit : {3e28, 1e-30}) {
        const std::vector<float> same = parallel(unit);
        for (std::size_t i = 0; i < rows.size(); ++i) CHECK(std::abs(same[i] - rows[i]) < 1e-5);
        for (const std::string_view variant : cone_variants()) {
            const std::vector<float> found = volume(unit, variant);
            for (std::size_t i = 0; i < voxels.size(); ++i)
                CHECK(std::abs(found[i] - voxels[i]) < 1e-5);
        }
    }
}

void a_method_is_one_that_there_is() {
    for (const double cutoff : {0.0, -1.0, nan, inf, 1.001})
        CHECK(refuses([&] { Reconstruction(beam, {8}, {.filter = {Window::hann, cutoff}}); }));
    for (const double taper : {-1.0, nan})
        CHECK(refuses([&] { Reconstruction(beam, {8}, {.taper = taper}); }));
    for (const unsigned threads : {0U, 16385U, UINT32_MAX}) {
        CHECK(refuses([&] { Reconstruction(beam, {8}, {.threads = threads}); }));
        CHECK(refuses([&] { Projector(beam, {8}, {.threads = threads}); }));
        CHECK(refuses([&] { project({}, beam, {.threads = threads}, 0, 0, {}); }));
        CHECK(refuses([&] { remove_stripes({}, {}, 3, {}, {{}, threads}); }));
    }
}

void lengths_of_fans_and_cones_can_be_multiplied() {
    for (const double length : no_lengths)
        for (unsigned which = 0; which < 3; ++which) {
            FanBeam fan{8, angles, 20, 30};
            ConeBeam cone{8, 4, angles, 20, 30};
            (which == 0   ? fan.source_to_axis
             : which == 1 ? fan.source_to_detector
                          : fan.pitch) = length;
            (which == 0   ? cone.source_to_axis
             : which == 1 ? cone.source_to_detector
                          : cone.pitch) = length;
            CHECK(refuses([&] { Rebinning made(fan); }));
            CHECK(refuses([&] { ConeReconstruction(cone, {8, 4}); }));
        }
    for (const double voxel : no_lengths)
        CHECK(refuses([&] { ConeReconstruction({8, 4, angles, 20, 30}, {8, 4, voxel}); }));
}

void an_ellipsoid_is_one_that_there_can_be() {
    const Ellipsoid ball{1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    const auto refused = [](const Ellipsoid& e) {
        return refuses([&] { project(std::vector{e}, beam, {}, 0, 0, {}); });
    };
    CHECK(!refused(ball));
    for (double Ellipsoid::*const axis : {&Ellipsoid::a, &Ellipsoid::b, &Ellipsoid::c})
        for (const double length : no_lengths) {
            if (axis == &Ellipsoid::c && length == inf) continue;  // a cylinder
            Ellipsoid e = ball;
            e.*axis = length;
            CHECK(refused(e));
        }
    for (double Ellipsoid::*const entry : {&Ellipsoid::value, &Ellipsoid::x, &Ellipsoid::z})
        for (const double number : {nan, inf, -1e300}) {
            Ellipsoid e = ball;
            e.*entry = number;
            CHECK(refused(e));
        }
    CHECK(refused({5e-324, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
    CHECK(refused({1, 1e-7, 1, 1, 0, 0, 0, 0.5, 0, 0}));
    for (const double unit : no_lengths)
        CHECK(refuses([&] { project(std::vector{ball}, beam, {.unit = unit}, 0, 0, {}); }));
}

// Two slices of 8 × 8, or two sinograms of 7 × 8.
using Write = void (*)(float* data, std::ptrdiff_t slice_stride, std::ptrdiff_t row_stride);

const std::vector<float> some(2 * 64, 1.0F);

const Write writes[] = {
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        Reconstruction(beam, {8}).run({some.data(), 56, 8}, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        IterativeReconstruction(beam, {8}, {.iterations = 1})
            .run({some.data(), 56, 8}, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        Projector(beam, {8}).back_project({some.data(), 56, 8}, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        Projector(beam, {8}).project({some.data(), 64, 8}, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        draw({}, 8, {8}, {.rows = 2}, {}, 0, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        project({}, beam, {.rows = 2}, 0, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        project({}, DivergentBeam{.detectors = 8, .angles = angles, .source = 50}, {.rows = 2}, 0,
                2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        std::vector<double> turn;
        for (int i = 0; i < 8; ++i) turn.push_back(i * std::numbers::pi / 4);
        ConeReconstruction({8, 2, turn, 20, 30}, {8, 2})
            .run({some.data(), 16, 8}, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        std::vector<double> turn;
        for (int i = 0; i < 7; ++i) turn.push_back(i * std::numbers::pi / 3.5);
        Rebinning({8, turn, 200, 300}).run({some.data(), 56, 8}, 2, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        const Extent extent{2, 8, 8};
        normalize(Stack<const float>{some.data(), 64, 8}, extent, {some.data(), some.data()},
                  {0.1F, 10}, Result::transmission, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        remove_zingers(Stack<const float>{some.data(), 0, 8}, {3, 8, 8}, 1, {data, slice, row});
    },
    [](float* data, std::ptrdiff_t slice, std::ptrdiff_t row) {
        remove_stripes({some.data(), 64, 8}, {2, 8, 8}, 3, {data, slice, row});
    },
};

void nothing_is_written_over_anything_else() {
    constexpr std::ptrdiff_t far = PTRDIFF_MAX, back = PTRDIFF_MIN;
    constexpr std::array<std::ptrdiff_t, 2> overlapping[] = {
        {0, 8},  {64, 0},  {64, 5},   {40, 8},   {8, 8},     {5, 64},   {-8, -8},
        {20, 9}, {far, 8}, {64, far}, {back, 8}, {64, back}, {far, far}};
    for (const Write write : writes) {
        std::vector<float> room(4096, -7);
        float* const middle = room.data() + 2048;
        write(middle, 64, 8);
        write(middle, 300, 20);
        write(middle, 8, 24);  // in turns
        write(middle, -64, 8);
        write(middle, 64, -8);
        CHECK(refuses([&] { write(nullptr, 64, 8); }));
        const std::vector<float> before = room;
        for (const auto& [slice, row] : overlapping)
            CHECK(refuses([&] { write(middle, slice, row); }));
        CHECK(room == before);
    }
}

void what_is_read_is_there() {
    std::vector<float> out(256);
    Reconstruction made(beam, {8});
    const Slices to{out.data(), 64, 8};
    made.run({some.data(), 0, 0}, 2, to);  // one row for all
    CHECK(refuses([&] { made.run({nullptr, 56, 8}, 2, to); }));
    CHECK(refuses([&] { made.run({some.data(), PTRDIFF_MAX, 8}, 2, to); }));
    CHECK(refuses([&] { made.run({some.data(), 56, PTRDIFF_MIN}, 2, to); }));
    made.run({}, 0, {});  // nothing from nothing
    Projector projector(beam, {8});
    CHECK(refuses([&] { projector.project({nullptr, 64, 8}, 1, {out.data(), 56, 8}); }));
    CHECK(refuses([&] { projector.back_project({nullptr, 56, 8}, 1, to); }));
    IterativeReconstruction iterative(beam, {8}, {.iterations = 1});
    CHECK(refuses([&] { iterative.run({nullptr, 56, 8}, 1, to); }));
    CHECK(refuses([&] {
        iterative.run({some.data(), 56, 8}, 2, to, {some.data(), PTRDIFF_MAX, 8});
    }));
    const Stack<const float> counts{some.data(), 64, 8};
    const Stack<float> clean{out.data(), 64, 8};
    const auto normalized = [&](const Stack<const float>& from, const Fields& fields) {
        normalize(from, {2, 8, 8}, fields, {0.1F, 10}, Result::transmission, clean);
    };
    CHECK(refuses([&] { normalized({}, {some.data(), some.data()}); }));
    CHECK(refuses([&] { normalized(counts, {nullptr, some.data()}); }));
    CHECK(refuses([&] { normalized(counts, {some.data(), nullptr}); }));
    CHECK(refuses([&] { remove_stripes({}, {2, 8, 8}, 3, clean); }));
    CHECK(refuses([&] { remove_zingers(Stack<const float>{}, {3, 8, 8}, 1, clean); }));
    normalize(Stack<const float>{}, {2, 0, 8}, {}, {0.1F, 10}, Result::transmission, {});
    remove_stripes({}, {0, 8, 8}, 3, {});
    // More than there are addresses for.
    CHECK(refuses([&] { remove_stripes(counts, {SIZE_MAX / 2, 8, 8}, 3, clean); }));
    CHECK(refuses([&] { remove_stripes(counts, {2, 8, SIZE_MAX / 16}, 3, clean); }));
    CHECK(refuses([&] { remove_stripes(counts, {2, 8, 8}, SIZE_MAX, clean); }));
}

}  // namespace

int main() {
    a_parallel_beam_is_one_that_there_can_be();
    a_pixel_is_one_that_can_be_seen();
    what_is_allowed_is_filtered_back_projection();
    projectors_of_what_is_allowed_equal_the_reference();
    lengths_may_be_in_any_unit();
    a_method_is_one_that_there_is();
    lengths_of_fans_and_cones_can_be_multiplied();
    an_ellipsoid_is_one_that_there_can_be();
    nothing_is_written_over_anything_else();
    what_is_read_is_there();
}
