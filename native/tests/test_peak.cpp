// Every variant walks bit for bit as the scalar recurrence does, on several threads; and what
// was left out, or went astray, is found.
#include <atomic>
#include <cmath>

#include "check.h"
#include "clock/chain.h"
#include "kernels/peak/reference.h"
#include "seats.h"

using namespace stend;
using namespace stend::peak;

namespace {

constexpr Type types[]{Type::float64, Type::float32, Type::int32};
constexpr std::uint64_t few = 4 * unrolled;

bool runs(const Variant<Loops>& variant) {
    return isa::why_not(variant.needs).empty();
}

void every_variant_ends_where_the_recurrence_does() {
    for (const auto& variant : variants()) {
        if (!runs(variant)) continue;
        for (const Type type : types)
            for (const std::uint64_t steps : {unrolled, few, 10 * unrolled})
                for (unsigned threads = 1; threads <= 3; ++threads) {
                    const auto made = kernel(type, seats(threads), variant, steps);
                    made->prepare();
                    CHECK(made->check() && made->prove().right);
                    for (const std::uint64_t batch : {1, 1, 2, 70}) {
                        made->repeat(batch);
                        CHECK(made->check());
                    }
                    CHECK(made->prove().right);
                    CHECK(made->threads() == threads);
                    CHECK(made->variant() == variant.name);
                }
    }
}

void the_default_number_of_steps_is_proved_as_well() {
    for (const Type type : types) {
        const auto made = kernel(type, seats(1), variants()[0]);
        made->prepare();
        made->repeat(2);
        CHECK(made->check() && made->prove().right);
    }
}

// Every step shows: lanes move on to the last one, also in single precision.
template <typename T>
void every_step_shows_in(Step step) {
    for (const std::size_t number : {0, 1, 30, 60})
        for (const std::uint64_t steps : {std::uint64_t{16}, steps_by_default})
            CHECK(walked(start<T>(number), step, steps) !=
                  walked(start<T>(number), step, steps - 1));
}

void every_step_shows() {
    for (const Step step : {Step::fused, Step::accumulate, Step::multiply, Step::add}) {
        every_step_shows_in<double>(step);
        every_step_shows_in<float>(step);
    }
    every_step_shows_in<std::uint32_t>(Step::add);
}

// Of each kind of step, the operations that it stands for, done by hand.
void the_recurrence_is_what_it_says() {
    const double x = 1.1;
    CHECK(walked(x, Step::fused, 1) == std::fma(x, 0.99999, 1.5e-5));
    CHECK(walked(x, Step::accumulate, 1) == std::fma(0.99999, 1.5e-5, x));
    CHECK(walked(x, Step::multiply, 1) == x * 0.99999);
    CHECK(walked(x, Step::add, 1) == x + 1.5e-5);
    CHECK(walked(std::uint32_t{7}, Step::add, 3) == 7 + 3 * 2654435769U);
}

void sums_are_those_of_single_ends() {
    const Sums<float> sums(Step::fused, few);
    for (const std::size_t lane : {0, 1, 60, 61, 200}) {
        std::uint64_t sum = 0;
        for (std::uint64_t repetition = 0; repetition < 300; ++repetition) {
            CHECK(sums.of(lane, repetition) == sum);
            sum += bits(walked(start<float>(lane + repetition), Step::fused, few));
        }
    }
}

// A loop of eight lanes with one fault: a call left out, a step too few, or a lane left behind.
std::atomic<int> calls = 0;
int skipped_call = -1, short_call = -1, lost_lane = -1;
constexpr std::size_t width = 8;

template <typename T>
void faulty(const T* from, T* to, std::uint64_t steps) noexcept {
    const int call = calls++;
    if (call == skipped_call) return;
    constexpr Step step = std::is_integral_v<T> ? Step::add : Step::fused;
    for (int lane = 0; lane < int(width); ++lane)
        if (lane != lost_lane) to[lane] = walked(from[lane], step, steps - (call == short_call));
}

template <typename T>
constexpr Step faulty_step = std::is_integral_v<T> ? Step::add : Step::fused;

// Company that leaves a lane behind, or forgets one multiplication, when told to.
bool forgets = false, strays = false;
template <typename T, std::uint64_t company>
std::uint64_t faulty_company(const T* from, T* to, std::uint64_t steps,
                             std::uint64_t product) noexcept {
    for (std::size_t lane = 0; lane < width - strays; ++lane)
        to[lane] = walked(from[lane], faulty_step<T>, steps);
    return clock::multiply(product, steps * company - forgets);
}

template <typename T>
constexpr Chains<T> faulty_chains{
    faulty<T>,      []() noexcept { return width; }, faulty_step<T>,
    faulty_step<T>, faulty_company<T, fewer>,        faulty_company<T, more>};

const Variant<Loops> faulty_variant{
    "faulty", {}, {faulty_chains<double>, faulty_chains<float>, faulty_chains<std::uint32_t>}};

// Whether both proofs find something wrong; the call left out does not even add up again.
bool found(Type type, unsigned threads, std::uint64_t repetitions) {
    const auto made = kernel(type, seats(threads), faulty_variant, few);
    made->prepare();
    calls = 0;
    made->repeat(repetitions);
    const bool checked = made->check(), proved = made->prove().right;
    CHECK(checked == proved);
    return !checked;
}

void a_repetition_left_out_is_found() {
    for (const Type type : types)
        for (int repetitions = 1; repetitions <= 130; repetitions += 43)
            for (const int call : {0, repetitions / 2, repetitions - 1}) {
                skipped_call = call;
                CHECK(found(type, 1, std::uint64_t(repetitions)));
                CHECK(found(type, 2, std::uint64_t(repetitions)));
            }
    skipped_call = -1;
}

void a_step_left_out_is_found() {
    for (const Type type : types) {
        short_call = 3;
        CHECK(found(type, 1, 10));
        short_call = -1;
    }
}

void a_lane_left_behind_is_found() {
    for (const Type type : types)
        for (const int lane : {0, 3, 7}) {
            lost_lane = lane;
            CHECK(found(type, 1, 5));
        }
    lost_lane = -1;
}

void chains_without_a_fault_pass() {
    for (const Type type : types) CHECK(!found(type, 2, 200));
}

void operations_are_two_a_lane_and_step_or_one_addition() {
    CHECK(operations(Type::float64, faulty_variant, few) == 2 * width * few);
    CHECK(operations(Type::float32, faulty_variant, few) == 2 * width * few);
    CHECK(operations(Type::int32, faulty_variant, few) == width * few);
}

// Under an emulator the probe may not tell.
void each_batch_tells_a_positive_frequency_or_an_unknown_one() {
    for (const auto& variant : variants()) {
        if (!runs(variant)) continue;
        for (const Type type : types) {
            const auto made = kernel(type, seats(2), variant, few);
            made->prepare();
            CHECK(made->columns() == std::vector<std::string>{"frequency Hz"});
            for (int i = 0; i < 3; ++i) {
                made->repeat(1);
                CHECK(made->check());
                CHECK(made->further().size() == 1);
                CHECK(std::isnan(made->further()[0]) || made->further()[0] > 1e6);
            }
            CHECK(made->prove().right);
        }
    }
}

void chains_in_company_that_went_astray_are_found() {
    for (const Type type : types) {
        strays = true;
        CHECK(found(type, 1, 5));
        strays = false;
    }
}

void a_multiplication_that_is_forgotten_is_found() {
    const auto made = kernel(Type::float64, seats(1), faulty_variant, few);
    made->prepare();
    made->repeat(1);
    forgets = true;
    made->check();
    forgets = false;
    CHECK(!made->prove().right);
}

void what_cannot_be_is_refused() {
    CHECK_THROWS(std::invalid_argument, type("float16"));
    CHECK(type("int32") == Type::int32);
    CHECK_THROWS(std::invalid_argument, chosen(variants(), "mmx"));
    for (const std::uint64_t steps : {std::uint64_t{0}, unrolled - 1, unrolled + 1})
        CHECK_THROWS(std::invalid_argument, kernel(Type::float64, seats(1), variants()[0], steps));
    CHECK_THROWS(std::invalid_argument, kernel(Type::int32, {}, variants()[0])->prepare());
}

}  // namespace

int main() {
    the_recurrence_is_what_it_says();
    every_step_shows();
    sums_are_those_of_single_ends();
    every_variant_ends_where_the_recurrence_does();
    the_default_number_of_steps_is_proved_as_well();
    chains_without_a_fault_pass();
    a_repetition_left_out_is_found();
    a_step_left_out_is_found();
    a_lane_left_behind_is_found();
    operations_are_two_a_lane_and_step_or_one_addition();
    each_batch_tells_a_positive_frequency_or_an_unknown_one();
    chains_in_company_that_went_astray_are_found();
    a_multiplication_that_is_forgotten_is_found();
    what_cannot_be_is_refused();
}
