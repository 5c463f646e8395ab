// For a tool that follows secret bytes (secrets.h): the work of every variant that says it is
// constant-time and that runs here, with a secret key and public blocks, with secret blocks and a
// public key, and with secret counters and registers. So each time all that comes out must be
// known to the tool to come from the secrets, byte by byte: it lost nothing on the way to a branch
// or an address. Then the modes, through the public interface (gost_secrets_modes.cpp).
//
// `planted load`, `branch`, `gather` and `comparison` do what has to be reported, and `lost` gives
// out something that is no secret where one is expected.
#include "gost_secrets.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "gost/engine.h"
#include "isa/isa.h"
#include "isa/target.h"
#include "secrets.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace stend;
using namespace stend::gost;
using namespace secrets;

namespace {

constexpr std::size_t most = 2 * 512 + 29;  // blocks: batches of the widest variants, and a rest
std::uint8_t in[largest_block * most], out[largest_block * most];

enum class Hidden { key, blocks, registers };

class Trial {
public:
    Trial(const Engine& engine, Cipher cipher, Hidden what)
        : e_(engine), cipher_(cipher), block_(block_bytes(cipher)), what_(what) {
        std::uint8_t key[key_bytes] = {1, 2, 3};
        if (what == Hidden::key) hide(key, sizeof key);
        e_.schedule(schedule_, cipher_, key);
        for (std::size_t i = 0; i < sizeof in; ++i)
            in[i] = static_cast<std::uint8_t>(i * 167 + i / 251);
        if (what == Hidden::blocks) hide(in, sizeof in);
    }
    ~Trial() {
        show(&schedule_, sizeof schedule_);
        show(in, sizeof in);
    }

    void blocks(std::size_t n) {
        const std::size_t size = n * block_;
        if (what_ != Hidden::registers) {
            e_.encrypt(schedule_, in, out, n);
            expect_secret("encrypt", out, size);
            e_.decrypt(schedule_, in, out, n);
            expect_secret("decrypt", out, size);
        }
        std::uint8_t state[16 * largest_block];
        begin(state, sizeof state);
        const bool public_counter = e_.seal != nullptr;
        if (public_counter) show(state, sizeof state);
        e_.count(schedule_, state, in, out, n);
        if (what_ != Hidden::registers || !public_counter) expect_secret("count", out, size);
        for (const std::size_t chains : {1, 2, 3, 16}) {
            // Of a register that is secret alone come the first blocks.
            const std::size_t from_it =
                what_ == Hidden::registers ? block_ * std::min(n, chains) : size;
            begin(state, sizeof state);
            e_.cbc_decrypt(schedule_, state, chains, in, out, n);
            expect_secret("cbc_decrypt", out, from_it);
            begin(state, sizeof state);
            e_.cfb_decrypt(schedule_, state, chains, in, out, n);
            expect_secret("cfb_decrypt", out, from_it);
        }
    }

    void chains() {
        for (const Feed feed : {Feed::mac, Feed::cbc, Feed::cfb, Feed::ofb, Feed::imito})
            for (const std::size_t count : {1, 2, 3, 4, 7, 16})
                if (feed != Feed::imito || e_.seal == nullptr) chains_of(feed, count);
    }

    void mgm(std::size_t n) {
        Mgm mgm;
        begin(mgm.y, block_), begin(mgm.z, block_), begin(mgm.sum, block_);
        e_.absorb(schedule_, mgm, in, n);
        expect_secret("absorb", mgm.sum, block_);
        e_.seal(schedule_, mgm, in, out, n);
        expect_secret("seal", out, n * block_);
        expect_secret("the sum of seal", mgm.sum, block_);
        e_.open(schedule_, mgm, in, out, n);
        expect_secret("open", out, n * block_);
        expect_secret("the sum of open", mgm.sum, block_);
    }

private:
    // A counter whose last bytes are about to run over.
    void begin(std::uint8_t* state, std::size_t size) const {
        std::memset(state, 0x5A, size);
        state[block_ - 1] = state[block_ - 2] = state[block_ / 2 - 1] = 0xFF;
        if (what_ == Hidden::registers) hide(state, size);
    }

    void chains_of(Feed feed, std::size_t count) {
        constexpr std::size_t steps = 9;
        std::uint8_t states[16 * largest_block];
        begin(states, sizeof states);
        Lane lanes[16];
        for (std::size_t i = 0; i < count; ++i)
            lanes[i] = {&schedule_, states + i * block_, in + i * block_, out + i * block_,
                        count * block_};
        e_.chain(feed, {lanes, count}, steps);
        if (feed != Feed::mac && feed != Feed::imito)
            expect_secret("a chain's blocks", out, steps * count * block_);
        // OFB's register depends on no block. What is left of GOST 28147-89's does on all.
        if (feed != Feed::ofb || what_ != Hidden::blocks)
            expect_secret("a chain's register", states, count * block_);
        show(states, sizeof states);
    }

    const Engine& e_;
    const Cipher cipher_;
    const std::size_t block_;
    const Hidden what_;
    Schedule schedule_;
};

// valgrind runs neither GFNI nor AVX-512.
bool beyond_valgrind(const Engine& e) {
    return e.needs.contains(isa::gfni) || e.needs.contains(isa::avx512);
}

void an_engine(const Engine& engine, Cipher cipher) {
    for (const Hidden what : {Hidden::key, Hidden::blocks, Hidden::registers}) {
        static_assert(most * largest_block <= most_bytes);
        Trial trial(engine, cipher, what);
        for (const std::size_t n :
             {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{7}, std::size_t{16},
              std::size_t{33}, std::size_t{65}, std::size_t{300}, most}) {
            trial.blocks(n);
            if (engine.seal != nullptr) trial.mgm(n);
        }
        trial.chains();
    }
}

// ---- what has to be reported -------------------------------------------------------------------

#if defined(__x86_64__)
STEND_FOR("avx2")
int gathered(const int* table, const std::uint8_t* places) {
    const auto at = _mm256_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(places)));
    return _mm256_extract_epi32(_mm256_i32gather_epi32(table, at, 4), 1);
}
STEND_FOR_ANY
#endif

int plant(std::string_view what) {
    static int table[256];
    std::uint8_t key[key_bytes] = {1, 2, 3};
    const std::uint8_t other[key_bytes] = {1, 2, 4};
    hide(key, sizeof key);
    if (what == "load") {
        const volatile int* const at = table + key[0];
        return *at;
    }
    if (what == "branch" && (key[1] & 2) != 0) std::puts("a branch");
#if defined(__x86_64__)
    if (what == "gather") return gathered(table, key);
#endif
    if (what == "comparison")
        for (std::size_t i = 0; i < sizeof key; ++i)
            if (key[i] != other[i]) return 1;
    if (what == "lost") {
        std::memset(out, 7, 8);
        hide(out, 7);
        expect_secret("the planted loss", out, 8);
    }
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (!somebody_looks()) {
        std::printf("skipped: to be run under valgrind or compiled for MemorySanitizer\n");
        return 77;
    }
    if (count > 2) return plant(arguments[2]);
    const isa::Features usable = isa::usable();
    const auto looked_at = [&](const Engine& e) {
        return e.constant_time && usable.contains(e.needs) && (!roughly || beyond_valgrind(e));
    };
    bool any = false;
    for (int number = 0; number <= static_cast<int>(Cipher::gost28147_cryptopro_d); ++number)
        for (const Engine* const e : engines(static_cast<Cipher>(number))) {
            if (!looked_at(*e)) continue;
            any = true;
            std::printf("cipher %d, %s\n", number, e->name.data());
            std::fflush(stdout);
            an_engine(*e, static_cast<Cipher>(number));
            the_modes_with_secrets(static_cast<stend_gost_cipher>(number), e->name.data());
        }
    if (!any) std::printf("no variant that this processor has was looked at\n");
    return any ? 0 : 1;
}
