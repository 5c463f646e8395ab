// Our LU at every small order and at odd ones: what P·L·U leaves of A, the order of rows, what
// singular systems and NaN do; every variant, with rows that matter to others below the matrix.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "check.h"
#include "kernels/linpack/own.h"

using namespace stend;
using namespace stend::linpack;

namespace {

constexpr double epsilon = 0x1p-52;
constexpr double untouched = 1234.5;  // between the columns

struct Matrix {
    std::size_t n, lda;
    std::vector<double> elements;

    Matrix(std::size_t order, std::size_t leading)
        : n(order), lda(leading), elements(order * leading, untouched) {}

    double& at(std::size_t i, std::size_t j) { return elements[i + j * lda]; }
    double at(std::size_t i, std::size_t j) const { return elements[i + j * lda]; }
};

Matrix random_matrix(std::size_t n, std::size_t lda) {
    Matrix matrix(n, lda);
    std::mt19937_64 generator(n);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) matrix.at(i, j) = uniform(generator);
    return matrix;
}

struct Factors {
    Matrix lu;
    std::vector<std::int32_t> pivots;
    std::size_t missing = 0;
};

Factors factored(const Matrix& matrix, const Variant<const OwnMethod*>& variant, Team& team) {
    Factors factors{matrix, std::vector<std::int32_t>(matrix.n, -1)};
    OwnLu lu(matrix.n, variant, team);
    factors.missing = lu.factor(factors.lu.elements.data(), matrix.lda, factors.pivots.data());
    return factors;
}

// Gaussian elimination as textbooks have it.
Factors textbook(const Matrix& matrix) {
    Factors factors{matrix, std::vector<std::int32_t>(matrix.n)};
    Matrix& a = factors.lu;
    for (std::size_t k = 0; k < a.n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < a.n; ++i)
            if (std::abs(a.at(i, k)) > std::abs(a.at(pivot, k))) pivot = i;
        factors.pivots[k] = std::int32_t(pivot);
        for (std::size_t j = 0; j < a.n; ++j) std::swap(a.at(k, j), a.at(pivot, j));
        if (a.at(k, k) == 0) {
            if (factors.missing == 0) factors.missing = k + 1;
            continue;
        }
        for (std::size_t i = k + 1; i < a.n; ++i) a.at(i, k) /= a.at(k, k);
        for (std::size_t j = k + 1; j < a.n; ++j)
            for (std::size_t i = k + 1; i < a.n; ++i) a.at(i, j) -= a.at(i, k) * a.at(k, j);
    }
    return factors;
}

// The largest |P·A − L·U| over the bound of its element, n·ε·(|L|·|U|) (Higham, Accuracy and
// Stability of Numerical Algorithms, 9.3), in long double.
double factor_error(Matrix a, const Factors& factors) {
    const std::size_t n = a.n;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            std::swap(a.at(i, j), a.at(std::size_t(factors.pivots[i]), j));
    double worst = 0;
    std::vector<long double> rest(n), bound(n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) rest[i] = a.at(i, j), bound[i] = 0;
        for (std::size_t k = 0; k <= j; ++k) {
            const long double u = factors.lu.at(k, j);
            rest[k] -= u, bound[k] += std::abs(u);
            for (std::size_t i = k + 1; i < n; ++i)
                rest[i] -= factors.lu.at(i, k) * u, bound[i] += std::abs(factors.lu.at(i, k) * u);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (rest[i] != 0)
                worst = std::max(worst, double(std::abs(rest[i]) / (bound[i] * n * epsilon)));
    }
    return worst;
}

// HPL's residual, ‖A·x − b‖ / (ε·(‖A‖·‖x‖ + ‖b‖)·n) in the maximum norms, in long double.
double solve_error(const Matrix& a, const Factors& factors, const OwnLu& lu) {
    std::vector<double> b(a.n), x(a.n);
    for (std::size_t i = 0; i < a.n; ++i) x[i] = b[i] = std::sin(double(i) + 1);
    lu.solve(factors.lu.elements.data(), a.lda, factors.pivots.data(), x.data());
    long double rest = 0, norm = 0, most = 0;
    for (std::size_t i = 0; i < a.n; ++i) {
        long double r = -static_cast<long double>(b[i]), sum = 0;
        for (std::size_t j = 0; j < a.n; ++j) {
            r += static_cast<long double>(a.at(i, j)) * x[j];
            sum += std::abs(a.at(i, j));
        }
        rest = std::max(rest, std::abs(r));
        norm = std::max(norm, sum);
        most = std::max(most, static_cast<long double>(std::abs(x[i])));
    }
    return double(rest / (epsilon * (norm * most + 1) * a.n));
}

bool kept_between_columns(const Matrix& matrix) {
    for (std::size_t j = 0; j < matrix.n; ++j)
        for (std::size_t i = matrix.n; i < matrix.lda; ++i)
            if (matrix.at(i, j) != untouched) return false;
    return true;
}

// How far two factorisations of the same matrix, with the same pivots, are apart.
double difference(const Matrix& one, const Matrix& other) {
    double most = 0;
    for (std::size_t j = 0; j < one.n; ++j)
        for (std::size_t i = 0; i < one.n; ++i)
            most = std::max(most, std::abs(one.at(i, j) - other.at(i, j)));
    return most;
}

void is_right(const Matrix& matrix, const Variant<const OwnMethod*>& variant, Team& team) {
    OwnLu lu(matrix.n, variant, team);
    Factors factors{matrix, std::vector<std::int32_t>(matrix.n, -1)};
    factors.missing = lu.factor(factors.lu.elements.data(), matrix.lda, factors.pivots.data());
    CHECK(factors.missing == 0);
    CHECK(factor_error(matrix, factors) < 1);
    CHECK(solve_error(matrix, factors, lu) < 16);
    CHECK(kept_between_columns(factors.lu));
    const Factors expected = textbook(matrix);
    CHECK(factors.pivots == expected.pivots);
    CHECK(difference(factors.lu, expected.lu) < 1e-13 * double(matrix.n * matrix.n));
}

template <typename Test>
void with_every_variant(Test test) {
    for (const auto& variant : own_variants())
        if (isa::why_not(variant.needs).empty()) test(variant);
}

// Members on one CPU: slow, but every split of the work happens.
// Emulated and other architectures have long double in software alone.
#if defined(__x86_64__)
constexpr std::size_t largest = 513;
#else
constexpr std::size_t largest = 231;
#endif

std::vector<int> crew(std::size_t size) {
    return std::vector<int>(size, usable_cpus().front());
}

// `brief`, for emulators: every fifth order, of teams one, and of long orders some.
bool brief = false;

std::vector<std::size_t> orders(std::initializer_list<std::size_t> all) {
    std::vector<std::size_t> some(all);
    if (brief) std::erase_if(some, [](std::size_t n) { return n > 129 && n != largest; });
    return some;
}

void every_order_is_factored_as_the_textbook_does(const Variant<const OwnMethod*>& variant) {
    Team team(crew(1));
    for (std::size_t n = 1; n <= 70; n += brief ? 5 : 1)
        is_right(random_matrix(n, n + n % 4), variant, team);
    for (const std::size_t n : orders({100, 127, 128, 129, 192, 199, largest}))
        is_right(random_matrix(n, n + n % 2 * 3), variant, team);
}

void threads_share_the_work(const Variant<const OwnMethod*>& variant) {
    for (const std::size_t size : {3, 2, 5}) {
        if (brief && size != 3) break;
        Team team(crew(size));
        for (const std::size_t n : orders({1, 8, 75, 201, largest}))
            is_right(random_matrix(n, n + 1), variant, team);
    }
}

void the_same_object_factors_again(const Variant<const OwnMethod*>& variant) {
    Team team(crew(2));
    const Matrix matrix = random_matrix(220, 224);
    OwnLu lu(220, variant, team);
    Matrix first = matrix, second = matrix;
    std::vector<std::int32_t> pivots(220), again(220);
    lu.factor(first.elements.data(), 224, pivots.data());
    Matrix other = random_matrix(220, 220);
    for (std::size_t i = 0; i < 220; ++i) other.at(i, 100) = NAN;
    lu.factor(other.elements.data(), 220, again.data());
    lu.factor(second.elements.data(), 224, again.data());
    CHECK(pivots == again && first.elements == second.elements);
}

// Leading zeros, tiny leading elements, rows in reverse, a cyclic shift: none is solved without
// exchanging rows.
void pivots_are_looked_for(const Variant<const OwnMethod*>& variant) {
    Team team(crew(1));
    for (const std::size_t n : orders({2, 9, 24, 25, 100, 217})) {
        Matrix zeros = random_matrix(n, n), tiny = zeros, reversed(n, n), shifted(n, n);
        for (std::size_t i = 0; i < n; ++i) {
            zeros.at(i, i) = 0;
            tiny.at(i, i) = 1e-200;
            for (std::size_t j = 0; j < n; ++j) {
                reversed.at(i, j) = i + j + 1 == n ? 2.0 + double(j) : i + j >= n ? 1e-3 : 0.0;
                shifted.at(i, j) = (i + 1) % n == j ? 3.0 : 0.0;
            }
        }
        for (const Matrix& matrix : {zeros, tiny, reversed, shifted})
            is_right(matrix, variant, team);
        const Factors factors = factored(shifted, variant, team);
        CHECK(factors.pivots[0] == std::int32_t(n - 1));
    }
}

// Of equal magnitudes the first is taken, whichever lane and tile they are in.
void of_equal_pivots_the_first_is_taken(const Variant<const OwnMethod*>& variant) {
    Team team(crew(1));
    for (const std::size_t n : {30, 61, 120}) {
        Matrix matrix(n, n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                matrix.at(i, j) = i == j || (i >= j && (i - j) % 7 == 3 && j % 5 == 0) ? -1.0 : 0.0;
        const Factors factors = factored(matrix, variant, team);
        CHECK(factors.pivots == textbook(matrix).pivots);
    }
}

// A column of zeros stays one, whatever is subtracted.
void singular_matrices_are_reported(const Variant<const OwnMethod*>& variant) {
    Team team(crew(2));
    for (const std::size_t n : orders({1, 5, 26, 100, 250}))
        for (const std::size_t zero : {std::size_t{0}, n / 2, n - 1}) {
            Matrix matrix = random_matrix(n, n);
            for (std::size_t i = 0; i < n; ++i) matrix.at(i, zero) = 0;
            const Factors factors = factored(matrix, variant, team);
            CHECK(factors.missing == zero + 1);
            CHECK(factors.pivots[zero] == std::int32_t(zero));
            CHECK(factor_error(matrix, factors) < 1);
        }
    Matrix nothing(40, 40);
    std::ranges::fill(nothing.elements, 0.0);
    CHECK(factored(nothing, variant, team).missing == 1);
}

// Pivots whose reciprocal is infinite.
void subnormal_pivots_are_divided_by(const Variant<const OwnMethod*>& variant) {
    Team team(crew(1));
    const std::size_t n = 40;
    Matrix matrix(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            matrix.at(i, j) = i == j ? 0x1p-1070 : i == j + 1 ? 0x1p-1072 : 0.0;
    const Factors factors = factored(matrix, variant, team);
    for (std::size_t i = 1; i < n; ++i) CHECK(factors.lu.at(i, i - 1) == 0.25);
    CHECK(factors.missing == 0);
}

// A row with NaN is exchanged downwards until it is the last.
void nan_and_infinity_end_as_they_must(const Variant<const OwnMethod*>& variant) {
    Team team(crew(2));
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const std::size_t n : orders({1, 23, 101, 230})) {
            Matrix matrix = random_matrix(n, n);
            matrix.at(n / 2, n / 3) = bad;
            const Factors factors = factored(matrix, variant, team);
            for (std::size_t i = 0; i < n; ++i)
                CHECK(factors.pivots[i] >= std::int32_t(i) && factors.pivots[i] < std::int32_t(n));
            if (std::isnan(bad)) CHECK(std::isnan(factors.lu.at(n - 1, n - 1)));
            std::ranges::fill(matrix.elements, bad);
            factored(matrix, variant, team);
        }
}

void what_cannot_be_is_refused() {
    Team team(crew(1));
    CHECK_THROWS(std::invalid_argument, OwnLu(0, own_variants()[0], team));
    CHECK_THROWS(std::invalid_argument, OwnLu(std::size_t{1} << 31, own_variants()[0], team));
    CHECK_THROWS(std::invalid_argument, chosen(own_variants(), "own"));
}

}  // namespace

int main(int count, char**) {
    brief = count > 1;
    with_every_variant(every_order_is_factored_as_the_textbook_does);
    with_every_variant(threads_share_the_work);
    with_every_variant(the_same_object_factors_again);
    with_every_variant(pivots_are_looked_for);
    with_every_variant(of_equal_pivots_the_first_is_taken);
    with_every_variant(singular_matrices_are_reported);
    with_every_variant(subnormal_pivots_are_divided_by);
    with_every_variant(nan_and_infinity_end_as_they_must);
    what_cannot_be_is_refused();
}
