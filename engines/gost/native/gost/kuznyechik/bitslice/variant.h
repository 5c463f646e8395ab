// A bitsliced variant: whole batches, a padded one when that is worth it, and blocks one by one.
#pragma once

#include <new>

#include "gost/kuznyechik/bitslice/bulk.h"
#include "gost/kuznyechik/bitslice/single.h"
#include "gost/product.h"

namespace stend::gost::kuznyechik::bitslice {

// Lanes has the rounds of one block, MGM's product, and says from how many blocks on a padded batch
// is faster than one block after the other.
template <typename Lanes>
struct Variant {
    using All = Bulk<Lanes>;
    using One = Single<typename Lanes::Rounds>;
    using Product = typename Lanes::Product;
    static constexpr std::size_t block = 16;

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        One::expand(*new (schedule.bytes) Keys, key);
    }

    static const Keys& keys_of(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const Keys*>(schedule.bytes));
    }

    template <void (*batch)(const Keys&, typename All::State&, Bytes, Out),
              void (*one)(const Keys&, Bytes, Out)>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        const Keys& keys = keys_of(schedule);
        if (blocks >= Lanes::worth_a_batch) {
            Wiped<typename All::State> state;
            for (; blocks >= All::blocks; blocks -= All::blocks) {
                batch(keys, state.value, in, out);
                in += All::blocks * block, out += All::blocks * block;
            }
            if (blocks >= Lanes::worth_a_batch) {
                Wiped<std::uint8_t[All::blocks * block]> padded;
                std::memset(padded.value, 0, sizeof padded.value);
                std::memcpy(padded.value, in, blocks * block);
                batch(keys, state.value, padded.value, padded.value);
                std::memcpy(out, padded.value, blocks * block);
                return;
            }
        }
        for (; blocks > 0; --blocks, in += block, out += block) one(keys, in, out);
    }

    static void encrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<All::encrypt, One::encrypt_one>(schedule, in, out, blocks);
    }
    static void decrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<All::decrypt, One::decrypt_one>(schedule, in, out, blocks);
    }
};

}  // namespace stend::gost::kuznyechik::bitslice
