// The kernel: as many systems as a batch solves, written anew before it, untimed, and each
// solution held against its system after it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "buffers/buffer.h"
#include "kernels/linpack/linpack.h"
#include "kernels/linpack/matrix.h"

namespace stend::linpack {
namespace {

constexpr std::size_t line = 8;  // doubles in a cache line

class Linpack final : public Kernel {
public:
    Linpack(Shape shape, std::unique_ptr<Solver> solver, Side side)
        : shape_(shape), solver_(std::move(solver)), kind_(side) {}

    void prepare() override;
    void ready(std::uint64_t times) override;
    void repeat(std::uint64_t times) override;
    bool check() override;
    Proof prove() override;
    std::string_view variant() const override { return solver_->variant(); }
    unsigned threads() const override { return solver_->threads(); }
    std::string about() const override { return solver_->about(); }

private:
    // The matrix in whole lines, then the right-hand side; both begin at a line.
    std::size_t matrix_size() const { return (shape_.lda * shape_.n + line - 1) / line * line; }
    std::size_t system_size() const { return matrix_size() + (shape_.n + line - 1) / line * line; }
    double* matrix(std::uint64_t number) const { return data_.data() + number * system_size(); }
    double* side(std::uint64_t number) const { return matrix(number) + matrix_size(); }

    Shape shape_;
    std::unique_ptr<Solver> solver_;
    Side kind_;
    std::unique_ptr<System> system_;
    Buffer<double> data_;
    std::uint64_t ready_ = 0;    // systems that were written for the batch
    std::uint64_t written_ = 0;  // in all; the number of a system is how many were before it
    std::uint64_t solved_ = 0;   // executions in all
    bool singular_ = false;
    double worst_ = 0;  // scaled residual
};

// The solver first: it may sit on a CPU, and the matrix is to lie near it.
void Linpack::prepare() {
    solver_->prepare(shape_);
    system_ = std::make_unique<System>(shape_.n, kind_);
    ready(1);
    data_.gather_huge_pages();
}

void Linpack::ready(std::uint64_t times) {
    if (data_.span().size() < times * system_size()) {
        data_ = {};  // before the larger one, lest memory hold both
        data_ = Buffer<double>(times * system_size());
    }
    for (ready_ = 0; ready_ < times; ++ready_)
        system_->write(shape_, matrix(ready_), side(ready_), written_++);
}

// From the one written last, which is nearest, to the first.
void Linpack::repeat(std::uint64_t times) {
    for (std::uint64_t number = times; number-- > 0;) {
        singular_ |= !solver_->solve(shape_, matrix(number), side(number));
        ++solved_;
    }
}

// NaN is the worst, and stays it.
double worse(double one, double other) {
    return std::isnan(one) || one > other ? one : other;
}

// What was not solved still holds the right-hand side, and solves nothing.
bool Linpack::check() {
    for (std::uint64_t number = 0; number < ready_; ++number)
        worst_ = worse(worst_, system_->residual(side(number), written_ - ready_ + number));
    return !singular_ && worst_ <= most_residual;
}

std::string shown(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", number);
    return text;
}

Proof Linpack::prove() {
    const bool right = check();
    if (singular_) return {false, "A pivot was 0: the factorisation did not end."};
    return {right, "The largest scaled residual of " + std::to_string(solved_) + " solutions is " +
                       shown(worst_) + (right ? "; up to " : "; right is up to ") +
                       shown(most_residual) + (right ? " is right (HPL)." : " (HPL).")};
}

}  // namespace

std::unique_ptr<Kernel> kernel(Shape shape, std::unique_ptr<Solver> solver, Side side) {
    if (shape.n == 0 || shape.lda < shape.n)
        throw std::invalid_argument("A matrix of order " + std::to_string(shape.n) +
                                    " has at least one column and a leading dimension of at least "
                                    "its order, not " +
                                    std::to_string(shape.lda) + ".");
    return std::make_unique<Linpack>(shape, std::move(solver), side);
}

}  // namespace stend::linpack
