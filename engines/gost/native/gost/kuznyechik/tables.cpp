// The variant tables: L(pi(x)) by sixteen look-ups in tables of 256 lines of 16 bytes, 64 KiB for
// each direction. NOT constant time: the addresses hang on key and data.
#include <new>
#include <utility>

#include "gost/block.h"
#include "gost/generic.h"
#include "gost/kuznyechik/field.h"
#include "gost/kuznyechik/variants.h"

namespace stend::gost::kuznyechik {
namespace {

using Sixteen [[gnu::vector_size(16)]] = std::uint8_t;

[[gnu::always_inline]] inline Sixteen load(const std::uint8_t* bytes) {
    Sixteen x;
    std::memcpy(&x, bytes, sizeof x);
    return x;
}

[[gnu::always_inline]] inline void store(std::uint8_t* bytes, Sixteen x) {
    std::memcpy(bytes, &x, sizeof x);
}

using Lines = Line[16][256];  // by place and byte

struct Tables {
    alignas(64) Lines forward;     // L of pi(byte)
    alignas(64) Lines back;        // L's inverse of the byte
    alignas(64) Lines back_of_pi;  // L's inverse of pi's inverse of the byte

    Tables() {
        const auto column = columns();
        for (std::size_t place = 0; place < 16; ++place)
            for (unsigned byte = 0; byte < 256; ++byte)
                for (std::size_t i = 0; i < 16; ++i) {
                    const std::uint8_t there = column[place][i];
                    const std::uint8_t back_there = column[15 - place][15 - i];
                    forward[place][byte][i] = product(pi[byte], there, own_field);
                    back[place][byte][i] = product(byte, back_there, own_field);
                    back_of_pi[place][byte][i] = product(pi_inverse[byte], back_there, own_field);
                }
    }
};

const Tables& tables_made() {
    static const Tables made;
    return made;
}

[[gnu::always_inline]] inline Sixteen looked_up(const Lines& lines, Sixteen x) {
    std::uint64_t half[2];
    std::memcpy(half, &x, sizeof half);
    Sixteen sum = {};
    for (std::size_t place = 0; place < 16; ++place)
        sum ^= load(lines[place][half[place / 8] >> (8 * (place % 8)) & 0xFF].data());
    return sum;
}

struct Keys {
    Line forward[10];
    Line back[10];  // L's inverse of the keys of decryption, but for the last
};

struct ByTables {
    static constexpr std::size_t block = 16;
    using Product = PlainProduct;

    static const Keys& keys_of(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const Keys*>(schedule.bytes));
    }

    // 4.3: each pair of keys is eight steps on from the one before.
    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        static constexpr auto constants = iteration_constants();
        const Tables& t = tables_made();
        Keys& keys = *new (schedule.bytes) Keys;
        Sixteen a = load(key), b = load(key + 16);
        store(keys.forward[0].data(), a);
        store(keys.forward[1].data(), b);
        for (std::size_t i = 0; i < 32; ++i) {
            const Sixteen next = looked_up(t.forward, a ^ load(constants[i].data())) ^ b;
            b = a, a = next;
            if (i % 8 != 7) continue;
            store(keys.forward[i / 4 + 1].data(), a);
            store(keys.forward[i / 4 + 2].data(), b);
        }
        keys.back[0] = keys.forward[0];
        for (std::size_t i = 1; i < 10; ++i)
            store(keys.back[i].data(), looked_up(t.back, load(keys.forward[i].data())));
    }

    // `together` blocks, whose look-ups do not wait for each other.
    template <std::size_t together>
    static void encrypt_some(const Keys& keys, const Tables& t, Bytes in, Out out) {
        Sixteen x[together];
        for (std::size_t i = 0; i < together; ++i)
            x[i] = load(in + 16 * i) ^ load(keys.forward[0].data());
        for (std::size_t round = 1; round < 10; ++round)
            for (Sixteen& each : x)
                each = looked_up(t.forward, each) ^ load(keys.forward[round].data());
        for (std::size_t i = 0; i < together; ++i) store(out + 16 * i, x[i]);
    }

    template <std::size_t together>
    static void decrypt_some(const Keys& keys, const Tables& t, Bytes in, Out out) {
        Sixteen x[together];
        for (std::size_t i = 0; i < together; ++i)
            x[i] = looked_up(t.back, load(in + 16 * i)) ^ load(keys.back[9].data());
        for (std::size_t round = 9; --round > 0;)
            for (Sixteen& each : x)
                each = looked_up(t.back_of_pi, each) ^ load(keys.back[round].data());
        for (std::size_t i = 0; i < together; ++i) {
            std::uint8_t last[16];
            store(last, x[i]);
            for (std::uint8_t& byte : last) byte = pi_inverse[byte];
            store(out + 16 * i, load(last) ^ load(keys.back[0].data()));
        }
    }

    template <auto two, auto one>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        const Tables& t = tables_made();
        const Keys& keys = keys_of(schedule);
        for (; blocks >= 2; blocks -= 2, in += 32, out += 32) two(keys, t, in, out);
        if (blocks > 0) one(keys, t, in, out);
    }

    static void encrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<encrypt_some<2>, encrypt_some<1>>(schedule, in, out, blocks);
    }
    static void decrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<decrypt_some<2>, decrypt_some<1>>(schedule, in, out, blocks);
    }
};

}  // namespace

constexpr Engine tables = generic::engine_of<ByTables>("tables", {}, false);

}  // namespace stend::gost::kuznyechik
