// Every thread that is made or woken is counted, one that is left out is missed, and a system that
// makes no more threads is a sentence, with none left behind.
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "check.h"
#include "kernels/threads/census.h"
#include "kernels/threads/gate.h"
#include "kernels/threads/life.h"
#include "kernels/threads/wake.h"
#include "team/seat.h"

using namespace stend;
using namespace stend::threads;

namespace {

const Conditions quiet;
const Conditions bound{1, true};

double observed_once(Kernel& kernel) {
    return dynamic_cast<Observer&>(kernel).observe();
}

void observed_rightly(Kernel& kernel, int times) {
    kernel.prepare();
    for (int i = 0; i < times; ++i) {
        kernel.ready(1);
        CHECK(took_time(observed_once(kernel)));
        CHECK(kernel.check());
        CHECK(kernel.further().size() == kernel.columns().size());
    }
    CHECK(kernel.prove().right);
}

// Stand in for pthread_create: they count the threads that are alive, fail from the one of number
// `failing` on (from 0), and have the one of number `idle` do nothing.
std::atomic<int> alive, made;
int failing = -1, idle = -1;

struct Planted {
    void* (*body)(void*);
    void* argument;
    bool idles;
};

void* counted_alive(void* argument) {
    const Planted planted = *static_cast<Planted*>(argument);
    delete static_cast<Planted*>(argument);
    if (!planted.idles) planted.body(planted.argument);
    --alive;
    return nullptr;
}

int planted_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
    const int number = made++;
    if (failing >= 0 && number >= failing) return EAGAIN;
    ++alive;
    return pthread_create(thread, attributes, counted_alive,
                          new Planted{body, argument, number == idle});
}

void plant(int fails, int idles) {
    made = 0;
    failing = fails;
    idle = idles;
}

bool all_have_ended() {
    for (int i = 0; i < 5000 && alive != 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return alive == 0;
}

void threads_that_are_made_are_counted() {
    for (const auto make : {create, create_join})
        for (const Conditions& conditions : {quiet, bound})
            observed_rightly(*make(conditions, pthread_create), 10);
}

void every_thread_of_a_chain_is_counted() {
    for (const std::uint64_t length : {1, 2, 50})
        for (const Keep kept : {Keep::joined, Keep::detached})
            for (const Conditions& conditions : {quiet, Conditions{0, true}})
                observed_rightly(*chain(length, kept, conditions), 3);
}

void a_joined_chain_tells_when_its_last_thread_ran() {
    const auto kernel = chain(20, Keep::joined, quiet);
    kernel->prepare();
    const double whole = observed_once(*kernel);
    CHECK(kernel->columns() == std::vector<std::string>{"until the last runs s"});
    CHECK(kernel->further()[0] > 0 && kernel->further()[0] < whole);
}

void sleepers_are_woken_again_and_again() {
    for (const auto make : {wake_one, wake_all})
        for (const std::uint64_t blocked : {1, 7})
            for (const Conditions& conditions : {quiet, bound})
                observed_rightly(*make(blocked, conditions, {}), 5);
}

void a_thread_that_is_left_out_is_missed() {
    for (const auto make : {create, create_join}) {
        plant(-1, 3);
        const auto kernel = make(quiet, planted_create);
        kernel->prepare();
        for (int i = 0; i < 3; ++i) {
            observed_once(*kernel);
            CHECK(kernel->check());
        }
        observed_once(*kernel);
        CHECK(!kernel->check() && !kernel->prove().right);
    }
    plant(-1, 3);
    const auto kernel = chain(10, Keep::joined, quiet, planted_create);
    kernel->prepare();
    observed_once(*kernel);
    CHECK(!kernel->check() && !kernel->prove().right);
    CHECK(all_have_ended());
}

// Counts itself blocked and never runs.
void* sleep_on(void* argument) {
    Gate& gate = *static_cast<Sleeper*>(argument)->gate;
    const Lock lock(gate.mutex);
    ++gate.blocked;
    pthread_cond_signal(&gate.settled);
    while (!gate.over) pthread_cond_wait(&gate.open, &gate.mutex);
    return nullptr;
}

int one_sleeps_on(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                  void* argument) {
    return pthread_create(thread, attributes, made++ == 2 ? sleep_on : body, argument);
}

void a_sleeper_that_is_not_woken_is_missed() {
    plant(-1, -1);
    const auto kernel = wake_all(4, quiet, {one_sleeps_on, std::chrono::seconds(1)});
    kernel->prepare();
    observed_once(*kernel);
    CHECK(!kernel->check() && !kernel->prove().right);
}

template <typename Function>
std::string refusal(Function function) {
    try {
        function();
    } catch (const CannotStart& error) {
        return error.what();
    }
    return "nothing was refused";
}

void a_system_that_makes_no_more_threads_is_a_sentence() {
    for (const auto make : {create, create_join}) {
        plant(2, -1);
        const auto kernel = make(quiet, planted_create);
        kernel->prepare();
        const std::string said = refusal([&] {
            for (int i = 0; i < 9; ++i) observed_once(*kernel);
        });
        CHECK(said.find("after 2 had been: Resource temporarily unavailable") != said.npos);
    }
    for (const Keep kept : {Keep::joined, Keep::detached})
        for (const int fails : {0, 1, 9}) {
            plant(fails, -1);
            const auto kernel = chain(20, kept, quiet, planted_create);
            kernel->prepare();
            const std::string said = refusal([&] { observed_once(*kernel); });
            CHECK(said.find("after " + std::to_string(fails) + " had been") != said.npos);
            CHECK(all_have_ended());
        }
    for (const int fails : {0, 5}) {
        plant(fails, -1);
        auto kernel = wake_all(10, quiet, {planted_create});
        const std::string said = refusal([&] { kernel->prepare(); });
        CHECK(said.find("after " + std::to_string(fails) + " had been") != said.npos);
        kernel.reset();
        CHECK(all_have_ended());
    }
}

void a_census_misses_and_tells_apart() {
    Census census;
    for (const std::uint64_t number : {1, 2, 3, 4, 5}) census.count(number);
    CHECK(census.complete(5) && !census.complete(4) && !census.complete(6));
    Census wrong;  // as many, but one in another's place
    for (const std::uint64_t number : {1, 2, 2, 4}) wrong.count(number);
    CHECK(wrong.counted() == 4 && !wrong.complete(4));
    CHECK(Census().complete(0));
}

void bound_threads_are_dealt_over_the_cpus() {
    CHECK(own_cpus(quiet, 1).empty() && all_cpus(quiet).empty() && others_cpus(quiet).empty());
    const Conditions conditions{0, true};
    const std::vector<int> all = all_cpus(conditions), others = others_cpus(conditions);
    CHECK(all.size() == usable_cpus().size() && all.front() == own_cpus(conditions, 1).front());
    CHECK(all.size() == 1 ? others == all : others == std::vector<int>(all.begin() + 1, all.end()));
    CHECK_THROWS(std::invalid_argument, own_cpus(conditions, unsigned(all.size()) + 1));
}

void the_maker_gets_its_cpus_back() {
    const std::vector<int> before = usable_cpus();
    auto kernel = create({0, true});
    kernel->prepare();
    kernel.reset();
    CHECK(usable_cpus() == before);
}

void what_cannot_be_is_refused() {
    CHECK_THROWS(std::invalid_argument, chain(0, Keep::joined, quiet));
    CHECK_THROWS(std::invalid_argument, keep("alive"));
    CHECK_THROWS(std::invalid_argument, wake_one(0, quiet));
    CHECK_THROWS(std::invalid_argument, wake_all(0, quiet));
    CHECK_THROWS(std::invalid_argument, conditions("heavy", "none"));
    CHECK_THROWS(std::invalid_argument, conditions("none", "tight"));
}

}  // namespace

int main() {
    threads_that_are_made_are_counted();
    every_thread_of_a_chain_is_counted();
    a_joined_chain_tells_when_its_last_thread_ran();
    sleepers_are_woken_again_and_again();
    a_thread_that_is_left_out_is_missed();
    a_sleeper_that_is_not_woken_is_missed();
    a_system_that_makes_no_more_threads_is_a_sentence();
    a_census_misses_and_tells_apart();
    bound_threads_are_dealt_over_the_cpus();
    the_maker_gets_its_cpus_back();
    what_cannot_be_is_refused();
}
