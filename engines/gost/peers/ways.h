// A way to encrypt messages: this library's or somebody else's, with one key, in one mode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

inline constexpr std::uint8_t the_key[32] = {
    0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
    0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
inline constexpr std::uint8_t the_iv[16] = {0x12, 0x34, 0x56, 0x78, 0x90, 0xAB, 0xCE, 0xF0};

struct What {
    std::string peer, cipher, mode;  // "openssl", "magma" or "28147-tc26-z", "ctr-acpkm"
    bool decrypt = false;
    bool stream = false;  // theirs takes a message in pieces, so that ours does, too

    bool kuznyechik() const { return cipher == "kuznyechik"; }
    std::size_t block() const { return kuznyechik() ? 16 : 8; }
    std::size_t tag() const {
        return mode == "mac" ? (cipher[0] == '2' ? 4 : block()) : mode == "mgm" ? block() : 0;
    }
    std::string text() const {
        return peer + " " + cipher + " " + mode + (decrypt ? " decrypt" : " encrypt");
    }
};

class Way {
public:
    virtual ~Way() = default;
    // A whole message, with the key ready and an initialisation vector of its own. `out` gets as
    // many bytes (none for a MAC), then the tag; to decrypt MGM the tag is in `out` already.
    virtual bool message(const std::uint8_t* in, std::uint8_t* out, std::size_t size) = 0;
    // How long so many messages take; who runs elsewhere has to time itself.
    virtual double seconds(const std::uint8_t* in, std::uint8_t* out, std::size_t size, int times);
};

std::unique_ptr<Way> ours(const What& what);
// Of these, those that this machine has are linked.
[[gnu::weak]] std::unique_ptr<Way> crates(const What& what);
[[gnu::weak]] std::unique_ptr<Way> openssl(const What& what);
[[gnu::weak]] std::unique_ptr<Way> libgcrypt(const What& what);
std::unique_ptr<Way> foreign(const What& what);
