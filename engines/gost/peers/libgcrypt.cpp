// libgcrypt, which has GOST 28147-89 alone.
#include <gcrypt.h>

#include "ways.h"

namespace {

class Gcrypt : public Way {
public:
    explicit Gcrypt(const What& what) : what_(what) {
        gcry_check_version(nullptr);
        gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        const int mode = what.mode == "ecb"   ? GCRY_CIPHER_MODE_ECB
                         : what.mode == "cbc" ? GCRY_CIPHER_MODE_CBC
                                              : GCRY_CIPHER_MODE_CFB;
        char tc26_z[] = "1.2.643.7.1.2.5.1.1";
        right_ = !gcry_cipher_open(&handle_, GCRY_CIPHER_GOST28147, mode, 0);
        right_ = right_ && !gcry_cipher_ctl(handle_, GCRYCTL_SET_SBOX, tc26_z, 0);
        right_ = right_ && !gcry_cipher_setkey(handle_, the_key, sizeof the_key);
    }
    ~Gcrypt() override { gcry_cipher_close(handle_); }

    bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) override {
        if (what_.mode != "ecb") gcry_cipher_setiv(handle_, the_iv, 8);
        return right_ && !(what_.decrypt ? gcry_cipher_decrypt(handle_, out, size, in, size)
                                         : gcry_cipher_encrypt(handle_, out, size, in, size));
    }

private:
    What what_;
    gcry_cipher_hd_t handle_ = nullptr;
    bool right_ = false;
};

}  // namespace

std::unique_ptr<Way> libgcrypt(const What& what) {
    return std::make_unique<Gcrypt>(what);
}
