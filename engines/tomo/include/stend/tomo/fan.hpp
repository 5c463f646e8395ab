// Sinograms of a fan beam turned into those of a parallel beam, for any algorithm to reconstruct.
//
// Conventions, beside those of parallel.hpp. At the angle β the source is at
//     source_to_axis · (-sin β, cos β),
// its ray through the axis runs towards (sin β, -cos β), and detector pixels are counted along
// (cos β, sin β). The ray at the fan angle γ from that ray, positive towards later pixels, is the
// parallel beam's ray at θ = β + γ, s = source_to_axis · sin γ (Kak and Slaney 1988, 3.4). The
// pixel i is at
//     source_to_detector · tan γ = (i - center) · pitch     on a flat detector, at right angles to
//                                                           the ray through the axis;
//     source_to_detector · γ = (i - center) · pitch         on a curved one, around the source,
//                                                           within less than 90° of that ray.
// Lengths are in one unit, whichever. An object at the axis is magnified source_to_detector /
// source_to_axis times.
#pragma once

#include <stend/tomo/parallel.hpp>

namespace stend::tomo {

enum class Detector : std::uint8_t { flat, curved };

struct FanBeam {
    std::size_t detectors = 0;   // pixels of a row of the detector, 4 or more
    std::vector<double> angles;  // of the source, radians, in any order; 4 different ones or more
    double source_to_axis = 0;
    double source_to_detector = 0;
    double pitch = 1;  // from pixel to pixel
    Detector detector = Detector::flat;
    // Where the ray through the axis meets the detector, in pixels; the middle when not given.
    std::optional<double> center = {};
};

// Sorts the rays of a fan beam into parallel ones, by cubic interpolation between detector pixels
// and between source angles; linear between angles where one step is more than four times as long
// as another, for a cubic would multiply noise there. The source goes around at least half a turn
// and the fan's angle, or a whole turn: every parallel projection is then complete, so that its
// weight depends on its angle alone (angle_weights), and rays seen twice need none of their own,
// such as Parker's. Of projections from one source angle the first counts.
class Rebinning {
public:
    // Throws std::invalid_argument, with a sentence, for a geometry that makes no sense, a scan
    // that is too short, and a variant that there isn't or that this machine can't run;
    // std::bad_alloc.
    explicit Rebinning(const FanBeam& beam, const OnThreads& how = {});
    Rebinning(Rebinning&&) noexcept;
    Rebinning& operator=(Rebinning&&) noexcept;
    ~Rebinning();

    // What the sinograms are turned into. Its pixels are pitch · source_to_axis /
    // source_to_detector wide, a detector's pixel as seen at the axis.
    const ParallelBeam& beam() const;
    double pixel() const;

    // Throws std::system_error when the system makes no more threads.
    void run(const Sinograms& from, std::size_t slices, const SinogramsToWrite& to);

    std::string_view variant() const;
    std::size_t bytes() const;  // of tables and memory

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Names of the variants that this machine runs, the widest vectors last, which is the default.
std::vector<std::string_view> rebinning_variants();

}  // namespace stend::tomo
