// Every member works in every round, sees what was written before it, and sits on its CPU;
// the thread that made the team gets its CPUs back.
#include <sched.h>

#include <stdexcept>
#include <thread>

#include "check.h"
#include "team/cores.h"
#include "team/team.h"

using namespace stend;

namespace {

std::vector<int> three_seats() {
    const std::vector<int> usable = usable_cpus();
    return {usable.front(), usable.back(), usable.front()};
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
    team.run([&](unsigned member) noexcept { where[member] = sched_getcpu(); });
    CHECK(where == cpus);
}

void the_maker_gets_its_cpus_back() {
    const std::vector<int> before = usable_cpus();
    {
        const Team first({before.back()});
        const Team second({before.front()});
        CHECK(usable_cpus() == before);  // sitting doesn't hide the others
    }
    cpu_set_t now;
    CHECK(sched_getaffinity(0, sizeof now, &now) == 0);
    CHECK(CPU_COUNT(&now) == int(before.size()));
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

void what_cannot_be_is_refused() {
    CHECK_THROWS(std::invalid_argument, first_cpus(0));
    CHECK_THROWS(std::invalid_argument, first_cpus(unsigned(usable_cpus().size()) + 1));
    CHECK_THROWS(std::invalid_argument, Team({}));
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
    what_cannot_be_is_refused();
}
