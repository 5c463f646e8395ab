// The factorisation as a whole: panel by panel, the rest of the matrix updated with each. While
// the members update it, member 0 updates the columns of the next panel first and factors them.
#include "kernels/linpack/own.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace stend::linpack {
namespace {

// Wide panels take less traffic with the rest of the matrix, narrow ones cost less themselves and
// leave L1 to others: of 48 to 192 columns 72 were best at orders 100, 1000 and 2000 (README.md).
std::size_t width_for(std::size_t n, std::size_t rows) {
    constexpr std::size_t wanted = 72;
    return std::min(wanted, n + rows - 1) / rows * rows;
}

constexpr std::size_t group = 128;  // columns that a member takes at a time

// The panel's exchanges as moves. `rows` is 0, 1, 2, … and is left so.
void find_moves(OwnPanel& panel, std::int32_t* rows) {
    for (std::size_t i = 0; i < panel.width; ++i) std::swap(rows[i], rows[panel.pivots[i]]);
    panel.move_count = panel.width;
    for (std::size_t i = 0; i < panel.width; ++i)
        panel.moves[i] = {std::int32_t(i), std::exchange(rows[i], std::int32_t(i))};
    for (std::size_t i = 0; i < panel.width; ++i) {
        const std::int32_t to = panel.pivots[i];
        if (rows[to] == to) continue;
        panel.moves[panel.move_count++] = {to, std::exchange(rows[to], to)};
    }
}

std::size_t checked(std::size_t n) {
    if (n > 0 && n <= std::size_t{INT32_MAX}) return n;
    throw std::invalid_argument("A system of " + std::to_string(n) +
                                " equations can't be factored; ask for 1 to 2147483647.");
}

template <typename T>
Buffer<T> touched(std::size_t count) {
    Buffer<T> buffer(count);
    std::ranges::fill(buffer.span(), T{});
    buffer.gather_huge_pages();
    return buffer;
}

}  // namespace

struct OwnLu::Matrix {
    double* a;
    std::size_t lda;
    std::int32_t* pivots;
};

OwnLu::OwnLu(std::size_t n, const Variant<const OwnMethod*>& variant, Team& team)
    : n_(checked(n)),
      method_(*variant.function),
      team_(team),
      width_(width_for(n, method_.rows)),
      strips_(touched<double>(team.size() * std::max(group, width_) * width_)),
      columns_(touched<double>(team.size() * n)),
      rows_(touched<std::int32_t>(team.size() * n)) {
    const std::size_t rows = (n + method_.rows - 1) / method_.rows * method_.rows;
    for (Buffer<double>& tiles : tiles_) tiles = touched<double>(rows * width_);
    for (auto& moves : moves_) moves.resize(2 * width_);
}

void OwnLu::make_panel(const Matrix& matrix, std::size_t first, OwnPanel& panel) noexcept {
    panel.first = first;
    panel.width = std::min(width_, n_ - first);
    panel.rows = n_ - first;
    panel.stride = width_;
    panel.pivots = matrix.pivots + first;
    double* const corner = matrix.a + first + first * matrix.lda;
    method_.take(panel, corner, matrix.lda);
    const std::size_t missing = method_.factor(panel);
    if (missing > 0 && missing_ == 0) missing_ = first + missing;
    method_.put(panel, corner, matrix.lda);
    find_moves(panel, rows_.data());
}

// Member 0 may come late to the groups, or find none left.
void OwnLu::update(const Matrix& matrix, const OwnPanel& panel, OwnPanel& next) noexcept {
    const std::size_t begin = panel.first + panel.width;
    const std::size_t rest = std::min(begin + width_, n_);
    std::atomic<std::size_t> taken = rest;
    team_.run([&](unsigned member) noexcept {
        double* const strips = strips_.data() + member * std::max(group, width_) * width_;
        const auto columns = [&](std::size_t from, std::size_t to) {
            method_.update(panel, matrix.a, matrix.lda, from, to, strips);
        };
        if (member == 0) {
            columns(begin, rest);
            make_panel(matrix, begin, next);
        }
        for (std::size_t at; (at = taken.fetch_add(group)) < n_;)
            columns(at, std::min(at + group, n_));
    });
}

// Each panel's columns have yet to see the exchanges of the panels after it: from the last panel
// to the first, as one order of rows, so that each column is gone through once.
void OwnLu::exchange_left(const Matrix& matrix) noexcept {
    team_.run([&](unsigned member) noexcept {
        std::int32_t* const goes_to = rows_.data() + member * n_;
        double* const old = columns_.data() + member * n_;
        std::iota(goes_to, goes_to + n_, 0);
        for (std::size_t end = (n_ - 1) / width_ * width_; end > 0; end -= width_) {
            for (std::size_t i = std::min(end + width_, n_); i-- > end;)
                std::swap(goes_to[i], goes_to[end + std::size_t(matrix.pivots[i])]);
            for (std::size_t j = end - width_ + member; j < end; j += team_.size()) {
                double* const column = matrix.a + j * matrix.lda;
                std::copy_n(column + end, n_ - end, old + end);
                for (std::size_t i = end; i < n_; ++i) column[goes_to[i]] = old[i];
            }
        }
    });
}

std::size_t OwnLu::factor(double* a, std::size_t lda, std::int32_t* pivots) noexcept {
    const Matrix matrix{a, lda, pivots};
    missing_ = 0;
    std::iota(rows_.data(), rows_.data() + n_, 0);
    OwnPanel panels[2];
    for (unsigned i : {0, 1}) {
        panels[i].tiles = tiles_[i].data();
        panels[i].moves = moves_[i].data();
    }
    unsigned now = 0;
    make_panel(matrix, 0, panels[now]);
    for (; panels[now].width < panels[now].rows; now ^= 1)
        update(matrix, panels[now], panels[now ^ 1]);
    exchange_left(matrix);
    for (std::size_t i = 0; i < n_; ++i) pivots[i] += std::int32_t(i / width_ * width_);
    return missing_;
}

void OwnLu::solve(const double* a, std::size_t lda, const std::int32_t* pivots,
                  double* b) const noexcept {
    for (std::size_t i = 0; i < n_; ++i) std::swap(b[i], b[pivots[i]]);
    method_.solve(a, lda, n_, b);
}

}  // namespace stend::linpack
