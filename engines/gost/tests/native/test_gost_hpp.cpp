// The C++ face: it gives what the C interface gives, checks sizes, and throws the status.
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "check.h"
#include "stend/gost.hpp"

using namespace stend::gost;

namespace {

const std::array<unsigned char, 32> key_bytes{7, 1, 9};
const std::vector<std::byte> nonce(16);
const std::string message = "sixteen bytes and some more of them";

template <typename Work>
bool throws(stend_gost_status status, Work work) {
    try {
        work();
    } catch (const std::exception& error) {
        const auto* const known = dynamic_cast<const Error*>(&error);
        return known && known->status() == status &&
               std::string_view(error.what()) == stend_gost_message(status);
    }
    return false;
}

static_assert(!std::is_copy_constructible_v<Key> && !std::is_copy_constructible_v<Stream> &&
              !std::is_copy_constructible_v<Mac> && !std::is_copy_constructible_v<Mgm>);
static_assert(!std::is_constructible_v<Mac, Key>);  // a key that dies with the statement
static_assert(!std::is_constructible_v<Input, const char (&)[4]>);
static_assert(!std::is_constructible_v<Output, const std::string&>);
static_assert(std::is_constructible_v<Output, std::string&>);

void a_key_is_what_it_was_made_of() {
    const Key key(Cipher::magma, key_bytes, "reference");
    CHECK(key.cipher() == Cipher::magma && key.block() == 8);
    CHECK(std::string_view(key.variant()) == "reference");
    CHECK(throws(STEND_GOST_BAD_KEY_SIZE, [] { Key(Cipher::magma, std::string(31, 'k')); }));
    CHECK(throws(STEND_GOST_BAD_VARIANT, [] { Key(Cipher::magma, key_bytes, "none"); }));
    std::array<char, 16> blocks{1, 2}, back{};
    key.encrypt(blocks, back);
    CHECK(back != blocks);
    key.decrypt(back, back);
    CHECK(back == blocks);
    CHECK(throws(STEND_GOST_PARTIAL, [&] { key.encrypt(std::string(9, 'x'), back); }));
    CHECK(throws(STEND_GOST_NO_ROOM, [&] { key.encrypt(std::string(24, 'x'), back); }));
}

std::string streamed(const Key& key, Direction direction, Input in) {
    Stream stream(key, Mode::cbc, direction, nonce, {.padding = Padding::procedure2});
    std::string out(stream.room(in.size()), 0);
    std::size_t written = stream.update(in, out);
    written += stream.finish(Output(out).from(written));
    out.resize(written);
    return out;
}

void a_stream_goes_both_ways() {
    const Key key(Cipher::kuznyechik, key_bytes);
    const std::string encrypted = streamed(key, Direction::encrypt, message);
    CHECK(encrypted.size() == 48);
    CHECK(streamed(key, Direction::decrypt, encrypted) == message);
    CHECK(throws(STEND_GOST_BAD_PADDING,
                 [&] { streamed(key, Direction::decrypt, std::string(16, 'x')); }));
    CHECK(throws(STEND_GOST_BAD_IV, [&] { Stream(key, Mode::cbc, Direction::encrypt); }));
    CHECK(throws(STEND_GOST_BAD_SECTION,
                 [&] { Stream(key, Mode::ctr, Direction::encrypt, nonce, {.section = 17}); }));
    Stream stream(key, Mode::ctr, Direction::encrypt, nonce, {.section = 16, .threads = 0});
    CHECK(throws(STEND_GOST_NO_ROOM, [&] { stream.update(message, {}); }));
    CHECK(stream.finish() == 0);
    std::string out(message.size(), 0), back = out;
    crypt(key, Mode::ctr, Direction::encrypt, nonce, message, out);
    crypt(key, Mode::ctr, Direction::decrypt, nonce, out, back);
    CHECK(out != message && back == message);
    CHECK(throws(STEND_GOST_PARTIAL,
                 [&] { crypt(key, Mode::cbc, Direction::encrypt, nonce, message, out); }));
    out.pop_back();
    CHECK(throws(STEND_GOST_NO_ROOM,
                 [&] { crypt(key, Mode::ctr, Direction::encrypt, nonce, message, out); }));
    CHECK(throws(STEND_GOST_FINISHED, [&] { stream.finish(); }));
}

void a_code_is_made_and_verified() {
    const Key key(Cipher::kuznyechik, key_bytes);
    std::array<unsigned char, 8> tag, changing;
    mac(key, message, tag);
    Mac again(key);
    again.update(message);
    again.verify(tag);
    Mac with_sections(key, {.section = 16, .master_section = 96});
    with_sections.update(message);
    with_sections.finish(changing);
    CHECK(changing != tag);
    Mac other(key);
    other.update(message);
    CHECK(throws(STEND_GOST_FORGED, [&] { other.verify(changing); }));

    const std::vector<const stend_gost_key*> keys(3, key.c());
    const std::vector<const void*> messages(3, message.data());
    const std::vector<std::size_t> sizes(3, message.size());
    std::vector<unsigned char> tags(24);
    mac_many(keys, messages, sizes, tags, 8);
    CHECK(std::equal(tag.begin(), tag.end(), tags.begin() + 16));
    tags.pop_back();
    CHECK(throws(STEND_GOST_NO_ROOM, [&] { mac_many(keys, messages, sizes, tags, 8); }));
}

void what_is_sealed_is_opened() {
    const Key key(Cipher::kuznyechik, key_bytes);
    std::string sealed(message.size(), 0), opened = sealed;
    std::array<unsigned char, 16> tag, tag_of_pieces;
    seal(key, nonce, key_bytes, message, sealed, tag);
    open(key, nonce, key_bytes, sealed, opened, tag);
    CHECK(opened == message);
    Mgm mgm(key, Direction::encrypt, nonce, 2);
    mgm.associated(key_bytes);
    mgm.update(message, opened);
    mgm.finish(tag_of_pieces);
    CHECK(opened == sealed && tag_of_pieces == tag);
    Mgm back(key, Direction::decrypt, nonce);
    back.update(sealed, opened);
    CHECK(throws(STEND_GOST_FORGED, [&] { back.verify(tag); }));  // without associated data
    CHECK(throws(STEND_GOST_FORGED, [&] { open(key, nonce, {}, sealed, opened, tag); }));
    CHECK(opened == std::string(message.size(), 0));
    CHECK(throws(STEND_GOST_NO_ROOM, [&] { seal(key, nonce, {}, message, tag, tag); }));
}

void a_key_is_exported_and_imported() {
    const Key mac_key(Cipher::magma, key_bytes), key(Cipher::magma, std::string(32, 'k'));
    const std::array<unsigned char, 4> iv{1, 2, 3, 4};
    std::array<unsigned char, 40> exported;
    std::array<unsigned char, 32> imported;
    kexp15(mac_key, key, iv, key_bytes, exported);
    kimp15(mac_key, key, iv, exported, imported);
    CHECK(imported == key_bytes);
    CHECK(throws(STEND_GOST_FORGED, [&] { kimp15(key, mac_key, iv, exported, imported); }));
    CHECK(throws(STEND_GOST_NO_ROOM, [&] { kexp15(mac_key, key, iv, key_bytes, imported); }));
}

}  // namespace

int main() {
    a_key_is_what_it_was_made_of();
    a_stream_goes_both_ways();
    a_code_is_made_and_verified();
    what_is_sealed_is_opened();
    a_key_is_exported_and_imported();
}
