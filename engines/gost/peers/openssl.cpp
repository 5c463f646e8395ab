// OpenSSL with its GOST engine, through EVP.
#define OPENSSL_SUPPRESS_DEPRECATED  // engines are, but this one is none other
#include <openssl/engine.h>
#include <openssl/evp.h>

#include <cstdio>
#include <cstdlib>

#include "ways.h"

namespace {

constexpr int set_key = EVP_MD_CTRL_ALG_CTRL + 4;  // of the engine's own

void load_engine() {
    static const bool loaded = [] {
        ENGINE_load_dynamic();
        ENGINE* const engine = ENGINE_by_id("gost");
        return engine && ENGINE_init(engine) && ENGINE_set_default(engine, ENGINE_METHOD_ALL);
    }();
    if (loaded) return;
    std::fprintf(stderr, "OpenSSL has no engine gost here (Debian: libengine-gost-openssl).\n");
    std::exit(1);
}

std::string name_of(const What& what) {
    if (what.mode == "mac") return what.cipher[0] == '2' ? "gost-mac-12" : what.cipher + "-mac";
    if (what.cipher[0] != '2') return what.cipher + "-" + what.mode;
    return what.mode == "cbc"          ? "gost89-cbc"
           : what.mode == "cfb-meshed" ? "gost89"
                                       : "gost89-cnt-12";
}

class OpenSslCipher : public Way {
public:
    explicit OpenSslCipher(const What& what) : context_(EVP_CIPHER_CTX_new()) {
        const EVP_CIPHER* const cipher = EVP_get_cipherbyname(name_of(what).c_str());
        right_ = cipher && EVP_CipherInit_ex(context_, cipher, nullptr, the_key, the_iv,
                                             what.decrypt ? 0 : 1);
        EVP_CIPHER_CTX_set_padding(context_, 0);
        // Where the key changes within a message, the next one has to be given it again.
        if (what.mode.find('-') != std::string::npos) again_ = the_key;
    }
    ~OpenSslCipher() override { EVP_CIPHER_CTX_free(context_); }

    bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) override {
        int written = 0, last = 0;
        return right_ && EVP_CipherInit_ex(context_, nullptr, nullptr, again_, the_iv, -1) &&
               EVP_CipherUpdate(context_, out, &written, in, static_cast<int>(size)) &&
               EVP_CipherFinal_ex(context_, out + written, &last);
    }

private:
    EVP_CIPHER_CTX* context_;
    const std::uint8_t* again_ = nullptr;
    bool right_ = false;
};

class OpenSslMac : public Way {
public:
    explicit OpenSslMac(const What& what)
        : size_(what.tag()), ready_(EVP_MD_CTX_new()), now_(EVP_MD_CTX_new()) {
        const EVP_MD* const digest = EVP_get_digestbyname(name_of(what).c_str());
        right_ = digest && EVP_DigestInit_ex(ready_, digest, nullptr) &&
                 EVP_MD_CTX_ctrl(ready_, set_key, sizeof the_key,
                                 const_cast<std::uint8_t*>(the_key)) > 0;
    }
    ~OpenSslMac() override { EVP_MD_CTX_free(ready_), EVP_MD_CTX_free(now_); }

    bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) override {
        std::uint8_t tag[EVP_MAX_MD_SIZE];
        unsigned made = 0;
        const bool done = right_ && EVP_MD_CTX_copy_ex(now_, ready_) &&
                          EVP_DigestUpdate(now_, in, size) && EVP_DigestFinal_ex(now_, tag, &made);
        for (std::size_t i = 0; i < size_; ++i) out[i] = tag[i];
        return done && made >= size_;
    }

private:
    std::size_t size_;
    EVP_MD_CTX *ready_, *now_;
    bool right_ = false;
};

}  // namespace

std::unique_ptr<Way> openssl(const What& what) {
    load_engine();
    if (what.mode == "mac") return std::make_unique<OpenSslMac>(what);
    return std::make_unique<OpenSslCipher>(what);
}
