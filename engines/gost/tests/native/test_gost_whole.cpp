// A message in one call is what a stream makes of it: with every cipher, variant, mode and length,
// in place and unaligned; what can't be done has its status and writes nothing.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "check.h"
#include "stend/gost.h"

namespace {

using Buffer = std::vector<std::uint8_t>;

std::mt19937_64 random_bits(20261122);

Buffer random_bytes(std::size_t size) {
    Buffer bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_bits());
    return bytes;
}

alignas(64) stend_gost_key key;
alignas(64) stend_gost_stream stream;

struct Asked {
    stend_gost_mode mode;
    stend_gost_direction direction;
    Buffer iv;
};

Buffer streamed(const Asked& asked, const Buffer& in) {
    CHECK(stend_gost_stream_init(&stream, &key, asked.mode, asked.direction, asked.iv.data(),
                                 asked.iv.size()) == STEND_GOST_OK);
    Buffer out(in.size());
    std::size_t written, last;
    CHECK(stend_gost_stream_update(&stream, in.data(), in.size(), out.data(), out.size(),
                                   &written) == STEND_GOST_OK);
    CHECK(stend_gost_stream_finish(&stream, nullptr, 0, &last) == STEND_GOST_OK);
    CHECK(written == in.size() && last == 0);
    return out;
}

// Elsewhere and in place, at odd addresses, with bytes around it that have to stay.
void equals_a_stream(const Asked& asked, const Buffer& in) {
    const Buffer expected = streamed(asked, in);
    for (const bool in_place : {false, true}) {
        const std::size_t shift = 1 + random_bits() % 63;
        Buffer from(shift + in.size()), to(shift + in.size() + 64, 0xC5);
        std::copy(in.begin(), in.end(), from.begin() + static_cast<long>(shift));
        std::uint8_t* const out = to.data() + shift;
        if (in_place && !in.empty()) std::memcpy(out, in.data(), in.size());
        CHECK(stend_gost_crypt(&key, asked.mode, asked.direction, asked.iv.data(), asked.iv.size(),
                               in_place ? out : from.data() + shift, in.size(),
                               out) == STEND_GOST_OK);
        CHECK(std::equal(expected.begin(), expected.end(), out));
        CHECK(std::all_of(to.begin(), to.begin() + static_cast<long>(shift),
                          [](auto byte) { return byte == 0xC5; }));
        CHECK(std::all_of(out + in.size(), to.data() + to.size(),
                          [](auto byte) { return byte == 0xC5; }));
    }
}

// Of the lengths in blocks: 9 when `brief`, for emulators, which leave out the longest, too.
std::size_t step = 1;

std::vector<std::size_t> iv_sizes(stend_gost_cipher cipher, stend_gost_mode mode) {
    const std::size_t n = stend_gost_block_bytes(cipher);
    if (mode == STEND_GOST_ECB) return {0};
    if (cipher >= STEND_GOST_28147_TC26_Z) return {n};
    if (mode == STEND_GOST_CTR) return {n / 2, n};
    return {n, 2 * n, 7 * n, 16 * n};
}

void every_length_equals_a_stream(stend_gost_cipher cipher, const char* variant) {
    const std::size_t n = stend_gost_block_bytes(cipher);
    CHECK(stend_gost_key_init(&key, cipher, random_bytes(32).data(), variant) == STEND_GOST_OK);
    for (const auto mode :
         {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_OFB, STEND_GOST_CBC, STEND_GOST_CFB}) {
        if (mode == STEND_GOST_OFB && cipher >= STEND_GOST_28147_TC26_Z) continue;
        const bool by_blocks = mode == STEND_GOST_ECB || mode == STEND_GOST_CBC;
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT})
            for (const std::size_t iv : iv_sizes(cipher, mode)) {
                Asked asked{mode, direction, random_bytes(iv)};
                // A carry through all bytes of a counter.
                if (mode == STEND_GOST_CTR && iv == n)
                    std::fill(asked.iv.begin(), asked.iv.end(), 0xff), asked.iv[n - 1] = 0xf9;
                for (std::size_t blocks = 0; blocks <= 45; blocks += step)
                    for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, n - 1})
                        if (cut == 0 || !by_blocks)
                            equals_a_stream(asked, random_bytes(blocks * n + cut));
                for (const std::size_t blocks : {64, 127, 530}) {
                    if (step > 1 && blocks > 127) break;
                    equals_a_stream(asked, random_bytes(blocks * n + (by_blocks ? 0 : 3)));
                }
            }
    }
}

void nothing_is_written_of_what_is_refused() {
    for (const auto cipher :
         {STEND_GOST_KUZNYECHIK, STEND_GOST_MAGMA, STEND_GOST_28147_CRYPTOPRO_A}) {
        const std::size_t n = stend_gost_block_bytes(cipher);
        CHECK(stend_gost_key_init(&key, cipher, random_bytes(32).data(), nullptr) == STEND_GOST_OK);
        const Buffer iv = random_bytes(272), in = random_bytes(64);
        Buffer out(64, 0xC5);
        const auto asked = [&](stend_gost_mode mode, std::size_t iv_bytes, std::size_t size,
                               int direction = STEND_GOST_ENCRYPT) {
            return stend_gost_crypt(&key, mode, static_cast<stend_gost_direction>(direction),
                                    iv.data(), iv_bytes, in.data(), size, out.data());
        };
        const bool old = cipher == STEND_GOST_28147_CRYPTOPRO_A;
        CHECK(asked(static_cast<stend_gost_mode>(5), n, n) == STEND_GOST_BAD_OPTION);
        CHECK(asked(STEND_GOST_ECB, 0, n, 2) == STEND_GOST_BAD_OPTION);
        CHECK(asked(STEND_GOST_OFB, old ? n : 0, n) ==
              (old ? STEND_GOST_BAD_OPTION : STEND_GOST_BAD_IV));
        CHECK(asked(STEND_GOST_ECB, n, n) == STEND_GOST_BAD_IV);
        CHECK(asked(STEND_GOST_CTR, n + 1, n) == STEND_GOST_BAD_IV);
        CHECK(asked(STEND_GOST_CBC, n + n / 2, n) == STEND_GOST_BAD_IV);
        CHECK(asked(STEND_GOST_CFB, 17 * n, n) == STEND_GOST_BAD_IV);
        CHECK(asked(STEND_GOST_ECB, 0, n + 1) == STEND_GOST_PARTIAL);
        CHECK(asked(STEND_GOST_CBC, n, n - 1) == STEND_GOST_PARTIAL);
        CHECK(asked(STEND_GOST_CTR, n, SIZE_MAX - n + 1) == STEND_GOST_TOO_LONG);
        if (cipher == STEND_GOST_MAGMA && sizeof(std::size_t) == 8)
            CHECK(asked(STEND_GOST_CTR, 4, (std::size_t{8} << 32) + 1) == STEND_GOST_TOO_LONG);
        CHECK(stend_gost_crypt(nullptr, STEND_GOST_ECB, STEND_GOST_ENCRYPT, nullptr, 0, in.data(),
                               n, out.data()) == STEND_GOST_FINISHED);
        CHECK(stend_gost_crypt(&key, STEND_GOST_ECB, STEND_GOST_ENCRYPT, nullptr, 0, nullptr, 0,
                               nullptr) == STEND_GOST_OK);
        stend_gost_key_wipe(&key);
        CHECK(asked(STEND_GOST_ECB, 0, n) == STEND_GOST_FINISHED);
        CHECK(out == Buffer(64, 0xC5));
    }
}

}  // namespace

int main(int count, char**) {
    if (count > 1) step = 9;
    for (int c = STEND_GOST_KUZNYECHIK; c <= STEND_GOST_28147_CRYPTOPRO_A; ++c) {
        const auto cipher = static_cast<stend_gost_cipher>(c);
        for (std::size_t i = 0; const char* variant = stend_gost_variant(cipher, i); ++i)
            if (!stend_gost_variant_lacks(cipher, variant))
                every_length_equals_a_stream(cipher, variant);
    }
    nothing_is_written_of_what_is_refused();
}
