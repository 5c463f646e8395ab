// One input chooses a cipher, a variant, a mode, its options, a message and where it is cut; the
// message then goes through two different ways, and both have to say the same:
//   the chosen variant, cut in pieces, in place or not, with one thread or two;
//   the reference, all at once, on one thread.
// Then it is decrypted, cut elsewhere. With clang's libFuzzer, which looks for inputs by itself, or
// without it as a program: `gost ROUNDS` takes random ones, the same every time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "stend/gost.h"

namespace {

using Buffer = std::vector<std::uint8_t>;

#define MUST(...)                                                                          \
    do {                                                                                   \
        if (!(__VA_ARGS__)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::abort();                                                                  \
        }                                                                                  \
    } while (false)

// The bytes of the input, one choice after another; zeros after its end.
class Choices {
public:
    Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    std::size_t below(std::size_t limit) { return limit > 1 ? two() % limit : 0; }
    bool left() const { return at_ != end_; }

    // As many bytes as are asked for, made of two; one time in four they are all FF.
    Buffer bytes(std::size_t size) {
        std::minstd_rand random(static_cast<unsigned>(two() + 1));
        Buffer made(size, 0xFF);
        if (below(4) != 0)
            for (std::uint8_t& byte : made) byte = static_cast<std::uint8_t>(random() >> 8);
        return made;
    }

private:
    std::size_t one() { return left() ? *at_++ : 0; }
    std::size_t two() { return one() << 8 | one(); }

    const std::uint8_t *at_, *end_;
};

class Key {
public:
    Key(stend_gost_cipher cipher, const Buffer& key, const char* variant)
        : key_(std::make_unique<stend_gost_key>()) {
        MUST(stend_gost_key_init(key_.get(), cipher, key.data(), variant) == STEND_GOST_OK);
    }
    ~Key() { stend_gost_key_wipe(key_.get()); }
    operator const stend_gost_key*() const { return key_.get(); }

private:
    std::unique_ptr<stend_gost_key> key_;
};

// A variant of the cipher that runs here.
const char* variant_of(stend_gost_cipher cipher, Choices& choose) {
    std::vector<const char*> usable;
    for (std::size_t i = 0; const char* name = stend_gost_variant(cipher, i); ++i)
        if (stend_gost_variant_lacks(cipher, name) == nullptr) usable.push_back(name);
    return usable[choose.below(usable.size())];
}

// How a message is handed over.
struct Cut {
    Choices* choose = nullptr;  // null: all at once
    bool in_place = false;
    unsigned threads = 1;

    std::size_t next(std::size_t left) const {
        return choose == nullptr || !choose->left() ? left : std::min(left, choose->below(600));
    }
};

struct Streaming {
    stend_gost_mode mode;
    stend_gost_padding padding;
    std::size_t section;
    Buffer iv;

    Buffer through(const stend_gost_key* key, stend_gost_direction direction, const Buffer& in,
                   Cut cut) const {
        const auto stream = std::make_unique<stend_gost_stream>();
        stend_gost_stream* const s = stream.get();
        MUST(stend_gost_stream_init(s, key, mode, direction, iv.data(), iv.size()) ==
             STEND_GOST_OK);
        if (padding != STEND_GOST_PADDING_NONE)
            MUST(stend_gost_stream_padding(s, padding) == STEND_GOST_OK);
        if (section != 0) MUST(stend_gost_stream_sections(s, section) == STEND_GOST_OK);
        if (cut.threads != 1) MUST(stend_gost_stream_threads(s, cut.threads) == STEND_GOST_OK);
        Buffer out = in;
        std::size_t made = 0, written = 0;
        out.resize(in.size() + 32);
        for (std::size_t done = 0; done < in.size();) {
            // Held back bytes come out later, so what is written stays behind what is read.
            const std::size_t now = cut.next(in.size() - done);
            const std::size_t room = std::min(stend_gost_stream_room(s, now), out.size() - made);
            const std::uint8_t* const from = cut.in_place && made == done ? out.data() : in.data();
            MUST(stend_gost_stream_update(s, from + done, now, out.data() + made, room, &written) ==
                 STEND_GOST_OK);
            made += written, done += now;
        }
        MUST(stend_gost_stream_finish(s, out.data() + made, out.size() - made, &written) ==
             STEND_GOST_OK);
        stend_gost_stream_wipe(s);
        out.resize(made + written);
        return out;
    }
};

std::size_t section_of(stend_gost_cipher cipher, stend_gost_mode mode, Choices& choose) {
    const std::size_t block = stend_gost_block_bytes(cipher);
    if (choose.below(3) != 0) return 0;
    if (cipher >= STEND_GOST_28147_TC26_Z)
        return mode == STEND_GOST_CTR || mode == STEND_GOST_CFB ? 1024 : 0;
    return mode == STEND_GOST_CTR ? block * (1 + choose.below(70)) : 0;
}

std::size_t iv_size(stend_gost_cipher cipher, stend_gost_mode mode, Choices& choose) {
    const std::size_t block = stend_gost_block_bytes(cipher);
    if (mode == STEND_GOST_ECB) return 0;
    if (cipher >= STEND_GOST_28147_TC26_Z) return 8;
    if (mode == STEND_GOST_CTR) return choose.below(2) == 0 ? block : block / 2;
    return block * (1 + choose.below(16));
}

void encryption(stend_gost_cipher cipher, const Key& tried, const Key& reference, Choices& choose) {
    const std::size_t block = stend_gost_block_bytes(cipher);
    Streaming way{static_cast<stend_gost_mode>(choose.below(5)), STEND_GOST_PADDING_NONE, 0, {}};
    if (way.mode == STEND_GOST_OFB && cipher >= STEND_GOST_28147_TC26_Z) way.mode = STEND_GOST_CFB;
    const bool whole = way.mode == STEND_GOST_ECB || way.mode == STEND_GOST_CBC;
    if (whole) way.padding = static_cast<stend_gost_padding>(choose.below(4));
    way.section = section_of(cipher, way.mode, choose);
    way.iv = choose.bytes(iv_size(cipher, way.mode, choose));
    Buffer plain = choose.bytes(choose.below(5000) * (choose.below(8) == 0 ? 20 : 1));
    if (whole && way.padding == STEND_GOST_PADDING_NONE) plain.resize(plain.size() / block * block);
    Cut cut{&choose, choose.below(2) == 0, choose.below(4) == 0 ? 2U : 1U};
    const Buffer expected = way.through(reference, STEND_GOST_ENCRYPT, plain, {});
    MUST(way.through(tried, STEND_GOST_ENCRYPT, plain, cut) == expected);
    Buffer back = way.through(tried, STEND_GOST_DECRYPT, expected, cut);
    if (way.padding != STEND_GOST_PADDING_2) {  // else it is taken off
        MUST(back.size() >= plain.size());
        back.resize(plain.size());
    }
    MUST(back == plain);
}

Buffer tag_of(const stend_gost_key* key, const Buffer& message, std::size_t section,
              std::size_t master, std::size_t size, Cut cut) {
    const auto mac = std::make_unique<stend_gost_mac>();
    Buffer tag(size);
    MUST(stend_gost_mac_init(mac.get(), key) == STEND_GOST_OK);
    if (section != 0) MUST(stend_gost_mac_sections(mac.get(), section, master) == STEND_GOST_OK);
    for (std::size_t done = 0; done < message.size();) {
        const std::size_t now = cut.next(message.size() - done);
        MUST(stend_gost_mac_update(mac.get(), message.data() + done, now) == STEND_GOST_OK);
        done += now;
    }
    MUST(stend_gost_mac_finish(mac.get(), tag.data(), tag.size()) == STEND_GOST_OK);
    stend_gost_mac_wipe(mac.get());
    return tag;
}

void authentication(stend_gost_cipher cipher, const Key& tried, const Key& reference,
                    Choices& choose) {
    const bool old = cipher >= STEND_GOST_28147_TC26_Z;
    const std::size_t block = stend_gost_block_bytes(cipher);
    std::size_t section = 0, master = 0;
    if (choose.below(3) == 0) {
        section = old ? 1024 : block * (1 + choose.below(20));
        master = old ? 0 : (32 + block) * (1 + choose.below(5));
    }
    const std::size_t size = 1 + choose.below(old ? 4 : block);
    const Buffer message = choose.bytes(choose.below(5000) + (old ? 1 : 0));
    const Buffer expected = tag_of(reference, message, section, master, size, {});
    MUST(tag_of(tried, message, section, master, size, {&choose}) == expected);
    if (old || section != 0) return;
    // Several messages at once, of several lengths.
    std::vector<const stend_gost_key*> keys;
    std::vector<Buffer> messages;
    std::vector<const void*> starts;
    std::vector<std::size_t> sizes;
    for (std::size_t count = 1 + choose.below(20); count > 0; --count) {
        messages.push_back(choose.bytes(choose.below(400)));
        keys.push_back(tried);
    }
    for (const Buffer& each : messages) starts.push_back(each.data()), sizes.push_back(each.size());
    Buffer tags(messages.size() * size);
    MUST(stend_gost_mac_many(keys.data(), starts.data(), sizes.data(), keys.size(), tags.data(),
                             size) == STEND_GOST_OK);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Buffer one = tag_of(reference, messages[i], 0, 0, size, {});
        MUST(std::equal(one.begin(), one.end(), tags.begin() + static_cast<long>(i * size)));
    }
}

void authenticated_encryption(stend_gost_cipher cipher, const Key& tried, const Key& reference,
                              Choices& choose) {
    Buffer nonce = choose.bytes(stend_gost_block_bytes(cipher));
    nonce[0] &= 0x7F;
    const Buffer associated = choose.bytes(choose.below(choose.below(3) == 0 ? 3000 : 40));
    Buffer plain = choose.bytes(choose.below(5000));
    if (associated.empty() && plain.empty()) plain.resize(1);
    const std::size_t size = 4 + choose.below(stend_gost_block_bytes(cipher) - 3);
    Buffer expected(plain.size()), tag(size);
    MUST(stend_gost_mgm_seal(reference, nonce.data(), nonce.size(), associated.data(),
                             associated.size(), plain.data(), plain.size(), expected.data(),
                             tag.data(), size, 1) == STEND_GOST_OK);
    for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT}) {
        const auto mgm = std::make_unique<stend_gost_mgm>();
        const Cut cut{&choose, choose.below(2) == 0, choose.below(4) == 0 ? 2U : 1U};
        const Buffer& in = direction == STEND_GOST_ENCRYPT ? plain : expected;
        Buffer out = in, made(size);
        MUST(stend_gost_mgm_init(mgm.get(), tried, direction, nonce.data(), nonce.size()) ==
             STEND_GOST_OK);
        if (cut.threads != 1) MUST(stend_gost_mgm_threads(mgm.get(), cut.threads) == STEND_GOST_OK);
        for (std::size_t done = 0; done < associated.size();) {
            const std::size_t now = cut.next(associated.size() - done);
            MUST(stend_gost_mgm_associated(mgm.get(), associated.data() + done, now) ==
                 STEND_GOST_OK);
            done += now;
        }
        for (std::size_t done = 0; done < in.size();) {
            const std::size_t now = cut.next(in.size() - done);
            const std::uint8_t* const from = cut.in_place ? out.data() : in.data();
            MUST(stend_gost_mgm_update(mgm.get(), from + done, now, out.data() + done) ==
                 STEND_GOST_OK);
            done += now;
        }
        MUST(out == (direction == STEND_GOST_ENCRYPT ? expected : plain));
        if (direction == STEND_GOST_ENCRYPT) {
            MUST(stend_gost_mgm_finish(mgm.get(), made.data(), size) == STEND_GOST_OK);
            MUST(made == tag);
        } else {
            MUST(stend_gost_mgm_verify(mgm.get(), tag.data(), size) == STEND_GOST_OK);
        }
        stend_gost_mgm_wipe(mgm.get());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Choices choose(data, size);
    const auto cipher = static_cast<stend_gost_cipher>(choose.below(7));
    const Buffer key = choose.bytes(STEND_GOST_KEY_BYTES);
    const Key tried(cipher, key, variant_of(cipher, choose));
    const Key reference(cipher, key, stend_gost_variant(cipher, 0));
    const std::size_t work = choose.below(cipher >= STEND_GOST_28147_TC26_Z ? 2 : 3);
    if (work == 0) encryption(cipher, tried, reference, choose);
    if (work == 1) authentication(cipher, tried, reference, choose);
    if (work == 2) authenticated_encryption(cipher, tried, reference, choose);
    return 0;
}

#if !defined(STEND_LIBFUZZER)
int main(int count, char** arguments) {
    const long rounds = count > 1 ? std::atol(arguments[1]) : 2000;
    std::mt19937 random(20261121);
    for (long round = 0; round < rounds; ++round) {
        Buffer input(random() % 80);
        for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random());
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::printf("%ld messages, each two ways\n", rounds);
}
#endif
