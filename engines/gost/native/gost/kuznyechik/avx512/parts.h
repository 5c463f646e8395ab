// What the parts of the variant avx512 know of each other: a key as they keep it in
// Schedule::bytes, the bulk (64 blocks or more) and the rest.
#pragma once

#include "gost/engine.h"
#include "gost/kuznyechik/avx512/bulk_keys.h"
#include "gost/kuznyechik/avx512/short_keys.h"

namespace stend::gost::kuznyechik::wide {

struct alignas(64) Keys {
    ShortKeys few;
    BulkKeys bulk;
};
static_assert(sizeof(Keys) <= sizeof(Schedule));

inline const Keys& keys_of(const Schedule& schedule) {
    return *reinterpret_cast<const Keys*>(schedule.bytes);
}

// One block, short messages and chains. The few are 1 to 63 blocks; in and out are one buffer or
// do not overlap.
void schedule(Schedule&, Cipher, Bytes key);
void schedule_and_zeros(Schedule&, Bytes key, Out zeros);
void encrypt_few(const Keys&, Bytes in, Out out, std::size_t blocks);
void decrypt_few(const Keys&, Bytes in, Out out, std::size_t blocks);
void count_few(const Keys&, Out counter, Bytes in, Out out, std::size_t blocks);
void cbc_decrypt_few(const Keys&, Out shift, Bytes in, Out out, std::size_t blocks);
void cfb_decrypt_few(const Keys&, Out shift, Bytes in, Out out, std::size_t blocks);
void chain(Feed, std::span<const Lane> lanes, std::size_t blocks);

// What all bytes of a counter but that at `place` make in the first round, the last byte first and
// each in all bytes of a word.
void rest_of_first_round(const Keys&, Bytes counter, unsigned place, std::uint32_t (&rest)[16]);

// The bulk: any number of blocks.
void encrypt(const Schedule&, Bytes in, Out out, std::size_t blocks);
void decrypt(const Schedule&, Bytes in, Out out, std::size_t blocks);
void count(const Schedule&, Out counter, Bytes in, Out out, std::size_t blocks);
void cbc_decrypt(const Schedule&, Out shift, std::size_t chains, Bytes in, Out out,
                 std::size_t blocks);
void cfb_decrypt(const Schedule&, Out shift, std::size_t chains, Bytes in, Out out,
                 std::size_t blocks);
void absorb(const Schedule&, Mgm&, Bytes in, std::size_t blocks);
void seal(const Schedule&, Mgm&, Bytes in, Out out, std::size_t blocks);
void open(const Schedule&, Mgm&, Bytes in, Out out, std::size_t blocks);

// For generic.h.
struct Blocks {
    static constexpr std::size_t block = 16;
    static constexpr auto encrypt = wide::encrypt;
    static constexpr auto decrypt = wide::decrypt;
};

}  // namespace stend::gost::kuznyechik::wide
