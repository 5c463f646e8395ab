// A background load: threads that compute while something else is measured.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string_view>
#include <thread>
#include <vector>

namespace stend {

// How many threads the load "none", "half", "all" or "twice" is: of as many as there are usable
// CPUs; half of one CPU is one thread. Throws std::invalid_argument for another word.
unsigned load_threads(std::string_view share);

class Load {
public:
    enum class Binding {
        none,   // the system places the threads on whatever CPUs may be used
        dealt,  // one CPU after the other, round and round
    };

    // Returns when every thread computes. Throws std::system_error when the system makes no more
    // threads; those that it made have then ended.
    Load(unsigned threads, Binding binding);
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;
    ~Load();

    unsigned size() const { return static_cast<unsigned>(members_.size()); }

    // Of the thread that has computed least, in thousands of multiplications so far.
    std::uint64_t least_work() const;

private:
    struct alignas(64) Member {
        std::atomic<std::uint64_t> work{0};
        std::thread thread;
    };

    void compute(Member& member, const std::vector<int>& where) noexcept;
    void dismiss();

    std::atomic<bool> over_{false};
    std::deque<Member> members_;  // a deque: members stay where they are
};

}  // namespace stend
