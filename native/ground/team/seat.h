// Which CPUs the calling thread may use, and sitting on one of them.
#pragma once

#include <memory>
#include <vector>

namespace stend {

// In ascending order, as the system gives them; a seat taken meanwhile doesn't count.
std::vector<int> usable_cpus();

// cores.h says what each means.
enum class Order { one_a_core, scattered, compacted };

// The first `count` of usable_cpus() in this order. Throws std::invalid_argument when count is
// 0 or more than there are: two members on one CPU would measure the scheduler.
std::vector<int> first_cpus(unsigned count, Order order = Order::one_a_core);

// A thread that sits. When the last of its seats is given back, from whichever thread, it
// may again use the CPUs that it could before.
class Sitter;
using Seat = std::shared_ptr<const Sitter>;

// As `sit`, but free to move among several CPUs: for libraries that make threads of their own,
// which begin where their maker may be.
Seat sit_among(const std::vector<int>& cpus);

// Pins the calling thread to one CPU. Throws std::invalid_argument when it may not run there, and
// on macOS, which pins no thread.
Seat sit(int cpu);

}  // namespace stend
