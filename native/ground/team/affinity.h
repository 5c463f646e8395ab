// What a system tells of the CPUs that a thread may use, and sets: affinity_linux.cpp,
// affinity_windows.cpp and affinity_macos.cpp. CPU n is bit n % 64 of word n / 64.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stend {

using Mask = std::vector<std::uint64_t>;
inline constexpr int mask_word_bits = 64;

// The system's number of the calling thread.
std::int64_t this_thread();

// Throws std::runtime_error when the system doesn't tell.
Mask mask_of_this_thread();

// Lets a thread of this process run on these CPUs alone; false where it may not.
bool let(std::int64_t thread, const Mask& mask);

// Ends a refusal: what to do when `let` was false.
extern const std::string_view advice_on_seats;

}  // namespace stend
