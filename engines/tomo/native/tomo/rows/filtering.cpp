// What users call: rows of all slices and angles through the filter, as many at a time as lanes
// take.
#include <array>
#include <stend/tomo/filter.hpp>

#include "buffers/buffer.h"
#include "isa/variant.h"
#include "tomo/bytes.h"
#include "tomo/checks.h"
#include "tomo/rows/kernels.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {

using rows::Kernels;

namespace {

constexpr unsigned most_together = 32;

Plan plan_of(std::size_t detectors, const Filter& filter) {
    check_count("The number of detector pixels", detectors);
    check_filter(filter);
    return {detectors, {}, {}, 0, 1, 1, filter, 1};
}

}  // namespace

struct Filtering::State {
    State(std::size_t detectors, const Filter& filter, const OnThreads& how)
        : ramp(plan_of(detectors, filter)),
          kernels(chosen(rows::variants(), how.variant)),
          threads((check_threads(how.threads), how.threads)),
          scratch(threads * kernels.room(ramp)) {}

    RampFilter ramp;
    const Kernels& kernels;
    unsigned threads;
    Buffer<float> scratch;  // [thread]
};

Filtering::Filtering(std::size_t detectors, const Filter& filter, const OnThreads& how)
    : state_(std::make_unique<State>(detectors, filter, how)) {}

Filtering::Filtering(Filtering&&) noexcept = default;
Filtering& Filtering::operator=(Filtering&&) noexcept = default;
Filtering::~Filtering() = default;

void Filtering::run(const Sinograms& from, std::size_t slices, std::size_t angles,
                    const SinogramsToWrite& to) {
    const State& state = *state_;
    const std::size_t detectors = state.ramp.detectors;
    check_read("The projections",
               {from.data, slices, angles, detectors, from.slice_stride, from.angle_stride});
    check_written("The filtered projections",
                  {to.data, slices, angles, detectors, to.slice_stride, to.angle_stride});
    const std::size_t rows = slices * angles, together = 2 * state.kernels.lanes;
    const auto row = [angles](auto& lie, std::size_t index) {
        return lie.data + static_cast<std::ptrdiff_t>(index / angles) * lie.slice_stride +
               static_cast<std::ptrdiff_t>(index % angles) * lie.angle_stride;
    };
    const auto some = [&](std::size_t batch, unsigned member) {
        std::array<const float*, most_together> read{};
        std::array<float*, most_together> written{};
        const std::size_t first = batch * together, count = std::min(together, rows - first);
        for (std::size_t i = 0; i < together; ++i) {
            read[i] = row(from, first + i % count);
            written[i] = row(to, first + i % count);
        }
        state.kernels.filter(state.ramp, read.data(), written.data(), static_cast<unsigned>(count),
                             state.scratch.data() + member * state.kernels.room(state.ramp));
    };
    Team team(Unbound{}, state.threads);
    share_each(team, (rows + together - 1) / together,
               [&](std::size_t batch, unsigned member) { some(batch, member); });
}

std::string_view Filtering::variant() const {
    return state_->kernels.name;
}

std::size_t Filtering::bytes() const {
    return state_->ramp.bytes() + bytes_of(state_->scratch);
}

std::vector<std::string_view> filtering_variants() {
    return runnable(rows::variants());
}

}  // namespace stend::tomo
