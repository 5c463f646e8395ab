// No variant touches a byte before or behind a message: each lies between two pages that nobody
// may read, once right behind the first and once right before the second.
#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "check.h"
#include "stend/gost.h"

namespace {

#if defined(_WIN32)
std::size_t page_bytes() {
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}

std::uint8_t* pages_of(std::size_t bytes) {
    void* const all = VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    CHECK(all != nullptr);
    return static_cast<std::uint8_t*>(all);
}

void forbid(std::uint8_t* begin, std::size_t bytes) {
    DWORD before;
    CHECK(VirtualProtect(begin, bytes, PAGE_NOACCESS, &before));
}
#else
std::size_t page_bytes() {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::uint8_t* pages_of(std::size_t bytes) {
    constexpr int own = MAP_PRIVATE | MAP_ANONYMOUS;
    void* const all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, own, -1, 0);
    CHECK(all != MAP_FAILED);
    return static_cast<std::uint8_t*>(all);
}

void forbid(std::uint8_t* begin, std::size_t bytes) {
    CHECK(mprotect(begin, bytes, PROT_NONE) == 0);
}
#endif

// For as long as the program runs.
class Fenced {
public:
    Fenced() : page_(page_bytes()), first_(pages_of(pages * page_) + page_) {
        forbid(first_ - page_, page_);
        forbid(first_ + (pages - 2) * page_, page_);
    }
    Fenced(const Fenced&) = delete;
    Fenced& operator=(const Fenced&) = delete;

    std::uint8_t* of(std::size_t size, bool at_the_end) const {
        return at_the_end ? first_ + (pages - 2) * page_ - size : first_;
    }

private:
    static constexpr std::size_t pages = 10;
    std::size_t page_;
    std::uint8_t* first_;
};

const Fenced input, output, small;

struct Message {
    const std::uint8_t* in;
    std::uint8_t* out;
    std::uint8_t* iv;
    std::size_t size;
};

void every_mode(const stend_gost_key& key, std::size_t block, bool old, const Message& m) {
    for (const auto mode :
         {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_OFB, STEND_GOST_CBC, STEND_GOST_CFB})
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT})
            for (const std::size_t chains : {1, 3}) {
                if ((old && mode == STEND_GOST_OFB) || (mode <= STEND_GOST_CTR && chains > 1) ||
                    (mode == STEND_GOST_ECB && m.size % block) ||
                    (mode == STEND_GOST_CBC && m.size % block) || (old && (chains > 1)))
                    continue;
                const std::size_t iv = mode == STEND_GOST_ECB ? 0 : chains * block;
                CHECK(stend_gost_crypt(&key, mode, direction, m.iv, iv, m.in, m.size, m.out) ==
                      STEND_GOST_OK);
            }
}

void every_code(const stend_gost_key& key, std::size_t block, bool old, const Message& m) {
    static stend_gost_mac mac;
    CHECK(stend_gost_mac_init(&mac, &key) == STEND_GOST_OK);
    CHECK(stend_gost_mac_update(&mac, m.in, m.size) == STEND_GOST_OK);
    CHECK(stend_gost_mac_finish(&mac, m.out, 4) == STEND_GOST_OK);
    if (old) return;
    m.iv[0] &= 0x7F;
    std::uint8_t tag[16];
    CHECK(stend_gost_mgm_seal(&key, m.iv, block, m.in, m.size, m.in, m.size, m.out, tag, block,
                              1) == STEND_GOST_OK);
    CHECK(stend_gost_mgm_open(&key, m.iv, block, m.in, m.size, m.out, m.size, m.out, tag, block,
                              1) == STEND_GOST_OK);
    CHECK(std::memcmp(m.in, m.out, m.size) == 0);
}

void nothing_beyond_is_touched(stend_gost_cipher cipher, const char* variant) {
    static stend_gost_key key;
    const std::uint8_t secret[STEND_GOST_KEY_BYTES] = {1, 2, 3};
    if (stend_gost_key_init(&key, cipher, secret, variant) != STEND_GOST_OK) return;
    const std::size_t block = stend_gost_block_bytes(cipher);
    const bool old = cipher >= STEND_GOST_28147_TC26_Z;
    for (const std::size_t blocks : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 130, 520})
        for (const std::size_t rest : {0, 1, 5})
            for (const bool end : {false, true}) {
                const std::size_t size = blocks * block + rest;
                const Message m = {input.of(size, end), output.of(size, end),
                                   small.of(3 * block, end), size};
                if (size > 4 * 1024 && rest != 0) continue;
                every_mode(key, block, old, m);
                every_code(key, block, old, m);
            }
    stend_gost_key_wipe(&key);
}

}  // namespace

int main() {
    for (const auto cipher : {STEND_GOST_KUZNYECHIK, STEND_GOST_MAGMA, STEND_GOST_28147_TC26_Z})
        for (std::size_t i = 0; stend_gost_variant(cipher, i) != nullptr; ++i)
            nothing_beyond_is_touched(cipher, stend_gost_variant(cipher, i));
}
