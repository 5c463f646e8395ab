// Finds this thread's restartable sequence and tests that the kernel clears it.
#include "sampler/preemption.h"

#include <time.h>

#include <cstddef>

#if defined(__linux__) && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#if defined(RSEQ_SIG)  // glibc has these from 2.35 on, and a wheel is for older ones, too
#pragma weak __rseq_offset
#pragma weak __rseq_size
#endif

namespace stend::sampler {

#if defined(RSEQ_SIG)  // glibc registers sequences on this architecture
namespace {

// struct rseq_cs of the kernel's ABI (include/uapi/linux/rseq.h). The kernel checks that
// RSEQ_SIG stands before abort_ip whether or not it ever jumps there.
struct alignas(32) Descriptor {
    std::uint32_t version;
    std::uint32_t flags;
    std::uint64_t start_ip;
    std::uint64_t post_commit_offset;
    std::uint64_t abort_ip;
};

// The range is one byte of this array: data, where no instruction ever stands.
constinit const std::uint32_t signature[2] = {RSEQ_SIG, 0};

const Descriptor& descriptor() {
    static const Descriptor only{0, 0, reinterpret_cast<std::uint64_t>(signature), 1,
                                 reinterpret_cast<std::uint64_t>(signature + 1)};
    return only;
}

// A thread without a registered sequence has a negative core number there.
bool registered() {
    if (&__rseq_size == nullptr || __rseq_size == 0) return false;
    const auto* area = static_cast<const char*>(__builtin_thread_pointer()) + __rseq_offset;
    return static_cast<std::int32_t>(reinterpret_cast<const struct rseq*>(area)->cpu_id) >= 0;
}

bool survives_nothing() {
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
        __atomic_store_n(sequence_pointer(), harmless_descriptor(), __ATOMIC_RELAXED);
        if (__atomic_load_n(sequence_pointer(), __ATOMIC_RELAXED) != 0) return true;
    }
    return false;
}

bool cleared_by_a_switch() {
    __atomic_store_n(sequence_pointer(), harmless_descriptor(), __ATOMIC_RELAXED);
    const timespec moment{0, 1000};
    nanosleep(&moment, nullptr);
    return __atomic_load_n(sequence_pointer(), __ATOMIC_RELAXED) == 0;
}

bool self_test() {
    const bool passed = survives_nothing() && cleared_by_a_switch();
    __atomic_store_n(sequence_pointer(), 0, __ATOMIC_RELAXED);
    return passed;
}

}  // namespace

std::uint64_t* sequence_pointer() {
    constexpr std::ptrdiff_t offset_of_rseq_cs = 8;  // ABI, the same in all versions
    char* area = static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset;
    return reinterpret_cast<std::uint64_t*>(area + offset_of_rseq_cs);
}

std::uint64_t harmless_descriptor() {
    return reinterpret_cast<std::uint64_t>(&descriptor());
}

bool interruptions_are_told() {
    if (!registered()) return false;
    static const bool told = self_test();
    return told;
}

#else

std::uint64_t* sequence_pointer() {
    return nullptr;
}
std::uint64_t harmless_descriptor() {
    return 0;
}
bool interruptions_are_told() {
    return false;
}

#endif

}  // namespace stend::sampler
