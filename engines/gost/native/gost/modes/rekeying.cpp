// The key of the next section. The old one can't be found from it.
#include "gost/modes/rekeying.h"

namespace stend::gost {
namespace {

// RFC 8645, 6.2.1: D_1 | … | D_J
constexpr std::uint8_t constants[key_bytes] = {
    0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f,
    0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f};

// RFC 4357, 2.3.2: C
constexpr std::uint8_t meshing[key_bytes] = {
    0x69, 0x00, 0x72, 0x22, 0x64, 0xc9, 0x04, 0x23, 0x8d, 0x3a, 0xdb, 0x96, 0x46, 0xe9, 0x2a, 0xc4,
    0x18, 0xfe, 0xac, 0x94, 0x00, 0xed, 0x07, 0x12, 0xc0, 0x86, 0xdc, 0xc2, 0xef, 0x4c, 0xa9, 0x2b};

struct KeyBytes {
    std::uint8_t bytes[key_bytes];
};

}  // namespace

void acpkm(const Key& key, const Schedule& last, Schedule& next) {
    Wiped<KeyBytes> made;
    key.engine->encrypt(last, constants, made.value.bytes, blocks_in(key_bytes, key.block()));
    key.engine->schedule(next, key.cipher, made.value.bytes);
}

void mesh(const Key& key, const Schedule& last, Schedule& next, std::uint8_t* shift) {
    Wiped<KeyBytes> made;
    key.engine->decrypt(last, meshing, made.value.bytes, blocks_in(key_bytes, key.block()));
    key.engine->schedule(next, key.cipher, made.value.bytes);
    if (shift) key.engine->encrypt(next, shift, shift, 1);
}

}  // namespace stend::gost
