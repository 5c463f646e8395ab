// Measures a C++ function with stend's clock and timed loop:
//
//     const stend::Measured sort = stend::measure([&] { return sorted(numbers); });
//     std::printf("%g s\n", sort.median);
//
// Link with stend::stend (CMake) or `pkg-config --libs stend`.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stend {

// Every repetition as it was timed; the vectors are equally long.
struct Measured {
    std::string clock;            // that it was timed with
    double hz = 0;                // the clock's ticks a second
    std::uint64_t batch = 0;      // calls in one repetition
    std::vector<double> seconds;  // one call of each repetition
    std::vector<bool> preempted;  // whether the repetition was interrupted
    double median = 0;            // of seconds
};

// Makes the compiler compute `value` and believe that someone reads it.
template <typename Value>
[[gnu::always_inline]] inline void keep(const Value& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

namespace measuring {

class Body {
public:
    virtual ~Body() = default;
    virtual void call(std::uint64_t times) = 0;
};

Measured measured(Body& body, double seconds);

}  // namespace measuring

// Calls `function` in batches that last at least 1,000 steps of the clock and 50 us, for
// about `seconds` in all, the first quarter to warm up, and at most 65,536 repetitions. What it
// returns is kept. Throws std::invalid_argument unless 0 < seconds, and whatever `function` throws.
template <std::invocable Function>
Measured measure(Function&& function, double seconds = 0.5) {
    struct Calls final : measuring::Body {
        explicit Calls(std::remove_reference_t<Function>& f) : function(f) {}
        void call(std::uint64_t times) override {
            for (; times > 0; --times) {
                if constexpr (std::is_void_v<std::invoke_result_t<Function&>>)
                    function();
                else
                    keep(function());
                asm volatile("" : : : "memory");
            }
        }
        std::remove_reference_t<Function>& function;
    } calls(function);
    return measuring::measured(calls, seconds);
}

}  // namespace stend
