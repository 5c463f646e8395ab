// Threads that multiply in registers, so that they take processor time and nothing else: no
// cache, no memory, no lock of what is measured beside them.
#include "team/load.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "team/seat.h"

namespace stend {
namespace {

std::uint64_t a_thousand_multiplications(std::uint64_t x) {
    for (int i = 0; i < 1000; ++i) {
        x *= 6364136223846793005U;
        asm volatile("" : "+r"(x));
    }
    return x;
}

}  // namespace

unsigned load_threads(std::string_view share) {
    const auto cpus = static_cast<unsigned>(usable_cpus().size());
    if (share == "none") return 0;
    if (share == "half") return std::max(1U, cpus / 2);
    if (share == "all") return cpus;
    if (share == "twice") return 2 * cpus;
    throw std::invalid_argument("There is no load \"" + std::string(share) +
                                "\"; use none, half, all or twice.");
}

Load::Load(unsigned threads, Binding binding) {
    const std::vector<int> cpus = usable_cpus();
    try {
        for (unsigned i = 0; i < threads; ++i) {
            Member& member = members_.emplace_back();
            std::vector<int> where =
                binding == Binding::dealt ? std::vector{cpus[i % cpus.size()]} : cpus;
            member.thread =
                std::thread([this, &member, where = std::move(where)] { compute(member, where); });
        }
    } catch (...) {
        dismiss();
        throw;
    }
    for (const Member& member : members_) member.work.wait(0);
}

Load::~Load() {
    dismiss();
}

std::uint64_t Load::least_work() const {
    std::uint64_t least = UINT64_MAX;
    for (const Member& member : members_) least = std::min(least, member.work.load());
    return least;
}

// A CPU that was taken from the process meanwhile (a cpuset) leaves the thread where it is: it
// loads the machine all the same. A thread begins where its maker sits, so both must move.
void Load::compute(Member& member, const std::vector<int>& where) noexcept {
    Seat seat;
    try {
        seat = sit_among(where);
    } catch (const std::exception&) {
    }
    std::uint64_t x = 1;
    while (!over_.load(std::memory_order_relaxed)) {
        x = a_thousand_multiplications(x);
        if (member.work.fetch_add(1, std::memory_order_relaxed) == 0) member.work.notify_all();
    }
}

void Load::dismiss() {
    over_.store(true);
    for (Member& member : members_)
        if (member.thread.joinable()) member.thread.join();
}

}  // namespace stend
