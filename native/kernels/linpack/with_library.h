// What the solvers on a library share: it is loaded where its threads are to run.
#pragma once

#include <optional>
#include <vector>

#include "kernels/linpack/linpack.h"
#include "team/seat.h"

namespace stend::linpack {

class WithLibrary : public Solver {
public:
    WithLibrary(blas::Description library, unsigned threads)
        : description_(std::move(library)), threads_(threads) {}

    // Libraries count the CPUs they may use when they are loaded, and their threads begin there.
    void prepare(Shape shape) override {
        seat_ = sit_among(first_cpus(threads_));
        library_.emplace(description_, threads_);
        pivots_.resize(shape.n);
    }
    std::string_view variant() const override { return description_.name; }
    unsigned threads() const override { return threads_; }
    std::string about() const override { return library_ ? library_->about() : ""; }

protected:
    const blas::Library& library() const { return *library_; }
    std::int64_t* pivots() { return pivots_.data(); }

private:
    blas::Description description_;
    unsigned threads_;
    Seat seat_;
    std::optional<blas::Library> library_;
    std::vector<std::int64_t> pivots_;
};

}  // namespace stend::linpack
