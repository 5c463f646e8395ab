// A row between the caller's format, [channel][row][column], and planes.
#include "unet/float32/kernels.h"

namespace stend::unet::float32 {
namespace {

constexpr std::size_t lanes = blocked::pixel_floats;

std::ptrdiff_t beginning(const blocked::Geometry& planes, std::size_t row) {
    return planes.offset(static_cast<std::ptrdiff_t>(row), 0);
}

}  // namespace

void enter(const float* image, const blocked::Geometry& to, std::size_t channels,
           const std::vector<blocked::Plane>& out, std::size_t row) {
    for (std::size_t plane = 0; plane < out.size(); ++plane)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t channel = plane * lanes + lane;
            float* pixels = out[plane] + beginning(to, row) + lane;
            for (std::size_t x = 0; x < to.width; ++x)
                pixels[x * lanes] =
                    channel < channels ? image[(channel * to.height + row) * to.width + x] : 0.0F;
        }
}

void leave(const std::vector<blocked::Plane>& in, const blocked::Geometry& from,
           std::size_t channels, float* result, std::size_t row) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
        const float* pixels = in[channel / lanes] + beginning(from, row) + channel % lanes;
        float* to = result + (channel * from.height + row) * from.width;
        for (std::size_t x = 0; x < from.width; ++x) to[x] = pixels[x * lanes];
    }
}

}  // namespace stend::unet::float32
