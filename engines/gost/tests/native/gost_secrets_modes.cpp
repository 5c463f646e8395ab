// The modes with secrets, through the public interface: with a secret key and public messages, and
// with secret messages and a public key. Initialisation vectors and nonces are public; so are
// ciphertexts and tags that came in, under a secret key. Of what is decrypted nobody may learn more
// than the interface tells: right or forged, and how long the padding was.
#include <algorithm>
#include <cstring>

#include "check.h"
#include "gost_secrets.h"
#include "secrets.h"

using namespace secrets;

namespace {

using Status = stend_gost_status;
constexpr auto ok = STEND_GOST_OK;

constexpr std::size_t most = most_bytes;
std::uint8_t plain[most], in[most], out[most + 64], back[most + 64], tag[64 * 16];
const std::uint8_t iv[16 * STEND_GOST_LARGEST_BLOCK] = {0x12, 0x34};
stend_gost_key key, other_key;
stend_gost_stream stream;
stend_gost_mac mac;
stend_gost_mgm mgm;

// One cipher in one variant, with one kind of secret.
struct Case {
    std::size_t block;
    bool old, secret_key;

    // The message, secret or not.
    void begin() const {
        show(in, sizeof in);
        std::copy_n(plain, sizeof in, in);
        if (!secret_key) hide(in, sizeof in);
    }
    // What came from outside, and is as secret as messages are.
    void receive(std::uint8_t* bytes, std::size_t size) const {
        secret_key ? show(bytes, size) : hide(bytes, size);
    }
};

void same_as_plain(std::uint8_t* bytes, std::size_t size) {
    CHECK(std::equal(bytes, bytes + size, plain));
}

// ---- streams ---------------------------------------------------------------------------------

struct Way {
    stend_gost_mode mode;
    std::size_t chains, section;
    stend_gost_padding padding;
    unsigned threads;
};

// In three pieces. What came out is left in `to`.
Status run(const Case& c, const Way& way, stend_gost_direction direction, const std::uint8_t* from,
           std::size_t size, std::uint8_t* to, std::size_t* made) {
    const std::size_t cuts[] = {0, size * 3 / 8, size / 2, size};
    CHECK(stend_gost_stream_init(&stream, &key, way.mode, direction, iv, way.chains * c.block) ==
          ok);
    if (way.padding) CHECK(stend_gost_stream_padding(&stream, way.padding) == ok);
    if (way.section) CHECK(stend_gost_stream_sections(&stream, way.section) == ok);
    CHECK(stend_gost_stream_threads(&stream, way.threads) == ok);
    *made = 0;
    std::size_t written;
    for (int i = 0; i < 3; ++i) {
        CHECK(stend_gost_stream_update(&stream, from + cuts[i], cuts[i + 1] - cuts[i], to + *made,
                                       most - *made, &written) == ok);
        *made += written;
    }
    const Status status = stend_gost_stream_finish(&stream, to + *made, most - *made, &written);
    *made += written;
    return status;
}

void at_once(const Case& c, const Way& way, std::size_t size) {
    c.begin();
    CHECK(stend_gost_crypt(&key, way.mode, STEND_GOST_ENCRYPT, iv, way.chains * c.block, in, size,
                           out) == ok);
    expect_secret("a message, encrypted", out, size);
    c.receive(out, size);
    CHECK(stend_gost_crypt(&key, way.mode, STEND_GOST_DECRYPT, iv, way.chains * c.block, out, size,
                           back) == ok);
    expect_secret("a message, decrypted", back, size);
    same_as_plain(back, size);
}

void a_stream(const Case& c, const Way& way, std::size_t size) {
    std::size_t made, returned;
    c.begin();
    CHECK(run(c, way, STEND_GOST_ENCRYPT, in, size, out, &made) == ok && made >= size);
    expect_secret("a stream, encrypted", out, made);
    c.receive(out, made);
    CHECK(run(c, way, STEND_GOST_DECRYPT, out, made, back, &returned) == ok);
    expect_secret("a stream, decrypted", back, returned);
    CHECK(way.padding == STEND_GOST_PADDING_2 ? returned == size : returned == made);
    same_as_plain(back, size);
    if (way.padding == STEND_GOST_PADDING_NONE && way.section == 0 && way.threads == 1)
        at_once(c, way, size);
    if (way.padding != STEND_GOST_PADDING_2) return;
    // What is no message has no padding.
    CHECK(run(c, way, STEND_GOST_DECRYPT, in, 5 * c.block, back, &returned) ==
          STEND_GOST_BAD_PADDING);
    expect_secret("a stream without padding", back, returned);
}

void streams(const Case& c) {
    const std::size_t whole = 100 * c.block, cut = whole - 3;
    for (const auto padding : {STEND_GOST_PADDING_NONE, STEND_GOST_PADDING_1, STEND_GOST_PADDING_2,
                               STEND_GOST_PADDING_3}) {
        const std::size_t size = padding ? cut : whole;
        a_stream(c, {STEND_GOST_ECB, 0, 0, padding, 1}, size);
        for (const std::size_t chains : {1, 3})
            if (chains == 1 || !c.old) a_stream(c, {STEND_GOST_CBC, chains, 0, padding, 1}, size);
    }
    const auto none = STEND_GOST_PADDING_NONE;
    a_stream(c, {STEND_GOST_CTR, 1, 0, none, 1}, cut);
    a_stream(c, {STEND_GOST_CFB, 1, 0, none, 1}, cut);
    // Changing keys: GOST 28147-89 meshes every 1024 bytes.
    a_stream(c, {STEND_GOST_CTR, 1, c.old ? 1024 : 5 * c.block, none, 1}, c.old ? 2600 : cut);
    if (c.old) return a_stream(c, {STEND_GOST_CFB, 1, 1024, none, 1}, 2600);
    a_stream(c, {STEND_GOST_CFB, 3, 0, none, 1}, cut);
    for (const std::size_t chains : {1, 3}) a_stream(c, {STEND_GOST_OFB, chains, 0, none, 1}, cut);
}

// ---- codes -----------------------------------------------------------------------------------

void begin_mac(const Case& c, std::size_t section, std::size_t size) {
    CHECK(stend_gost_mac_init(&mac, &key) == ok);
    if (section)
        CHECK(stend_gost_mac_sections(&mac, section, c.old ? 0 : 2 * (32 + c.block)) == ok);
    CHECK(stend_gost_mac_update(&mac, in, size / 3) == ok);
    CHECK(stend_gost_mac_update(&mac, in + size / 3, size - size / 3) == ok);
}

void codes(const Case& c) {
    const std::size_t size = c.old ? 4 : c.block;
    c.begin();
    for (const std::size_t section : {std::size_t{0}, c.old ? 1024 : 4 * c.block})
        for (const std::size_t length : {c.block - 1, c.block, 260 * c.block + 5}) {
            begin_mac(c, section, length);
            CHECK(stend_gost_mac_finish(&mac, tag, size) == ok);
            expect_secret("a code", tag, size);
            begin_mac(c, section, length);
            CHECK(stend_gost_mac_verify(&mac, tag, size) == ok);
            tag[size - 1] ^= 1;
            begin_mac(c, section, length);
            CHECK(stend_gost_mac_verify(&mac, tag, size) == STEND_GOST_FORGED);
        }
}

void many_codes(const Case& c) {
    constexpr std::size_t count = 70;
    const stend_gost_key* keys[count];
    const void* messages[count];
    std::size_t sizes[count];
    c.begin();
    for (const bool one_key : {true, false}) {
        for (std::size_t i = 0; i < count; ++i) {
            keys[i] = one_key || i % 3 ? &key : &other_key;
            messages[i] = in + i;
            sizes[i] = 1 + i * 5 % 90;
        }
        for (const std::size_t some : {std::size_t{1}, std::size_t{5}, count}) {
            std::uint8_t tags[count * STEND_GOST_LARGEST_BLOCK];
            CHECK(stend_gost_mac_many(keys, messages, sizes, some, tags, c.block) == ok);
            expect_secret("codes of many", tags, some * c.block);
        }
    }
}

// ---- MGM, key export -------------------------------------------------------------------------

void mgm_in_pieces(const Case& c, stend_gost_direction direction, const std::uint8_t* from,
                   std::size_t size, std::uint8_t* to) {
    CHECK(stend_gost_mgm_init(&mgm, &key, direction, iv, c.block) == ok);
    CHECK(stend_gost_mgm_associated(&mgm, in, 21) == ok);
    CHECK(stend_gost_mgm_associated(&mgm, in + 21, size / 2) == ok);
    CHECK(stend_gost_mgm_update(&mgm, from, size / 3, to) == ok);
    CHECK(stend_gost_mgm_update(&mgm, from + size / 3, size - size / 3, to + size / 3) == ok);
}

void mgm_messages(const Case& c, std::size_t size) {
    c.begin();
    mgm_in_pieces(c, STEND_GOST_ENCRYPT, in, size, out);
    CHECK(stend_gost_mgm_finish(&mgm, tag, c.block) == ok);
    expect_secret("MGM's message", out, size);
    expect_secret("MGM's tag", tag, c.block);
    for (const Status expected : {ok, STEND_GOST_FORGED}) {
        if (expected != ok) tag[c.block - 1] ^= 0x80;
        c.receive(out, size);
        mgm_in_pieces(c, STEND_GOST_DECRYPT, out, size, back);
        expect_secret("MGM's message, decrypted", back, size);
        same_as_plain(back, size);
        CHECK(stend_gost_mgm_verify(&mgm, tag, c.block) == expected);
    }
}

void mgm_at_once(const Case& c, std::size_t size, unsigned threads) {
    c.begin();
    CHECK(stend_gost_mgm_seal(&key, iv, c.block, in, 21, in, size, out, tag, 4, threads) == ok);
    expect_secret("MGM's message", out, size);
    expect_secret("MGM's tag", tag, 4);
    c.receive(out, size);
    CHECK(stend_gost_mgm_open(&key, iv, c.block, in, 21, out, size, back, tag, 4, threads) == ok);
    expect_secret("MGM's message, decrypted", back, size);
    same_as_plain(back, size);
    tag[0] ^= 1;
    c.receive(out, size);
    CHECK(stend_gost_mgm_open(&key, iv, c.block, in, 21, out, size, back, tag, 4, threads) ==
          STEND_GOST_FORGED);
    CHECK(std::all_of(back, back + size, [](std::uint8_t byte) { return byte == 0; }));
}

void key_export(const Case& c) {
    const std::size_t size = 32 + c.block;
    c.begin();
    CHECK(stend_gost_kexp15(&other_key, &key, iv, c.block / 2, in, 32, out) == ok);
    expect_secret("KExp15", out, size);
    for (const Status expected : {ok, STEND_GOST_FORGED}) {
        if (expected != ok) out[size - 1] ^= 1;
        c.receive(out, size);
        CHECK(stend_gost_kimp15(&other_key, &key, iv, c.block / 2, out, size, back) == expected);
        if (expected != ok) continue;
        expect_secret("KImp15", back, 32);
        same_as_plain(back, 32);
    }
}

void everything(const Case& c) {
    c.begin();
    CHECK(stend_gost_encrypt_blocks(&key, in, out, 9) == ok);
    expect_secret("encrypt_blocks", out, 9 * c.block);
    CHECK(stend_gost_decrypt_blocks(&key, in, out, 9) == ok);
    expect_secret("decrypt_blocks", out, 9 * c.block);
    streams(c);
    codes(c);
    if (c.old) return;
    many_codes(c);
    for (const std::size_t size : {std::size_t{3}, c.block, 90 * c.block + 7})
        mgm_messages(c, size), mgm_at_once(c, size, 1);
    key_export(c);
}

}  // namespace

void the_modes_with_secrets(stend_gost_cipher cipher, const char* variant) {
    for (std::size_t i = 0; i < sizeof plain; ++i)
        plain[i] = static_cast<std::uint8_t>(i * 149 + i / 253);
    for (const bool secret_key : {true, false}) {
        if (roughly && !secret_key) continue;  // last blocks are but partly secret
        std::uint8_t secret[STEND_GOST_KEY_BYTES] = {4, 5, 6}, other[STEND_GOST_KEY_BYTES] = {7};
        if (secret_key) hide(secret, sizeof secret), hide(other, sizeof other);
        CHECK(stend_gost_key_init(&key, cipher, secret, variant) == ok);
        CHECK(stend_gost_key_init(&other_key, cipher, other, variant) == ok);
        everything({stend_gost_block_bytes(cipher), cipher >= STEND_GOST_28147_TC26_Z, secret_key});
        stend_gost_key_wipe(&key), stend_gost_key_wipe(&other_key);
    }
}
