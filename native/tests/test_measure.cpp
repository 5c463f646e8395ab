// What a C++ user gets from measure(): every repetition, in order, and their median.
#include <algorithm>
#include <stdexcept>

#include "check.h"
#include "stend/measure.hpp"

static double sum_to(int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += i;
        asm volatile("" : "+m"(sum));
    }
    return sum;
}

static void every_repetition_comes_with_its_facts() {
    const stend::Measured made = stend::measure([] { return sum_to(100); }, 0.05);
    CHECK(!made.seconds.empty() && made.seconds.size() == made.preempted.size());
    CHECK(made.batch > 1 && made.hz > 0 && !made.clock.empty());
    CHECK(made.median >= std::ranges::min(made.seconds));
    CHECK(made.median <= std::ranges::max(made.seconds));
}

static void longer_work_takes_longer() {
    const double brief = stend::measure([] { return sum_to(10); }, 0.05).median;
    const double lengthy = stend::measure([] { return sum_to(10'000); }, 0.05).median;
    CHECK(lengthy > 10 * brief);
}

static void the_function_is_called_where_it_stands() {
    struct Counter {
        long calls = 0;
        void operator()() { ++calls; }
    } counter;
    const stend::Measured made = stend::measure(counter, 0.02);
    CHECK(counter.calls >= static_cast<long>(made.batch * made.seconds.size()));
}

static void what_the_function_throws_comes_through() {
    const auto fails = [] { throw std::runtime_error("no"); };
    CHECK_THROWS(std::runtime_error, stend::measure(fails));
    CHECK_THROWS(std::invalid_argument, stend::measure([] {}, 0));
}

int main() {
    every_repetition_comes_with_its_facts();
    longer_work_takes_longer();
    the_function_is_called_where_it_stands();
    what_the_function_throws_comes_through();
}
