// The GOST ciphers for C++17: gost.h with keys and contexts that wipe themselves, and one
// exception. Nothing here allocates but a thrown exception, and threads where they are asked for.
//
//     const stend::gost::Key key(stend::gost::Cipher::kuznyechik, key_bytes);
//     stend::gost::seal(key, nonce, associated, message, encrypted, tag);
//     stend::gost::open(key, nonce, associated, encrypted, message, tag);  // throws when forged
//
// A key has to outlive what is made with it. What gost.h says of sizes, places and limits holds.
#pragma once

#include <cstddef>
#include <exception>
#include <iterator>
#include <type_traits>
#include <utility>

#include "stend/gost.h"

namespace stend::gost {
inline namespace api {

// Thrown by everything here that can't do what it is asked for. what() is a sentence.
class Error : public std::exception {
public:
    explicit Error(stend_gost_status status) noexcept : status_(status) {}
    stend_gost_status status() const noexcept { return status_; }
    const char* what() const noexcept override { return stend_gost_message(status_); }

private:
    stend_gost_status status_;
};

inline void check(stend_gost_status status) {
    if (status != STEND_GOST_OK) throw Error(status);
}

// What a range that lies in one piece holds: arrays, vectors, strings, spans.
template <typename Range>
using Held = std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>;

// Whether `Range` is such a range of plain numbers or structures, but not a `Self`.
template <typename Range, typename Self, typename = void>
inline constexpr bool memory = false;
template <typename Range, typename Self>
inline constexpr bool
    memory<Range, Self, std::void_t<Held<Range>, decltype(std::size(std::declval<Range&>()))>> =
        std::is_trivially_copyable_v<Held<Range>> && !std::is_same_v<std::decay_t<Range>, Self>;

// Bytes to read: those of any array, vector, string or span, for the length of a call.
class Input {
public:
    Input() = default;
    Input(const void* bytes, std::size_t size) : bytes_(bytes), size_(size) {}
    template <typename Range, std::enable_if_t<memory<const Range, Input>, int> = 0>
    Input(const Range& range)
        : bytes_(std::data(range)), size_(std::size(range) * sizeof(Held<const Range>)) {}
    template <std::size_t size>
    Input(const char (&)[size]) = delete;  // a literal's 0 byte: say std::string_view

    const void* data() const { return bytes_; }
    std::size_t size() const { return size_; }

private:
    const void* bytes_ = nullptr;
    std::size_t size_ = 0;
};

// Bytes to write, likewise.
class Output {
public:
    Output() = default;
    Output(void* bytes, std::size_t size) : bytes_(bytes), size_(size) {}
    template <typename Range,
              std::enable_if_t<memory<Range, Output> && !std::is_const_v<Held<Range>>, int> = 0>
    Output(Range&& range)
        : bytes_(std::data(range)), size_(std::size(range) * sizeof(Held<Range>)) {}

    void* data() const { return bytes_; }
    std::size_t size() const { return size_; }
    Output from(std::size_t offset) const {
        return {static_cast<std::byte*>(bytes_) + offset, size_ - offset};
    }

private:
    void* bytes_ = nullptr;
    std::size_t size_ = 0;
};

// Items to read, of an array, vector or span of just these, for the length of a call.
template <typename Item>
class Items {
public:
    Items(const Item* items, std::size_t size) : items_(items), size_(size) {}
    template <typename Range,
              std::enable_if_t<memory<const Range, Items> &&
                                   std::is_convertible_v<Held<const Range> (*)[], const Item (*)[]>,
                               int> = 0>
    Items(const Range& range) : items_(std::data(range)), size_(std::size(range)) {}

    const Item* data() const { return items_; }
    std::size_t size() const { return size_; }

private:
    const Item* items_;
    std::size_t size_;
};

enum class Cipher {
    kuznyechik = STEND_GOST_KUZNYECHIK,
    magma = STEND_GOST_MAGMA,
    gost28147_tc26_z = STEND_GOST_28147_TC26_Z,
    gost28147_cryptopro_a = STEND_GOST_28147_CRYPTOPRO_A,
    gost28147_cryptopro_b = STEND_GOST_28147_CRYPTOPRO_B,
    gost28147_cryptopro_c = STEND_GOST_28147_CRYPTOPRO_C,
    gost28147_cryptopro_d = STEND_GOST_28147_CRYPTOPRO_D,
};

enum class Mode {
    ecb = STEND_GOST_ECB,
    ctr = STEND_GOST_CTR,
    ofb = STEND_GOST_OFB,
    cbc = STEND_GOST_CBC,
    cfb = STEND_GOST_CFB,
};

enum class Direction { encrypt = STEND_GOST_ENCRYPT, decrypt = STEND_GOST_DECRYPT };

enum class Padding {
    none = STEND_GOST_PADDING_NONE,
    procedure1 = STEND_GOST_PADDING_1,
    procedure2 = STEND_GOST_PADDING_2,
    procedure3 = STEND_GOST_PADDING_3,
};

class Key {
public:
    // variant: null for the fastest constant-time one.
    Key(Cipher cipher, Input bytes, const char* variant = nullptr) {
        if (bytes.size() != STEND_GOST_KEY_BYTES) throw Error(STEND_GOST_BAD_KEY_SIZE);
        check(stend_gost_key_init(&key_, static_cast<stend_gost_cipher>(cipher), bytes.data(),
                                  variant));
    }
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    ~Key() { stend_gost_key_wipe(&key_); }

    Cipher cipher() const { return static_cast<Cipher>(stend_gost_key_cipher(&key_)); }
    const char* variant() const { return stend_gost_key_variant(&key_); }
    std::size_t block() const { return stend_gost_block_bytes(stend_gost_key_cipher(&key_)); }
    const stend_gost_key* c() const { return &key_; }

    // Whole blocks, each by itself.
    void encrypt(Input in, Output out) const { blocks(stend_gost_encrypt_blocks, in, out); }
    void decrypt(Input in, Output out) const { blocks(stend_gost_decrypt_blocks, in, out); }

private:
    void blocks(decltype(stend_gost_encrypt_blocks)& work, Input in, Output out) const {
        if (in.size() % block()) throw Error(STEND_GOST_PARTIAL);
        if (out.size() < in.size()) throw Error(STEND_GOST_NO_ROOM);
        check(work(&key_, in.data(), out.data(), in.size() / block()));
    }

    stend_gost_key key_;
};

struct StreamOptions {
    Padding padding = Padding::none;
    std::size_t section = 0;  // bytes to a key; 0: one key for all
    unsigned threads = 1;     // 0: all CPUs of this process
};

// Encryption or decryption in pieces of any size.
class Stream {
public:
    Stream(const Key& key, Mode mode, Direction direction, Input iv = {},
           StreamOptions options = {}) {
        check(stend_gost_stream_init(&stream_, key.c(), static_cast<stend_gost_mode>(mode),
                                     static_cast<stend_gost_direction>(direction), iv.data(),
                                     iv.size()));
        if (options.padding != Padding::none)
            check(stend_gost_stream_padding(&stream_,
                                            static_cast<stend_gost_padding>(options.padding)));
        if (options.section) check(stend_gost_stream_sections(&stream_, options.section));
        if (options.threads != 1) check(stend_gost_stream_threads(&stream_, options.threads));
    }
    Stream(const Key&& key, Mode, Direction, Input = {}, StreamOptions = {}) = delete;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { stend_gost_stream_wipe(&stream_); }

    // Enough for an update of so many bytes and the finish after it.
    std::size_t room(std::size_t size) const { return stend_gost_stream_room(&stream_, size); }
    std::size_t update_size(std::size_t size) const {
        return stend_gost_stream_update_size(&stream_, size);
    }

    // How many bytes were written, of an update and in the end.
    std::size_t update(Input in, Output out) {
        std::size_t written;
        check(stend_gost_stream_update(&stream_, in.data(), in.size(), out.data(), out.size(),
                                       &written));
        return written;
    }
    std::size_t finish(Output out = {}) {
        std::size_t written;
        check(stend_gost_stream_finish(&stream_, out.data(), out.size(), &written));
        return written;
    }

private:
    stend_gost_stream stream_;
};

// A whole message in one call: `out` takes as many bytes as `in` has. ECB and CBC take whole
// blocks.
inline void crypt(const Key& key, Mode mode, Direction direction, Input iv, Input in, Output out) {
    if (out.size() < in.size()) throw Error(STEND_GOST_NO_ROOM);
    check(stend_gost_crypt(key.c(), static_cast<stend_gost_mode>(mode),
                           static_cast<stend_gost_direction>(direction), iv.data(), iv.size(),
                           in.data(), in.size(), out.data()));
}

struct MacSections {
    std::size_t section = 0;  // bytes to a key; 0: one key for all
    std::size_t master_section = 0;
};

// OMAC, OMAC-ACPKM, and the imitovstavka of GOST 28147-89.
class Mac {
public:
    explicit Mac(const Key& key, MacSections sections = {}) {
        check(stend_gost_mac_init(&mac_, key.c()));
        if (sections.section)
            check(stend_gost_mac_sections(&mac_, sections.section, sections.master_section));
    }
    explicit Mac(const Key&& key, MacSections = {}) = delete;
    Mac(const Mac&) = delete;
    Mac& operator=(const Mac&) = delete;
    ~Mac() { stend_gost_mac_wipe(&mac_); }

    void update(Input in) { check(stend_gost_mac_update(&mac_, in.data(), in.size())); }
    void finish(Output tag) { check(stend_gost_mac_finish(&mac_, tag.data(), tag.size())); }
    // Throws Error with STEND_GOST_FORGED when the tag is another.
    void verify(Input tag) { check(stend_gost_mac_verify(&mac_, tag.data(), tag.size())); }

private:
    stend_gost_mac mac_;
};

// The tag of a whole message.
inline void mac(const Key& key, Input message, Output tag) {
    Mac mac(key);
    mac.update(message);
    mac.finish(tag);
}

// MGM in pieces. What a decryption gives is not authentic before verify() has returned.
class Mgm {
public:
    Mgm(const Key& key, Direction direction, Input nonce, unsigned threads = 1) {
        check(stend_gost_mgm_init(&mgm_, key.c(), static_cast<stend_gost_direction>(direction),
                                  nonce.data(), nonce.size()));
        check(stend_gost_mgm_threads(&mgm_, threads));
    }
    Mgm(const Key&& key, Direction, Input, unsigned = 1) = delete;
    Mgm(const Mgm&) = delete;
    Mgm& operator=(const Mgm&) = delete;
    ~Mgm() { stend_gost_mgm_wipe(&mgm_); }

    void associated(Input data) {
        check(stend_gost_mgm_associated(&mgm_, data.data(), data.size()));
    }
    void update(Input in, Output out) {
        if (out.size() < in.size()) throw Error(STEND_GOST_NO_ROOM);
        check(stend_gost_mgm_update(&mgm_, in.data(), in.size(), out.data()));
    }
    void finish(Output tag) { check(stend_gost_mgm_finish(&mgm_, tag.data(), tag.size())); }
    void verify(Input tag) { check(stend_gost_mgm_verify(&mgm_, tag.data(), tag.size())); }

private:
    stend_gost_mgm mgm_;
};

// A whole message with MGM: `out` takes as many bytes as `in` has.
inline void seal(const Key& key, Input nonce, Input associated, Input in, Output out, Output tag,
                 unsigned threads = 1) {
    if (out.size() < in.size()) throw Error(STEND_GOST_NO_ROOM);
    check(stend_gost_mgm_seal(key.c(), nonce.data(), nonce.size(), associated.data(),
                              associated.size(), in.data(), in.size(), out.data(), tag.data(),
                              tag.size(), threads));
}

// Throws Error with STEND_GOST_FORGED, and wipes `out`, when the tag is another.
inline void open(const Key& key, Input nonce, Input associated, Input in, Output out, Input tag,
                 unsigned threads = 1) {
    if (out.size() < in.size()) throw Error(STEND_GOST_NO_ROOM);
    check(stend_gost_mgm_open(key.c(), nonce.data(), nonce.size(), associated.data(),
                              associated.size(), in.data(), in.size(), out.data(), tag.data(),
                              tag.size(), threads));
}

// OMAC of many messages at once; `tags` takes tag_bytes for each.
inline void mac_many(Items<const stend_gost_key*> keys, Items<const void*> messages,
                     Items<std::size_t> sizes, Output tags, std::size_t tag_bytes) {
    if (messages.size() != keys.size() || sizes.size() != keys.size())
        throw Error(STEND_GOST_BAD_OPTION);
    if (tags.size() / (tag_bytes ? tag_bytes : 1) < keys.size()) throw Error(STEND_GOST_NO_ROOM);
    check(stend_gost_mac_many(keys.data(), messages.data(), sizes.data(), keys.size(), tags.data(),
                              tag_bytes));
}

// KExp15: `out` takes a block more than the exported key has.
inline void kexp15(const Key& mac_key, const Key& cipher_key, Input iv, Input key, Output out) {
    if (out.size() < key.size() + cipher_key.block()) throw Error(STEND_GOST_NO_ROOM);
    check(stend_gost_kexp15(mac_key.c(), cipher_key.c(), iv.data(), iv.size(), key.data(),
                            key.size(), out.data()));
}

// KImp15: throws, and wipes `out`, when the key was damaged or not exported with these two.
inline void kimp15(const Key& mac_key, const Key& cipher_key, Input iv, Input exported,
                   Output out) {
    if (out.size() + cipher_key.block() < exported.size()) throw Error(STEND_GOST_NO_ROOM);
    check(stend_gost_kimp15(mac_key.c(), cipher_key.c(), iv.data(), iv.size(), exported.data(),
                            exported.size(), out.data()));
}

}  // namespace api
}  // namespace stend::gost
