// A BLAS that is loaded by name, as networks take it.
#pragma once

#include <stend/unet.hpp>

#include "blas/library.h"

namespace stend::bindings::unet {

class Sgemm {
public:
    // On one thread: networks call it from as many as they have.
    explicit Sgemm(blas::Description description) : library_(std::move(description), 1) {}

    stend::unet::Sgemm routine() const;

private:
    blas::Library library_;
};

}  // namespace stend::bindings::unet
