// Every variant at every length from 0 to 4097 bytes, off any alignment and in place, against the
// reference. A message's beginning is encrypted as the whole is, so the reference does the longest
// alone; of tags, which have no such beginning, some lengths are tried. With an argument every 37th
// length, for an emulator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "check.h"
#include "stend/gost.h"

namespace {

using Buffer = std::vector<std::uint8_t>;
using Key = std::unique_ptr<stend_gost_key, void (*)(stend_gost_key*)>;

constexpr std::size_t longest = 4097;

Buffer random_bytes(std::size_t size) {
    static std::mt19937_64 random(5);
    Buffer bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

Key key_of(stend_gost_cipher cipher, const char* variant) {
    Key key(new stend_gost_key, [](stend_gost_key* k) { stend_gost_key_wipe(k), delete k; });
    Buffer bytes(STEND_GOST_KEY_BYTES, 0x6B);
    CHECK(stend_gost_key_init(key.get(), cipher, bytes.data(), variant) == STEND_GOST_OK);
    return key;
}

struct Way {
    stend_gost_mode mode;
    stend_gost_direction direction;
    Buffer iv;

    void run(const Key& key, const std::uint8_t* in, std::uint8_t* out, std::size_t size) const {
        static stend_gost_stream stream;
        std::size_t written = 0, last = 0;
        CHECK(stend_gost_stream_init(&stream, key.get(), mode, direction, iv.data(), iv.size()) ==
              STEND_GOST_OK);
        CHECK(stend_gost_stream_update(&stream, in, size, out, size, &written) == STEND_GOST_OK);
        CHECK(stend_gost_stream_finish(&stream, out + written, size - written, &last) ==
              STEND_GOST_OK);
        CHECK(written + last == size);
    }
};

// A message begins where its length says, between bytes that have to stay.
void same_at(std::size_t size, const Way& way, const Key& key, const Buffer& plain,
             const Buffer& expected) {
    static std::uint8_t from[longest + 192], to[longest + 192];
    const std::size_t at = 64 + size % 61;
    const bool in_place = size % 3 == 0;
    std::uint8_t* const source = in_place ? to + at : from + at + size % 7;
    std::fill(std::begin(to), std::end(to), 0xA5);
    std::copy_n(plain.begin(), size, source);
    way.run(key, source, to + at, size);
    CHECK(std::equal(to + at, to + at + size, expected.begin()));
    CHECK(std::all_of(to, to + at, [](std::uint8_t b) { return b == 0xA5; }));
    CHECK(std::all_of(to + at + size, std::end(to), [](std::uint8_t b) { return b == 0xA5; }));
}

void messages(stend_gost_cipher cipher, const Key& reference, const Key& tried, std::size_t step) {
    const std::size_t block = stend_gost_block_bytes(cipher);
    const std::size_t registers = cipher >= STEND_GOST_28147_TC26_Z ? 1 : 3;
    Buffer counter = random_bytes(block);
    std::fill(counter.begin() + 1, counter.end(), 0xFF);  // soon runs over
    const Way ways[] = {{STEND_GOST_CTR, STEND_GOST_ENCRYPT, counter},
                        {STEND_GOST_CFB, STEND_GOST_DECRYPT, random_bytes(registers * block)},
                        {STEND_GOST_CBC, STEND_GOST_DECRYPT, random_bytes(registers * block)},
                        {STEND_GOST_ECB, STEND_GOST_ENCRYPT, {}},
                        {STEND_GOST_ECB, STEND_GOST_DECRYPT, {}}};
    for (const Way& way : ways) {
        const bool whole = way.mode == STEND_GOST_ECB || way.mode == STEND_GOST_CBC;
        const std::size_t most = whole ? longest / block * block : longest;
        const Buffer plain = random_bytes(most);
        Buffer expected(most);
        way.run(reference, plain.data(), expected.data(), most);
        for (std::size_t size = 0; size <= most; size += whole ? block : step)
            same_at(size, way, tried, plain, expected);
    }
}

Buffer tag_of(const Key& key, const Buffer& message, std::size_t size, bool old) {
    static stend_gost_mac mac;
    Buffer tag(old ? 4 : stend_gost_block_bytes(stend_gost_key_cipher(key.get())));
    CHECK(stend_gost_mac_init(&mac, key.get()) == STEND_GOST_OK);
    CHECK(stend_gost_mac_update(&mac, message.data(), size) == STEND_GOST_OK);
    CHECK(stend_gost_mac_finish(&mac, tag.data(), tag.size()) == STEND_GOST_OK);
    return tag;
}

Buffer sealed(const Key& key, const Buffer& message, std::size_t size) {
    const std::size_t block = stend_gost_block_bytes(stend_gost_key_cipher(key.get()));
    const Buffer nonce(block, 0x3C);
    Buffer out(size + block);
    CHECK(stend_gost_mgm_seal(key.get(), nonce.data(), block, message.data(), size / 3 + 1,
                              message.data(), size, out.data(), out.data() + size, block,
                              1) == STEND_GOST_OK);
    return out;
}

void tags(stend_gost_cipher cipher, const Key& reference, const Key& tried, std::size_t step) {
    const bool old = cipher >= STEND_GOST_28147_TC26_Z;
    const Buffer message = random_bytes(longest);
    for (std::size_t size = 1; size <= longest; size += size < 300 ? step : 7 * step + 90) {
        CHECK(tag_of(tried, message, size, old) == tag_of(reference, message, size, old));
        if (!old) CHECK(sealed(tried, message, size) == sealed(reference, message, size));
    }
}

}  // namespace

int main(int count, char**) {
    const std::size_t step = count > 1 ? 37 : 1;
    for (const auto cipher :
         {STEND_GOST_KUZNYECHIK, STEND_GOST_MAGMA, STEND_GOST_28147_CRYPTOPRO_B}) {
        const Key reference = key_of(cipher, stend_gost_variant(cipher, 0));
        for (std::size_t i = 1; const char* variant = stend_gost_variant(cipher, i); ++i) {
            if (stend_gost_variant_lacks(cipher, variant) != nullptr) continue;
            std::printf("%s, blocks of %zu\n", variant, stend_gost_block_bytes(cipher));
            std::fflush(stdout);
            const Key tried = key_of(cipher, variant);
            messages(cipher, reference, tried, step);
            tags(cipher, reference, tried, step);
        }
    }
}
