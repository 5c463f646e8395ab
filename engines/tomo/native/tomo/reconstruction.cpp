// Checks what is asked, chooses the variant, and takes batches of slices through its stages.
#include <algorithm>
#include <stend/tomo/parallel.hpp>

#include "isa/variant.h"
#include "team/team.h"
#include "tomo/checks.h"
#include "tomo/engine.h"
#include "tomo/share.h"
#include "tomo/variants.h"
#include "tomo/views.h"

namespace stend::tomo {

std::span<const Maker> makers(Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::fbp:
            return fbp::variants();
        case Algorithm::fbp_int16:
            return fbp_int16::variants();
        case Algorithm::dfr:
            return dfr::variants();
        case Algorithm::dfr_half:
            return dfr::half_variants();
        case Algorithm::hfbp:
            return hfbp::variants();
        case Algorithm::hfbp_fine:
            return hfbp::fine_variants();
    }
    return {};
}

namespace {

Plan checked(const ParallelBeam& beam, const SliceGrid& grid, const Method& method) {
    const double center = checked_center(beam);
    check_angles(beam.angles);
    check_grid(grid);
    check_filter(method.filter);
    check_threads(method.threads);
    return {.detectors = beam.detectors,
            .angles = beam.angles,
            .weights = angle_weights(beam.angles, method.taper),
            .center = center,
            .size = grid.size,
            .pixel = grid.pixel,
            .filter = method.filter,
            .threads = method.threads};
}

void work_on(Engine& engine, unsigned stage, const Batch& batch, Team& team) {
    share(team, engine.items(stage), [&](std::size_t first, std::size_t last, unsigned member) {
        engine.work(stage, first, last, batch, member);
    });
}

}  // namespace

struct Reconstruction::State {
    std::string_view variant;
    unsigned threads;
    std::size_t detectors, angles, size;
    std::unique_ptr<Engine> engine;
};

Reconstruction::Reconstruction(const ParallelBeam& beam, const SliceGrid& grid,
                               const Method& method) {
    const Plan plan = checked(beam, grid, method);
    const Maker& maker = chosen(makers(method.algorithm), method.variant);
    state_ = std::make_unique<State>(maker.name, plan.threads, plan.detectors, plan.angles.size(),
                                     plan.size, maker.function(plan));
}

Reconstruction::Reconstruction(Reconstruction&&) noexcept = default;
Reconstruction& Reconstruction::operator=(Reconstruction&&) noexcept = default;
Reconstruction::~Reconstruction() = default;

void Reconstruction::run(const Sinograms& from, std::size_t slices, const Slices& to) {
    check_read("The sinograms", {from.data, slices, state_->angles, state_->detectors,
                                 from.slice_stride, from.angle_stride});
    check_written("The slices",
                  {to.data, slices, state_->size, state_->size, to.slice_stride, to.row_stride});
    Team team(Unbound{}, state_->threads);
    Engine& engine = *state_->engine;
    for (std::size_t first = 0; first < slices; first += engine.lanes()) {
        Batch batch{};
        batch.count = static_cast<unsigned>(std::min<std::size_t>(engine.lanes(), slices - first));
        batch.angle_stride = from.angle_stride;
        batch.row_stride = to.row_stride;
        for (unsigned lane = 0; lane < engine.lanes(); ++lane) {
            const auto slice = static_cast<std::ptrdiff_t>(first + lane % batch.count);
            batch.sinogram[lane] = from.data + slice * from.slice_stride;
            batch.slice[lane] = lane < batch.count ? to.data + slice * to.slice_stride : nullptr;
        }
        for (unsigned stage = 0; stage < engine.stages(); ++stage)
            work_on(engine, stage, batch, team);
    }
}

std::string_view Reconstruction::variant() const {
    return state_->variant;
}

std::size_t Reconstruction::together() const {
    return state_->engine->lanes();
}

std::size_t Reconstruction::bytes() const {
    return state_->engine->bytes();
}

std::vector<std::string_view> variants(Algorithm algorithm) {
    return runnable(makers(algorithm));
}

}  // namespace stend::tomo
