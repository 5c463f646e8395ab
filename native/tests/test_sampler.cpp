// The timed loop keeps every repetition, ends at the first that is wrong, knows the
// preempted ones, and gives up when its time is over or someone asks it to.
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <array>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "clock/chain.h"
#include "clock/clock.h"
#include "sampler/kernels.h"
#include "sampler/preemption.h"
#include "sampler/sampler.h"

using namespace stend;

// A kernel whose work is a function; wrong from a given repetition on.
class Does : public Kernel {
public:
    explicit Does(std::function<void()> work, unsigned wrong_from = ~0U, unsigned threads = 1)
        : work_(std::move(work)), wrong_from_(wrong_from), threads_(threads) {}
    void repeat(std::uint64_t times) override {
        for (; times > 0; --times) work_();
        ++batches;
    }
    bool check() override { return batches < wrong_from_; }
    Proof prove() override { return {true, ""}; }
    std::string_view variant() const override { return "test"; }
    unsigned threads() const override { return threads_; }

    unsigned batches = 0;

private:
    std::function<void()> work_;
    unsigned wrong_from_, threads_;
};

class Counts final : public Observer {
public:
    double observe() override { return ++observed_; }
    bool check() override { return true; }
    Proof prove() override { return {true, ""}; }
    std::string_view variant() const override { return "test"; }

private:
    double observed_ = 0;
};

static const std::string clock_name(clock::default_name());

static long preempted(const Repetitions& made) {
    return std::accumulate(made.preempted.begin(), made.preempted.end(), 0L);
}

static void every_repetition_is_kept_in_order() {
    const auto kernel = sampler::empty();
    Sampler sampler(*kernel, clock_name);
    const Repetitions made = sampler.collect(3, 1000, 10);
    CHECK(made.right && made.size() == 1000 && made.started.size() == 1000);
    CHECK(made.core.size() == 1000 && made.preempted.size() == 1000 && made.values.empty());
    for (std::size_t i = 0; i < 1000; ++i) {
        CHECK(made.ticks[i] >= 0 && made.started[i] >= 0);
        CHECK(i == 0 || made.started[i] >= made.started[i - 1] + made.ticks[i - 1]);
    }
    CHECK(kernel->prove().right);
}

static void more_repetitions_than_were_foreseen_are_kept() {
    const auto kernel = sampler::empty();
    Sampler sampler(*kernel, clock_name);
    const Repetitions made = sampler.collect(1, 70'000, 60);
    CHECK(made.size() == 70'000 && made.started[69'999] > made.started[65'536]);
}

static void started_counts_from_the_origin() {
    const auto kernel = sampler::spin();
    const std::int64_t before = clock::monotonic_ns();
    Sampler sampler(*kernel, clock_name);
    const Repetitions made = sampler.collect(1, 1, 1);
    const std::int64_t after = clock::monotonic_ns();
    const double started =
        static_cast<double>(made.started[0]) / clock::remembered(clock_name).hz * 1e9;
    CHECK(sampler.origin() >= before && sampler.origin() <= after);
    CHECK(static_cast<double>(sampler.origin()) + started <= static_cast<double>(after) * 1.001);
}

static void a_wrong_repetition_ends_it() {
    Does kernel([] {}, 5);
    Sampler sampler(kernel, clock_name);
    const Repetitions made = sampler.collect(1, 100, 10);
    CHECK(!made.right && made.size() == 5 && kernel.batches == 5);
}

static void the_time_ends_it_but_one_is_made() {
    const auto kernel = sampler::spin();
    Sampler sampler(*kernel, clock_name);
    CHECK(sampler.collect(1, 10, 0).size() == 1);
    const Repetitions made = sampler.collect(1, 1'000'000'000, 0.02);
    CHECK(made.size() > 1 && made.right && kernel->prove().right);
}

static void a_look_can_end_it() {
    Does kernel([] {});
    Sampler sampler(kernel, clock_name);
    const auto interrupt = [] { throw std::runtime_error("interrupted"); };
    CHECK_THROWS(std::runtime_error, sampler.collect(1, ~0ULL, 60, interrupt));
    CHECK(kernel.batches > 1);
}

static void an_observer_reports_its_values() {
    Counts kernel;
    Sampler sampler(kernel, clock_name);
    const Repetitions made = sampler.collect(1, 4, 10);
    CHECK(made.observed && made.values == std::vector<double>{1, 2, 3, 4});
    CHECK_THROWS(std::invalid_argument, sampler.collect(2, 4, 10));
}

class CountsAndSquares final : public Observer {
public:
    double observe() override {
        ++observed_;
        further_ = {observed_ * observed_, -observed_};
        return observed_;
    }
    std::vector<std::string> columns() const override { return {"squared", "negative"}; }
    std::span<const double> further() const override { return further_; }
    bool check() override { return true; }
    Proof prove() override { return {true, ""}; }
    std::string_view variant() const override { return "test"; }

private:
    double observed_ = 0;
    std::array<double, 2> further_{};
};

static void what_else_an_observer_tells_is_kept_by_name() {
    CountsAndSquares kernel;
    Sampler sampler(kernel, clock_name);
    const Repetitions made = sampler.collect(1, 3, 10);
    CHECK(made.also.size() == 2 && made.values.size() == 3);
    CHECK(made.also[0].name == "squared" && made.also[0].values == std::vector<double>{1, 4, 9});
    CHECK(made.also[1].name == "negative" && made.also[1].values[2] == -3);
    CHECK(sampler.collect(1, 1, 10).also[0].values == std::vector<double>{16});
}

static void senseless_requests_are_refused() {
    const auto kernel = sampler::empty();
    CHECK_THROWS(std::invalid_argument, Sampler(*kernel, "sundial"));
    Sampler sampler(*kernel, clock_name);
    CHECK_THROWS(std::invalid_argument, sampler.collect(0, 1, 1));
    CHECK_THROWS(std::invalid_argument, sampler.collect(1, 0, 1));
    CHECK_THROWS(std::invalid_argument, sampler.collect(1, 1, -1));
}

// Two threads on one core must take turns.
static void a_rival_on_the_core_is_noticed() {
    cpu_set_t before, one;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return;  // the OS forbids it
    std::atomic<bool> over = false;
    std::thread rival([&] {
        while (!over) clock::multiply(1, 1000);
    });
    Does alone([] { clock::multiply(1, 100'000); });
    const Repetitions made = Sampler(alone, clock_name).collect(1, 1'000'000, 0.2);
    CHECK(preempted(made) > 0 && preempted(made) < static_cast<long>(made.size()));
    // Longer than a time slice: asking for a whole process's switches makes Linux look
    // whether a slice is over, so that short work of teams is seldom cut in two.
    Does team([] { clock::multiply(1, 20'000'000); }, ~0U, 2);
    CHECK(preempted(Sampler(team, clock_name).collect(1, 100, 0.2)) > 0);
    over = true;
    rival.join();
    sched_setaffinity(0, sizeof before, &before);
}

static void a_signal_counts_and_waiting_does_not() {
    if (!sampler::interruptions_are_told()) return;  // the OS tells switches only
    signal(SIGUSR1, [](int) {});
    Does signalled([] { raise(SIGUSR1); });
    CHECK(preempted(Sampler(signalled, clock_name).collect(1, 20, 10)) == 20);
    Does sleeping([] {
        const timespec moment{0, 100'000};
        nanosleep(&moment, nullptr);
    });
    CHECK(preempted(Sampler(sleeping, clock_name).collect(1, 20, 10)) < 10);
}

static void spin_and_empty_leave_nothing_out() {
    for (const auto& kernel : {sampler::spin(), sampler::empty()}) {
        for (const std::uint64_t times : {1, 2, 1000}) {
            kernel->repeat(times);
            CHECK(kernel->check());
        }
        CHECK(kernel->prove().right);
    }
}

int main() {
    every_repetition_is_kept_in_order();
    more_repetitions_than_were_foreseen_are_kept();
    started_counts_from_the_origin();
    a_wrong_repetition_ends_it();
    the_time_ends_it_but_one_is_made();
    a_look_can_end_it();
    an_observer_reports_its_values();
    what_else_an_observer_tells_is_kept_by_name();
    senseless_requests_are_refused();
    a_rival_on_the_core_is_noticed();
    a_signal_counts_and_waiting_does_not();
    spin_and_empty_leave_nothing_out();
}
