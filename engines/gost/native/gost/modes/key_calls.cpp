// The C interface of keys, variants and whole blocks; no exception passes it.
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "gost/modes/bytes.h"
#include "gost/modes/clean.h"

namespace stend::gost {
namespace {

constexpr int ciphers = STEND_GOST_28147_CRYPTOPRO_D + 1;

bool known(stend_gost_cipher cipher) {
    return static_cast<int>(cipher) >= 0 && static_cast<int>(cipher) < ciphers;
}

Cipher internal(stend_gost_cipher cipher) {
    return static_cast<Cipher>(cipher);
}
static_assert(static_cast<int>(Cipher::magma) == STEND_GOST_MAGMA);
static_assert(static_cast<int>(Cipher::gost28147_cryptopro_d) == STEND_GOST_28147_CRYPTOPRO_D);

const Engine* named(stend_gost_cipher cipher, const char* variant) {
    return known(cipher) && variant ? find(internal(cipher), variant) : nullptr;
}

// Null: no such variant, or it can't run here. Throws when STEND_DISABLE_ISA has an unknown word.
const Engine* usable(stend_gost_cipher cipher, const char* variant) {
    if (engines(internal(cipher)).empty()) return nullptr;
    const Engine* const engine = variant ? named(cipher, variant) : &fastest(internal(cipher));
    return engine && isa::usable().contains(engine->needs) ? engine : nullptr;
}

// The encryption of a block of zeros becomes the subkeys.
void make_subkeys(Subkeys& subkeys, std::size_t n) {
    double_block(subkeys.whole, subkeys.whole, n);
    double_block(subkeys.padded, subkeys.whole, n);
}

void make_key(Key& key, const Engine& engine, Bytes bytes) {
    Out const zeros = key.subkeys.whole;
    if (key.legacy()) return engine.schedule(key.schedule, key.cipher, bytes);
    if (engine.schedule_and_zeros) {
        engine.schedule_and_zeros(key.schedule, bytes, zeros);
    } else {
        engine.schedule(key.schedule, key.cipher, bytes);
        std::memset(zeros, 0, largest_block);
        engine.encrypt(key.schedule, zeros, zeros, 1);
    }
    make_subkeys(key.subkeys, key.block());
}

// Why the variant can't run; empty when it can.
std::string lack(stend_gost_cipher cipher, const char* variant) {
    const Engine* const engine = named(cipher, variant);
    if (!engine) return "there is no such variant of this cipher";
    return isa::why_not(engine->needs);
}

}  // namespace
}  // namespace stend::gost

using namespace stend::gost;

size_t stend_gost_block_bytes(stend_gost_cipher cipher) {
    return known(cipher) ? block_bytes(internal(cipher)) : 0;
}

const char* stend_gost_variant(stend_gost_cipher cipher, size_t index) {
    if (!known(cipher)) return nullptr;
    const auto list = engines(internal(cipher));
    return index < list.size() ? list[index]->name.data() : nullptr;
}

const char* stend_gost_variant_lacks(stend_gost_cipher cipher, const char* variant) {
    thread_local char kept[512];
    try {
        const std::string said = lack(cipher, variant);
        if (said.empty()) return nullptr;
        std::snprintf(kept, sizeof kept, "%s", said.c_str());
    } catch (const std::exception& error) {
        std::snprintf(kept, sizeof kept, "%s", error.what());
    }
    return kept;
}

int stend_gost_variant_constant_time(stend_gost_cipher cipher, const char* variant) {
    const Engine* const engine = named(cipher, variant);
    return engine && engine->constant_time;
}

stend_gost_status stend_gost_key_init(stend_gost_key* opaque, stend_gost_cipher cipher,
                                      const void* key_bytes, const char* variant) {
    Key& key = begun<Key>(opaque);
    key.engine = nullptr;
    if (!known(cipher)) return STEND_GOST_BAD_CIPHER;
    try {
        const Engine* const engine = usable(cipher, variant);
        if (!engine) return STEND_GOST_BAD_VARIANT;
        key.cipher = internal(cipher);
        cleanly(*engine, engine->stack_of_few + modes_stack,
                [&] { make_key(key, *engine, static_cast<Bytes>(key_bytes)); });
        key.engine = engine;
        return STEND_GOST_OK;
    } catch (const std::exception&) {
        return STEND_GOST_BAD_ENVIRONMENT;
    }
}

void stend_gost_key_wipe(stend_gost_key* key) {
    wipe(key, sizeof *key);
}

stend_gost_cipher stend_gost_key_cipher(const stend_gost_key* key) {
    return static_cast<stend_gost_cipher>(inside<const Key>(key).cipher);
}

const char* stend_gost_key_variant(const stend_gost_key* key) {
    const Key* const found = made(key);
    return found ? found->engine->name.data() : nullptr;
}

stend_gost_status stend_gost_encrypt_blocks(const stend_gost_key* opaque, const void* in, void* out,
                                            size_t blocks) {
    const Key* const key = made(opaque);
    if (!key) return STEND_GOST_FINISHED;
    cleanly(*key->engine, stack_for_blocks(*key, blocks), [&] {
        key->engine->encrypt(key->schedule, static_cast<Bytes>(in), static_cast<Out>(out), blocks);
    });
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_decrypt_blocks(const stend_gost_key* opaque, const void* in, void* out,
                                            size_t blocks) {
    const Key* const key = made(opaque);
    if (!key) return STEND_GOST_FINISHED;
    cleanly(*key->engine, stack_for_blocks(*key, blocks), [&] {
        key->engine->decrypt(key->schedule, static_cast<Bytes>(in), static_cast<Out>(out), blocks);
    });
    return STEND_GOST_OK;
}
