// A network while it runs and in between: its threads stay, in a child of fork() too; what is
// asked between steps may end a run; memory that there isn't is refused in a sentence.
#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "check.h"
#include "models.h"

using namespace stend;
using namespace models;

namespace {

constexpr std::size_t side = 32;

unet::Model small() {
    return unet::classic({.channels = 16, .depth = 2});
}

std::vector<float> output_of(unet::Network& network, const unet::Between& between = {}) {
    std::vector<float> output(2 * side * side);
    network.run(image(side * side).data(), 1, output.data(), between);
    return output;
}

unet::Network on(unsigned threads) {
    return {small(), side, side, by("", unet::Precision::float32, threads)};
}

void threads_stay_for_the_next_run_and_move_with_the_network() {
    unet::Network first = on(3);
    const auto right = output_of(first);
    CHECK(output_of(first) == right);
    unet::Network second = std::move(first);
    CHECK(output_of(second) == right);
}

#if !defined(_WIN32)
// The child ends as a program does: its networks are destroyed.
void a_child_of_fork_makes_threads_of_its_own() {
    auto network = std::make_unique<unet::Network>(on(3));
    const auto right = output_of(*network);
    const pid_t child = fork();
    if (child == 0) {
        const bool same = output_of(*network) == right && output_of(*network) == right;
        network.reset();
        _exit(same ? 0 : 1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(output_of(*network) == right);
}

void a_child_of_fork_may_drop_its_parents_network() {
    auto network = std::make_unique<unet::Network>(on(3));
    output_of(*network);
    const pid_t child = fork();
    if (child == 0) {
        network.reset();
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// As what Python does on a signal may.
void a_child_of_fork_between_steps_ends_the_run() {
    unet::Network network = on(3);
    const auto right = output_of(network);
    pid_t child = -1;
    const auto output = output_of(network, [&] {
        if (child == -1) child = fork();
    });
    if (child == 0) _exit(output == right ? 0 : 1);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(output == right && output_of(network) == right);
}
#endif

// In whichever step.
void what_is_thrown_between_steps_ends_a_run_and_nothing_else() {
    unet::Network network = on(2);
    std::size_t steps = 0;
    const auto right = output_of(network, [&] { ++steps; });
    CHECK(steps >= small().layers.size() / 2);
    for (std::size_t last = 1; last <= steps; ++last) {
        std::size_t asked = 0;
        CHECK_THROWS(std::runtime_error, output_of(network, [&] {
                         if (++asked == last) throw std::runtime_error("enough");
                     }));
        CHECK(asked == last);
        CHECK(output_of(network) == right);
    }
}

void more_threads_than_items_and_cpus_give_the_same_bits() {
    unet::Network one = on(1), many = on(40);
    CHECK(output_of(many) == output_of(one));
}

// A tensor of 281 TB.
void a_network_that_no_memory_holds_is_refused_in_a_sentence() {
    Builder build(1);
    const auto wide = build.convolve({build.convolve({0}, 40000, 1)}, 3, 1);
    const auto model = build.finished(wide);
    for (const std::string_view variant : unet::variants(unet::Precision::float32)) {
        std::string said;
        try {
            const unet::Network network(model, 32768, 32768, by(variant));
        } catch (const std::bad_alloc& error) {
            said = error.what();
        }
        CHECK(said.find(" GB ") != std::string::npos && said.ends_with('.'));
    }
    unet::Network next = on(1);
    output_of(next);
}

}  // namespace

int main([[maybe_unused]] int count, char**) {
    threads_stay_for_the_next_run_and_move_with_the_network();
#if !defined(_WIN32)
    a_child_of_fork_may_drop_its_parents_network();
    if (count == 1) {  // qemu-user can start no threads in such a child
        a_child_of_fork_makes_threads_of_its_own();
        a_child_of_fork_between_steps_ends_the_run();
    }
#endif
    what_is_thrown_between_steps_ends_a_run_and_nothing_else();
    more_threads_than_items_and_cpus_give_the_same_bits();
    a_network_that_no_memory_holds_is_refused_in_a_sentence();
}
