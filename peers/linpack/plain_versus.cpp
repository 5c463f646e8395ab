// plain_versus ROUNDS: stend's plain LINPACK beside the classic C program, by turns on the same
// CPU.
#include <vector>

#include "classic.h"
#include "kernels/linpack/linpack.h"
#include "team/seat.h"
#include "turns.h"

using namespace stend;
using namespace stend::linpack;

namespace {

// The classic program's own memory.
struct Classic {
    Shape shape;
    System system{shape.n};
    std::vector<double> a = std::vector<double>(shape.n * shape.lda);
    std::vector<double> b = std::vector<double>(shape.n);
    std::vector<int> pivots = std::vector<int>(shape.n);

    double solve() {
        system.write(shape, a.data(), b.data());
        const double time = seconds([this] {
            classic_solve(a.data(), int(shape.lda), int(shape.n), pivots.data(), b.data());
        });
        if (!(system.residual(b.data()) <= most_residual))
            std::fprintf(stderr, "the classic program is wrong\n"), std::exit(1);
        return time;
    }
};

void compare(Shape shape, const Variant<Plain>& variant, int rounds) {
    Classic classic{shape};
    const auto ours = kernel(shape, plain(variant), Side::row_sums);
    ours->prepare();
    interleave(
        shape, variant.name, rounds, [&] { return classic.solve(); },
        [&] { return solved(*ours); });
}

}  // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 100;
    const Seat seat = sit(first_cpus(1).front());
    for (const auto& variant : plain_variants())
        if (isa::why_not(variant.needs).empty())
            for (const Shape shape : {Shape{100, 200}, {100, 201}, {1000, 2000}, {1000, 2001}})
                compare(shape, variant, shape.n > 500 ? rounds / 10 + 1 : rounds);
}
