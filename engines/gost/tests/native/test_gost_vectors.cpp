// The standards' published examples, through the public interface, with every variant that this
// machine runs: in one piece and in many, in place and not, both ways, and with the tag damaged.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "gost_vectors.h"
#include "stend/gost.h"

using namespace stend::gost;

namespace {

constexpr std::size_t brief = 2048;  // bytes

stend_gost_cipher cipher_named(const std::string& name) {
    constexpr const char* names[] = {"kuznyechik",
                                     "magma",
                                     "gost28147-tc26-z",
                                     "gost28147-cryptopro-a",
                                     "gost28147-cryptopro-b",
                                     "gost28147-cryptopro-c",
                                     "gost28147-cryptopro-d"};
    for (int i = 0; i < 7; ++i)
        if (name == names[i]) return static_cast<stend_gost_cipher>(i);
    std::fprintf(stderr, "no cipher %s\n", name.c_str());
    std::exit(1);
}

stend_gost_mode mode_named(const std::string& name) {
    constexpr const char* names[] = {"ecb", "ctr", "ofb", "cbc", "cfb"};
    for (int i = 0; i < 5; ++i)
        if (name == names[i]) return static_cast<stend_gost_mode>(i);
    std::fprintf(stderr, "no mode %s\n", name.c_str());
    std::exit(1);
}

// A key in one variant, wiped in the end.
class Key {
public:
    Key(stend_gost_cipher cipher, const Buffer& bytes, const char* variant)
        : key_(std::make_unique<stend_gost_key>()) {
        CHECK(bytes.size() == STEND_GOST_KEY_BYTES);
        CHECK(stend_gost_key_init(key_.get(), cipher, bytes.data(), variant) == STEND_GOST_OK);
        CHECK(variant == nullptr || !std::strcmp(stend_gost_key_variant(key_.get()), variant));
    }
    ~Key() { stend_gost_key_wipe(key_.get()); }
    const stend_gost_key* operator*() const { return key_.get(); }

private:
    std::unique_ptr<stend_gost_key> key_;
};

// How a message is handed over: all at once for 0, otherwise in pieces of 1 to `most` bytes.
struct Cut {
    std::size_t most;
    bool in_place;

    std::size_t next(std::size_t done, std::size_t size) const {
        return most == 0 ? size - done : std::min(size - done, 1 + (done * 7 + 3) % most);
    }
};

constexpr Cut cuts[] = {{0, false}, {0, true}, {1, false}, {19, false}, {300, false}};

// What lies there before a context begins must not matter.
template <typename Context>
std::unique_ptr<Context> in_any_memory() {
    auto memory = std::make_unique<Context>();
    std::memset(memory.get(), 0xA5, sizeof(Context));
    return memory;
}

// The message through a stream.
Buffer streamed(const Vector& v, const stend_gost_key* key, stend_gost_direction direction,
                const Buffer& in, Cut cut) {
    const auto stream = in_any_memory<stend_gost_stream>();
    const Buffer iv = v.bytes("iv");
    CHECK(stend_gost_stream_init(stream.get(), key, mode_named(v.text("does")), direction,
                                 iv.data(), iv.size()) == STEND_GOST_OK);
    if (v.has("section"))
        CHECK((v.text("does") == "ecb") ||
              stend_gost_stream_sections(stream.get(), v.number("section")) == STEND_GOST_OK);
    Buffer source = in, out(in.size() + 32);
    if (cut.in_place) out = source, out.resize(in.size() + 32);
    std::size_t made = 0, written = 0;
    for (std::size_t done = 0; done < in.size();) {
        const std::size_t now = cut.next(done, in.size());
        const std::uint8_t* from = (cut.in_place ? out : source).data() + done;
        CHECK(stend_gost_stream_update(stream.get(), from, now, out.data() + made,
                                       out.size() - made, &written) == STEND_GOST_OK);
        made += written, done += now;
    }
    CHECK(stend_gost_stream_finish(stream.get(), out.data() + made, out.size() - made, &written) ==
          STEND_GOST_OK);
    stend_gost_stream_wipe(stream.get());
    out.resize(made + written);
    return out;
}

void encryption(const Vector& v, const stend_gost_key* key) {
    const Buffer plain = v.plain();
    for (const Cut cut : cuts) {
        if (plain.size() > brief && cut.most != 0) continue;
        const Buffer encrypted = streamed(v, key, STEND_GOST_ENCRYPT, plain, cut);
        if (v.has("ends")) {  // of a long message only the last bytes are printed
            const Buffer ends = v.bytes("ends");
            CHECK(encrypted.size() == plain.size());
            CHECK(std::equal(ends.rbegin(), ends.rend(), encrypted.rbegin()));
        } else {
            CHECK(encrypted == v.bytes("encrypted"));
        }
        CHECK(streamed(v, key, STEND_GOST_DECRYPT, encrypted, cut) == plain);
    }
}

void start(const Vector& v, const stend_gost_key* key, stend_gost_mac* mac) {
    CHECK(stend_gost_mac_init(mac, key) == STEND_GOST_OK);
    if (v.has("section"))
        CHECK(stend_gost_mac_sections(mac, v.number("section"), v.number("master_section")) ==
              STEND_GOST_OK);
}

void authentication(const Vector& v, const stend_gost_key* key) {
    const Buffer plain = v.plain(), tag = v.bytes("tag");
    const auto mac = in_any_memory<stend_gost_mac>();
    for (const Cut cut : cuts)
        for (const int damaged : {0, 1}) {
            if (plain.size() > brief && cut.most != 0) continue;
            start(v, key, mac.get());
            for (std::size_t done = 0; done < plain.size();) {
                const std::size_t now = cut.next(done, plain.size());
                CHECK(stend_gost_mac_update(mac.get(), plain.data() + done, now) == STEND_GOST_OK);
                done += now;
            }
            Buffer other = tag;
            other.back() ^= static_cast<std::uint8_t>(damaged << 7);
            if (damaged == 0 && cut.in_place) {
                std::fill(other.begin(), other.end(), 0);
                CHECK(stend_gost_mac_finish(mac.get(), other.data(), tag.size()) == STEND_GOST_OK);
                CHECK(other == tag);
            } else {
                CHECK(stend_gost_mac_verify(mac.get(), other.data(), tag.size()) ==
                      (damaged ? STEND_GOST_FORGED : STEND_GOST_OK));
            }
            stend_gost_mac_wipe(mac.get());
        }
    if (v.has("section") || v.text("cipher").starts_with("gost28147")) return;
    const stend_gost_key* const keys[] = {key, key, key};
    const void* const messages[] = {plain.data(), plain.data(), plain.data()};
    const std::size_t sizes[] = {plain.size(), 1, plain.size()};
    Buffer tags(3 * tag.size());
    CHECK(stend_gost_mac_many(keys, messages, sizes, 3, tags.data(), tag.size()) == STEND_GOST_OK);
    CHECK(std::equal(tag.begin(), tag.end(), tags.begin()));
    CHECK(std::equal(tag.begin(), tag.end(), tags.end() - static_cast<long>(tag.size())));
}

void authenticated_encryption(const Vector& v, const stend_gost_key* key) {
    const Buffer nonce = v.bytes("iv"), associated = v.bytes("associated"), plain = v.plain(),
                 encrypted = v.bytes("encrypted"), tag = v.bytes("tag");
    const auto mgm = in_any_memory<stend_gost_mgm>();
    for (const Cut cut : cuts)
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT}) {
            const Buffer& in = direction == STEND_GOST_ENCRYPT ? plain : encrypted;
            Buffer out = in, made(tag.size());
            CHECK(stend_gost_mgm_init(mgm.get(), key, direction, nonce.data(), nonce.size()) ==
                  STEND_GOST_OK);
            for (std::size_t done = 0; done < associated.size();) {
                const std::size_t now = cut.next(done, associated.size());
                CHECK(stend_gost_mgm_associated(mgm.get(), associated.data() + done, now) ==
                      STEND_GOST_OK);
                done += now;
            }
            for (std::size_t done = 0; done < in.size();) {
                const std::size_t now = cut.next(done, in.size());
                const Buffer& from = cut.in_place ? out : in;
                CHECK(stend_gost_mgm_update(mgm.get(), from.data() + done, now,
                                            out.data() + done) == STEND_GOST_OK);
                done += now;
            }
            CHECK(out == (direction == STEND_GOST_ENCRYPT ? encrypted : plain));
            if (direction == STEND_GOST_ENCRYPT) {
                CHECK(stend_gost_mgm_finish(mgm.get(), made.data(), made.size()) == STEND_GOST_OK);
                CHECK(made == tag);
            } else {
                CHECK(stend_gost_mgm_verify(mgm.get(), tag.data(), tag.size()) == STEND_GOST_OK);
            }
            stend_gost_mgm_wipe(mgm.get());
        }
}

void whole_authenticated_messages(const Vector& v, const stend_gost_key* key) {
    const Buffer nonce = v.bytes("iv"), associated = v.bytes("associated"), plain = v.plain(),
                 encrypted = v.bytes("encrypted"), tag = v.bytes("tag");
    Buffer out(plain.size()), made(tag.size());
    CHECK(stend_gost_mgm_seal(key, nonce.data(), nonce.size(), associated.data(), associated.size(),
                              plain.data(), plain.size(), out.data(), made.data(), made.size(),
                              1) == STEND_GOST_OK);
    CHECK(out == encrypted && made == tag);
    CHECK(stend_gost_mgm_open(key, nonce.data(), nonce.size(), associated.data(), associated.size(),
                              encrypted.data(), encrypted.size(), out.data(), tag.data(),
                              tag.size(), 1) == STEND_GOST_OK);
    CHECK(out == plain);
    for (std::size_t bit = 0; bit < 8 * tag.size(); bit += 5) {
        made = tag;
        made[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
        CHECK(stend_gost_mgm_open(key, nonce.data(), nonce.size(), associated.data(),
                                  associated.size(), encrypted.data(), encrypted.size(), out.data(),
                                  made.data(), made.size(), 1) == STEND_GOST_FORGED);
        CHECK(std::all_of(out.begin(), out.end(), [](std::uint8_t b) { return b == 0; }));
    }
}

void export_of_keys(const Vector& v, const stend_gost_key* key, const char* variant) {
    const Key mac_key(cipher_named(v.text("cipher")), v.bytes("mac_key"), variant);
    const Buffer iv = v.bytes("iv"), plain = v.plain(), encrypted = v.bytes("encrypted");
    Buffer out(encrypted.size()), back(plain.size());
    CHECK(stend_gost_kexp15(*mac_key, key, iv.data(), iv.size(), plain.data(), plain.size(),
                            out.data()) == STEND_GOST_OK);
    CHECK(out == encrypted);
    CHECK(stend_gost_kimp15(*mac_key, key, iv.data(), iv.size(), out.data(), out.size(),
                            back.data()) == STEND_GOST_OK);
    CHECK(back == plain);
    out.front() ^= 1;
    CHECK(stend_gost_kimp15(*mac_key, key, iv.data(), iv.size(), out.data(), out.size(),
                            back.data()) == STEND_GOST_FORGED);
    CHECK(std::all_of(back.begin(), back.end(), [](std::uint8_t b) { return b == 0; }));
}

void the_example_comes_out(const Vector& v, const char* variant) {
    const Key key(cipher_named(v.text("cipher")), v.bytes("key"), variant);
    const std::string does = v.text("does");
    if (does == "mgm") {
        authenticated_encryption(v, *key);
        whole_authenticated_messages(v, *key);
    } else if (does == "mac") {
        authentication(v, *key);
    } else if (does == "kexp15") {
        export_of_keys(v, *key, variant);
    } else {
        encryption(v, *key);
    }
}

}  // namespace

// With an argument the long messages, which are for the default variant alone, are left out.
int main(int count, char**) {
    int tried = 0;
    for (const Vector& v : vectors(STEND_VECTORS)) {
        const stend_gost_cipher cipher = cipher_named(v.text("cipher"));
        std::printf("%s\n", v.text("source").c_str());
        std::fflush(stdout);
        if (v.plain().size() > brief) {
            if (count == 1) the_example_comes_out(v, nullptr);
            continue;
        }
        for (std::size_t i = 0;; ++i) {
            const char* const variant = stend_gost_variant(cipher, i);
            if (variant == nullptr) break;
            if (stend_gost_variant_lacks(cipher, variant) != nullptr) continue;
            the_example_comes_out(v, variant);
            ++tried;
        }
    }
    std::printf("%d examples times variants\n", tried);
}
