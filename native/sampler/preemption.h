// Whether a thread was preempted, migrated or interrupted by a signal between two
// points, told by the kernel at the price of one store and one load.
//
// Linux keeps a word for each thread, its restartable sequence (rseq(2); glibc >= 2.35
// registers it): a pointer to a descriptor of a range of code. When it takes the core
// from a thread whose next instruction lies outside that range, it clears the pointer.
// A descriptor whose range covers no code is therefore a flag that every interruption
// by the scheduler or a signal clears. A self-test decides once whether this kernel does.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace stend::sampler {

// Whether this thread has a sequence registered and the self-test passed.
bool interruptions_are_told();

// Where this thread's pointer is, and what to store in it.
std::uint64_t* sequence_pointer();
std::uint64_t harmless_descriptor();

// Involuntary switches, told from waiting: what the cheap flag can't distinguish.
struct Switches {
    long voluntary = 0, involuntary = 0;

    static Switches of(int who) {
        rusage usage{};
        getrusage(who, &usage);
        return {usage.ru_nvcsw, usage.ru_nivcsw};
    }
};

#if defined(RUSAGE_THREAD)
inline constexpr int this_thread = RUSAGE_THREAD;
#else
inline constexpr int this_thread = RUSAGE_SELF;
#endif

// Watches the calling thread through its sequence. The pointer is cleared when this
// ends, for the descriptor may be unloaded with this library.
class SequenceWatch {
public:
    SequenceWatch() : pointer_(sequence_pointer()), descriptor_(harmless_descriptor()) {}
    SequenceWatch(const SequenceWatch&) = delete;
    SequenceWatch& operator=(const SequenceWatch&) = delete;
    ~SequenceWatch() { store(0); }

    void begin() { store(descriptor_); }

    bool preempted() {
        if (__atomic_load_n(pointer_, __ATOMIC_RELAXED) == descriptor_) [[likely]]
            return false;
        return !only_waited();
    }

private:
    void store(std::uint64_t value) { __atomic_store_n(pointer_, value, __ATOMIC_RELAXED); }

    // Work that waits (a sleep, a lock, a read) gives the core away by itself: no
    // preemption. Asked only after an interruption, so it costs nothing otherwise; switches
    // between two repetitions then count with the next interruption.
    bool only_waited() {
        const Switches before = seen_;
        seen_ = Switches::of(this_thread);
        return seen_.voluntary != before.voluntary && seen_.involuntary == before.involuntary;
    }

    std::uint64_t* pointer_;
    std::uint64_t descriptor_;
    Switches seen_ = Switches::of(this_thread);
};

// Where losing the core is part of the work.
struct NoWatch {
    void begin() const {}
    bool preempted() const { return false; }
};

// Counts the involuntary switches of the calling thread, or of all threads of the
// process: two system calls a repetition, outside the timing.
class CountingWatch {
public:
    explicit CountingWatch(int who) : who_(who) {}

    void begin() { before_ = Switches::of(who_).involuntary; }
    bool preempted() const { return Switches::of(who_).involuntary != before_; }

private:
    int who_;
    long before_ = 0;
};

}  // namespace stend::sampler
