// Tries the compiled code of the constant-time variants that valgrind can't run: the same work with
// one key, data and secret counters, and with others, has to run through the same instructions and
// name the same addresses of memory (steps.h). Unlike valgrind this knows AVX-512 and GFNI, and
// unlike MemorySanitizer it looks at what the product's compiler made. It sees what differs between
// the secrets it tried, and nothing else. With the number of a cipher (engine.h) it tries that one,
// with `brief` after it only the variant that everybody gets, and no modes of GOST 28147-89, whose
// sections of 1024 bytes take most of the instructions; with another word it does something that
// has to be found.
#include <immintrin.h>

#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "check.h"
#include "gost/engine.h"
#include "isa/isa.h"
#include "isa/target.h"
#include "stend/gost.h"
#include "steps.h"

using namespace stend;
using namespace stend::gost;

namespace {

// 550 blocks of 8 bytes or 275 of 16: a batch of the widest variant, or more than 256, and a rest.
constexpr std::size_t most = 4400;
std::uint8_t in[most], out[most + 64], sealed[most + 64], key[key_bytes];
std::uint8_t state[16 * largest_block], tag[16 * largest_block];
const std::uint8_t iv[16 * largest_block] = {0x12, 0x34};
Schedule schedule;
Mgm mgm;
unsigned seed;
int failures = 0;
unsigned long long all_steps = 0;

void make_secrets() {
    std::mt19937_64 random(seed);
    const auto fill = [&](auto& bytes) {
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    };
    fill(in), fill(key), fill(state), fill(mgm.y), fill(mgm.z), fill(mgm.sum);
}

using Work = std::function<void()>;

// The first run is not traced: it finds libraries' functions.
void try_it(const std::string& name, const Work& before, const Work& work) {
    steps::Trace trace, other;
    for (seed = 1; seed <= 3; ++seed) {
        make_secrets();
        before();
        other = trace;
        if (seed == 1)
            work();
        else
            trace = steps::traced(work, seed == 3);
    }
    all_steps += trace.count;
    if (trace.count > 20 && trace.same_as(other)) return;
    ++failures;
    const auto here = reinterpret_cast<std::uintptr_t>(&try_it);
    std::printf("%s: %llu steps with one key, %llu with another, and they part at try_it%+lld\n",
                name.c_str(), static_cast<unsigned long long>(other.count),
                static_cast<unsigned long long>(trace.count),
                static_cast<long long>(trace.parted_at - here));
}

// ---- variants ---------------------------------------------------------------------------------

void blocks(const Engine& e, const std::string& name, const Work& before, std::size_t n) {
    const auto of = " of " + std::to_string(n);
    try_it(name + "encrypt" + of, before, [&] { e.encrypt(schedule, in, out, n); });
    try_it(name + "decrypt" + of, before, [&] { e.decrypt(schedule, in, out, n); });
    const auto public_counter = [&] {
        before();
        if (e.seal != nullptr) std::memset(state, 0x5A, sizeof state);
    };
    try_it(name + "count" + of, public_counter, [&] { e.count(schedule, state, in, out, n); });
    try_it(name + "cbc_decrypt" + of, before,
           [&] { e.cbc_decrypt(schedule, state, 2, in, out, n); });
    try_it(name + "cfb_decrypt" + of, before,
           [&] { e.cfb_decrypt(schedule, state, 2, in, out, n); });
    if (e.seal == nullptr) return;
    try_it(name + "absorb" + of, before, [&] { e.absorb(schedule, mgm, in, n); });
    try_it(name + "seal" + of, before, [&] { e.seal(schedule, mgm, in, out, n); });
    try_it(name + "open" + of, before, [&] { e.open(schedule, mgm, in, out, n); });
}

void an_engine(const Engine& e, Cipher cipher, const std::string& name) {
    const std::size_t block = block_bytes(cipher);
    const auto before = [&] { e.schedule(schedule, cipher, key); };
    try_it(
        name + "schedule", [] {}, before);
    const std::size_t many = e.needs.contains(isa::avx512) ? most / block : 70;
    for (const std::size_t n : {std::size_t{1}, std::size_t{3}, std::size_t{33}, many})
        blocks(e, name, before, n);
    for (const Feed feed : {Feed::mac, Feed::cbc, Feed::cfb, Feed::ofb, Feed::imito})
        for (const std::size_t count : {1, 2, 5, 16}) {
            if (feed == Feed::imito && e.seal != nullptr) continue;
            Lane lanes[16];
            for (std::size_t i = 0; i < count; ++i)
                lanes[i] = {&schedule, state + i * block, in + i * block, out + i * block,
                            count * block};
            try_it(name + "chain of " + std::to_string(count), before, [&] {
                e.chain(feed, {lanes, count}, 3);
            });
        }
}

// ---- modes ------------------------------------------------------------------------------------

stend_gost_key one, other;
stend_gost_stream stream;
stend_gost_mac mac;

struct Case {
    stend_gost_cipher cipher;
    const char* variant;
    std::size_t block;
    bool old;
    std::string name;

    void keys() const {
        stend_gost_key_init(&one, cipher, key, variant);
        stend_gost_key_init(&other, cipher, in, variant);
    }
};

struct Way {
    stend_gost_mode mode;
    std::size_t chains, section;
    stend_gost_padding padding;
};

std::size_t whole_stream(const Case& c, const Way& way, stend_gost_direction direction,
                         const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
    std::size_t written = 0, last = 0;
    stend_gost_stream_init(&stream, &one, way.mode, direction, iv, way.chains * c.block);
    if (way.padding) stend_gost_stream_padding(&stream, way.padding);
    if (way.section) stend_gost_stream_sections(&stream, way.section);
    stend_gost_stream_update(&stream, from, size, to, sizeof out, &written);
    stend_gost_stream_finish(&stream, to + written, sizeof out - written, &last);
    return written + last;
}

void a_stream(const Case& c, const Way& way, std::size_t size) {
    const auto name = c.name + "mode " + std::to_string(way.mode) + " of " + std::to_string(size);
    std::size_t made = 0;
    const auto encrypt = [&] { made = whole_stream(c, way, STEND_GOST_ENCRYPT, in, size, sealed); };
    try_it(
        name, [&] { c.keys(); }, encrypt);
    try_it(
        name + ", decrypted", [&] { c.keys(), encrypt(); },
        [&] { whole_stream(c, way, STEND_GOST_DECRYPT, sealed, made, out); });
}

void at_once(const Case& c, stend_gost_mode mode, std::size_t size) {
    try_it(
        c.name + "crypt", [&] { c.keys(); },
        [&] {
            CHECK(stend_gost_crypt(&one, mode, STEND_GOST_ENCRYPT, iv, c.block, in, size, out) ==
                  STEND_GOST_OK);
        });
}

void streams(const Case& c) {
    const auto none = STEND_GOST_PADDING_NONE;
    const std::size_t size = 20 * c.block + 5, long_one = c.old ? 1030 : size;
    a_stream(c, {STEND_GOST_ECB, 0, 0, STEND_GOST_PADDING_2}, size);
    a_stream(c, {STEND_GOST_CBC, 1, 0, STEND_GOST_PADDING_2}, size);
    a_stream(c, {STEND_GOST_CTR, 1, 0, none}, size);
    a_stream(c, {STEND_GOST_CTR, 1, c.old ? 1024 : 4 * c.block, none}, long_one);
    a_stream(c, {STEND_GOST_CFB, 1, c.old ? std::size_t{1024} : 0, none}, long_one);
    if (!c.old) a_stream(c, {STEND_GOST_OFB, 3, 0, none}, size);
    for (const std::size_t blocks : {1, 20}) at_once(c, STEND_GOST_CBC, blocks * c.block);
    for (const std::size_t bytes : {5, 100}) at_once(c, STEND_GOST_CTR, bytes);
    // Padding that is not there.
    const Way way = {STEND_GOST_CBC, 1, 0, STEND_GOST_PADDING_2};
    try_it(
        c.name + "no padding", [&] { c.keys(); },
        [&] { whole_stream(c, way, STEND_GOST_DECRYPT, in, 4 * c.block, out); });
}

// A code that is wrong, with one key, in another byte than with the next.
void forge(std::uint8_t* code, std::size_t size) {
    code[seed % size] ^= 1;
}

void codes(const Case& c, std::size_t section) {
    const std::size_t size = c.old ? 4 : c.block;
    const auto begin = [&] {
        stend_gost_mac_init(&mac, &one);
        if (section)
            CHECK(stend_gost_mac_sections(&mac, section, c.old ? 0 : 2 * (32 + c.block)) ==
                  STEND_GOST_OK);
        stend_gost_mac_update(&mac, in, c.old && section ? 1030 : 6 * c.block + 5);
    };
    const auto make = [&] { begin(), stend_gost_mac_finish(&mac, tag, size); };
    const auto verify = [&] { stend_gost_mac_verify(&mac, tag, size); };
    try_it(
        c.name + "code", [&] { c.keys(); }, make);
    try_it(
        c.name + "right code", [&] { c.keys(), make(), begin(); }, verify);
    try_it(
        c.name + "forged code", [&] { c.keys(), make(), forge(tag, size), begin(); }, verify);
}

void messages(const Case& c, std::size_t size) {
    const auto seal = [&] {
        stend_gost_mgm_seal(&one, iv, c.block, in, 21, in, size, sealed, tag, c.block, 1);
    };
    const auto open = [&] {
        stend_gost_mgm_open(&one, iv, c.block, in, 21, sealed, size, out, tag, c.block, 1);
    };
    try_it(
        c.name + "MGM", [&] { c.keys(); }, seal);
    try_it(
        c.name + "MGM, opened", [&] { c.keys(), seal(); }, open);
    try_it(
        c.name + "MGM, forged", [&] { c.keys(), seal(), forge(tag, c.block); }, open);
}

void exported_keys(const Case& c) {
    const std::size_t size = 32 + c.block;
    const auto wrap = [&] { stend_gost_kexp15(&one, &other, iv, c.block / 2, in, 32, sealed); };
    const auto unwrap = [&] {
        stend_gost_kimp15(&one, &other, iv, c.block / 2, sealed, size, out);
    };
    try_it(
        c.name + "KExp15", [&] { c.keys(); }, wrap);
    try_it(
        c.name + "KImp15", [&] { c.keys(), wrap(); }, unwrap);
    try_it(
        c.name + "KImp15, forged", [&] { c.keys(), wrap(), forge(sealed, size); }, unwrap);
}

void many_codes(const Case& c) {
    const stend_gost_key* keys[5] = {&one, &other, &one, &one, &other};
    const void* const texts[5] = {in, in + 1, in + 2, in + 3, in + 4};
    const std::size_t sizes[5] = {1, 20, 16, 99, 40};
    try_it(
        c.name + "many codes", [&] { c.keys(); },
        [&] { stend_gost_mac_many(keys, texts, sizes, 5, tag, c.block); });
}

void modes(const Case& c) {
    try_it(
        c.name + "key", [] {}, [&] { c.keys(); });
    streams(c);
    for (const std::size_t section : {std::size_t{0}, c.old ? 1024 : 4 * c.block})
        codes(c, section);
    if (c.old) return;
    for (const std::size_t size : {3 * c.block + 5, 40 * c.block}) messages(c, size);
    many_codes(c);
    exported_keys(c);
}

// ---- what has to be found ---------------------------------------------------------------------

STEND_FOR("avx2")
void gather(const int* table, int* to) {
    const auto places =
        _mm256_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(key)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_i32gather_epi32(table, places, 4));
}
STEND_FOR_ANY

bool found(std::string_view what) {
    static int table[256];
    static volatile int sink;
    const auto none = [] {};
    if (what == "branch")
        try_it("a branch", none, [] {
            for (const std::uint8_t byte : key)
                if (byte & 1) asm volatile("nop; nop; nop");
        });
    if (what == "load")
        try_it("a load", none, [] {
            for (const std::uint8_t byte : key) sink = static_cast<volatile int*>(table)[byte];
        });
    if (what == "division")
        try_it("a division", none, [] {
            for (const std::uint8_t byte : key) sink = (1000 + byte) / (1 + sink % 3);
        });
    if (what == "gather") {
        if (!isa::usable().contains(isa::avx2)) return true;
        try_it("a gather", none, [] {
            static int to[8];
            gather(table, to), gather(table, to), gather(table, to), gather(table, to);
        });
    }
    return failures == 1;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view asked = count > 1 ? arguments[1] : "";
    if (!asked.empty() && asked > "9") return found(asked) ? 0 : 1;
    const bool brief = count > 2;
    const isa::Features usable = isa::usable();
    for (int number = 0; number <= static_cast<int>(Cipher::gost28147_cryptopro_d); ++number) {
        if (!asked.empty() && asked != std::to_string(number)) continue;
        for (const Engine* const e : engines(static_cast<Cipher>(number))) {
            const bool beyond_valgrind =
                e->needs.contains(isa::gfni) || e->needs.contains(isa::avx512);
            if (!e->constant_time || !usable.contains(e->needs) || !beyond_valgrind) continue;
            if (brief && e != &fastest(static_cast<Cipher>(number))) continue;
            const auto cipher = static_cast<Cipher>(number);
            const auto name = std::to_string(number) + ", " + e->name.data() + ": ";
            // Sets of S-boxes are nothing but other tables, and the modes' code is the same for
            // all.
            if (cipher > Cipher::gost28147_cryptopro_a) continue;
            an_engine(*e, cipher, name);
            if (e != &fastest(cipher)) continue;
            const auto c = static_cast<stend_gost_cipher>(number);
            const bool old = c >= STEND_GOST_28147_TC26_Z;
            if (brief && old) continue;
            modes({c, e->name.data(), stend_gost_block_bytes(c), old, name});
        }
    }
    std::printf("%llu instructions, %d failures\n", all_steps, failures);
    return failures != 0;
}
