// What a variant has not of its own, made of its encryption and decryption of many blocks. A
// variant is a struct of static functions:
//
//     static constexpr std::size_t block;                                  // 16 or 8
//     static void encrypt(const Schedule&, Bytes in, Out out, std::size_t blocks);
//     static void decrypt(const Schedule&, Bytes in, Out out, std::size_t blocks);
//     using Product = PlainProduct;                                        // product.h
#pragma once

#include <algorithm>

#include "gost/block.h"
#include "gost/engine.h"
#include "gost/product.h"
#include "gost/wipe.h"

namespace stend::gost::generic {

inline constexpr std::size_t piece = 4096;  // bytes worked on at a time: they stay in L1

inline constexpr std::size_t few = 16;  // blocks, of a message that gets less memory

// Memory of one piece that is wiped as far as it was used.
template <std::size_t most = piece>
class Piece {
public:
    Piece() = default;
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    ~Piece() { wipe(bytes_, used_); }

    std::uint8_t* take(std::size_t size) {
        used_ = std::max(used_, size);
        return bytes_;
    }

private:
    alignas(64) std::uint8_t bytes_[most];
    std::size_t used_ = 0;
};

template <std::size_t most, typename Work>
[[gnu::noinline]] void with_piece(Work& work) {
    Piece<most> memory;
    work(memory);
}

// Calls work(memory) with room for a piece, or for all blocks where they are few: what functions
// leave on the stack lies below it, and has to be overwritten down to there.
template <typename V, typename Work>
void with_memory(std::size_t blocks, Work work) {
    if (blocks <= few)
        with_piece<few * V::block>(work);
    else
        with_piece<piece>(work);
}

// Calls work(offset, blocks) for pieces of at most `most` blocks.
template <typename V, typename Work>
void in_pieces(std::size_t blocks, std::size_t most, Work work) {
    for (std::size_t done = 0; done < blocks;) {
        const std::size_t now = std::min(blocks - done, most);
        work(done * V::block, now);
        done += now;
    }
}

// out = a ^ b over whole blocks.
template <typename V>
void exclusive_or_all(Out out, Bytes a, Bytes b, std::size_t blocks) {
    for (std::size_t i = 0; i < blocks * V::block; i += 8) exclusive_or<8>(out + i, a + i, b + i);
}

template <typename V>
void count(const Schedule& schedule, Out counter, Bytes in, Out out, std::size_t blocks) {
    with_memory<V>(blocks, [&](auto& memory) {
        in_pieces<V>(blocks, piece / V::block, [&](std::size_t at, std::size_t now) {
            std::uint8_t* const gamma = memory.take(now * V::block);
            write_counters<V::block>(gamma, counter, without_half, now);
            V::encrypt(schedule, gamma, gamma, now);
            exclusive_or_all<V>(out + at, in + at, gamma, now);
        });
    });
}

// MGM's two keystreams, of at most a piece: the encryptions of Z, which counts in its left half,
// and what those of Y, which counts in its right half, cover.
template <typename V>
struct HalfCounting {
    static void gamma(const Schedule& schedule, Out counter, std::size_t half, Out out,
                      std::size_t blocks) {
        write_counters<V::block>(out, counter, half, blocks);
        V::encrypt(schedule, out, out, blocks);
    }
    static void left(const Schedule& schedule, Out z, Out h, std::size_t blocks) {
        gamma(schedule, z, 0, h, blocks);
    }
    static void right(const Schedule& schedule, Out y, Bytes in, Out out, std::size_t blocks) {
        with_memory<V>(blocks, [&](auto& memory) {
            std::uint8_t* const made = memory.take(blocks * V::block);
            gamma(schedule, y, V::block / 2, made, blocks);
            exclusive_or_all<V>(out, in, made, blocks);
        });
    }
};

template <typename V, typename Counting = HalfCounting<V>>
void absorb(const Schedule& schedule, Mgm& mgm, Bytes in, std::size_t blocks) {
    with_memory<V>(blocks, [&](auto& memory) {
        in_pieces<V>(blocks, piece / V::block, [&](std::size_t at, std::size_t now) {
            std::uint8_t* const h = memory.take(now * V::block);
            Counting::left(schedule, mgm.z, h, now);
            V::Product::template add<V::block>(mgm.sum, h, in + at, now);
        });
    });
}

template <typename V, typename Counting = HalfCounting<V>>
void seal(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    in_pieces<V>(blocks, piece / V::block, [&](std::size_t at, std::size_t now) {
        Counting::right(schedule, mgm.y, in + at, out + at, now);
        absorb<V, Counting>(schedule, mgm, out + at, now);
    });
}

template <typename V, typename Counting = HalfCounting<V>>
void open(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    in_pieces<V>(blocks, piece / V::block, [&](std::size_t at, std::size_t now) {
        absorb<V, Counting>(schedule, mgm, in + at, now);
        Counting::right(schedule, mgm.y, in + at, out + at, now);
    });
}

// One step of a chain before the cipher, and after it.
template <std::size_t block>
void before(Feed feed, Out cipher_block, Bytes state, Bytes x) {
    if (feed == Feed::mac || feed == Feed::cbc || feed == Feed::imito)
        exclusive_or<block>(cipher_block, state, x);
    else
        std::memcpy(cipher_block, state, block);
}

template <std::size_t block>
void after(Feed feed, Bytes cipher_block, Out state, Bytes x, Out out) {
    std::uint8_t in[block];
    if (feed == Feed::cfb || feed == Feed::ofb) std::memcpy(in, x, block);
    std::memcpy(state, cipher_block, block);
    if (feed == Feed::cfb) exclusive_or<block>(state, state, in);
    if (feed == Feed::cbc || feed == Feed::cfb) std::memcpy(out, state, block);
    if (feed == Feed::ofb) exclusive_or<block>(out, state, in);
}

// Lanes of one schedule make each step together.
template <typename V>
void steps(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    with_memory<V>(lanes.size(), [&](auto& memory) {
        std::uint8_t* const states = memory.take(lanes.size() * V::block);
        for (std::size_t step = 0; step < blocks; ++step) {
            for (std::size_t i = 0; i < lanes.size(); ++i)
                before<V::block>(feed, states + i * V::block, lanes[i].state,
                                 lanes[i].in + step * lanes[i].stride);
            V::encrypt(*lanes[0].schedule, states, states, lanes.size());
            for (std::size_t i = 0; i < lanes.size(); ++i) {
                const std::size_t at = step * lanes[i].stride;
                after<V::block>(feed, states + i * V::block, lanes[i].state, lanes[i].in + at,
                                lanes[i].out ? lanes[i].out + at : nullptr);
            }
        }
    });
}

template <typename V>
void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    while (!lanes.empty()) {
        std::size_t together = 1;
        while (together < std::min(lanes.size(), piece / V::block) &&
               lanes[together].schedule == lanes[0].schedule)
            ++together;
        steps<V>(feed, lanes.first(together), blocks);
        lanes = lanes.subspan(together);
    }
}

// Writes the blocks that come before those of `in` in their chains, and shifts the register.
template <typename V>
void earlier(Out shift, std::size_t chains, Bytes in, Out before, std::size_t blocks) {
    const std::size_t held = chains * V::block, size = blocks * V::block;
    const std::size_t from_shift = std::min(held, size);
    std::memcpy(before, shift, from_shift);
    std::memcpy(before + from_shift, in, size - from_shift);
    std::memmove(shift, shift + from_shift, held - from_shift);
    std::memcpy(shift + held - from_shift, in + size - from_shift, from_shift);
}

template <typename V>
void cbc_decrypt(const Schedule& schedule, Out shift, std::size_t chains, Bytes in, Out out,
                 std::size_t blocks) {
    with_memory<V>(blocks, [&](auto& memory) {
        in_pieces<V>(blocks, piece / V::block, [&](std::size_t at, std::size_t now) {
            std::uint8_t* const mask = memory.take(now * V::block);
            earlier<V>(shift, chains, in + at, mask, now);
            V::decrypt(schedule, in + at, out + at, now);
            exclusive_or_all<V>(out + at, out + at, mask, now);
        });
    });
}

template <typename V>
void cfb_decrypt(const Schedule& schedule, Out shift, std::size_t chains, Bytes in, Out out,
                 std::size_t blocks) {
    with_memory<V>(blocks, [&](auto& memory) {
        in_pieces<V>(blocks, piece / V::block, [&](std::size_t at, std::size_t now) {
            std::uint8_t* const gamma = memory.take(now * V::block);
            earlier<V>(shift, chains, in + at, gamma, now);
            V::encrypt(schedule, gamma, gamma, now);
            exclusive_or_all<V>(out + at, in + at, gamma, now);
        });
    });
}

// An engine of a variant that has encryption and decryption of its own and the rest from here.
template <typename V>
constexpr Engine engine_of(std::string_view name, isa::Features needs, bool constant_time) {
    return {
        .name = name,
        .needs = needs,
        .constant_time = constant_time,
        .schedule = V::schedule,
        .encrypt = V::encrypt,
        .decrypt = V::decrypt,
        .count = count<V>,
        .chain = chain<V>,
        .cbc_decrypt = cbc_decrypt<V>,
        .cfb_decrypt = cfb_decrypt<V>,
        .absorb = absorb<V>,
        .seal = seal<V>,
        .open = open<V>,
    };
}

}  // namespace stend::gost::generic
