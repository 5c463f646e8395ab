// Projections through the ramp filter alone: the first half of filtered back projection.
#pragma once

#include <stend/tomo/parallel.hpp>

namespace stend::tomo {

// The ramp |f| times a window, in cycles a detector pixel, band-limited (Kak and Slaney
// 1988, 3.3.3, equation 61), on rows with zeros around them. A slice is the sum of what comes out,
// at x cos θ + y sin θ, times angle_weights. Made once and used for any number of projections, one
// call at a time.
class Filtering {
public:
    // Throws std::invalid_argument, with a sentence, for numbers that make no sense, and for a
    // variant that there isn't or that this machine can't run; std::bad_alloc.
    Filtering(std::size_t detectors, const Filter& filter, const OnThreads& how = {});
    Filtering(Filtering&&) noexcept;
    Filtering& operator=(Filtering&&) noexcept;
    ~Filtering();

    // `to` may be `from`. The result doesn't depend on the number of threads. Up to 32 rows, those
    // of an angle and the next ones, go together, two in a transform: of a row that is many times
    // the other the rounding reaches that one, 2e-8 of the largest value, and what is not finite
    // makes both NaN. Throws std::system_error when the system makes no more threads.
    void run(const Sinograms& from, std::size_t slices, std::size_t angles,
             const SinogramsToWrite& to);

    std::string_view variant() const;
    std::size_t bytes() const;  // of tables and memory

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Names of the variants that this machine runs, slowest first; the last is the default.
std::vector<std::string_view> filtering_variants();

}  // namespace stend::tomo
