// Whatever synchronises is proved, and an operation that is left out, a lock that doesn't
// exclude, a barrier that lets somebody pass and a hop with another number are found.
#include <chrono>
#include <vector>

#include "check.h"
#include "kernels/threads/barrier.h"
#include "kernels/threads/mutex_steps.h"
#include "kernels/threads/relay.h"
#include "kernels/threads/subjects.h"
#include "kernels/threads/sync.h"
#include "kernels/threads/together.h"

using namespace stend;
using namespace stend::threads;

namespace {

const Conditions quiet, bound{0, true}, loaded{1, true};

unsigned cpus() {
    return static_cast<unsigned>(usable_cpus().size());
}

double observed_once(Kernel& kernel) {
    return dynamic_cast<Observer&>(kernel).observe();
}

void is_proved(Kernel& kernel) {
    kernel.prepare();
    for (int i = 0; i < 3; ++i) {
        CHECK(took_time(observed_once(kernel)));
        CHECK(kernel.check());
    }
    const Proof proof = kernel.prove();
    if (!proof.right) std::fprintf(stderr, "%s\n", proof.said.c_str());
    CHECK(proof.right && kernel.check());
}

// Sooner or later: on a busy machine a round may be one hop, and threads seldom meet, least of all
// under an emulator.
bool is_found(Kernel& kernel) {
    constexpr std::chrono::minutes patience{3};
    const auto begun = std::chrono::steady_clock::now();
    kernel.prepare();
    while (kernel.check() && std::chrono::steady_clock::now() - begun < patience)
        observed_once(kernel);
    return !kernel.check() && !kernel.prove().right;
}

void every_step_of_a_mutex_is_proved() {
    for (const Conditions& conditions : {quiet, bound})
        for (const Step step : {Step::create, Step::lock, Step::unlock, Step::destroy})
            is_proved(*mutex(step, conditions));
    is_proved(*mutex(Step::lock, loaded));
}

void what_threads_contend_for_adds_up() {
    for (const unsigned threads : {1U, cpus()}) {
        for (const Conditions& conditions : {quiet, bound}) {
            for (const auto make : {lock_unlock, spinlock, semaphore, atomic_add})
                is_proved(*make(threads, conditions));
            is_proved(*false_sharing(threads, 8, conditions));
        }
    }
    is_proved(*lock_unlock(cpus(), loaded));
}

void barriers_let_nobody_pass() {
    if (cpus() < 2) return;
    for (const Variant<Barrier>& variant : barrier_variants()) {
        for (const Conditions& conditions : {quiet, bound, loaded}) {
            const auto kernel = variant.function(2, conditions);
            CHECK(kernel->variant() == variant.name && kernel->threads() == 2);
            is_proved(*kernel);
        }
    }
}

void every_hop_carries_its_number() {
    for (const Variant<Relaying>& variant : switch_variants())
        is_proved(*variant.function(Place::same, bound));
    for (const Variant<Relaying>& variant : ping_pong_variants()) {
        const auto kernel = variant.function(Place::any, quiet);
        CHECK(kernel->variant() == variant.name);
        is_proved(*kernel);
        if (cpus() >= 2) is_proved(*variant.function(Place::other, bound));
    }
    is_proved(*switch_variants().back().function(Place::same, loaded));
}

void yields_are_told() {
    const auto kernel = switch_variants().front().function(Place::same, bound);
    is_proved(*kernel);
    CHECK(kernel->columns() == std::vector<std::string>{"yields a hop"});
    CHECK(kernel->further().size() == 1 && kernel->further()[0] > 0);
    CHECK(switch_variants().back().function(Place::same, bound)->further().empty());
}

void a_kernel_says_whether_cpus_are_shared_on_purpose() {
    CHECK(!lock_unlock(1, bound)->gives_way() && lock_unlock(1, loaded)->gives_way());
    CHECK(switch_variants().front().function(Place::same, bound)->gives_way());
    CHECK(!ping_pong_variants().front().function(Place::any, quiet)->gives_way());
}

// Leaves one call in a hundred out.
struct Forgetful {
    unsigned calls = 0;
    bool forgets() { return ++calls % 100 == 0; }
};

template <Step forgotten>
struct ForgetfulMutexes {
    template <Step step>
    static void apply(pthread_mutex_t& mutex) {
        static Forgetful self;
        if (step != forgotten || !self.forgets()) PthreadMutexes::apply<step>(mutex);
    }
};

void a_step_that_was_left_out_is_found() {
    for (const Step timed : {Step::create, Step::lock}) {
        CHECK(
            is_found(*std::make_unique<MutexSteps<ForgetfulMutexes<Step::create>>>(timed, bound)));
        CHECK(is_found(*std::make_unique<MutexSteps<ForgetfulMutexes<Step::lock>>>(timed, bound)));
        CHECK(
            is_found(*std::make_unique<MutexSteps<ForgetfulMutexes<Step::unlock>>>(timed, bound)));
#if defined(__GLIBC__)  // elsewhere destroying may do nothing
        CHECK(
            is_found(*std::make_unique<MutexSteps<ForgetfulMutexes<Step::destroy>>>(timed, bound)));
#endif
    }
}

struct NoLock {
    int lock() { return 0; }
    int unlock() { return 0; }
};

struct FailingLock : Spinlock {
    Forgetful self;
    int unlock() { return Spinlock::unlock() | (self.forgets() ? 1 : 0); }
};

void a_lock_that_does_not_exclude_is_found() {
    if (cpus() >= 2) CHECK(is_found(*std::make_unique<Together<Exclusion<NoLock>>>(bound, 2, "")));
    CHECK(is_found(*std::make_unique<Together<Exclusion<FailingLock>>>(bound, 1, "")));
}

struct NoWait : PosixSemaphore {
    Forgetful self;
    bool wait() { return self.forgets() || PosixSemaphore::wait(); }
};

struct NoPost : PosixSemaphore {
    Forgetful self;
    bool post() { return !self.forgets() && PosixSemaphore::post(); }
    bool wait() { return sem_trywait(&semaphore) == 0; }
};

void a_semaphore_call_that_was_left_out_is_found() {
    CHECK(is_found(*std::make_unique<Together<Tokens<NoWait>>>(bound, 1, "")));
    CHECK(is_found(*std::make_unique<Together<Tokens<NoPost>>>(bound, 1, "")));
}

struct ForgetfulNumber : AtomicNumber {
    Forgetful self;
    void add() {
        if (!self.forgets()) AtomicNumber::add();
    }
};

struct ForgetfulIncrement {
    static void add(std::atomic_ref<std::uint64_t> number) {
        static Forgetful self;
        if (!self.forgets()) AtomicIncrement::add(number);
    }
};

void an_addition_that_was_left_out_is_found() {
    CHECK(is_found(*std::make_unique<Together<Additions<ForgetfulNumber>>>(bound, 1, "")));
    CHECK(is_found(*std::make_unique<Together<Neighbours<ForgetfulIncrement>>>(bound, 1, "",
                                                                               std::size_t{64})));
}

// Tells as many as it has to, but holds nobody back.
struct OpenBarrier {
    explicit OpenBarrier(unsigned threads) : threads(threads) {}
    bool meet() { return ++arrived % threads == 0; }
    unsigned threads;
    std::atomic<unsigned> arrived = 0;
};

struct SilentBarrier : SpinBarrier {
    using SpinBarrier::SpinBarrier;
    bool meet() { return SpinBarrier::meet() && false; }
};

void a_barrier_that_is_open_or_silent_is_found() {
    if (cpus() < 2) return;
    Barriers<OpenBarrier> open(bound, 2, "");
    open.prepare();
    CHECK(!open.prove().right);
    CHECK(is_found(*std::make_unique<Barriers<SilentBarrier>>(bound, 2, "")));
}

struct SkippingChannel : SemaphoreChannel {
    Forgetful self;
    void send(End to, Number number) {
        const bool skips = to == End::there && number < Partner<SkippingChannel>::home;
        SemaphoreChannel::send(to, skips && self.forgets() ? number + 2 : number);
    }
};

void a_hop_with_another_number_is_found() {
    CHECK(is_found(*std::make_unique<Relay<SkippingChannel>>(Place::any, quiet)));
}

void what_cannot_be_is_refused() {
    for (const unsigned threads : {0U, cpus() + 1}) {
        for (const Conditions& conditions : {quiet, bound}) {
            for (const auto make : {lock_unlock, spinlock, semaphore, atomic_add})
                CHECK_THROWS(std::invalid_argument, make(threads, conditions));
            CHECK_THROWS(std::invalid_argument, false_sharing(threads, 64, conditions));
        }
    }
    for (const std::size_t apart : {0, 4, 12, 4104})
        CHECK_THROWS(std::invalid_argument, false_sharing(1, apart, bound));
    for (const Variant<Barrier>& variant : barrier_variants())
        CHECK_THROWS(std::invalid_argument, variant.function(1, bound));
    const Relaying relay = switch_variants().front().function;
    CHECK_THROWS(std::invalid_argument, relay(Place::same, quiet));
    CHECK_THROWS(std::invalid_argument, relay(Place::any, bound));
    CHECK_THROWS(std::invalid_argument, place("near"));
    CHECK_THROWS(std::invalid_argument, step("forget"));
}

}  // namespace

int main() {
    every_step_of_a_mutex_is_proved();
    what_threads_contend_for_adds_up();
    barriers_let_nobody_pass();
    every_hop_carries_its_number();
    yields_are_told();
    a_kernel_says_whether_cpus_are_shared_on_purpose();
    a_step_that_was_left_out_is_found();
    a_lock_that_does_not_exclude_is_found();
    a_semaphore_call_that_was_left_out_is_found();
    an_addition_that_was_left_out_is_found();
    a_barrier_that_is_open_or_silent_is_found();
    a_hop_with_another_number_is_found();
    what_cannot_be_is_refused();
}
