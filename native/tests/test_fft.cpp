// The chain counts every transform that was made, and none that was not.
#include <cmath>

#include "check.h"
#include "kernels/fft/chain.h"

using namespace stend::fft;

namespace {

// A "transform" whose every element is the input's first one and something else.
int calls = 0, left_out = -1;
double puts = 0.25;

void transform(void* plan, void* in, void* out) {
    CHECK(plan == &puts);
    if (calls++ == left_out) return;
    static_cast<double*>(out)[2] = static_cast<double*>(in)[0] + puts + 1e-9;  // rounding
}

double number_after(std::uint64_t first_batch, std::uint64_t second_batch) {
    double in[4]{}, out[4]{0, 0, 0.25, 0};
    const Chain chain{transform, &puts, in, out, 2, 0.25, 1009};
    calls = 0;
    chain.repeat(first_batch);
    chain.repeat(second_batch);
    return std::round(out[2] - 0.25);
}

void every_repetition_is_counted_modulo_the_prime() {
    CHECK(number_after(0, 0) == 0);
    CHECK(number_after(1, 0) == 1);
    CHECK(number_after(3, 4) == 7);
    CHECK(number_after(1000, 500) == 491);
}

void one_left_out_is_missing_for_ever() {
    for (left_out = 0; left_out < 10; ++left_out) CHECK(number_after(6, 4) == 9);
    left_out = -1;
}

void what_is_no_number_stays_none() {
    puts = NAN;
    CHECK(std::isnan(number_after(5, 5)));
    puts = 0.25;
}

}  // namespace

int main() {
    every_repetition_is_counted_modulo_the_prime();
    one_left_out_is_missing_for_ever();
    what_is_no_number_stays_none();
}
