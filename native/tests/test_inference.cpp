// Inference as measured work: its outputs are held against answers computed apart, and what
// can't be measured is refused.
#include <cmath>
#include <set>
#include <stend/unet/model.hpp>

#include "check.h"
#include "inference/inference.h"

using namespace stend;
using namespace stend::inference;

namespace {

constexpr auto float32 = unet::Precision::float32;

void every_variant_and_number_of_threads_is_proved() {
    for (const std::string_view variant : unet::variants(float32)) {
        if (variant == "blas") continue;  // which library is the caller's to say
        const auto work = kernel(float32, 16, 2, variant);
        work->prepare();
        CHECK(!work->check());  // nothing was made yet
        work->repeat(2);
        CHECK(work->check());
        const Proof proof = work->prove();
        CHECK(proof.right);
        CHECK(proof.said.find("2 of 2 repetitions wrote the output, always the same bits") !=
              std::string::npos);
        CHECK(work->variant() == variant && work->threads() == 2);
    }
}

void each_part_tells_its_time_and_its_work() {
    const auto work = kernel(float32, 16, 1, "reference");
    work->prepare();
    work->repeat(1);
    CHECK(work->check());
    const std::vector<std::string> names = work->columns();
    const std::span<const double> told = work->further();
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    CHECK(names.size() == told.size() && names[0] == "input s");
    double flops = 0;
    for (std::size_t i = 0; i + 2 < told.size(); ++i) {
        CHECK(told[i] >= 0 && std::isfinite(told[i]));
        if (names[i].ends_with(" FLOP")) flops += told[i];
    }
    CHECK(flops == unet::direct_flops(unet::classic({}), 16, 16));
    CHECK(names[names.size() - 2] == "multiplied FLOP" && names.back() == "memory B");
    CHECK(told.back() > 31030658 * 4.0);
    CHECK(work->about().find(" MiB of memory") != std::string::npos);
}

void what_there_is_not_is_refused() {
    CHECK_THROWS(std::invalid_argument, kernel(float32, 17, 1, "reference"));
    CHECK_THROWS(std::invalid_argument, kernel(float32, 16, 0, "reference"));
    CHECK_THROWS(std::invalid_argument, kernel(float32, 16, 1, "nosuch"));
}

}  // namespace

int main(int count, char**) {
    if (count == 1) {  // else under an emulator: 31 million weights take it long
        every_variant_and_number_of_threads_is_proved();
        each_part_tells_its_time_and_its_work();
    }
    what_there_is_not_is_refused();
}
