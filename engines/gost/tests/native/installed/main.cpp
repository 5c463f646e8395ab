// Uses the installed C++ header: what is sealed is opened again, and a forgery throws.
#include <array>
#include <cstdio>
#include <stend/gost.hpp>
#include <string_view>

int main() {
    namespace gost = stend::gost;
    const std::array<unsigned char, 32> key_bytes{1, 2, 3};
    const std::array<unsigned char, 16> nonce{4, 5, 6};
    const std::string_view message = "to be kept secret", header = "to be seen";
    const gost::Key key(gost::Cipher::kuznyechik, key_bytes);
    std::array<char, 17> sealed, opened;
    std::array<unsigned char, 16> tag;
    gost::seal(key, nonce, header, message, sealed, tag);
    gost::open(key, nonce, header, sealed, opened, tag);
    if (std::string_view(opened.data(), opened.size()) != message) return 1;
    sealed[3] ^= 1;
    try {
        gost::open(key, nonce, header, sealed, opened, tag);
    } catch (const gost::Error& error) {
        std::printf("%s\n", error.what());
        return error.status() == STEND_GOST_FORGED ? 0 : 1;
    }
    return 1;
}
