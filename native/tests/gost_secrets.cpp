// For a tool that follows undefined bytes: works with keys and data declared undefined, in every
// variant that says it is constant-time and that runs here. The tool is valgrind's memcheck, or
// clang's MemorySanitizer where this is compiled for it; both report a branch and an address that
// depend on such bytes. With the argument "planted" it loads from a table at a secret place, which
// has to be reported, or the tool does not see. Lengths, initialisation vectors and counters are
// public; what comes out is no secret any more.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gost/engine.h"
#include "isa/isa.h"
#include "stend/gost.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define STEND_UNDER_VALGRIND RUNNING_ON_VALGRIND
#else
#define STEND_UNDER_VALGRIND 0
#define VALGRIND_MAKE_MEM_UNDEFINED(address, size) (void)(address), (void)(size)
#define VALGRIND_MAKE_MEM_DEFINED(address, size) (void)(address), (void)(size)
#endif
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define STEND_UNDER_MSAN 1
#endif
#endif

using namespace stend;
using namespace stend::gost;

namespace {

bool somebody_looks() {
#if defined(STEND_UNDER_MSAN)
    return true;
#else
    return STEND_UNDER_VALGRIND != 0;
#endif
}

void hide(void* bytes, std::size_t size) {
#if defined(STEND_UNDER_MSAN)
    __msan_poison(bytes, size);
#else
    VALGRIND_MAKE_MEM_UNDEFINED(bytes, size);
#endif
}

void show(void* bytes, std::size_t size) {
#if defined(STEND_UNDER_MSAN)
    __msan_unpoison(bytes, size);
#else
    VALGRIND_MAKE_MEM_DEFINED(bytes, size);
#endif
}

bool hidden(const void* bytes, std::size_t size) {
#if defined(STEND_UNDER_MSAN)
    return __msan_test_shadow(bytes, size) == 0;
#else
    unsigned char bits = 0;
    (void)bytes, (void)size;
#if __has_include(<valgrind/memcheck.h>)
    VALGRIND_GET_VBITS(bytes, &bits, 1);
#endif
    return bits != 0;
#endif
}

constexpr std::size_t most = 2 * 1024 + 3;  // blocks: some batches of the widest variants, and rest
std::uint8_t in[16 * most], out[16 * most];

// What a work left in `out` came from the secrets: were it defined, the tool would have lost them.
void expect_secret(const char* work, std::size_t size) {
    if (somebody_looks() && size > 0 && !hidden(out, 1)) {
        std::printf("%s: the result is not followed back to the key\n", work);
        std::exit(1);
    }
    show(out, sizeof out);
}

void fill() {
    for (std::size_t i = 0; i < sizeof in; ++i)
        in[i] = static_cast<std::uint8_t>(i * 167 + i / 251);
    hide(in, sizeof in);
}

void blocks_with_secrets(const Engine& e, const Schedule& s, std::size_t block, std::size_t n) {
    std::uint8_t state[256] = {0x12, 0x34};
    e.encrypt(s, in, out, n);
    expect_secret("encrypt", n);
    e.decrypt(s, in, out, n);
    expect_secret("decrypt", n);
    std::memset(state + block - 2, 0xFF, 2);  // a counter that runs over
    e.count(s, state, in, out, n);
    expect_secret("count", n);
    for (const std::size_t chains : {1, 2, 3, 16}) {
        std::memset(state, 0x5A, sizeof state);
        e.cbc_decrypt(s, state, chains, in, out, n);
        expect_secret("cbc_decrypt", n);
        e.cfb_decrypt(s, state, chains, in, out, n);
        expect_secret("cfb_decrypt", n);
        show(state, sizeof state);
    }
}

void chains_with_secrets(const Engine& e, const Schedule& s, Cipher cipher) {
    const std::size_t block = block_bytes(cipher);
    const bool imito = e.seal == nullptr;
    for (const Feed feed : {Feed::mac, Feed::cbc, Feed::cfb, Feed::ofb, Feed::imito})
        for (const std::size_t count : {1, 2, 3, 4, 7, 16}) {
            if (feed == Feed::imito && !imito) continue;
            std::uint8_t states[16][largest_block] = {};
            hide(states, sizeof states);
            Lane lanes[16];
            for (std::size_t i = 0; i < count; ++i)
                lanes[i] = {&s, states[i], in + i * block, out + i * block, count * block};
            e.chain(feed, {lanes, count}, 9);
            std::memcpy(out, states, block);
            expect_secret("chain", 1);
        }
}

void mgm_with_secrets(const Engine& e, const Schedule& s, std::size_t n) {
    Mgm mgm;
    std::memset(&mgm, 0xFE, sizeof mgm);
    hide(mgm.sum, sizeof mgm.sum);
    e.absorb(s, mgm, in, n);
    e.seal(s, mgm, in, out, n);
    expect_secret("seal", n);
    e.open(s, mgm, in, out, n);
    expect_secret("open", n);
    std::memcpy(out, mgm.sum, sizeof mgm.sum);
    expect_secret("the sum of MGM", 1);
}

void an_engine_with_secrets(const Engine& e, Cipher cipher) {
    static Schedule schedule;
    std::uint8_t key[key_bytes] = {1, 2, 3};
    hide(key, sizeof key);
    fill();
    e.schedule(schedule, cipher, key);
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{7},
                                std::size_t{16}, std::size_t{65}, std::size_t{300}, most}) {
        blocks_with_secrets(e, schedule, block_bytes(cipher), n);
        if (e.seal != nullptr) mgm_with_secrets(e, schedule, n);
    }
    chains_with_secrets(e, schedule, cipher);
    show(&schedule, sizeof schedule);
}

// The modes, through the public interface. What tells a forged tag is not here: its answer, one
// bit, is meant to be known.
void the_modes_with_secrets(stend_gost_cipher cipher, const char* variant) {
    static stend_gost_key key, mac_key;
    static stend_gost_stream stream;
    static stend_gost_mac mac;
    const bool old = cipher >= STEND_GOST_28147_TC26_Z;
    const std::size_t block = stend_gost_block_bytes(cipher), size = 100 * block,
                      cut = 37 * block + 5;
    const std::uint8_t iv[largest_block] = {0x12, 0x34};
    std::uint8_t secret[key_bytes] = {4, 5, 6};
    std::size_t written = 0, last = 0;
    hide(secret, sizeof secret);
    stend_gost_key_init(&key, cipher, secret, variant);
    stend_gost_key_init(&mac_key, cipher, secret, variant);
    for (const auto mode :
         {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_OFB, STEND_GOST_CBC, STEND_GOST_CFB})
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT}) {
            if (old && mode == STEND_GOST_OFB) continue;
            stend_gost_stream_init(&stream, &key, mode, direction, iv,
                                   mode == STEND_GOST_ECB ? 0 : block);
            if (mode == STEND_GOST_CTR) stend_gost_stream_sections(&stream, old ? 1024 : 5 * block);
            stend_gost_stream_update(&stream, in, cut, out, sizeof out, &written);
            stend_gost_stream_update(&stream, in + cut, size - cut, out + written,
                                     sizeof out - written, &last);
            stend_gost_stream_finish(&stream, out + written + last, sizeof out - written - last,
                                     &written);
            expect_secret("a stream", 1);
        }
    for (const std::size_t section : {std::size_t{0}, old ? 1024 : 4 * block}) {
        stend_gost_mac_init(&mac, &key);
        if (section != 0) stend_gost_mac_sections(&mac, section, old ? 0 : 20 * block);
        stend_gost_mac_update(&mac, in, cut);
        stend_gost_mac_update(&mac, in, size);
        stend_gost_mac_finish(&mac, out, 4);
        expect_secret("a tag", 1);
    }
    if (old) return;
    stend_gost_kexp15(&mac_key, &key, iv, block / 2, secret, sizeof secret, out);
    expect_secret("KExp15", 1);
}

// A load from a table at a place that depends on the key.
int plant() {
    static std::uint8_t table[256];
    std::uint8_t key[key_bytes] = {1, 2, 3};
    hide(key, sizeof key);
    volatile std::uint8_t* at = table + key[0];
    return *at;
}

}  // namespace

int main(int count, char** arguments) {
    if (!somebody_looks()) {
        std::printf("skipped: to be run under valgrind or compiled for MemorySanitizer\n");
        return 77;
    }
    if (count > 1 && std::strcmp(arguments[1], "planted") == 0) return plant();
    const isa::Features usable = isa::usable();
    for (const Cipher cipher : {Cipher::kuznyechik, Cipher::magma, Cipher::gost28147_tc26_z,
                                Cipher::gost28147_cryptopro_a, Cipher::gost28147_cryptopro_b,
                                Cipher::gost28147_cryptopro_c, Cipher::gost28147_cryptopro_d})
        for (const Engine* const e : engines(cipher)) {
            if (!e->constant_time || !usable.contains(e->needs)) continue;
            std::printf("cipher %d, %s\n", static_cast<int>(cipher), e->name.data());
            std::fflush(stdout);
            an_engine_with_secrets(*e, cipher);
            the_modes_with_secrets(static_cast<stend_gost_cipher>(cipher), e->name.data());
        }
}
