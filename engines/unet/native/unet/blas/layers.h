// A layer's work on maps.
#pragma once

#include <memory>
#include <vector>

#include "unet/blas/map.h"
#include "unet/engine.h"

namespace stend::unet::blas {

struct Made {
    std::unique_ptr<Step> step;
    double flops = 0;  // of its matrix products
    std::size_t bytes = 0;
};

// The layer is there only while its step is made.
Made convolution(const Layer& layer, const std::vector<const Map*>& inputs, const Map& output,
                 const Sgemm& sgemm);
Made transposed(const Layer& layer, const std::vector<const Map*>& inputs, const Map& output,
                const Sgemm& sgemm, unsigned threads);
Made pooling(const Map& input, const Map& output);

}  // namespace stend::unet::blas
