// What the modes refuse, each with its status; that a context that failed or is finished holds
// nothing any more; padding byte for byte; and the limits, which are reached by setting counters.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "check.h"
#include "gost/modes/mac.h"
#include "gost/modes/mgm.h"
#include "gost/modes/stream.h"
#include "stend/gost.h"

using stend::gost::inside;
using stend::gost::MgmContext;
using stend::gost::SectionedStream;
using stend::gost::Stream;

namespace {

using Buffer = std::vector<std::uint8_t>;

constexpr std::uint8_t bytes[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
std::uint8_t out[128];

struct Keyed {
    stend_gost_key key;
    explicit Keyed(stend_gost_cipher cipher) {
        CHECK(stend_gost_key_init(&key, cipher, bytes, nullptr) == STEND_GOST_OK);
    }
};

const Keyed kuznyechik(STEND_GOST_KUZNYECHIK), magma(STEND_GOST_MAGMA),
    legacy(STEND_GOST_28147_TC26_Z);

bool all_zero(const void* memory, std::size_t size) {
    const auto* const at = static_cast<const std::uint8_t*>(memory);
    return std::all_of(at, at + size, [](std::uint8_t byte) { return byte == 0; });
}

stend_gost_status begin(stend_gost_stream& stream, const Keyed& key, stend_gost_mode mode,
                        std::size_t iv_bytes, stend_gost_direction way = STEND_GOST_ENCRYPT) {
    return stend_gost_stream_init(&stream, &key.key, mode, way, bytes, iv_bytes);
}

stend_gost_status update(stend_gost_stream& stream, std::size_t size, std::size_t room = 128) {
    return stend_gost_stream_update(&stream, bytes, size, out, room, nullptr);
}

stend_gost_status finish(stend_gost_stream& stream, std::size_t room = 16) {
    return stend_gost_stream_finish(&stream, out, room, nullptr);
}

void every_status_has_its_own_sentence() {
    std::vector<std::string_view> said;
    for (int status = STEND_GOST_OK; status <= STEND_GOST_BAD_ENVIRONMENT + 1; ++status)
        said.emplace_back(stend_gost_message(static_cast<stend_gost_status>(status)));
    for (const std::string_view sentence : said) CHECK(sentence.ends_with('.'));
    std::sort(said.begin(), said.end());
    CHECK(std::adjacent_find(said.begin(), said.end()) == said.end());
}

void keys_that_cannot_be() {
    stend_gost_key key;
    CHECK(stend_gost_key_init(&key, static_cast<stend_gost_cipher>(7), bytes, nullptr) ==
          STEND_GOST_BAD_CIPHER);
    CHECK(stend_gost_key_init(&key, STEND_GOST_MAGMA, bytes, "none") == STEND_GOST_BAD_VARIANT);
    CHECK(stend_gost_encrypt_blocks(&key, bytes, out, 1) == STEND_GOST_FINISHED);
    CHECK(stend_gost_key_variant(&key) == nullptr);
    CHECK(stend_gost_variant_lacks(STEND_GOST_MAGMA, "none") != nullptr);
    CHECK(stend_gost_variant_lacks(STEND_GOST_MAGMA, "reference") == nullptr);
    CHECK(!stend_gost_variant_constant_time(STEND_GOST_MAGMA, "none"));
    CHECK(stend_gost_variant(STEND_GOST_MAGMA, 100) == nullptr);
    CHECK(stend_gost_block_bytes(static_cast<stend_gost_cipher>(-1)) == 0);
    CHECK(stend_gost_key_init(&key, STEND_GOST_MAGMA, bytes, nullptr) == STEND_GOST_OK);
    CHECK(stend_gost_key_cipher(&key) == STEND_GOST_MAGMA);
    stend_gost_key_wipe(&key);
    CHECK(all_zero(&key, sizeof key));
    CHECK(stend_gost_decrypt_blocks(&key, bytes, out, 1) == STEND_GOST_FINISHED);
}

void streams_that_cannot_be() {
    stend_gost_stream stream;
    stend_gost_key wiped{};
    CHECK(stend_gost_stream_init(&stream, &wiped, STEND_GOST_ECB, STEND_GOST_ENCRYPT, nullptr, 0) ==
          STEND_GOST_FINISHED);
    CHECK(begin(stream, magma, static_cast<stend_gost_mode>(9), 0) == STEND_GOST_BAD_OPTION);
    CHECK(begin(stream, magma, STEND_GOST_ECB, 0, static_cast<stend_gost_direction>(2)) ==
          STEND_GOST_BAD_OPTION);
    CHECK(begin(stream, legacy, STEND_GOST_OFB, 8) == STEND_GOST_BAD_OPTION);
    CHECK(update(stream, 1) == STEND_GOST_FINISHED);
    CHECK(stend_gost_stream_room(&stream, 5) == 0);
    CHECK(stend_gost_stream_update_size(&stream, 5) == 0);

    struct Iv {
        const Keyed& key;
        stend_gost_mode mode;
        std::size_t size;
    };
    for (const Iv& wrong :
         {Iv{magma, STEND_GOST_ECB, 8}, Iv{magma, STEND_GOST_CTR, 0}, Iv{magma, STEND_GOST_CTR, 5},
          Iv{magma, STEND_GOST_CTR, 16}, Iv{kuznyechik, STEND_GOST_CTR, 12},
          Iv{kuznyechik, STEND_GOST_OFB, 0}, Iv{kuznyechik, STEND_GOST_CBC, 8},
          Iv{kuznyechik, STEND_GOST_CBC, 24}, Iv{kuznyechik, STEND_GOST_CFB, 17 * 16},
          Iv{legacy, STEND_GOST_CFB, 16}, Iv{legacy, STEND_GOST_CTR, 4}})
        CHECK(begin(stream, wrong.key, wrong.mode, wrong.size) == STEND_GOST_BAD_IV);
}

void options_that_do_not_go_together() {
    stend_gost_stream stream;
    const auto padding = [&](stend_gost_padding which) {
        return stend_gost_stream_padding(&stream, which);
    };
    begin(stream, magma, STEND_GOST_CTR, 4);
    CHECK(padding(STEND_GOST_PADDING_2) == STEND_GOST_BAD_OPTION);
    CHECK(update(stream, 1) == STEND_GOST_FINISHED);  // not encrypted in another way than asked
    begin(stream, magma, STEND_GOST_ECB, 0);
    CHECK(padding(static_cast<stend_gost_padding>(4)) == STEND_GOST_BAD_OPTION);
    begin(stream, magma, STEND_GOST_ECB, 0);
    CHECK(update(stream, 3) == STEND_GOST_OK);
    CHECK(padding(STEND_GOST_PADDING_2) == STEND_GOST_BAD_OPTION);  // too late
    CHECK(padding(STEND_GOST_PADDING_2) == STEND_GOST_FINISHED);
    begin(stream, magma, STEND_GOST_ECB, 0);
    CHECK(update(stream, 3) == STEND_GOST_OK);
    CHECK(stend_gost_stream_threads(&stream, 2) == STEND_GOST_BAD_OPTION);
    CHECK(stend_gost_stream_threads(&stream, 2) == STEND_GOST_FINISHED);

    begin(stream, magma, STEND_GOST_CFB, 8);
    CHECK(stend_gost_stream_sections(&stream, 1024) == STEND_GOST_BAD_OPTION);
    CHECK(stend_gost_stream_sections(&stream, 1024) == STEND_GOST_FINISHED);
    for (const std::size_t section : {0, 7, 12}) {
        begin(stream, magma, STEND_GOST_CTR, 4);
        CHECK(stend_gost_stream_sections(&stream, section) == STEND_GOST_BAD_SECTION);
    }
    begin(stream, legacy, STEND_GOST_CTR, 8);
    CHECK(stend_gost_stream_sections(&stream, 512) == STEND_GOST_BAD_SECTION);
    begin(stream, legacy, STEND_GOST_CBC, 8);
    CHECK(stend_gost_stream_sections(&stream, 1024) == STEND_GOST_BAD_OPTION);
}

void too_little_room_changes_nothing() {
    stend_gost_stream stream;
    begin(stream, magma, STEND_GOST_CBC, 8);
    CHECK(stend_gost_stream_padding(&stream, STEND_GOST_PADDING_2) == STEND_GOST_OK);
    CHECK(update(stream, 20, 15) == STEND_GOST_NO_ROOM);
    CHECK(stend_gost_stream_threads(&stream, 2) == STEND_GOST_OK);  // not too late for options
    CHECK(update(stream, 20, 16) == STEND_GOST_OK);
    CHECK(update(stream, 3, 0) == STEND_GOST_OK);
    CHECK(finish(stream, 7) == STEND_GOST_NO_ROOM);
    std::size_t written = 77;
    CHECK(stend_gost_stream_finish(&stream, out + 16, 8, &written) == STEND_GOST_OK);
    CHECK(written == 8);
    Buffer back(32);
    begin(stream, magma, STEND_GOST_CBC, 8, STEND_GOST_DECRYPT);
    CHECK(stend_gost_stream_padding(&stream, STEND_GOST_PADDING_2) == STEND_GOST_OK);
    CHECK(stend_gost_stream_update(&stream, out, 24, back.data(), 16, &written) == STEND_GOST_OK);
    CHECK(written == 16);  // the last block is held back
    CHECK(stend_gost_stream_finish(&stream, back.data() + 16, 6, &written) == STEND_GOST_NO_ROOM);
    CHECK(stend_gost_stream_finish(&stream, back.data() + 16, 7, &written) == STEND_GOST_OK);
    CHECK(written == 7 && std::equal(bytes, bytes + 20, back.begin()) && back[20] == 1);
}

void padding_is_byte_for_byte_the_standards() {
    struct Case {
        stend_gost_padding padding;
        std::size_t size, padded;
        std::uint8_t mark;
    };
    for (const Case& c :
         {Case{STEND_GOST_PADDING_1, 0, 0, 0}, Case{STEND_GOST_PADDING_1, 5, 8, 0},
          Case{STEND_GOST_PADDING_1, 8, 8, 0}, Case{STEND_GOST_PADDING_2, 0, 8, 0x80},
          Case{STEND_GOST_PADDING_2, 7, 8, 0x80}, Case{STEND_GOST_PADDING_2, 8, 16, 0x80},
          Case{STEND_GOST_PADDING_3, 0, 8, 0x80}, Case{STEND_GOST_PADDING_3, 9, 16, 0x80},
          Case{STEND_GOST_PADDING_3, 8, 8, 0x80}}) {
        stend_gost_stream stream;
        std::size_t written, last;
        begin(stream, magma, STEND_GOST_ECB, 0);
        CHECK(stend_gost_stream_padding(&stream, c.padding) == STEND_GOST_OK);
        stend_gost_stream_update(&stream, bytes, c.size, out, sizeof out, &written);
        CHECK(stend_gost_stream_finish(&stream, out + written, 8, &last) == STEND_GOST_OK);
        CHECK(written + last == c.padded);
        CHECK(stend_gost_decrypt_blocks(&magma.key, out, out, c.padded / 8) == STEND_GOST_OK);
        Buffer expected(bytes, bytes + c.size);
        expected.resize(c.padded);
        if (c.padded > c.size) expected[c.size] = c.mark;
        CHECK(std::equal(expected.begin(), expected.end(), out));
    }
}

void padding_that_is_none_is_found() {
    struct Case {
        std::uint8_t last[8];
        stend_gost_status status;
        std::size_t left;
    };
    for (const Case& c : {Case{{1, 2, 3, 4, 5, 6, 7, 0x80}, STEND_GOST_OK, 7},
                          Case{{0x80, 0, 0, 0, 0, 0, 0, 0}, STEND_GOST_OK, 0},
                          Case{{0x80, 0x80, 0, 0, 0, 0, 0, 0}, STEND_GOST_OK, 1},
                          Case{{0, 0, 0, 0, 0, 0, 0, 0}, STEND_GOST_BAD_PADDING, 0},
                          Case{{0x80, 0, 0, 0, 0, 0, 0, 1}, STEND_GOST_BAD_PADDING, 0},
                          Case{{0x80, 0, 0, 0x81, 0, 0, 0, 0}, STEND_GOST_BAD_PADDING, 0}}) {
        stend_gost_stream stream;
        std::uint8_t block[8];
        std::size_t written;
        stend_gost_encrypt_blocks(&magma.key, c.last, block, 1);
        begin(stream, magma, STEND_GOST_ECB, 0, STEND_GOST_DECRYPT);
        stend_gost_stream_padding(&stream, STEND_GOST_PADDING_2);
        stend_gost_stream_update(&stream, block, 8, out, 8, &written);
        CHECK(written == 0);
        CHECK(stend_gost_stream_finish(&stream, out, 8, &written) == c.status);
        CHECK(written == c.left && std::equal(out, out + written, c.last));
    }
}

void messages_that_end_inside_a_block() {
    stend_gost_stream stream;
    for (const auto way : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT}) {
        begin(stream, magma, STEND_GOST_CBC, 8, way);
        CHECK(update(stream, 13) == STEND_GOST_OK);
        CHECK(finish(stream) == STEND_GOST_PARTIAL);
        CHECK(finish(stream) == STEND_GOST_FINISHED);
    }
    for (const std::size_t size : {0, 13}) {  // padding 2 leaves whole blocks, and at least one
        begin(stream, magma, STEND_GOST_CBC, 8, STEND_GOST_DECRYPT);
        stend_gost_stream_padding(&stream, STEND_GOST_PADDING_2);
        CHECK(update(stream, size) == STEND_GOST_OK);
        CHECK(finish(stream) == STEND_GOST_PARTIAL);
    }
}

void finished_streams_hold_nothing() {
    stend_gost_stream stream;
    std::memset(&stream, 0, sizeof stream);
    begin(stream, magma, STEND_GOST_CTR, 4);
    CHECK(stend_gost_stream_sections(&stream, 8) == STEND_GOST_OK);
    CHECK(update(stream, 61) == STEND_GOST_OK);
    CHECK(!all_zero(&inside<SectionedStream>(&stream).schedule, sizeof(stend::gost::Schedule)));
    CHECK(finish(stream) == STEND_GOST_OK);
    CHECK(all_zero(&stream, sizeof stream));
    CHECK(update(stream, 1) == STEND_GOST_FINISHED);
    CHECK(finish(stream) == STEND_GOST_FINISHED);
    begin(stream, magma, STEND_GOST_CFB, 16);
    CHECK(update(stream, 61) == STEND_GOST_OK);
    stend_gost_stream_wipe(&stream);
    CHECK(all_zero(&stream, sizeof stream));
}

void a_half_blocks_counter_does_not_run_over() {
    stend_gost_stream stream;
    begin(stream, magma, STEND_GOST_CTR, 4);
    CHECK(inside<Stream>(&stream).left == std::uint64_t{8} << 32);
    inside<Stream>(&stream).left = 10;
    CHECK(update(stream, 7) == STEND_GOST_OK);
    CHECK(update(stream, 3) == STEND_GOST_OK);
    CHECK(update(stream, 1) == STEND_GOST_TOO_LONG);
    CHECK(update(stream, 0) == STEND_GOST_FINISHED);
}

// RFC 8645, 6.2.2: 2^(n/2 - 1) blocks.
void sections_halve_what_a_counter_allows() {
    stend_gost_stream stream;
    begin(stream, magma, STEND_GOST_CTR, 4);
    CHECK(stend_gost_stream_sections(&stream, 1024) == STEND_GOST_OK);
    CHECK(inside<Stream>(&stream).left == std::uint64_t{4} << 32);
    begin(stream, magma, STEND_GOST_CTR, 8);
    CHECK(stend_gost_stream_sections(&stream, 1024) == STEND_GOST_OK);
    CHECK(inside<Stream>(&stream).left == stend::gost::no_limit);
}

// Sizes that no buffer has are refused before anything is read, and are not counted modulo 2^64.
void sizes_that_no_buffer_has_are_refused() {
    constexpr std::size_t largest = ~std::size_t{0};
    for (const auto mode : {STEND_GOST_ECB, STEND_GOST_CBC, STEND_GOST_CTR})
        for (const std::size_t size : {largest, largest - 1, largest - 7, largest / 2 + 1}) {
            stend_gost_stream stream;
            begin(stream, magma, mode, mode == STEND_GOST_ECB ? 0 : 8);
            CHECK(update(stream, 1) == STEND_GOST_OK);
            CHECK(stend_gost_stream_room(&stream, size) >= size);
            CHECK(update(stream, size, largest) == STEND_GOST_TOO_LONG);
            CHECK(update(stream, 1) == STEND_GOST_FINISHED);
        }
}

// A key and its tag are encrypted with one half block's counter: Magma's allows 2^32 blocks.
void an_exported_key_is_not_too_long() {
    constexpr std::uint64_t most = std::uint64_t{8} << 32;
    CHECK(stend_gost_kexp15(&magma.key, &magma.key, bytes, 4, bytes, most - 7, out) ==
          STEND_GOST_TOO_LONG);
    CHECK(stend_gost_kimp15(&magma.key, &magma.key, bytes, 4, bytes, most + 1, out) ==
          STEND_GOST_TOO_LONG);
    CHECK(stend_gost_kexp15(&kuznyechik.key, &kuznyechik.key, bytes, 8, bytes, ~std::size_t{0},
                            out) == STEND_GOST_TOO_LONG);
    CHECK(stend_gost_kimp15(&magma.key, &magma.key, bytes, 4, bytes, 7, out) == STEND_GOST_PARTIAL);
}

stend_gost_status begin(stend_gost_mac& mac, const Keyed& key) {
    return stend_gost_mac_init(&mac, &key.key);
}

void codes_that_cannot_be() {
    stend_gost_mac mac;
    stend_gost_key wiped{};
    CHECK(stend_gost_mac_init(&mac, &wiped) == STEND_GOST_FINISHED);
    CHECK(stend_gost_mac_update(&mac, bytes, 1) == STEND_GOST_FINISHED);
    struct Size {
        const Keyed& key;
        std::size_t size;
    };
    for (const Size& wrong :
         {Size{magma, 0}, Size{magma, 9}, Size{kuznyechik, 17}, Size{legacy, 9}}) {
        begin(mac, wrong.key);
        CHECK(stend_gost_mac_update(&mac, bytes, 1) == STEND_GOST_OK);
        CHECK(stend_gost_mac_finish(&mac, out, wrong.size) == STEND_GOST_BAD_TAG_SIZE);
        CHECK(stend_gost_mac_finish(&mac, out, 4) == STEND_GOST_FINISHED);
    }
    begin(mac, legacy);  // as gost-engine has it
    std::memset(out, 1, 8);
    CHECK(stend_gost_mac_finish(&mac, out, 8) == STEND_GOST_OK && all_zero(out, 8));
    begin(mac, magma);  // OMAC of nothing is a block of padding
    CHECK(stend_gost_mac_finish(&mac, out, 8) == STEND_GOST_OK);
}

void sections_of_codes_that_cannot_be() {
    stend_gost_mac mac;
    struct Sections {
        const Keyed& key;
        std::size_t section, master;
    };
    for (const Sections& wrong :
         {Sections{magma, 0, 80}, Sections{magma, 16, 0}, Sections{magma, 12, 80},
          Sections{kuznyechik, 32, 40}, Sections{kuznyechik, 32, 80}, Sections{magma, 16, 96},
          Sections{legacy, 1024, 80}, Sections{legacy, 512, 0}}) {
        begin(mac, wrong.key);
        CHECK(stend_gost_mac_sections(&mac, wrong.section, wrong.master) == STEND_GOST_BAD_SECTION);
        CHECK(stend_gost_mac_update(&mac, bytes, 1) == STEND_GOST_FINISHED);
    }
    begin(mac, magma);
    CHECK(stend_gost_mac_update(&mac, bytes, 1) == STEND_GOST_OK);
    CHECK(stend_gost_mac_sections(&mac, 16, 80) == STEND_GOST_BAD_OPTION);
}

void codes_are_compared_and_forgotten() {
    stend_gost_mac mac;
    std::memset(&mac, 0, sizeof mac);
    const auto made = [&](const Keyed& key) {
        begin(mac, key);
        CHECK(stend_gost_mac_sections(&mac, 16, 80) == STEND_GOST_OK);
        CHECK(stend_gost_mac_update(&mac, bytes, 60) == STEND_GOST_OK);
    };
    made(magma);
    CHECK(stend_gost_mac_finish(&mac, out, 8) == STEND_GOST_OK);
    CHECK(all_zero(&mac, sizeof mac));
    made(magma);
    CHECK(stend_gost_mac_verify(&mac, out, 8) == STEND_GOST_OK);
    CHECK(stend_gost_mac_verify(&mac, out, 8) == STEND_GOST_FINISHED);
    for (int bit = 0; bit < 64; ++bit) {
        made(magma);
        out[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        CHECK(stend_gost_mac_verify(&mac, out, 8) == STEND_GOST_FORGED);
        out[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    }
    made(magma);
    CHECK(stend_gost_mac_verify(&mac, out, 3) == STEND_GOST_OK);
}

void many_codes_that_cannot_be() {
    const Keyed other(STEND_GOST_MAGMA);
    const stend_gost_key wiped{};
    const void* const messages[]{bytes, bytes};
    const std::size_t sizes[]{3, 4};
    const auto many = [&](const stend_gost_key* first, const stend_gost_key* second,
                          std::size_t tag_bytes) {
        const stend_gost_key* const keys[]{first, second};
        return stend_gost_mac_many(keys, messages, sizes, 2, out, tag_bytes);
    };
    CHECK(many(&magma.key, &other.key, 8) == STEND_GOST_OK);
    CHECK(many(&magma.key, &other.key, 9) == STEND_GOST_BAD_TAG_SIZE);
    CHECK(many(&magma.key, &other.key, 0) == STEND_GOST_BAD_TAG_SIZE);
    CHECK(many(&magma.key, &kuznyechik.key, 8) == STEND_GOST_BAD_CIPHER);
    CHECK(many(&legacy.key, &legacy.key, 4) == STEND_GOST_BAD_CIPHER);
    CHECK(many(&magma.key, &wiped, 8) == STEND_GOST_FINISHED);
    CHECK(stend_gost_mac_many(nullptr, nullptr, nullptr, 0, out, 8) == STEND_GOST_OK);
    stend_gost_key reference;
    CHECK(stend_gost_key_init(&reference, STEND_GOST_MAGMA, bytes, "reference") == STEND_GOST_OK);
    if (std::string_view(stend_gost_key_variant(&magma.key)) != "reference")
        CHECK(many(&magma.key, &reference, 8) == STEND_GOST_BAD_VARIANT);
}

stend_gost_status begin(stend_gost_mgm& mgm, const Keyed& key, std::size_t nonce_bytes,
                        stend_gost_direction way = STEND_GOST_ENCRYPT) {
    return stend_gost_mgm_init(&mgm, &key.key, way, bytes, nonce_bytes);
}

void authenticated_messages_that_cannot_be() {
    stend_gost_mgm mgm;
    std::uint8_t nonce[16] = {0x80};
    CHECK(begin(mgm, legacy, 8) == STEND_GOST_BAD_CIPHER);
    CHECK(begin(mgm, magma, 16) == STEND_GOST_BAD_IV);
    CHECK(begin(mgm, magma, 8, static_cast<stend_gost_direction>(5)) == STEND_GOST_BAD_OPTION);
    CHECK(stend_gost_mgm_init(&mgm, &kuznyechik.key, STEND_GOST_ENCRYPT, nonce, 16) ==
          STEND_GOST_BAD_IV);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 1, out) == STEND_GOST_FINISHED);
    CHECK(stend_gost_mgm_threads(&mgm, 2) == STEND_GOST_FINISHED);
    begin(mgm, magma, 8);
    CHECK(stend_gost_mgm_finish(&mgm, out, 8) == STEND_GOST_EMPTY);
    CHECK(stend_gost_mgm_finish(&mgm, out, 8) == STEND_GOST_FINISHED);
    for (const std::size_t tag_bytes : {0, 3, 9}) {
        begin(mgm, magma, 8);
        CHECK(stend_gost_mgm_update(&mgm, bytes, 5, out) == STEND_GOST_OK);
        CHECK(stend_gost_mgm_finish(&mgm, out, tag_bytes) == STEND_GOST_BAD_TAG_SIZE);
        CHECK(stend_gost_mgm_seal(&magma.key, bytes, 8, nullptr, 0, bytes, 5, out, out + 8,
                                  tag_bytes, 1) == STEND_GOST_BAD_TAG_SIZE);
    }
    begin(mgm, magma, 8);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 5, out) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_associated(&mgm, bytes, 5) == STEND_GOST_BAD_OPTION);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 5, out) == STEND_GOST_FINISHED);
    begin(mgm, magma, 8);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 5, out) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_verify(&mgm, out, 8) == STEND_GOST_BAD_OPTION);  // an encryption
    begin(mgm, magma, 8, STEND_GOST_DECRYPT);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 5, out) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_finish(&mgm, out, 8) == STEND_GOST_BAD_OPTION);
    CHECK(all_zero(&mgm, sizeof(MgmContext)));
    begin(mgm, magma, 8);
    CHECK(stend_gost_mgm_associated(&mgm, bytes, 5) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_finish(&mgm, out, 8) == STEND_GOST_OK);
    CHECK(all_zero(&mgm, sizeof(MgmContext)));
}

// RFC 9058, 4.1: associated data and message are together less than 2^(n/2) bits.
void authenticated_messages_are_not_too_long() {
    stend_gost_mgm mgm;
    constexpr std::uint64_t limit = std::uint64_t{1} << 29;  // Magma's, in bytes
    begin(mgm, magma, 8);
    inside<MgmContext>(&mgm).associated_bytes = limit - 10;
    CHECK(stend_gost_mgm_update(&mgm, bytes, 9, out) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 1, out) == STEND_GOST_TOO_LONG);
    begin(mgm, magma, 8);
    inside<MgmContext>(&mgm).associated_bytes = limit - 10;
    CHECK(stend_gost_mgm_associated(&mgm, bytes, 10) == STEND_GOST_TOO_LONG);
    CHECK(stend_gost_mgm_associated(&mgm, bytes, 1) == STEND_GOST_FINISHED);
    begin(mgm, magma, 8);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 1, out) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_update(&mgm, bytes, ~std::size_t{0}, out) == STEND_GOST_TOO_LONG);
    begin(mgm, kuznyechik, 16);
    inside<MgmContext>(&mgm).message_bytes = (std::uint64_t{1} << 61) - 2;
    CHECK(stend_gost_mgm_update(&mgm, bytes, 1, out) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_update(&mgm, bytes, 1, out) == STEND_GOST_TOO_LONG);
}

void exported_keys_that_cannot_be() {
    stend_gost_key wiped{};
    const auto exported = [&](const stend_gost_key* mac_key, const stend_gost_key* key,
                              std::size_t iv_bytes) {
        return stend_gost_kexp15(mac_key, key, bytes, iv_bytes, bytes, 32, out);
    };
    CHECK(exported(&magma.key, &magma.key, 8) == STEND_GOST_BAD_IV);
    CHECK(exported(&magma.key, &kuznyechik.key, 8) == STEND_GOST_BAD_CIPHER);
    CHECK(exported(&legacy.key, &legacy.key, 4) == STEND_GOST_BAD_CIPHER);
    CHECK(exported(&wiped, &magma.key, 4) == STEND_GOST_FINISHED);
    CHECK(exported(&magma.key, &magma.key, 4) == STEND_GOST_OK);
    std::uint8_t back[32];
    CHECK(stend_gost_kimp15(&magma.key, &magma.key, bytes, 4, out, 7, back) == STEND_GOST_PARTIAL);
    CHECK(stend_gost_kimp15(&magma.key, &magma.key, bytes, 4, out, 40, back) == STEND_GOST_OK);
    CHECK(std::equal(back, back + 32, bytes));
    out[39] ^= 2;
    CHECK(stend_gost_kimp15(&magma.key, &magma.key, bytes, 4, out, 40, back) == STEND_GOST_FORGED);
    CHECK(all_zero(back, sizeof back));
}

}  // namespace

int main() {
    every_status_has_its_own_sentence();
    keys_that_cannot_be();
    streams_that_cannot_be();
    options_that_do_not_go_together();
    too_little_room_changes_nothing();
    padding_is_byte_for_byte_the_standards();
    padding_that_is_none_is_found();
    messages_that_end_inside_a_block();
    finished_streams_hold_nothing();
    a_half_blocks_counter_does_not_run_over();
    sections_halve_what_a_counter_allows();
    sizes_that_no_buffer_has_are_refused();
    an_exported_key_is_not_too_long();
    codes_that_cannot_be();
    sections_of_codes_that_cannot_be();
    codes_are_compared_and_forgotten();
    many_codes_that_cannot_be();
    authenticated_messages_that_cannot_be();
    authenticated_messages_are_not_too_long();
    exported_keys_that_cannot_be();
}
