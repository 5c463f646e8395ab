// Our own LU as a solver.
#include <optional>

#include "kernels/linpack/linpack.h"
#include "kernels/linpack/own.h"

namespace stend::linpack {
namespace {

class OwnSolver final : public Solver {
public:
    OwnSolver(const Variant<const OwnMethod*>& variant, unsigned threads)
        : variant_(variant), threads_(threads) {}

    void prepare(Shape shape) override {
        team_.emplace(first_cpus(threads_));
        lu_.emplace(shape.n, variant_, *team_);
        pivots_.resize(shape.n);
    }
    bool solve(Shape shape, double* a, double* b) noexcept override {
        if (lu_->factor(a, shape.lda, pivots_.data()) != 0) return false;
        lu_->solve(a, shape.lda, pivots_.data(), b);
        return true;
    }
    std::string_view variant() const override { return variant_.name; }
    unsigned threads() const override { return threads_; }

private:
    const Variant<const OwnMethod*>& variant_;
    unsigned threads_;
    std::optional<Team> team_;
    std::optional<OwnLu> lu_;
    std::vector<std::int32_t> pivots_;
};

}  // namespace

std::unique_ptr<Solver> own(const Variant<const OwnMethod*>& variant, unsigned threads) {
    return std::make_unique<OwnSolver>(variant, threads);
}

}  // namespace stend::linpack
