// What users call to project and to project back.
#include <stend/tomo/iterative.hpp>

#include "isa/variant.h"
#include "tomo/bytes.h"
#include "tomo/iterative/operators.h"

namespace stend::tomo {

struct Projector::State {
    State(const ParallelBeam& beam, const SliceGrid& grid, const OnThreads& how)
        : operators(beam, grid, how), slice(operators.slice()), sinogram(operators.sinogram()) {}

    iterative::Operators operators;
    iterative::Vectors slice, sinogram;
};

Projector::Projector(const ParallelBeam& beam, const SliceGrid& grid, const OnThreads& how)
    : state_(std::make_unique<State>(beam, grid, how)) {}

Projector::Projector(Projector&&) noexcept = default;
Projector& Projector::operator=(Projector&&) noexcept = default;
Projector::~Projector() = default;

void Projector::project(const SlicesToRead& from, std::size_t slices, const SinogramsToWrite& to) {
    state_->operators.check(from, slices);
    state_->operators.check(to, slices);
    Team team(Unbound{}, state_->operators.threads());
    state_->operators.for_each_batch(slices, [&](iterative::Together together) {
        state_->operators.load(team, from, together, state_->slice);
        state_->operators.project(team, state_->slice, state_->sinogram);
        state_->operators.unload(team, state_->sinogram, together, to);
    });
}

void Projector::back_project(const Sinograms& from, std::size_t slices, const Slices& to) {
    state_->operators.check(from, slices);
    state_->operators.check(to, slices);
    Team team(Unbound{}, state_->operators.threads());
    state_->operators.for_each_batch(slices, [&](iterative::Together together) {
        state_->operators.load(team, from, together, state_->sinogram);
        state_->operators.back_project(team, state_->sinogram, state_->slice);
        state_->operators.unload(team, state_->slice, together, to);
    });
}

std::string_view Projector::variant() const {
    return state_->operators.kernels().name;
}

std::size_t Projector::bytes() const {
    return state_->operators.bytes() + bytes_of(state_->slice.values) +
           bytes_of(state_->sinogram.values);
}

std::vector<std::string_view> projector_variants() {
    return runnable(iterative::variants());
}

}  // namespace stend::tomo
