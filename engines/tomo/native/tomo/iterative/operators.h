// A and its transpose for one geometry in one variant, on threads: vectors of slices and of
// sinograms that it allocates, loads, combines and stores.
#pragma once

#include <array>
#include <functional>
#include <stend/tomo/iterative.hpp>

#include "buffers/buffer.h"
#include "team/team.h"
#include "tomo/iterative/kernels.h"

namespace stend::tomo::iterative {

inline constexpr unsigned most_lanes = 16;

// A number for each lane.
template <typename T>
using Each = std::array<T, most_lanes>;

// The slices of a call that go together: `count` of them from `first` on; the other lanes repeat
// them.
struct Together {
    std::size_t first;
    unsigned count;
};

// Vectors of a slice or of a sinogram.
struct Vectors {
    Buffer<float> values;
    std::size_t rows, columns;

    float* row(std::size_t i, unsigned lanes) const { return values.data() + i * columns * lanes; }
};

class Operators {
public:
    Operators(const ParallelBeam& beam, const SliceGrid& grid, const OnThreads& how);

    const Kernels& kernels() const { return kernels_; }
    unsigned threads() const { return threads_; }
    std::size_t angles() const { return rays_.angles.size(); }

    Vectors slice() const { return vectors(rays_.size, rays_.size); }
    Vectors sinogram() const { return vectors(rays_.angles.size(), rays_.detectors); }
    std::size_t bytes() const;  // without vectors

    void project(Team& team, const Vectors& slice, const Vectors& sinogram) const;
    void back_project(Team& team, const Vectors& sinogram, const Vectors& slice) const;

    void load(Team& team, const Sinograms& from, Together together, const Vectors& to) const;
    void load(Team& team, const SlicesToRead& from, Together together, const Vectors& to) const;
    void unload(Team& team, const Vectors& from, Together together, const Slices& to) const;
    void unload(Team& team, const Vectors& from, Together together,
                const SinogramsToWrite& to) const;

    // Kernels' subtract() … squares() of whole vectors. `weights` has one
    // number a pixel, or is empty.
    Each<double> subtract(Team& team, const Vectors& b, const Vectors& q,
                          std::span<const float> weights, const Vectors& difference) const;
    void advance(Team& team, const Vectors& x, const Each<float>& step, const Vectors& s,
                 std::span<const float> weights, bool clamp) const;
    void turn(Team& team, const Vectors& d, const Each<float>& step, const Vectors& s) const;
    void hold(Team& team, const Vectors& s, const Vectors& x) const;
    void keep_held(Team& team, const Vectors& s, const Vectors& d) const;
    Each<double> squares(Team& team, const Vectors& x) const;

    // Throw std::invalid_argument, with a sentence, for what can't be read or written.
    void check(const Sinograms& from, std::size_t slices) const;
    void check(const SlicesToRead& from, std::size_t slices) const;
    void check(const Slices& to, std::size_t slices) const;
    void check(const SinogramsToWrite& to, std::size_t slices) const;

    // One batch after the other of `slices`.
    void for_each_batch(std::size_t slices, const std::function<void(Together)>& work) const;

private:
    Vectors vectors(std::size_t rows, std::size_t columns) const;
    template <typename Work>
    Each<double> sum_of_rows(Team& team, std::size_t rows, const Work& work) const;

    Rays rays_;
    const Kernels& kernels_;
    unsigned threads_;
    std::size_t lent_;       // to each thread
    Buffer<float> scratch_;  // [thread]
};

}  // namespace stend::tomo::iterative
