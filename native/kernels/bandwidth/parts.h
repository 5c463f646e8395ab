// What the three kernels share: each thread's part of the memory, in a mapping of its own that
// the thread itself touches first, and the rounds of work on all of them. Comes in: what is
// done to one part; goes out: a kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "buffers/buffer.h"
#include "kernels/bandwidth/bandwidth.h"
#include "team/team.h"

namespace stend::bandwidth {

struct alignas(64) Part {
    Buffer<Word> memory;
    Word* begin = nullptr;  // of the words in use
    std::size_t words = 0;
    Word parity = 0;        // exclusive or of all words as they were filled in
    Word sum = 0;           // reading: of what all executions gave
    Word left = 0;          // writing: what the last execution left, see follow()
    std::size_t wrong = 0;  // the first word that is, or how many there are
};

// Words that follow one another: word k of them is first + k * step.
struct Row {
    std::size_t words;
    Word first, step;
};

class Parts : public Kernel {
public:
    // `together` lines are not to be parted.
    Parts(std::size_t bytes, std::size_t together, std::vector<int> cpus, std::string_view name);

    void prepare() override;
    void repeat(std::uint64_t times) final;
    bool check() final;
    Proof prove() override;
    std::string_view variant() const final { return name_; }
    unsigned threads() const final { return static_cast<unsigned>(cpus_.size()); }

protected:
    std::uint64_t asked() const { return asked_; }
    std::uint64_t passes() const { return passes_; }

private:
    // The memory of a part whose words are counted: theirs alone, at the beginning of a mapping
    // of its own.
    virtual void reserve(Part& part);
    // What has to be in the memory from that word on, as far as one row goes: before the first
    // execution it is filled in, afterwards it is compared with what is there.
    virtual Row row_at(const Part& part, std::size_t word) const noexcept = 0;
    // Called by the thread of that part.
    virtual void work(Part& part) noexcept = 0;
    // One more execution was asked for: brings `left` up to it, where that changes.
    virtual void follow(Part&) const {}
    // Whether what is not in the memory is right.
    virtual bool sum_is_right(const Part&) const { return true; }

    void fill(Part& part) const noexcept;
    void follow_all();
    bool right_at(const Part& part, std::size_t word) const;
    bool looks_right(const Part& part);
    std::size_t first_wrong(const Part& part) const noexcept;

    std::size_t bytes_, together_;
    std::vector<int> cpus_;
    std::string_view name_;
    std::uint64_t passes_;
    std::uint64_t asked_ = 0;     // executions
    std::uint64_t followed_ = 0;  // of them, those that `left` tells of
    std::uint64_t look_ = 0;      // how often check() has looked somewhere
    std::vector<Part> parts_;
    std::optional<Team> team_;
};

// Three words of `count`, a multiple of 8, that every execution reads before it begins, so that
// each carries the one before it.
inline Word carried(const Word* words, std::size_t count) {
    return words[0] + words[count / 2] + words[count - 1];
}

// Knuth's constants for a sequence of period 2^64 (MMIX): no two executions leave the same.
inline Word after(Word carried) {
    return carried * 6364136223846793005 + 1442695040888963407;
}

// The words of what is only read, from that one on: all different, in no order.
inline Row numbered(std::size_t word, std::size_t words) {
    constexpr Word golden = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    return {words, (word + 1) * golden, golden};
}

}  // namespace stend::bandwidth
