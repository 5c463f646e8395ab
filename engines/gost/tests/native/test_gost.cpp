// Every variant of every cipher against the standards' own examples and against the reference.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "check.h"
#include "gost/block.h"
#include "gost/engine.h"

using namespace stend;
using namespace stend::gost;

namespace {

using Buffer = std::vector<std::uint8_t>;

Buffer hex(std::string_view digits) {
    Buffer bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes.push_back(
            static_cast<std::uint8_t>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
    return bytes;
}

Buffer random_bytes(std::size_t size) {
    static std::mt19937_64 random(20261121);
    Buffer bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

struct Example {
    Cipher cipher;
    const char *key, *plain, *encrypted;
};

constexpr const char* legacy_key =
    "00112233445566778899aabbccddeeff102132435465768798a9babbdcdedfe0";

constexpr Example examples[] = {
    // GOST R 34.12-2015, A.1.5; RFC 7801, 5.5
    {Cipher::kuznyechik, "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef",
     "1122334455667700ffeeddccbbaa9988", "7f679d90bebc24305a468d42b9d4edcd"},
    // GOST R 34.12-2015, A.2.4; RFC 8891, A.4
    {Cipher::magma, "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
     "fedcba9876543210", "4ee901e5c2d8ca3d"},
    // RFC 4357 and RFC 7836 have none; these are what the OpenSSL engine of GOST (3.0.1) makes
    {Cipher::gost28147_tc26_z, legacy_key, "0123456789abcdef", "0b2af821b6753372"},
    {Cipher::gost28147_cryptopro_a, legacy_key, "0123456789abcdef", "e150774b93f335d3"},
    {Cipher::gost28147_cryptopro_b, legacy_key, "0123456789abcdef", "c622fa2863af028e"},
    {Cipher::gost28147_cryptopro_c, legacy_key, "0123456789abcdef", "67c00b0d8bcf99fb"},
    {Cipher::gost28147_cryptopro_d, legacy_key, "0123456789abcdef", "48fff19278abc212"},
};

// GOST 28147-89 with CryptoPro A, as the OpenSSL engine of GOST (3.0.1) has it: the gamma after the
// encrypted initial vector of the example above, and the imitovstavka of the bytes 0, 1, … 39.
constexpr const char* legacy_gamma =
    "ade33b3c41d14c19e8153e18bd06fd884cb7edcf2e3e6bbad38b4c0c162370fd";
constexpr const char* legacy_imito = "5ec02c27";

// RFC 5830, 6.1: N3 counts by C2 modulo 2^32, N4 by C1, and a carry out of 2^32 is worth 1. A
// filling is N3, then N4, the lowest byte first; the register is left at the last.
struct Filling {
    const char *before, *first, *second;
};
constexpr Filling fillings[] = {
    {"0000000000000000", "0101010104010101", "0202020208020202"},
    {"fefefefefafefefe", "fffffffffeffffff", "0001010103010101"},
    {"fefefefefbfefefe", "ffffffffffffffff", "0001010104010101"},
    {"fffefefefcfefefe", "0000000001000000", "0101010105010101"},
};

// A key in one variant.
struct Keyed {
    const Engine& engine;
    Schedule schedule;

    Keyed(const Engine& engine, Cipher cipher, const Buffer& key) : engine(engine) {
        engine.schedule(schedule, cipher, key.data());
    }
};

void the_standard_example_comes_out(const Engine& engine, const Example& example) {
    const Keyed keyed(engine, example.cipher, hex(example.key));
    const Buffer plain = hex(example.plain), encrypted = hex(example.encrypted);
    Buffer out(plain.size());
    engine.encrypt(keyed.schedule, plain.data(), out.data(), 1);
    CHECK(out == encrypted);
    engine.decrypt(keyed.schedule, encrypted.data(), out.data(), 1);
    CHECK(out == plain);
}

void the_old_counter_and_imitovstavka_come_out(const Engine& engine) {
    const Keyed keyed(engine, Cipher::gost28147_cryptopro_a, hex(legacy_key));
    Buffer counter = hex("e150774b93f335d3"), gamma(32), state(8), message(40), none(40);
    engine.count(keyed.schedule, counter.data(), gamma.data(), gamma.data(), 4);
    CHECK(gamma == hex(legacy_gamma));
    for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::uint8_t>(i);
    const Lane lane = {&keyed.schedule, state.data(), message.data(), none.data(), 8};
    engine.chain(Feed::imito, {&lane, 1}, 5);
    CHECK(Buffer(state.begin(), state.begin() + 4) == hex(legacy_imito));
}

void the_old_counter_carries_as_written(const Engine& engine) {
    const Keyed keyed(engine, Cipher::gost28147_cryptopro_a, hex(legacy_key));
    for (const Filling& filling : fillings) {
        Buffer expected = hex(filling.first), second = hex(filling.second), none(16), gamma(16);
        Buffer counter = hex(filling.before);
        expected.insert(expected.end(), second.begin(), second.end());
        engine.encrypt(keyed.schedule, expected.data(), expected.data(), 2);
        engine.count(keyed.schedule, counter.data(), none.data(), gamma.data(), 2);
        CHECK(gamma == expected);
        CHECK(counter == second);
    }
}

// One variant with two keys. Most of the test's time goes into the reference, which is the first of
// a cipher's: what it makes is made once for all the others.
struct Variant {
    Keyed keyed, other;
};

void check_same(const Keyed& tried, const Buffer& made, const Buffer& expected) {
    if (made != expected) std::fprintf(stderr, "%s:\n", tried.engine.name.data());
    CHECK(made == expected);
}

// Runs `work` of every variant on copies of one input, in place or not, off any alignment, and
// compares what it wrote with what the reference did.
struct Beside {
    const std::vector<Variant>& variants;
    std::size_t block;

    bool has_mgm() const { return variants[0].keyed.engine.seal != nullptr; }

    template <typename Work>
    void same(std::size_t blocks, Work work) const {
        const Buffer in = random_bytes(blocks * block), state = random_bytes(17 * largest_block);
        const Buffer expected = made(variants[0], in, state, 0, false, work);
        for (const Variant& tried : variants) {
            if (&tried != &variants[0])
                check_same(tried.keyed, made(tried, in, state, 0, false, work), expected);
            check_same(tried.keyed, made(tried, in, state, 1 + blocks % 63, false, work), expected);
            check_same(tried.keyed, made(tried, in, state, 1 + blocks % 61, true, work), expected);
        }
    }

    // What is left in out and in the state, with a margin that has to stay as it was.
    template <typename Work>
    static Buffer made(const Variant& variant, const Buffer& in, Buffer state, std::size_t shift,
                       bool in_place, Work work) {
        constexpr std::size_t margin = 64;
        Buffer source(in.size() + shift + margin, 0xA5), target(in.size() + shift + margin, 0xA5);
        std::copy(in.begin(), in.end(), source.begin() + static_cast<std::ptrdiff_t>(shift));
        std::uint8_t* const from = source.data() + shift;
        std::uint8_t* const to = in_place ? from : target.data() + shift;
        if constexpr (std::is_invocable_v<Work, const Variant&, Bytes, Out, Out>)
            work(variant, from, to, state.data());
        else
            work(variant.keyed, from, to, state.data());
        for (std::size_t i = 0; i < margin; ++i) CHECK(to[in.size() + i] == 0xA5);
        for (std::size_t i = 0; i < shift; ++i) CHECK(*(to - shift + i) == 0xA5);
        Buffer result(to, to + in.size());
        result.insert(result.end(), state.begin(), state.end());
        return result;
    }
};

void every_work_equals_the_reference(const Beside& beside, std::size_t blocks) {
    const std::size_t block = beside.block;
    beside.same(blocks, [=](const Keyed& k, Bytes in, Out out, Out) {
        k.engine.encrypt(k.schedule, in, out, blocks);
    });
    beside.same(blocks, [=](const Keyed& k, Bytes in, Out out, Out) {
        k.engine.decrypt(k.schedule, in, out, blocks);
    });
    // Counters of which the last byte, the last word and then everything is about to run over.
    for (const std::size_t ones : {std::size_t{0}, std::size_t{1}, block / 2, block})
        beside.same(blocks, [=](const Keyed& k, Bytes in, Out out, Out state) {
            std::fill_n(state + block - ones, ones, 0xFF);
            if (ones > 0) state[block - 1] = static_cast<std::uint8_t>(0xFF - blocks / 2);
            k.engine.count(k.schedule, state, in, out, blocks);
        });
    for (const std::size_t chains : {1, 2, 3, 8, 16}) {
        beside.same(blocks, [=](const Keyed& k, Bytes in, Out out, Out state) {
            k.engine.cbc_decrypt(k.schedule, state, chains, in, out, blocks);
        });
        beside.same(blocks, [=](const Keyed& k, Bytes in, Out out, Out state) {
            k.engine.cfb_decrypt(k.schedule, state, chains, in, out, blocks);
        });
    }
}

void mgm_equals_the_reference(const Beside& beside, std::size_t blocks) {
    const std::size_t half = beside.block / 2;
    for (const std::size_t ones : {std::size_t{0}, half})
        for (const int which : {0, 1, 2})
            beside.same(blocks, [=](const Keyed& k, Bytes in, Out out, Out state) {
                Mgm mgm;
                std::memcpy(&mgm, state, sizeof mgm);
                std::fill_n(mgm.y + 2 * half - ones, ones, 0xFF);  // Y counts in its right half
                std::fill_n(mgm.z + half - ones, ones, 0xFF);      // Z in its left
                if (ones > 0) mgm.y[2 * half - 1] = mgm.z[half - 1] = 0xF0;
                if (which == 0) {
                    k.engine.absorb(k.schedule, mgm, in, blocks);
                    std::memmove(out, in, blocks * 2 * half);  // for the comparison
                }
                if (which == 1) k.engine.seal(k.schedule, mgm, in, out, blocks);
                if (which == 2) k.engine.open(k.schedule, mgm, in, out, blocks);
                std::memcpy(state, mgm.y, 2 * half);
                std::memcpy(state + 16, mgm.z, 2 * half);
                std::memcpy(state + 32, mgm.sum, 2 * half);
            });
}

void chains_equal_the_reference(const Beside& beside, std::size_t count, std::size_t steps) {
    const std::size_t block = beside.block;
    for (const Feed feed : {Feed::mac, Feed::cbc, Feed::cfb, Feed::ofb, Feed::imito}) {
        if (feed == Feed::imito && beside.has_mgm()) continue;
        beside.same((count + 1) * steps, [&](const Variant& v, Bytes in, Out out, Out state) {
            std::vector<Lane> lanes;
            // The lanes lie side by side and step over each other and a gap; every third has
            // another key.
            for (std::size_t i = 0; i < count; ++i) {
                lanes.push_back({&(i % 3 == 2 ? v.other : v.keyed).schedule, state + i * block,
                                 in + i * block, out + i * block, (count + 1) * block});
            }
            std::memmove(out, in,
                         (count + 1) * steps * block);  // what is not written is compared too
            v.keyed.engine.chain(feed, lanes, steps);
        });
    }
}

// `brief`, for emulators, whose variants have small batches: no long messages, a shorter chain.
bool brief = false;

Buffer end_of_a_long_chain(const Keyed& keyed, Buffer block) {
    for (int i = 0; i < (brief ? 4096 : 65536); ++i) {
        keyed.engine.encrypt(keyed.schedule, block.data(), block.data(), 1);
        if (i % 257 == 0) keyed.engine.decrypt(keyed.schedule, block.data(), block.data(), 1);
    }
    return block;
}

void a_long_chain_equals_the_reference(const Beside& beside) {
    const Buffer first = random_bytes(beside.block);
    const Buffer expected = end_of_a_long_chain(beside.variants[0].keyed, first);
    for (std::size_t i = 1; i < beside.variants.size(); ++i) {
        const Keyed& tried = beside.variants[i].keyed;
        check_same(tried, end_of_a_long_chain(tried, first), expected);
    }
}

void all_variants_equal_the_reference(const Example& example) {
    const Buffer key = random_bytes(key_bytes), other = random_bytes(key_bytes);
    std::vector<Variant> variants;
    for (const Engine* const engine : engines(example.cipher)) {
        if (!isa::usable().contains(engine->needs)) continue;
        std::printf("%zu-byte blocks, %s\n", block_bytes(example.cipher), engine->name.data());
        the_standard_example_comes_out(*engine, example);
        if (example.cipher == Cipher::gost28147_cryptopro_a)
            the_old_counter_and_imitovstavka_come_out(*engine),
                the_old_counter_carries_as_written(*engine);
        variants.push_back({{*engine, example.cipher, key}, {*engine, example.cipher, other}});
    }
    std::fflush(stdout);
    const Beside beside{variants, block_bytes(example.cipher)};
    for (const std::size_t blocks :
         {0,  1,  2,  3,   4,   5,   7,   8,   9,   15,  16,  17,  31,  33,
          63, 64, 65, 127, 128, 129, 191, 256, 257, 300, 511, 513, 1025}) {
        if (brief && blocks > 129) break;
        every_work_equals_the_reference(beside, blocks);
        if (beside.has_mgm()) mgm_equals_the_reference(beside, blocks);
    }
    for (const std::size_t lanes : {0, 1, 2, 3, 4, 5, 8, 9, 16, 17})
        for (const std::size_t steps : {0, 1, 5}) chains_equal_the_reference(beside, lanes, steps);
    a_long_chain_equals_the_reference(beside);
}

// The last that runs here, of two for the same instructions the one that this processor is faster
// with.
void the_default_is_the_last_that_runs(Cipher cipher, const char* other, const char* on_zen) {
    const Engine* last = nullptr;
    for (const Engine* const engine : engines(cipher))
        if (isa::usable().contains(engine->needs)) last = engine;
    CHECK(&fastest(cipher) == last);
    const Engine* const wide = find(cipher, "avx512");
    if (wide && isa::usable().contains(wide->needs))
        CHECK(last->name == (isa::amd_family() >= 0x19 ? on_zen : other));
}

}  // namespace

int main(int count, char**) {
    brief = count > 1;
    the_default_is_the_last_that_runs(Cipher::kuznyechik, "avx512", "avx512");
    the_default_is_the_last_that_runs(Cipher::magma, "avx512", "avx512-words");
    the_default_is_the_last_that_runs(Cipher::gost28147_tc26_z, "avx512", "avx512-words");
    for (const Example& example : examples) all_variants_equal_the_reference(example);
}
