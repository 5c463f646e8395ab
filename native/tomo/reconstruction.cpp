// Checks what is asked, chooses the variant, and takes batches of slices through its stages.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <stend/tomo/parallel.hpp>
#include <string>

#include "team/team.h"
#include "tomo/engine.h"
#include "tomo/variants.h"

namespace stend::tomo {
namespace {

// Indices of detector pixels and of grid cells are 32-bit numbers.
constexpr std::size_t most_pixels = 1U << 15U;

std::span<const Maker> makers(Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::fbp:
            return fbp::variants();
        case Algorithm::fbp_int16:
            return fbp_int16::variants();
        case Algorithm::dfr:
            return dfr::variants();
        case Algorithm::hfbp:
            return hfbp::variants();
        case Algorithm::hfbp_fine:
            return hfbp::fine_variants();
    }
    return {};
}

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

void check_count(const char* what, std::size_t value) {
    if (value == 0 || value > most_pixels)
        refuse(std::string(what) + " is " + std::to_string(value) + "; it must be 1 to " +
               std::to_string(most_pixels) + ".");
}

void check_positive(const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        refuse(std::string(what) + " is " + std::to_string(value) + "; it must be above 0.");
}

Plan checked(const ParallelBeam& beam, const SliceGrid& grid, const Method& method) {
    check_count("The number of detector pixels", beam.detectors);
    check_count("The size of a slice", grid.size);
    check_positive("The side of a slice's pixel", grid.pixel);
    check_positive("The filter's cutoff", method.filter.cutoff);
    if (method.filter.cutoff > 1)
        refuse("The filter's cutoff is " + std::to_string(method.filter.cutoff) +
               "; it must be at most 1, the whole band.");
    if (beam.angles.empty()) refuse("There are no angles.");
    if (method.threads == 0) refuse("The number of threads is 0; it must be at least 1.");
    const double center = beam.center.value_or((static_cast<double>(beam.detectors) - 1) / 2);
    const double width = static_cast<double>(beam.detectors);
    if (!(center > -width && center < 2 * width))
        refuse("The axis projects to detector pixel " + std::to_string(center) +
               ", more than a detector's width away from its " + std::to_string(beam.detectors) +
               " pixels.");
    return {.detectors = beam.detectors,
            .angles = beam.angles,
            .weights = angle_weights(beam.angles, method.taper),
            .center = center,
            .size = grid.size,
            .pixel = grid.pixel,
            .filter = method.filter,
            .threads = method.threads};
}

const Maker& chosen(Algorithm algorithm, std::string_view name) {
    const Maker* best = nullptr;
    std::string names;
    for (const Maker& maker : makers(algorithm)) {
        const std::string why = isa::why_not(maker.needs);
        if (maker.name == name && !why.empty())
            refuse("The variant " + std::string(name) + " can't run: " + why + ".");
        if (why.empty() && (name.empty() || maker.name == name)) best = &maker;
        names += (names.empty() ? "" : ", ") + std::string(maker.name);
    }
    if (best == nullptr)
        refuse("There is no variant \"" + std::string(name) + "\"; there are " + names + ".");
    return *best;
}

// Pieces of a stage: enough for threads to end together, few enough to cost nothing.
constexpr std::size_t pieces_a_thread = 8;

void work_on(Engine& engine, unsigned stage, const Batch& batch, Team& team) {
    const std::size_t items = engine.items(stage);
    const std::size_t pieces = team.size() == 1 ? 1 : team.size() * pieces_a_thread;
    const std::size_t piece = std::max<std::size_t>(1, (items + pieces - 1) / pieces);
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned member) noexcept {
        for (;;) {
            const std::size_t first = next.fetch_add(piece, std::memory_order_relaxed);
            if (first >= items) return;
            engine.work(stage, first, std::min(items, first + piece), batch, member);
        }
    });
}

}  // namespace

struct Reconstruction::State {
    std::string_view variant;
    unsigned threads;
    std::unique_ptr<Engine> engine;
};

Reconstruction::Reconstruction(const ParallelBeam& beam, const SliceGrid& grid,
                               const Method& method) {
    const Plan plan = checked(beam, grid, method);
    const Maker& maker = chosen(method.algorithm, method.variant);
    state_ = std::make_unique<State>(maker.name, method.threads, maker.make(plan));
}

Reconstruction::Reconstruction(Reconstruction&&) noexcept = default;
Reconstruction& Reconstruction::operator=(Reconstruction&&) noexcept = default;
Reconstruction::~Reconstruction() = default;

void Reconstruction::run(const Sinograms& from, std::size_t slices, const Slices& to) {
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
    std::vector<std::string_view> names;
    for (const Maker& maker : makers(algorithm))
        if (isa::why_not(maker.needs).empty()) names.push_back(maker.name);
    return names;
}

}  // namespace stend::tomo
