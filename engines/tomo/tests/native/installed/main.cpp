// A stranger's program: a disc of attenuation 1 from its projections, which are all the same.
#include <cmath>
#include <cstdio>
#include <stend/tomo.hpp>
#include <vector>

int main() {
    constexpr std::size_t n = 64, angles = 96;
    stend::tomo::ParallelBeam beam{.detectors = n, .angles = {}};
    std::vector<float> sinogram;
    for (std::size_t a = 0; a < angles; ++a) {
        beam.angles.push_back(3.14159265358979 * static_cast<double>(a) / angles);
        for (std::size_t i = 0; i < n; ++i) {
            const double s = static_cast<double>(i) - 31.5, radius = 20;
            sinogram.push_back(
                static_cast<float>(2 * std::sqrt(std::max(0.0, radius * radius - s * s))));
        }
    }
    std::vector<float> slice(n * n);
    stend::tomo::Reconstruction reconstruction(beam, {.size = n},
                                               {.algorithm = stend::tomo::Algorithm::fbp});
    reconstruction.run({sinogram.data(), 0, n}, 1, {slice.data(), 0, n});
    std::printf("%f in the middle, by %s\n", slice[n / 2 * n + n / 2],
                reconstruction.variant().data());
    return std::abs(slice[n / 2 * n + n / 2] - 1) < 0.02 ? 0 : 1;
}
