// SIRT and CGLS, a batch of slices at a time; steps and norms are each slice's own.
#include <algorithm>
#include <cmath>
#include <functional>
#include <stend/tomo/iterative.hpp>

#include "tomo/bytes.h"
#include "tomo/iterative/operators.h"

namespace stend::tomo {
namespace {

using iterative::Each;
using iterative::Operators;
using iterative::Together;
using iterative::Vectors;

// Iterations after which CGLS makes what is negative zero and begins anew.
constexpr unsigned until_restart = 8;

constexpr Each<float> ones = [] {
    Each<float> each{};
    each.fill(1);
    return each;
}();

// 1 / A1: of the first lane, for they are the same; 0 where a ray or a pixel meets next to nothing,
// as rays do along the slice's edge, whose noise would be taken for the edge's attenuation.
void take_reciprocals(const Vectors& sums, unsigned lanes, std::vector<float>& each) {
    constexpr float next_to_nothing = 1e-3F;  // of the largest sum
    float most = 0;
    for (std::size_t i = 0; i < each.size(); ++i)
        most = std::max(most, sums.values.data()[i * lanes]);
    for (std::size_t i = 0; i < each.size(); ++i) {
        const float sum = sums.values.data()[i * lanes];
        each[i] = sum > next_to_nothing * most ? 1 / sum : 0;
    }
}

void fill(const Vectors& vectors, float value) {
    std::ranges::fill(vectors.values.span(), value);
}

// What the iterations of one batch need, and where their norms go.
struct Work {
    Team& team;
    const Operators& operators;
    const IterativeMethod& method;
    std::function<void(unsigned iteration, const Each<double>& squares)> note;
};

Each<float> quotients(const Each<double>& above, const Each<double>& below) {
    Each<float> each{};
    for (std::size_t lane = 0; lane < each.size(); ++lane)
        each[lane] = below[lane] == 0 ? 0 : static_cast<float>(above[lane] / below[lane]);
    return each;
}

Each<float> negative(Each<float> each) {
    for (float& x : each) x = -x;
    return each;
}

}  // namespace

struct IterativeReconstruction::State {
    State(const ParallelBeam& beam, const SliceGrid& grid, const IterativeMethod& how)
        : operators(beam, grid, how.how),
          method(how),
          x(operators.slice()),
          s(operators.slice()),
          b(operators.sinogram()),
          q(operators.sinogram()) {
        if (method.iteration == Iteration::sirt) {
            row_weights.resize(q.rows * q.columns);
            column_weights.resize(s.rows * s.columns);
        } else {
            d = operators.slice();
            r = operators.sinogram();
        }
    }

    // Before the first iteration, not when made: until then the vectors take no memory, and who
    // made this can still see from bytes() that it would take too much.
    void weigh(Team& team) {
        fill(s, 1);
        operators.project(team, s, q);
        take_reciprocals(q, operators.kernels().lanes, row_weights);
        fill(q, 1);
        operators.back_project(team, q, s);
        take_reciprocals(s, operators.kernels().lanes, column_weights);
        weighed = true;
    }

    void sirt(const Work& work);
    void cgls(const Work& work);
    Each<double> begin(const Work& work);

    Operators operators;
    IterativeMethod method;
    Vectors x, s, b, q;
    Vectors d{}, r{};                                // of CGLS
    std::vector<float> row_weights, column_weights;  // of SIRT
    bool weighed = false;
};

// x += C Aᵀ R (b - Ax)
void IterativeReconstruction::State::sirt(const Work& work) {
    for (unsigned i = 0; i < method.iterations; ++i) {
        operators.project(work.team, x, q);
        work.note(i, operators.subtract(work.team, b, q, row_weights, q));
        operators.back_project(work.team, q, s);
        operators.advance(work.team, x, ones, s, column_weights, method.non_negative);
    }
}

// From where x is: r = b - Ax, s = d = Aᵀr. Returns ‖r‖² and leaves ‖s‖² to be asked for.
Each<double> IterativeReconstruction::State::begin(const Work& work) {
    operators.project(work.team, x, q);
    const Each<double> norm = operators.subtract(work.team, b, q, {}, r);
    operators.back_project(work.team, r, s);
    if (method.non_negative) operators.hold(work.team, s, x);
    fill(d, 0);
    operators.turn(work.team, d, {}, s);
    return norm;
}

void IterativeReconstruction::State::cgls(const Work& work) {
    Each<double> norm{}, gamma{};
    for (unsigned i = 0; i < method.iterations; ++i) {
        if (i == 0 || (method.non_negative && i % until_restart == 0)) {
            norm = begin(work);
            gamma = operators.squares(work.team, s);
        }
        work.note(i, norm);
        operators.project(work.team, d, q);
        const Each<float> alpha = quotients(gamma, operators.squares(work.team, q));
        const bool ends =
            i + 1 == method.iterations || (method.non_negative && (i + 1) % until_restart == 0);
        operators.advance(work.team, x, alpha, d, {}, method.non_negative && ends);
        if (ends) continue;
        operators.advance(work.team, r, negative(alpha), q, {}, false);
        norm = operators.squares(work.team, r);
        operators.back_project(work.team, r, s);
        if (method.non_negative) operators.keep_held(work.team, s, d);
        const Each<double> before = gamma;
        gamma = operators.squares(work.team, s);
        operators.turn(work.team, d, quotients(gamma, before), s);
    }
}

IterativeReconstruction::IterativeReconstruction(const ParallelBeam& beam, const SliceGrid& grid,
                                                 const IterativeMethod& method)
    : state_(std::make_unique<State>(beam, grid, method)) {}

IterativeReconstruction::IterativeReconstruction(IterativeReconstruction&&) noexcept = default;
IterativeReconstruction& IterativeReconstruction::operator=(IterativeReconstruction&&) noexcept =
    default;
IterativeReconstruction::~IterativeReconstruction() = default;

std::vector<double> IterativeReconstruction::run(const Sinograms& from, std::size_t slices,
                                                 const Slices& to, const SlicesToRead& start,
                                                 const Watch& watch) {
    State& state = *state_;
    state.operators.check(from, slices);
    state.operators.check(to, slices);
    if (start.data != nullptr) state.operators.check(start, slices);
    const std::size_t iterations = state.method.iterations;
    std::vector<double> norms(slices * iterations);
    Team team(Unbound{}, state.operators.threads());
    if (state.method.iteration == Iteration::sirt && !state.weighed) state.weigh(team);
    state.operators.for_each_batch(slices, [&](Together together) {
        const auto note = [&](unsigned iteration, const Each<double>& squares) {
            Each<double> roots{};
            for (unsigned lane = 0; lane < together.count; ++lane) {
                roots[lane] = std::sqrt(squares[lane]);
                norms[(together.first + lane) * iterations + iteration] = roots[lane];
            }
            if (watch) watch(together.first, iteration, {roots.data(), together.count});
        };
        const Work work{team, state.operators, state.method, note};
        state.operators.load(team, from, together, state.b);
        if (start.data == nullptr)
            fill(state.x, 0);
        else
            state.operators.load(team, start, together, state.x);
        state.method.iteration == Iteration::sirt ? state.sirt(work) : state.cgls(work);
        state.operators.unload(team, state.x, together, to);
    });
    return norms;
}

std::string_view IterativeReconstruction::variant() const {
    return state_->operators.kernels().name;
}

std::size_t IterativeReconstruction::together() const {
    return state_->operators.kernels().lanes;
}

std::size_t IterativeReconstruction::bytes() const {
    const State& state = *state_;
    std::size_t all =
        state.operators.bytes() + bytes_of(state.row_weights) + bytes_of(state.column_weights);
    for (const Vectors* vectors : {&state.x, &state.s, &state.b, &state.q, &state.d, &state.r})
        all += bytes_of(vectors->values);
    return all;
}

}  // namespace stend::tomo
