// Reconstruction as measured work: it is done, told, and refused where there is none.
#include <cmath>

#include "check.h"
#include "kernels/tomo/tomo.h"

using namespace stend;
using namespace stend::slices;

namespace {

void a_repetition_leaves_slices_near_the_exact_ones() {
    const auto work = kernel(problem("shepp-logan-3d"), algorithm("dfr"), 2, 1, "portable");
    work->prepare();
    CHECK(work->check() == false);  // nothing was made yet
    work->repeat(2);
    CHECK(work->check());
    CHECK(work->columns() == std::vector<std::string>{"RMSE"});
    CHECK(work->further()[0] > 0.001 && work->further()[0] < 0.02);
    const Proof proof = work->prove();
    CHECK(proof.right);
    CHECK(proof.said.find("2 of 2 repetitions wrote every slice") != std::string::npos);
    CHECK(work->variant() == "portable");
}

void what_there_is_not_is_refused() {
    const Problem& volume = problem("may-beetle");
    CHECK(volume.slices == 1261);
    CHECK_THROWS(std::invalid_argument, problem("nosuch"));
    CHECK_THROWS(std::invalid_argument, algorithm("nosuch"));
    const auto dfr = algorithm("dfr");
    CHECK_THROWS(std::invalid_argument, kernel(volume, dfr, 0, 1, "portable"));
    CHECK_THROWS(std::invalid_argument, kernel(volume, dfr, 1262, 1, "portable"));
    CHECK_THROWS(std::invalid_argument, kernel(volume, dfr, 1, 1, "nosuch"));
}

}  // namespace

int main() {
    a_repetition_leaves_slices_near_the_exact_ones();
    what_there_is_not_is_refused();
}
