// The list, slowest first, and the solver that runs one of it.
#include "kernels/linpack/variants.h"

#include <vector>

#include "team/seat.h"

namespace stend::linpack {
namespace {

class PlainSolver final : public Solver {
public:
    explicit PlainSolver(const Variant<Plain>& variant)
        : name_(variant.name), solve_(variant.function) {}

    void prepare(Shape shape) override {
        seat_ = sit(first_cpus(1).front());
        pivots_.resize(shape.n);
    }
    bool solve(Shape shape, double* a, double* b) noexcept override {
        return solve_(shape, a, b, pivots_.data());
    }
    std::string_view variant() const override { return name_; }

private:
    std::string_view name_;
    Plain solve_;
    Seat seat_;
    std::vector<std::int32_t> pivots_;
};

}  // namespace

std::span<const Variant<Plain>> plain_variants() {
    static const Variant<Plain> all[] = {
        {"plain", {}, plain_any},
#if defined(__x86_64__)
        {"plain-avx2", {isa::avx2, isa::fma}, plain_avx2},
        {"plain-avx512", {isa::avx512}, plain_avx512},
#endif
    };
    return all;
}

std::unique_ptr<Solver> plain(const Variant<Plain>& variant) {
    return std::make_unique<PlainSolver>(variant);
}

}  // namespace stend::linpack
