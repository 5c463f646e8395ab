// Line integrals through slices, their transpose, and reconstruction by iterating the two; parallel
// beam, with the conventions and lengths of parallel.hpp.
#pragma once

#include <functional>
#include <span>
#include <stend/tomo/parallel.hpp>

namespace stend::tomo {

// The matrix A of line integrals through pixels, linearly interpolated along the rows or the
// columns, whichever a ray crosses more steeply (Joseph, IEEE Transactions on Medical Imaging 1(3),
// 1982, 192), and its transpose, weights of the two differing by rounding alone. Made once and used
// for any number of slices, one call at a time; results depend neither on the number of threads nor
// on which slices go together.
class Projector {
public:
    // Throws std::invalid_argument, with a sentence, for a geometry that makes no sense and for a
    // variant that there isn't or that this machine can't run; std::bad_alloc.
    Projector(const ParallelBeam& beam, const SliceGrid& grid, const OnThreads& how = {});
    Projector(Projector&&) noexcept;
    Projector& operator=(Projector&&) noexcept;
    ~Projector();

    // Throw std::system_error when the system makes no more threads.
    void project(const SlicesToRead& from, std::size_t slices, const SinogramsToWrite& to);
    void back_project(const Sinograms& from, std::size_t slices, const Slices& to);

    std::string_view variant() const;
    std::size_t bytes() const;  // of tables and memory

private:
    struct State;
    std::unique_ptr<State> state_;
};

enum class Iteration : std::uint8_t {
    sirt,  // weighted by row and column sums (Gregor and Benson, IEEE TMI 27(7), 2008, 918)
    cgls,  // conjugate gradients of least squares (Björck, Numerical Methods for Least Squares
           // Problems, 1996, 7.4)
};

struct IterativeMethod {
    Iteration iteration = Iteration::sirt;
    unsigned iterations = 100;
    // Negative pixels become 0: SIRT's after each iteration; CGLS's after every eighth and the
    // last, and it begins anew from there, holding those at 0 that it would make negative (Polyak,
    // USSR Computational Mathematics and Mathematical Physics 9(4), 1969, 94).
    bool non_negative = false;
    OnThreads how = {};
};

// Told before each iteration of slices that go together, the first of which is `first`: how many
// iterations they have had, and ‖b - Ax‖₂ of each. What it throws ends the run; of these slices and
// those behind them nothing is written.
using Watch =
    std::function<void(std::size_t first, unsigned iterations, std::span<const double> norms)>;

// Slices x that A maps near to the sinograms b.
class IterativeReconstruction {
public:
    // Throws as Projector's does, and std::system_error when the system makes no more threads.
    IterativeReconstruction(const ParallelBeam& beam, const SliceGrid& grid,
                            const IterativeMethod& method = {});
    IterativeReconstruction(IterativeReconstruction&&) noexcept;
    IterativeReconstruction& operator=(IterativeReconstruction&&) noexcept;
    ~IterativeReconstruction();

    // Begins at `start`, which may be where the result goes, or at zero when it has no data.
    // Returns ‖b - Ax‖₂ of the slice that each iteration begins with: [slice][iteration].
    // Throws std::system_error when the system makes no more threads; std::bad_alloc.
    std::vector<double> run(const Sinograms& from, std::size_t slices, const Slices& to,
                            const SlicesToRead& start = {}, const Watch& watch = {});

    std::string_view variant() const;
    std::size_t together() const;  // slices that are iterated at once, in SIMD lanes
    std::size_t bytes() const;     // of tables and memory

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Names of the variants of projections that this machine runs, slowest first; the last is the
// default.
std::vector<std::string_view> projector_variants();

}  // namespace stend::tomo
