// Every member works in every round, sees what was written before it, and sits on its CPU;
// the thread that made the team gets its CPUs back.
#if defined(_WIN32)
#include <windows.h>
#else
#include <sched.h>
#endif

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "team/affinity.h"
#include "team/cores.h"
#include "team/team.h"

using namespace stend;

namespace {

std::vector<int> three_seats() {
    const std::vector<int> usable = usable_cpus();
    return {usable.front(), usable.back(), usable.front()};
}

int cpu_of_this_thread() {
#if defined(_WIN32)
    PROCESSOR_NUMBER number;
    GetCurrentProcessorNumberEx(&number);
    return number.Group * mask_word_bits + number.Number;
#else
    return sched_getcpu();
#endif
}

int cpus_of_this_thread() {
    int count = 0;
    for (const std::uint64_t word : mask_of_this_thread()) count += std::popcount(word);
    return count;
}

void every_member_works_once_a_round() {
    Team team(three_seats());
    CHECK(team.size() == 3);
    std::vector<long> rounds(3), seen(3);
    long before = 0;
    for (long round = 1; round <= 300; ++round) {
        before = round;
        team.run([&](unsigned member) noexcept {
            ++rounds[member];
            seen[member] = before;
        });
        CHECK(rounds == std::vector(3, round) && seen == std::vector(3, round));
    }
}

// Long enough that members have gone to sleep between the rounds.
void a_team_wakes_up_again() {
    Team team(three_seats());
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::atomic<int> worked = 0;
        team.run([&](unsigned) noexcept { ++worked; });
        CHECK(worked == 3);
    }
}

void the_maker_waits_for_a_slow_member() {
    Team team(three_seats());
    std::atomic<int> worked = 0;
    team.run([&](unsigned member) noexcept {
        if (member > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ++worked;
    });
    CHECK(worked == 3);
}

void members_sit_on_their_cpus() {
    const std::vector<int> cpus = three_seats();
    Team team(cpus);
    std::vector<int> where(3);
    team.run([&](unsigned member) noexcept { where[member] = cpu_of_this_thread(); });
    CHECK(where == cpus);
}

void the_maker_gets_its_cpus_back() {
    const std::vector<int> before = usable_cpus();
    {
        const Team first({before.back()});
        const Team second({before.front()});
        CHECK(usable_cpus() == before);  // sitting doesn't hide the others
    }
    CHECK(cpus_of_this_thread() == int(before.size()));
}

void every_core_is_taken_before_one_is_shared() {
    using Cpus = std::vector<int>;
    const auto neighbours = [](int cpu) { return Cpus{cpu / 2 * 2, cpu / 2 * 2 + 1}; };
    const auto halves = [](int cpu) { return Cpus{cpu % 2, cpu % 2 + 2}; };
    const auto silent = [](int) { return Cpus{}; };
    CHECK(one_a_core_first({0, 1, 2, 3}, neighbours) == Cpus({0, 2, 1, 3}));
    CHECK(one_a_core_first({0, 1, 2, 3}, halves) == Cpus({0, 1, 2, 3}));
    CHECK(one_a_core_first({1, 2, 3}, neighbours) == Cpus({1, 2, 3}));
    CHECK(one_a_core_first({3, 7}, silent) == Cpus({3, 7}));
}

// Two sockets of four cores of two hardware threads, as Linux numbers them mostly: the second
// hardware threads come last.
const CoreOf late_siblings = [](int cpu) { return std::vector{cpu % 8, cpu % 8 + 8}; };
const PackageOf first_half = [](int cpu) { return cpu % 8 / 4; };

std::vector<int> sixteen() {
    std::vector<int> cpus(16);
    for (int i = 0; i < 16; ++i) cpus[std::size_t(i)] = i;
    return cpus;
}

void scattered_deals_cores_round_the_sockets() {
    using Cpus = std::vector<int>;
    const auto silent = [](int) { return Cpus{}; };
    CHECK(scattered(sixteen(), late_siblings, first_half) ==
          Cpus({0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15}));
    // Neighbours share a core, and even cores are in one socket, odd ones in the other.
    const auto neighbours = [](int cpu) { return Cpus{cpu / 2 * 2, cpu / 2 * 2 + 1}; };
    CHECK(scattered({0, 1, 2, 3, 4, 5, 6, 7}, neighbours, [](int cpu) { return cpu / 2 % 2; }) ==
          Cpus({0, 2, 4, 6, 1, 3, 5, 7}));
    // Sockets of three cores and of one: no core is shared before all are taken.
    CHECK(scattered({0, 1, 2, 3, 8, 9, 10, 11}, late_siblings, [](int cpu) {
              return cpu % 8 == 3 ? 1 : 0;
          }) == Cpus({0, 3, 1, 2, 8, 11, 9, 10}));
    CHECK(scattered({2, 5, 9}, silent, [](int) { return -1; }) == Cpus({2, 5, 9}));
    CHECK(scattered({}, silent, first_half).empty());
}

void compacted_fills_one_socket_after_the_other() {
    using Cpus = std::vector<int>;
    CHECK(compacted(sixteen(), late_siblings, first_half) ==
          Cpus({0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15}));
    const auto neighbours = [](int cpu) { return Cpus{cpu / 2 * 2, cpu / 2 * 2 + 1}; };
    CHECK(compacted({0, 1, 2, 3, 4, 5, 6, 7}, neighbours, [](int cpu) { return cpu / 2 % 2; }) ==
          Cpus({0, 4, 1, 5, 2, 6, 3, 7}));
    CHECK(compacted({1, 4, 5, 9}, late_siblings, first_half) == Cpus({1, 9, 4, 5}));
    CHECK(compacted(
              {3, 7}, [](int) { return Cpus{}; }, [](int) { return -1; }) == Cpus({3, 7}));
}

void every_order_holds_each_cpu_once() {
    std::vector<int> usable = usable_cpus();
    for (const Order order : {Order::one_a_core, Order::scattered, Order::compacted}) {
        std::vector<int> cpus = first_cpus(unsigned(usable.size()), order);
        std::ranges::sort(cpus);
        CHECK(cpus == usable);
    }
}

void unbound_members_may_run_anywhere() {
    const std::vector<int> usable = usable_cpus();
    Team team(Unbound{}, 3);
    CHECK(team.size() == 3);
    std::vector<int> may(3);
    for (int round = 0; round < 100; ++round)
        team.run([&](unsigned member) noexcept { may[member] = cpus_of_this_thread(); });
    CHECK(may == std::vector(3, int(usable.size())));
}

void what_cannot_be_is_refused() {
    CHECK_THROWS(std::invalid_argument, first_cpus(0));
    CHECK_THROWS(std::invalid_argument, first_cpus(unsigned(usable_cpus().size()) + 1));
    CHECK_THROWS(std::invalid_argument, Team({}));
    CHECK_THROWS(std::invalid_argument, Team(Unbound{}, 0));
    CHECK_THROWS(std::invalid_argument, Team({usable_cpus().front(), 100'000}));
    CHECK_THROWS(std::invalid_argument, Team({-1}));
}

}  // namespace

int main() {
    every_member_works_once_a_round();
    a_team_wakes_up_again();
    the_maker_waits_for_a_slow_member();
    members_sit_on_their_cpus();
    the_maker_gets_its_cpus_back();
    every_core_is_taken_before_one_is_shared();
    scattered_deals_cores_round_the_sockets();
    compacted_fills_one_socket_after_the_other();
    every_order_holds_each_cpu_once();
    unbound_members_may_run_anywhere();
    what_cannot_be_is_refused();
}
