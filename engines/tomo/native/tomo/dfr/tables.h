// All that an engine of any lanes reads, and the memory it works in.
#pragma once

#include "buffers/buffer.h"
#include "tomo/dfr/bands.h"
#include "tomo/dfr/geometry.h"
#include "tomo/dfr/gridding.h"

namespace stend::tomo::dfr {

struct Tables {
    explicit Tables(const Plan& plan);
    // Not in the variants' files, whose instructions it would have and leave to all others.
    ~Tables();

    std::size_t detectors, angles, size;
    Geometry geometry;
    std::vector<Band> bands;
    std::size_t samples;       // of an angle
    std::vector<float> signs;  // of the imaginary parts as stored, for each angle
    Gridding gridding;
    FftPlan fft;                          // of the grid's columns and rows
    std::vector<float> over_apodisation;  // for each row or column of the slice

    std::size_t bytes() const;
};

// The stages and memory of an engine; not of any lanes, so that it is compiled for any processor.
class Stages : public Engine {
public:
    ~Stages() override;
    unsigned lanes() const override;
    unsigned stages() const override;
    std::size_t items(unsigned stage) const override;
    std::size_t bytes() const override;

protected:
    // Floats that a number of the halfway image takes, and those kept beside each of its columns.
    struct Halfway {
        std::size_t number, column;
    };

    Stages(const Plan& plan, unsigned lanes, Halfway halfway);

    // In vectors of lanes, two to a complex number.
    // Samples of all projections, each at its place.
    float* samples() const { return samples_.data(); }
    // The grid after its columns' transforms: [row / 2][column][row % 2], rows of the slice.
    float* halfway() const { return halfway_.data(); }
    // What its columns' numbers are to be multiplied with.
    float* scales() const { return scales_.data(); }
    // What a thread works in: two pieces of room().
    float* scratch(unsigned member, unsigned piece) const {
        return scratch_.data() + (2 * member + piece) * room() * 2 * lanes_;
    }
    // From each lane's row of a slice to the next one's in a piece: an odd number of the cache's
    // lines, so that lanes don't fall upon each other there.
    std::size_t row_pitch() const { return (tables_.size + 15) / 16 * 16 | 16; }

    const Tables tables_;

private:
    std::size_t room() const;  // complex vectors

    unsigned lanes_;
    Buffer<float> samples_, halfway_, scales_, scratch_;
};

}  // namespace stend::tomo::dfr
