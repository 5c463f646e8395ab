// Load threads compute from the first moment to the last, where they are told to, and are gone
// afterwards.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "team/load.h"
#include "team/seat.h"

using namespace stend;

namespace {

// Of all threads of this process together, s.
double processor_time() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

void shares_are_of_the_usable_cpus() {
    const unsigned cpus = unsigned(usable_cpus().size());
    CHECK(load_threads("none") == 0);
    CHECK(load_threads("half") == std::max(1U, cpus / 2));
    CHECK(load_threads("all") == cpus);
    CHECK(load_threads("twice") == 2 * cpus);
    CHECK_THROWS(std::invalid_argument, load_threads("some"));
    CHECK_THROWS(std::invalid_argument, load_threads(""));
}

void every_thread_computes_when_it_is_made_and_goes_on() {
    for (const auto binding : {Load::Binding::none, Load::Binding::dealt}) {
        const Load load(3, binding);
        CHECK(load.size() == 3);
        const std::uint64_t before = load.least_work();
        CHECK(before > 0);
        while (load.least_work() < before + 10) std::this_thread::yield();
    }
}

void a_maker_on_its_seat_does_not_keep_the_load_there() {
    const std::vector<int> usable = usable_cpus();
    const Seat seat = sit(usable.front());
    const Load load(unsigned(usable.size()), Load::Binding::dealt);
    CHECK(load.least_work() > 0);
    CHECK(usable_cpus() == usable);
}

void nothing_is_left_of_a_load() {
    { const Load load(2, Load::Binding::none); }
    const Load none(0, Load::Binding::none);
    CHECK(none.size() == 0);
    const double before = processor_time();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(processor_time() - before < 0.010);
}

}  // namespace

int main() {
    shares_are_of_the_usable_cpus();
    every_thread_computes_when_it_is_made_and_goes_on();
    a_maker_on_its_seat_does_not_keep_the_load_there();
    nothing_is_left_of_a_load();
}
