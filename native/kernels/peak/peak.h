// The processor's true peak: chains of operations that depend on nothing but themselves, in
// registers. Comes in: a type, which CPUs, a variant; goes out: a kernel whose every repetition
// takes each lane of each chain the same number of steps further, and then tells at what frequency
// the core runs under them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kernel.h"

namespace stend::peak {

enum class Type { float64, float32, int32 };

// Throws std::invalid_argument for an unknown name.
Type type(std::string_view name);

// What one step does to a lane x, with the constants m and b of formula.h.
enum class Step {
    fused,       // x·m + b, rounded once: two operations
    accumulate,  // x + m·b, rounded once: two operations
    multiply,    // x·m
    add,         // x + b; of integers modulo 2^32
};

// As Chains::walk, but each step is followed by so many multiplications of x (clock/chain.h), each
// waiting for the one before it. Gives x.
template <typename T>
using Accompanied = std::uint64_t (*)(const T* from, T* to, std::uint64_t steps,
                                      std::uint64_t x) noexcept;
inline constexpr std::uint64_t fewer = 6, more = 12;

// All chains of one type: together they have lanes() lanes.
template <typename T>
struct Chains {
    // Takes `from`, lanes() elements, `steps` steps further and leaves them in `to`. `steps` is a
    // multiple of `unrolled`.
    void (*walk)(const T* from, T* to, std::uint64_t steps) noexcept;
    std::size_t (*lanes)() noexcept;  // to be asked only where the variant can run
    Step first, second;               // of the first half of the lanes and of the second
    Accompanied<T> with_fewer, with_more;
};

struct Loops {
    Chains<double> float64;
    Chains<float> float32;
    Chains<std::uint32_t> int32;
};

// Slowest first; the last available one is the default.
std::span<const Variant<Loops>> variants();

inline constexpr std::uint64_t unrolled = 16;

// Steps of one repetition: some 0.1 ms, beside which loading, storing and adding up the
// registers, and the meeting of a team, are below half a per cent.
inline constexpr std::uint64_t steps_by_default = 1 << 16;

// What one repetition of kernel() does on each thread: floating-point operations, or additions.
std::uint64_t operations(Type type, const Variant<Loops>& variant,
                         std::uint64_t steps = steps_by_default);

// One thread on each of `cpus`, the calling one on the first. After each batch it tells the core's
// frequency under these very chains, the mean over the threads (company.h): the column
// "frequency Hz", NaN where it can't be told. Throws std::invalid_argument for
// `steps` that are 0 or no multiple of `unrolled`; prepare() does for a CPU that may not be used.
std::unique_ptr<Kernel> kernel(Type type, std::vector<int> cpus, const Variant<Loops>& variant,
                               std::uint64_t steps = steps_by_default);

}  // namespace stend::peak
