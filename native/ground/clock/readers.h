// One entry a timer: how to read it and what is known of it beforehand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernel.h"

namespace stend::clock {

enum class Counts { elapsed, thread_time, process_time };

struct Reader {
    std::string_view name;
    std::string reason;  // why it can't be read; empty when it can
    Counts counts = Counts::elapsed;
    double unit = 0;         // seconds that one unit of read() stands for
    double granularity = 0;  // its step as the OS states it (a counter's: as seen), s
    std::int64_t (*read)() = nullptr;
    std::unique_ptr<Kernel> (*kernel)(const Reader&) = nullptr;  // reading it is the work
};

// All readers; made once.
const std::vector<Reader>& readers();

// Throws std::invalid_argument for a timer that is unknown or can't be read here.
const Reader& reader(std::string_view name);

// The counter that keeps the others company: the best clock there is.
const Reader& counter();

}  // namespace stend::clock
