// RustCrypto's crates, through crates/src/lib.rs.
#include "ways.h"

extern "C" void* crates_key(const std::uint8_t* key);
extern "C" bool crates_message(const void* keys, bool magma, std::uint32_t mode, bool decrypt,
                               const std::uint8_t* iv, const std::uint8_t* in, std::uint8_t* out,
                               std::size_t size);

namespace {

class Crates : public Way {
public:
    explicit Crates(const What& what) : what_(what), keys_(crates_key(the_key)) {
        constexpr const char* names[] = {"ecb", "ctr", "ofb", "cbc", "cfb", "mac", "mgm"};
        while (what.mode != names[mode_]) ++mode_;
        // The counter of GOST R 34.13 begins with half a block and zeros.
        for (std::size_t i = 0; i < (mode_ == 1 ? what.block() / 2 : 16); ++i) iv_[i] = the_iv[i];
    }
    bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) override {
        return crates_message(keys_, !what_.kuznyechik(), mode_, what_.decrypt, iv_, in, out, size);
    }

private:
    What what_;
    void* keys_;
    std::uint32_t mode_ = 0;
    std::uint8_t iv_[16] = {};
};

}  // namespace

std::unique_ptr<Way> crates(const What& what) {
    return std::make_unique<Crates>(what);
}
