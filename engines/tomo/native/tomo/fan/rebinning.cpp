// What users call: fan rows to fan angles of parallel pixels, then from source angles to parallel
// ones, a batch of slices at a time on threads.
#include <stend/tomo/fan.hpp>

#include "buffers/buffer.h"
#include "isa/variant.h"
#include "tomo/bytes.h"
#include "tomo/checks.h"
#include "tomo/fan/kernels.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {

using fan::Kernels;
using fan::Tables;

struct Rebinning::State {
    State(const FanBeam& beam, const OnThreads& how)
        : tables(fan::tables(beam)),
          angles(beam.angles.size()),
          kernels(chosen(fan::variants(), how.variant)),
          threads((check_threads(how.threads), how.threads)),
          between(tables.order.size() * row()),
          scratch(threads * tables.detectors * kernels.lanes) {}

    // Floats of a parallel row in lanes.
    std::size_t row() const { return tables.beam.detectors * kernels.lanes; }

    // The slices that go together: lanes from `count` on repeat them.
    template <typename T>
    std::array<T*, 16> rows(T* data, std::ptrdiff_t slice_stride, std::size_t first,
                            unsigned count) const {
        std::array<T*, 16> each{};
        for (unsigned lane = 0; lane < kernels.lanes; ++lane)
            each[lane] = data + static_cast<std::ptrdiff_t>(first + lane % count) * slice_stride;
        return each;
    }

    void batch(Team& team, const Sinograms& from, std::size_t first, unsigned count,
               const SinogramsToWrite& to);

    Tables tables;
    std::size_t angles;  // of the fan
    const Kernels& kernels;
    unsigned threads;
    Buffer<float> between;  // [source angle][parallel pixel][lane]
    Buffer<float> scratch;  // [thread]
};

void Rebinning::State::batch(Team& team, const Sinograms& from, std::size_t first, unsigned count,
                             const SinogramsToWrite& to) {
    const auto lent = [&](unsigned member) {
        return scratch.data() + member * tables.detectors * kernels.lanes;
    };
    share_each(team, tables.order.size(), [&](std::size_t i, unsigned member) {
        const auto angle = static_cast<std::ptrdiff_t>(tables.order[i]);
        const auto each =
            rows(from.data + angle * from.angle_stride, from.slice_stride, first, count);
        kernels.across(tables, each.data(), between.data() + i * row(), lent(member));
    });
    share_each(team, tables.beam.angles.size(), [&](std::size_t i, unsigned member) {
        const auto angle = static_cast<std::ptrdiff_t>(i);
        const auto each = rows(to.data + angle * to.angle_stride, to.slice_stride, first, count);
        kernels.around(tables, between.data(), i, each.data(), count, lent(member));
    });
}

Rebinning::Rebinning(const FanBeam& beam, const OnThreads& how)
    : state_(std::make_unique<State>(beam, how)) {}

Rebinning::Rebinning(Rebinning&&) noexcept = default;
Rebinning& Rebinning::operator=(Rebinning&&) noexcept = default;
Rebinning::~Rebinning() = default;

const ParallelBeam& Rebinning::beam() const {
    return state_->tables.beam;
}

double Rebinning::pixel() const {
    return state_->tables.pixel;
}

void Rebinning::run(const Sinograms& from, std::size_t slices, const SinogramsToWrite& to) {
    check_read("The sinograms", {from.data, slices, state_->angles, state_->tables.detectors,
                                 from.slice_stride, from.angle_stride});
    check_written("The parallel sinograms", {to.data, slices, beam().angles.size(),
                                             beam().detectors, to.slice_stride, to.angle_stride});
    Team team(Unbound{}, state_->threads);
    const unsigned lanes = state_->kernels.lanes;
    for (std::size_t first = 0; first < slices; first += lanes)
        state_->batch(team, from, first,
                      static_cast<unsigned>(std::min<std::size_t>(lanes, slices - first)), to);
}

std::string_view Rebinning::variant() const {
    return state_->kernels.name;
}

std::size_t Rebinning::bytes() const {
    const Tables& tables = state_->tables;
    return bytes_of(state_->between) + bytes_of(state_->scratch) + bytes_of(tables.across) +
           bytes_of(tables.around) + bytes_of(tables.order) + bytes_of(tables.beam.angles);
}

std::vector<std::string_view> rebinning_variants() {
    return runnable(fan::variants());
}

}  // namespace stend::tomo
