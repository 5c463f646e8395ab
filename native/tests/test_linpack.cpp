// Every way to solve the system solves it, at odd sizes too; what is left undone is found.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "check.h"
#include "kernels/linpack/linpack.h"
#include "kernels/linpack/matrix.h"

using namespace stend;
using namespace stend::linpack;

namespace {

void solves_all(Kernel& kernel) {
    kernel.prepare();
    for (const std::uint64_t batch : {1, 3, 2}) {
        kernel.ready(batch);
        kernel.repeat(batch);
        CHECK(kernel.check());
    }
    CHECK(kernel.prove().right);
}

void every_plain_variant_solves_every_order() {
    for (const auto& variant : plain_variants()) {
        if (!isa::why_not(variant.needs).empty()) continue;
        for (std::size_t n = 1; n <= 130; n += n < 20 ? 1 : 7)
            for (const std::size_t lda : {n, n + 1, 2 * n, 2 * n + 1}) {
                const auto made = kernel({n, lda}, plain(variant), Side::row_sums);
                solves_all(*made);
                CHECK(made->variant() == variant.name);
            }
    }
}

// What linpackc and the Fortran program print at n = 100 on any IEEE machine without fused
// multiply-add ("x[0]-1", "x[n-1]-1").
void the_standard_system_has_its_known_rounding_errors() {
#if defined(__x86_64__)
    for (const std::size_t lda : {200, 201}) {
        std::vector<double> a(100 * lda), b(100);
        std::vector<std::int32_t> pivots(100);
        System(100).write({100, lda}, a.data(), b.data());
        CHECK(a[0] == (11857 - 32768) / 16384.0);
        CHECK(plain_variants()[0].function({100, lda}, a.data(), b.data(), pivots.data()));
        CHECK(std::abs((b[0] - 1) - -1.49880108e-14) < 1e-22);
        CHECK(std::abs((b[99] - 1) - -1.89848137e-14) < 1e-22);
    }
#endif
}

// The residual of a solution that was moved by 1e-6 in one place is far beyond rounding.
void the_residual_tells_a_wrong_solution() {
    for (const std::size_t n : {1, 7, 100, 300}) {
        const System system(n);
        std::vector<double> x(n, 1.0);
        CHECK(system.residual(x.data()) < most_residual);
        x[n / 2] += 1e-6;
        CHECK(system.residual(x.data()) > most_residual);
        x[n / 2] = 1.7e307;
        CHECK(!(system.residual(x.data()) <= most_residual));
        x[n / 2] = NAN;
        CHECK(std::isnan(system.residual(x.data())));
    }
}

// Forgets its `skipped`-th system, or says that a matrix is singular.
class Forgetful final : public Solver {
public:
    Forgetful(int skipped, bool singular) : skipped_(skipped), singular_(singular) {}
    bool solve(Shape shape, double* a, double* b) noexcept override {
        std::int32_t pivots[64];
        if (call_++ == skipped_) return !singular_;
        return plain_variants()[0].function(shape, a, b, pivots);
    }
    std::string_view variant() const override { return "forgetful"; }

private:
    int call_ = 0, skipped_;
    bool singular_;
};

void a_system_left_unsolved_is_found() {
    for (int skipped = 0; skipped < 5; ++skipped)
        for (const bool singular : {false, true}) {
            const auto made =
                kernel({33, 40}, std::make_unique<Forgetful>(skipped, singular), Side::random);
            made->prepare();
            made->ready(5);
            made->repeat(5);
            CHECK(!made->check());
            CHECK(!made->prove().right);
        }
}

// One solution of a batch that is no number, whichever it is, is not hidden by those after it.
class Nan final : public Solver {
public:
    explicit Nan(int which) : which_(which) {}
    bool solve(Shape shape, double* a, double* b) noexcept override {
        std::int32_t pivots[64];
        const bool done = plain_variants()[0].function(shape, a, b, pivots);
        if (call_++ == which_) b[0] = NAN;
        return done;
    }
    std::string_view variant() const override { return "nan"; }

private:
    int call_ = 0, which_;
};

void a_solution_that_is_no_number_is_found() {
    for (int which = 0; which < 4; ++which) {
        const auto made = kernel({9, 9}, std::make_unique<Nan>(which), Side::random);
        made->prepare();
        made->ready(4);
        made->repeat(4);
        CHECK(!made->check());
        made->ready(1);
        made->repeat(1);
        CHECK(!made->check());
        CHECK(!made->prove().right);
    }
}

void both_right_hand_sides_are_solved() {
    for (const Side side : {Side::row_sums, Side::random})
        for (const std::size_t n : {1, 2, 33, 100, 130}) {
            const auto made = kernel({n, n}, plain(plain_variants()[0]), side);
            solves_all(*made);
        }
}

// Does as a library would that knows the benchmark: writes ones, or what it found before. The
// factors are made all the same.
class Guesser final : public Solver {
public:
    explicit Guesser(bool ones) : ones_(ones) {}
    void prepare(Shape shape) override { known_.assign(shape.n, 1.0); }
    bool solve(Shape shape, double* a, double* b) noexcept override {
        std::int32_t pivots[128];
        const bool done = plain_variants()[0].function(shape, a, b, pivots);
        if (call_++ == 0 && !ones_) std::copy_n(b, shape.n, known_.data());
        std::ranges::copy(known_, b);
        return done;
    }
    std::string_view variant() const override { return "guesser"; }

private:
    int call_ = 0;
    bool ones_;
    std::vector<double> known_;
};

void ones_or_the_solution_before_are_no_solution() {
    for (const std::size_t n : {1, 2, 33, 100}) {
        for (const std::uint64_t batch : {1, 5}) {
            const auto ones = kernel({n, n}, std::make_unique<Guesser>(true), Side::random);
            ones->prepare();
            ones->ready(batch);
            ones->repeat(batch);
            CHECK(!ones->check() && !ones->prove().right);
        }
        const auto before = kernel({n, n}, std::make_unique<Guesser>(false), Side::random);
        before->prepare();
        before->ready(1);
        before->repeat(1);
        CHECK(before->check());
        before->ready(1);
        before->repeat(1);
        CHECK(!before->check() && !before->prove().right);
        const auto in_a_batch = kernel({n, n}, std::make_unique<Guesser>(false), Side::random);
        in_a_batch->prepare();
        in_a_batch->ready(2);
        in_a_batch->repeat(2);
        CHECK(!in_a_batch->check() && !in_a_batch->prove().right);
    }
}

void a_singular_matrix_is_told() {
    std::vector<double> a(9, 1.0), b(3, 1.0);
    std::int32_t pivots[3];
    for (const auto& variant : plain_variants())
        if (isa::why_not(variant.needs).empty())
            CHECK(!variant.function({3, 3}, a.data(), b.data(), pivots));
}

void what_makes_no_sense_is_refused() {
    const auto& variant = plain_variants()[0];
    CHECK_THROWS(std::invalid_argument, kernel({0, 1}, plain(variant), Side::random));
    CHECK_THROWS(std::invalid_argument, kernel({5, 4}, plain(variant), Side::random));
    CHECK_THROWS(std::invalid_argument, on_level(4, {}, 1));
}

void a_library_that_is_not_one_is_told_not_crashed_into() {
    blas::Description none;
    none.name = "none";
    none.blas = none.lapack = "/nowhere/libnone.so";
    const auto missing = kernel({8, 8}, lapack(none, 1), Side::random);
    CHECK_THROWS(Unavailable, missing->prepare());
    none.blas = none.lapack = "libm.so.6";  // a library, but no BLAS
    const auto other = kernel({8, 8}, lapack(none, 1), Side::random);
    CHECK_THROWS(Unavailable, other->prepare());
}

}  // namespace

int main() {
    every_plain_variant_solves_every_order();
    the_standard_system_has_its_known_rounding_errors();
    the_residual_tells_a_wrong_solution();
    a_system_left_unsolved_is_found();
    a_solution_that_is_no_number_is_found();
    both_right_hand_sides_are_solved();
    ones_or_the_solution_before_are_no_solution();
    a_singular_matrix_is_told();
    what_makes_no_sense_is_refused();
    a_library_that_is_not_one_is_told_not_crashed_into();
}
