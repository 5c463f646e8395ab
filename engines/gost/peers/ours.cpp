// The library that this repository holds, through its C interface.
#include <cstring>

#include "stend/gost.h"
#include "ways.h"

namespace {

stend_gost_cipher cipher_of(const What& what) {
    if (what.kuznyechik()) return STEND_GOST_KUZNYECHIK;
    if (what.cipher == "magma") return STEND_GOST_MAGMA;
    return what.cipher == "28147-tc26-z" ? STEND_GOST_28147_TC26_Z : STEND_GOST_28147_CRYPTOPRO_A;
}

stend_gost_mode mode_of(const What& what) {
    const std::string name = what.mode.substr(0, 3);
    return name == "ecb"   ? STEND_GOST_ECB
           : name == "ctr" ? STEND_GOST_CTR
           : name == "ofb" ? STEND_GOST_OFB
           : name == "cbc" ? STEND_GOST_CBC
                           : STEND_GOST_CFB;
}

class Ours : public Way {
public:
    explicit Ours(const What& what) : what_(what) {
        right_ = stend_gost_key_init(&key_, cipher_of(what), the_key, nullptr) == STEND_GOST_OK;
        if (what.mode == "ctr-acpkm") section_ = what.kuznyechik() ? 4096 : 1024;
        if (what.mode == "ctr-meshed" || what.mode == "cfb-meshed" ||
            (what.mode == "mac" && what.cipher[0] == '2'))
            section_ = 1024;
        if (what.mode.starts_with("ctr") && what.cipher[0] != '2') iv_size_ = what.block() / 2;
    }

    bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) override {
        if (mac_mode_) return authenticate(in, out, size);
        if (mgm_mode_) return protect(in, out, size);
        if (mode_ == STEND_GOST_ECB) return blocks(in, out, size / block_);
        const auto direction = what_.decrypt ? STEND_GOST_DECRYPT : STEND_GOST_ENCRYPT;
        if (!what_.stream)
            return right_ && stend_gost_crypt(&key_, mode_, direction, the_iv, iv_size_, in, size,
                                              out) == STEND_GOST_OK;
        std::size_t written = 0, last = 0;
        stend_gost_stream_init(&stream_, &key_, mode_, direction, the_iv, iv_size_);
        if (section_ != 0) stend_gost_stream_sections(&stream_, section_);
        stend_gost_stream_update(&stream_, in, size, out, size + 16, &written);
        return right_ &&
               stend_gost_stream_finish(&stream_, out + written, 16, &last) == STEND_GOST_OK;
    }

private:
    // Whole blocks, as the peers' functions for them.
    bool blocks(const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
        return right_ &&
               (what_.decrypt ? stend_gost_decrypt_blocks(&key_, in, out, count)
                              : stend_gost_encrypt_blocks(&key_, in, out, count)) == STEND_GOST_OK;
    }
    bool authenticate(const std::uint8_t* in, std::uint8_t* out, std::size_t size) {
        stend_gost_mac_init(&mac_, &key_);
        if (section_ != 0) stend_gost_mac_sections(&mac_, section_, 0);
        stend_gost_mac_update(&mac_, in, size);
        return right_ && stend_gost_mac_finish(&mac_, out, what_.tag()) == STEND_GOST_OK;
    }
    bool protect(const std::uint8_t* in, std::uint8_t* out, std::size_t size) {
        const std::size_t block = block_;
        if (what_.decrypt)
            return stend_gost_mgm_open(&key_, the_iv, block, nullptr, 0, in, size, out, out + size,
                                       block, 1) == STEND_GOST_OK;
        return stend_gost_mgm_seal(&key_, the_iv, block, nullptr, 0, in, size, out, out + size,
                                   block, 1) == STEND_GOST_OK;
    }

    What what_;
    // Of words, what is asked once and not for every message.
    bool mac_mode_ = what_.mode == "mac", mgm_mode_ = what_.mode == "mgm";
    stend_gost_mode mode_ = mode_of(what_);
    std::size_t block_ = what_.block();
    bool right_ = false;
    std::size_t section_ = 0, iv_size_ = what_.block();
    stend_gost_key key_;
    stend_gost_stream stream_;
    stend_gost_mac mac_;
};

}  // namespace

std::unique_ptr<Way> ours(const What& what) {
    return std::make_unique<Ours>(what);
}
