// All rounds of one batch of 64 byte-sliced blocks, or of two. Two take less time each: while one
// goes through the linear layer the other goes through the substitution.
//
// Encryption takes states with the round key of round `first` added, or the outcome of the round
// before it, and leaves blocks. Decryption takes blocks and lacks the addition of the first key.
#pragma once

#include "gost/engine.h"
#include "gost/kuznyechik/avx512/slices.h"
#include "gost/wipe.h"

namespace stend::gost::kuznyechik::sliced {

inline constexpr std::size_t batch = 64;  // blocks

// How many of the last blocks are better left to the short kernels than put into a batch of which
// most is empty.
inline constexpr std::size_t most_few = 40;
inline std::size_t few(std::size_t blocks) {
    return blocks % batch <= most_few ? blocks % batch : 0;
}

// A batch in memory: a message's own blocks, or, where it ends, a copy of them with zeros after it.
class Window {
public:
    Window(Bytes in, Out out, std::size_t blocks)
        : in_(blocks < batch ? room_ : in),
          out_(blocks < batch ? room_ : out),
          end_(out),
          size_(16 * blocks) {
        if (in_ != room_) return;
        std::memcpy(room_, in, size_);
        std::memset(room_ + size_, 0, sizeof room_ - size_);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() {
        if (in_ != room_) return;
        if (end_ != nullptr) std::memcpy(end_, room_, size_);
        wipe(room_);
    }

    Bytes in() const { return in_; }
    Out out() const { return out_; }
    // Makes what was written after the message zeros again.
    void clear_rest() {
        if (in_ == room_) std::memset(room_ + size_, 0, sizeof room_ - size_);
    }

private:
    const Bytes in_;
    const Out out_, end_;
    const std::size_t size_;
    std::uint8_t room_[16 * batch];
};

// What of a message is worked on next. Its lines are fetched while the rounds of two batches run,
// in and out: CTR of 64 MiB takes a fifth less time so. Nothing beyond the message is fetched.
class Ahead {
public:
    Ahead() = default;  // nothing

    // As many blocks as are worked on now, if there are as many after them.
    static Ahead of(Bytes in, Out out, std::size_t now, std::size_t left) {
        Ahead ahead;
        if (left < 2 * now) return ahead;
        ahead.in_ = in + 16 * now;
        ahead.out_ = out + 16 * now;
        ahead.lines_ = now / 4;
        return ahead;
    }

    // Three a half round are 45 in all, of the 32 that there are at most.
    STEND_INLINE void fetch_three() {
        for (unsigned i = 0; i < 3 && lines_ > 0; ++i, --lines_, in_ += 64, out_ += 64) {
            __builtin_prefetch(in_);
            __builtin_prefetch(out_, 1);
        }
    }

private:
    Bytes in_ = nullptr;
    Out out_ = nullptr;
    std::size_t lines_ = 0;
};

void encrypt_one(const BulkKeys&, Batch&, unsigned first);
void encrypt_two(const BulkKeys&, Batch&, Batch&, unsigned first, Ahead);
void decrypt_one(const BulkKeys&, Batch&);
void decrypt_two(const BulkKeys&, Batch&, Batch&, Ahead);

}  // namespace stend::gost::kuznyechik::sliced
