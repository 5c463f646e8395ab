// Tries that nothing of keys and data stays behind: every function of the C interface runs on a
// stack of its own, twice, with another key and other data; after that no byte of the stack and of
// the wiped contexts may differ. That finds whatever depends on a secret, in whatever form it was
// spilled. Registers are not looked at. With the argument "planted" a function leaves a round of
// its key on the stack, which has to be found.
#if !defined(_WIN32)
#include <ucontext.h>
#endif

#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "gost/engine.h"
#include "gost/wipe.h"
#include "isa/isa.h"
#include "stend/gost.h"

using namespace stend;
using namespace stend::gost;

namespace {

constexpr std::size_t stack_bytes = 96 * 1024;
constexpr std::size_t most = 2051 * largest_block;

alignas(64) unsigned char stack[stack_bytes];
std::uint8_t in[most], out[most + 64], secret[key_bytes], iv[256], tag[64 * largest_block];
std::uint8_t sealed[most + 64], right_tag[largest_block];
stend_gost_key key, second;
stend_gost_stream stream;
stend_gost_mac mac;
stend_gost_mgm mgm;

const std::function<void()>* work;
int failures = 0;

void enter() {
    (*work)();
}

// Each run begins with the same registers, as far as functions save them.
#if defined(_WIN32)
void go_there() {
    void* top = stack + sizeof stack - 64;  // the callee's, to save arguments in
    auto* what = &enter;
    asm volatile(
        "mov %%rsp, %%rbx\n\t"
        "mov %0, %%rsp\n\t"
        ".irp i, si,di,12,13,14,15\n\t"
        "xor %%r\\i, %%r\\i\n\t"
        ".endr\n\t"
        ".irp i, 6,7,8,9,10,11,12,13,14,15\n\t"
        "pxor %%xmm\\i, %%xmm\\i\n\t"
        ".endr\n\t"
        "call *%1\n\t"
        "mov %%rbx, %%rsp"
        : "+a"(top), "+d"(what)
        :
        : "rbx", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
          "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
          "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}
#else
ucontext_t beginning, home, there;
[[maybe_unused]] const int begun = getcontext(&beginning);

void go_there() {
    there = beginning;
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &home;
    makecontext(&there, enter, 0);
    swapcontext(&home, &there);
}
#endif

void on_the_stack(const std::function<void()>& what) {
    work = &what;
    std::memset(stack, 0xA5, sizeof stack);
    go_there();
}

void secrets(unsigned seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < sizeof in; i += 8) {
        const std::uint64_t word = random();
        std::memcpy(in + i, &word, 8);
    }
    for (auto& byte : secret) byte = static_cast<std::uint8_t>(random());
}

// Runs `what` with three sets of secrets, `before` ahead of it on the common stack. The first run
// is not compared: it loads libraries' functions.
void try_it(const std::string& name, const std::function<void()>& before,
            const std::function<void()>& what) {
    static unsigned char first[stack_bytes];
    for (const unsigned seed : {1, 2, 3}) {
        secrets(seed);
        before();
        on_the_stack(what);
        if (seed == 2) std::memcpy(first, stack, sizeof stack);
    }
    std::size_t differ = 0, deepest = 0, highest = 0;
    for (std::size_t i = 0; i < sizeof stack; ++i)
        if (stack[i] != first[i]) {
            if (differ++ == 0) deepest = sizeof stack - i;
            highest = sizeof stack - i;
        }
    if (differ == 0) return;
    ++failures;
    std::printf("%s: leaves %zu bytes on the stack, at a depth of %zu to %zu\n", name.c_str(),
                differ, highest, deepest);
}

template <typename Context>
void expect_wiped(const std::string& name, const Context& context) {
    for (const unsigned char byte : context.opaque)
        if (byte != 0) {
            ++failures;
            std::printf("%s: the context is not wiped\n", name.c_str());
            return;
        }
}

struct Case {
    stend_gost_cipher cipher;
    const char* variant;
    std::size_t block;
    bool old, fastest;
    std::string name;
};

void make_keys(const Case& c) {
    stend_gost_key_init(&key, c.cipher, secret, c.variant);
    stend_gost_key_init(&second, c.cipher, secret, c.variant);
}

void keys_and_blocks(const Case& c) {
    try_it(
        c.name + "key_init", [] {}, [&] { make_keys(c); });
    for (const std::size_t n : {1, 2, 4, 7, 16, 17, 33, 65, 300, 2051}) {
        const auto with = " of " + std::to_string(n) + " blocks";
        try_it(
            c.name + "encrypt_blocks" + with, [&] { make_keys(c); },
            [&] { stend_gost_encrypt_blocks(&key, in, out, n); });
        try_it(
            c.name + "decrypt_blocks" + with, [&] { make_keys(c); },
            [&] { stend_gost_decrypt_blocks(&key, in, out, n); });
    }
    stend_gost_key_wipe(&key);
    expect_wiped(c.name + "key_wipe", key);
}

struct Way {
    stend_gost_mode mode;
    stend_gost_direction direction;
    std::size_t chains, section;
    stend_gost_padding padding = STEND_GOST_PADDING_NONE;
};

void begin_stream(const Case& c, const Way& way) {
    make_keys(c);
    stend_gost_stream_init(&stream, &key, way.mode, way.direction, iv, way.chains * c.block);
    if (way.section) stend_gost_stream_sections(&stream, way.section);
    if (way.padding) stend_gost_stream_padding(&stream, way.padding);
}

void streams(const Case& c, const Way& way) {
    const auto name = c.name + "stream, mode " + std::to_string(way.mode) + ", direction " +
                      std::to_string(way.direction) + ", " + std::to_string(way.chains) + " chains";
    for (const std::size_t size : {std::size_t{5}, c.block, 4 * c.block + 3, 16 * c.block,
                                   16 * c.block + 5, 40 * c.block, 2050 * c.block}) {
        const auto with = " of " + std::to_string(size) + " bytes";
        const auto update = [&] {
            stend_gost_stream_update(&stream, in, size, out, sizeof out, nullptr);
        };
        try_it(
            name + ", update" + with, [&] { begin_stream(c, way); }, update);
        try_it(
            name + ", finish" + with, [&] { begin_stream(c, way), update(); },
            [] { stend_gost_stream_finish(&stream, out, sizeof out, nullptr); });
        expect_wiped(name, stream);
    }
    try_it(
        name + ", init", [&] { make_keys(c); }, [&] { begin_stream(c, way); });
}

void whole_messages(const Case& c, stend_gost_mode mode, stend_gost_direction direction,
                    std::size_t chains) {
    const auto name = c.name + "crypt, mode " + std::to_string(mode) + ", direction " +
                      std::to_string(direction) + ", " + std::to_string(chains) + " chains, of ";
    for (const std::size_t size :
         {c.block, 2 * c.block, 4 * c.block + 3, 16 * c.block, 40 * c.block, 2050 * c.block})
        try_it(
            name + std::to_string(size) + " bytes", [&] { make_keys(c); },
            [&] { stend_gost_crypt(&key, mode, direction, iv, chains * c.block, in, size, out); });
}

void all_streams(const Case& c) {
    for (const auto mode :
         {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_OFB, STEND_GOST_CBC, STEND_GOST_CFB})
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT}) {
            if (mode == STEND_GOST_OFB && c.old) continue;
            const std::size_t chains = mode == STEND_GOST_ECB ? 0 : 1;
            streams(c, {mode, direction, chains, 0});
            whole_messages(c, mode, direction, chains);
            if (mode <= STEND_GOST_CTR || c.old) continue;
            streams(c, {mode, direction, 7, 0});
            whole_messages(c, mode, direction, 7);
        }
    streams(c, {STEND_GOST_CTR, STEND_GOST_ENCRYPT, 1, c.old ? 1024 : 4 * c.block});
    if (c.old) streams(c, {STEND_GOST_CFB, STEND_GOST_DECRYPT, 1, 1024});
}

// Padding that is put on and taken off, and that is not there: what is decrypted is another
// message's.
void paddings(const Case& c) {
    for (const auto padding : {STEND_GOST_PADDING_1, STEND_GOST_PADDING_2, STEND_GOST_PADDING_3}) {
        const Way way{STEND_GOST_CBC, STEND_GOST_ENCRYPT, 1, 0, padding};
        Way back = way;
        back.direction = STEND_GOST_DECRYPT;
        const std::size_t size = 2 * c.block + 3;
        const auto update = [&] {
            stend_gost_stream_update(&stream, in, size, sealed, sizeof sealed, nullptr);
        };
        const auto finish = [&] {
            stend_gost_stream_finish(&stream, sealed + 2 * c.block, c.block, nullptr);
        };
        const auto open = [&](const std::uint8_t* from) {
            begin_stream(c, back);
            stend_gost_stream_update(&stream, from, 3 * c.block, out, sizeof out, nullptr);
        };
        const auto close = [&] { stend_gost_stream_finish(&stream, out, sizeof out, nullptr); };
        const auto name = c.name + "padding " + std::to_string(padding);
        try_it(
            name, [&] { begin_stream(c, way), update(); }, finish);
        try_it(
            name + ", taken off", [&] { begin_stream(c, way), update(), finish(), open(sealed); },
            close);
        try_it(
            name + ", missing", [&] { open(in); }, close);
        expect_wiped(name, stream);
    }
}

void macs(const Case& c, std::size_t section) {
    const auto begin = [&] {
        make_keys(c);
        stend_gost_mac_init(&mac, &key);
        if (section)
            CHECK(stend_gost_mac_sections(&mac, section, c.old ? 0 : 2 * (32 + c.block)) ==
                  STEND_GOST_OK);
    };
    const auto name = c.name + "mac, section " + std::to_string(section);
    for (const std::size_t size : {c.block, 3 * c.block + 5, 40 * c.block, 300 * c.block}) {
        const auto update = [&] { stend_gost_mac_update(&mac, in, size); };
        try_it(name + ", update of " + std::to_string(size), begin, update);
        try_it(
            name + ", finish", [&] { begin(), update(); },
            [] { stend_gost_mac_finish(&mac, tag, 4); });
        expect_wiped(name, mac);
        try_it(
            name + ", verify", [&] { begin(), update(); },
            [] { stend_gost_mac_verify(&mac, "abcd", 4); });
        expect_wiped(name, mac);
    }
}

void many_macs(const Case& c) {
    for (const std::size_t count : {1, 2, 5, 64}) {
        std::vector<const stend_gost_key*> keys(count, &key);
        std::vector<const void*> messages(count, in);
        std::vector<std::size_t> sizes(count, 5 * c.block + 3);
        for (const bool one : {true, false}) {
            if (!one) keys.back() = &second;
            try_it(
                c.name + "mac_many of " + std::to_string(count), [&] { make_keys(c); },
                [&] {
                    stend_gost_mac_many(keys.data(), messages.data(), sizes.data(), count, tag, 4);
                });
        }
    }
}

void mgm_pieces(const Case& c, std::size_t size) {
    const auto begin = [&] {
        make_keys(c);
        stend_gost_mgm_init(&mgm, &key, STEND_GOST_ENCRYPT, iv, c.block);
    };
    const auto name = c.name + "MGM of " + std::to_string(size) + " bytes, ";
    const auto associated = [&] { stend_gost_mgm_associated(&mgm, in, size); };
    const auto update = [&] { stend_gost_mgm_update(&mgm, in, size, out); };
    try_it(
        name + "init", [&] { make_keys(c); }, begin);
    try_it(name + "associated", begin, associated);
    try_it(
        name + "update", [&] { begin(), associated(); }, update);
    try_it(
        name + "finish", [&] { begin(), associated(), update(); },
        [&] { stend_gost_mgm_finish(&mgm, tag, c.block); });
    expect_wiped(name + "finish", mgm);
}

// The same of a decryption, with the right tag and with a forged one.
void mgm_verified(const Case& c, std::size_t size) {
    for (const bool forged : {false, true}) {
        const auto before = [&] {
            make_keys(c);
            stend_gost_mgm_seal(&key, iv, c.block, in, 21, in, size, sealed, right_tag, c.block, 1);
            if (forged) right_tag[3] ^= 1;
            stend_gost_mgm_init(&mgm, &key, STEND_GOST_DECRYPT, iv, c.block);
            stend_gost_mgm_associated(&mgm, in, 21);
        };
        const auto update = [&] { stend_gost_mgm_update(&mgm, sealed, size, out); };
        const auto name = c.name + "MGM of " + std::to_string(size) + " bytes, ";
        try_it(name + "update of a decryption", before, update);
        try_it(
            name + (forged ? "verify, forged" : "verify"), [&] { before(), update(); },
            [&] { stend_gost_mgm_verify(&mgm, right_tag, c.block); });
        expect_wiped(name + "verify", mgm);
    }
}

// The caller's part of the work with a second thread. Which pieces are whose differs from run to
// run; that none of it stays is what counts.
void threads(const Case& c) {
    static std::uint8_t large[(std::size_t{256} << 10) + 64];
    for (std::size_t i = 0; i < sizeof large; ++i) large[i] = static_cast<std::uint8_t>(i * 31);
    const auto seal = [&] {
        stend_gost_mgm_seal(&key, iv, c.block, in, 21, large, sizeof large, large, tag, c.block, 2);
    };
    try_it(
        c.name + "MGM with two threads", [&] { make_keys(c); }, seal);
    const auto begin = [&](stend_gost_mode mode) {
        make_keys(c);
        stend_gost_stream_init(&stream, &key, mode, STEND_GOST_DECRYPT, iv,
                               mode == STEND_GOST_ECB ? 0 : c.block);
        stend_gost_stream_threads(&stream, 2);
    };
    for (const auto mode : {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_CBC, STEND_GOST_CFB})
        try_it(
            c.name + "two threads, mode " + std::to_string(mode), [&] { begin(mode); },
            [&] {
                stend_gost_stream_update(&stream, large, sizeof large, large, sizeof large,
                                         nullptr);
            });
}

// A right and a forged tag: what was decrypted and refused must not lie about either.
void mgm_messages(const Case& c, std::size_t size) {
    const auto seal = [&] {
        stend_gost_mgm_seal(&key, iv, c.block, in, 21, in, size, sealed, right_tag, c.block, 1);
    };
    const auto name = c.name + "MGM of " + std::to_string(size) + " bytes, ";
    try_it(
        name + "seal", [&] { make_keys(c); }, seal);
    for (const bool forged : {false, true}) {
        const auto before = [&] {
            make_keys(c), seal();
            if (forged) right_tag[0] ^= 1;
        };
        try_it(name + (forged ? "open, forged" : "open"), before, [&] {
            stend_gost_mgm_open(&key, iv, c.block, in, 21, sealed, size, out, right_tag, c.block,
                                1);
        });
    }
    for (std::size_t i = 0; i < size; ++i)
        if (out[i] != 0) {
            ++failures;
            std::printf("%sopen: what was refused is not wiped\n", name.c_str());
            break;
        }
}

void key_export(const Case& c) {
    const auto wrap = [&] {
        stend_gost_kexp15(&second, &key, iv, c.block / 2, in, key_bytes, sealed);
    };
    try_it(
        c.name + "kexp15", [&] { make_keys(c); }, wrap);
    for (const bool forged : {false, true}) {
        const auto before = [&] {
            make_keys(c), wrap();
            if (forged) sealed[0] ^= 1;
        };
        try_it(c.name + (forged ? "kimp15, forged" : "kimp15"), before, [&] {
            stend_gost_kimp15(&second, &key, iv, c.block / 2, sealed, key_bytes + c.block, out);
        });
    }
}

void everything(const Case& c) {
    keys_and_blocks(c);
    all_streams(c);
    paddings(c);
    for (const std::size_t section : {std::size_t{0}, c.old ? 1024 : 4 * c.block}) macs(c, section);
    if (c.old) return;
    many_macs(c);
    for (const std::size_t size :
         {std::size_t{3}, c.block, 5 * c.block + 1, 16 * c.block, 40 * c.block + 7, 2050 * c.block})
        mgm_pieces(c, size), mgm_messages(c, size), mgm_verified(c, size);
    key_export(c);
    if (c.fastest) threads(c);
}

// A copy of the key in a frame that is left.
void plant() {
    try_it(
        "the planted function", [] {},
        [] {
            std::uint8_t copy[key_bytes];
            std::memcpy(copy, secret, sizeof copy);
            asm volatile("" : : "r"(copy) : "memory");
        });
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "planted") == 0) {
        plant();
        return failures == 1 ? 0 : 1;
    }
    const isa::Features usable = isa::usable();
    for (int cipher = 0; cipher <= STEND_GOST_28147_CRYPTOPRO_D; ++cipher)
        for (const Engine* const e : engines(static_cast<Cipher>(cipher))) {
            if (!usable.contains(e->needs)) continue;
            const auto c = static_cast<stend_gost_cipher>(cipher);
            const Case one{c,
                           e->name.data(),
                           stend_gost_block_bytes(c),
                           c >= STEND_GOST_28147_TC26_Z,
                           e == &fastest(static_cast<Cipher>(cipher)),
                           "cipher " + std::to_string(cipher) + ", " + e->name.data() + ": "};
            // The sets of S-boxes are nothing but other tables.
            if (cipher <= STEND_GOST_28147_CRYPTOPRO_A)
                everything(one);
            else
                keys_and_blocks(one), macs(one, 1024);
        }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
