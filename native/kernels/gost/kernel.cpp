// The kernel. Each repetition encrypts what the one before it left, in place or to and fro between
// two buffers, under the repetition's number as nonce: a repetition left out is seen in every byte
// for ever after.
// After each batch another variant does the same to a copy, and the two are compared.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "buffers/buffer.h"
#include "clock/clock.h"
#include "kernels/gost/gost.h"
#include "team/team.h"

namespace stend::ciphers {
namespace {

constexpr std::size_t line = 64;

struct Nonce {
    std::uint8_t bytes[STEND_GOST_LARGEST_BLOCK] = {};

    // The first bit is 0, as MGM wants it.
    explicit Nonce(std::uint64_t number) { std::memcpy(bytes + 1, &number, 7); }
};

template <bool forwards>
bool ecb(Worker& worker, std::uint64_t, const std::uint8_t* from, std::uint8_t* to,
         std::size_t size) {
    (forwards ? stend_gost_encrypt_blocks : stend_gost_decrypt_blocks)(&worker.key, from, to,
                                                                       size / worker.block);
    return true;
}

template <stend_gost_mode mode, stend_gost_direction direction>
bool streamed(Worker& worker, std::uint64_t number, const std::uint8_t* from, std::uint8_t* to,
              std::size_t size) {
    const Nonce iv(number);
    const std::size_t iv_bytes = mode == STEND_GOST_CTR ? worker.block / 2 : worker.block;
    std::size_t written = 0, rest = 0;
    return stend_gost_stream_init(&worker.stream, &worker.key, mode, direction, iv.bytes,
                                  iv_bytes) == STEND_GOST_OK &&
           stend_gost_stream_update(&worker.stream, from, size, to, size, &written) ==
               STEND_GOST_OK &&
           stend_gost_stream_finish(&worker.stream, nullptr, 0, &rest) == STEND_GOST_OK &&
           written == size;
}

// The tag goes into the message's beginning, so that it is part of all that follows.
void stamp(std::uint8_t* message, const std::uint8_t* tag, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) message[i] ^= tag[i];
}

bool seal(Worker& worker, std::uint64_t number, const std::uint8_t* from, std::uint8_t* to,
          std::size_t size) {
    const Nonce nonce(number);
    std::uint8_t tag[STEND_GOST_LARGEST_BLOCK];
    if (stend_gost_mgm_seal(&worker.key, nonce.bytes, worker.block, nullptr, 0, from, size, to, tag,
                            worker.block, 1) != STEND_GOST_OK)
        return false;
    stamp(to, tag, worker.block);
    return true;
}

bool open(Worker& worker, std::uint64_t number, const std::uint8_t* from, std::uint8_t* to,
          std::size_t size) {
    const Nonce nonce(number);
    const std::uint8_t zeros[STEND_GOST_LARGEST_BLOCK] = {};
    stend_gost_mgm mgm;
    // An honest tag would have to be made first; what costs time is the same for a wrong one.
    return stend_gost_mgm_init(&mgm, &worker.key, STEND_GOST_DECRYPT, nonce.bytes, worker.block) ==
               STEND_GOST_OK &&
           stend_gost_mgm_update(&mgm, from, size, to) == STEND_GOST_OK &&
           stend_gost_mgm_verify(&mgm, zeros, worker.block) == STEND_GOST_FORGED;
}

bool omac(Worker& worker, std::uint64_t, const std::uint8_t* from, std::uint8_t* to,
          std::size_t size) {
    std::uint8_t tag[STEND_GOST_LARGEST_BLOCK];
    if (stend_gost_mac_init(&worker.mac, &worker.key) != STEND_GOST_OK ||
        stend_gost_mac_update(&worker.mac, from, size) != STEND_GOST_OK ||
        stend_gost_mac_finish(&worker.mac, tag, worker.block) != STEND_GOST_OK)
        return false;
    stamp(to, tag, worker.block);
    return true;
}

constexpr Mode all_modes[] = {
    {"ecb", ecb<true>},
    {"ecb-decrypt", ecb<false>},
    {"ecb-out-of-place", ecb<true>, false},
    {"ctr", streamed<STEND_GOST_CTR, STEND_GOST_ENCRYPT>},
    {"mgm", seal},
    {"mgm-decrypt", open},
    {"cbc", streamed<STEND_GOST_CBC, STEND_GOST_ENCRYPT>},
    {"cbc-decrypt", streamed<STEND_GOST_CBC, STEND_GOST_DECRYPT>},
    {"omac", omac},
};

void require_key(stend_gost_key& key, stend_gost_cipher cipher, const std::uint8_t* bytes,
                 std::string_view variant) {
    const std::string name(variant);
    if (stend_gost_key_init(&key, cipher, bytes, name.c_str()) == STEND_GOST_OK) return;
    const char* const lacks = stend_gost_variant_lacks(cipher, name.c_str());
    throw std::invalid_argument("The variant " + name + " can't run: " +
                                (lacks != nullptr ? lacks : "there is none of that name."));
}

// The fastest other implementation that runs here.
std::string_view another(stend_gost_cipher cipher, std::string_view tried) {
    std::string_view found = tried;
    for (std::size_t i = 0; const char* const name = stend_gost_variant(cipher, i); ++i)
        if (name != tried && stend_gost_variant_lacks(cipher, name) == nullptr) found = name;
    return found;
}

// Messages of all threads, done by one variant.
class Messages {
public:
    Messages(stend_gost_cipher cipher, const Mode& mode, std::size_t size, std::size_t offset,
             unsigned threads, std::string_view variant)
        : encrypt_(mode.encrypt),
          buffers_(mode.in_place ? 1 : 2),
          size_(size),
          offset_(offset),
          room_((size + offset + line - 1) / line * line),
          variant_(variant),
          workers_(threads) {
        for (unsigned member = 0; member < threads; ++member) {
            std::array<std::uint8_t, STEND_GOST_KEY_BYTES> key;
            for (std::size_t i = 0; i < key.size(); ++i)
                key[i] = static_cast<std::uint8_t>(i * 37 + member * 11 + 1);
            require_key(workers_[member].key, cipher, key.data(), variant);
            workers_[member].block = stend_gost_block_bytes(cipher);
        }
    }

    // The same in every process and on every machine.
    void fill(Team& team) {
        data_ = Buffer<std::uint8_t>(room_ * buffers_ * workers_.size());
        team.run([this](unsigned member) noexcept {
            std::uint64_t x = 0x9E3779B97F4A7C15 * (member + 1);
            for (std::size_t i = 0; i < size_; ++i) {
                if (i % 8 == 0) x ^= x << 13, x ^= x >> 7, x ^= x << 17;  // xorshift64
                buffer(member, 0)[i] = static_cast<std::uint8_t>(x >> i % 8 * 8);
            }
        });
        data_.gather_huge_pages();
    }

    void encrypt(Team& team, std::uint64_t first, std::uint64_t times) {
        team.run([=, this](unsigned member) noexcept {
            Member& worker = workers_[member];
            for (std::uint64_t number = first; number < first + times; ++number)
                worker.right &= encrypt_(worker, number, buffer(member, number),
                                         buffer(member, number + 1), size_);
        });
        done_ = first + times;
    }

    bool accepted() const {
        return std::ranges::all_of(workers_, [](const Member& worker) { return worker.right; });
    }
    // What the last repetition left.
    const std::uint8_t* message(unsigned member) const { return buffer(member, done_); }
    std::string_view variant() const { return variant_; }
    std::size_t size() const { return size_; }
    unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

private:
    struct alignas(line) Member : Worker {
        bool right = true;
    };

    // Where the message is before that repetition.
    std::uint8_t* buffer(unsigned member, std::uint64_t number) const {
        return data_.data() + (member * buffers_ + number % buffers_) * room_ + offset_;
    }

    Encrypt encrypt_;
    std::size_t buffers_;  // of each thread
    std::uint64_t done_ = 0;
    std::size_t size_, offset_, room_;
    std::string variant_;
    std::vector<Member> workers_;
    Buffer<std::uint8_t> data_;
};

// GOST R 34.12-2015, A.1.5 and A.2.4.
struct KnownAnswer {
    std::uint8_t key[STEND_GOST_KEY_BYTES];
    std::uint8_t plain[STEND_GOST_LARGEST_BLOCK], encrypted[STEND_GOST_LARGEST_BLOCK];
    const char* clause;
};
constexpr KnownAnswer kuznyechik_answer = {
    {0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22,
     0x33, 0x44, 0x55, 0x66, 0x77, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54,
     0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef},
    {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x00, 0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99,
     0x88},
    {0x7f, 0x67, 0x9d, 0x90, 0xbe, 0xbc, 0x24, 0x30, 0x5a, 0x46, 0x8d, 0x42, 0xb9, 0xd4, 0xed,
     0xcd},
    "A.1.5"};
constexpr KnownAnswer magma_answer = {
    {0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55,
     0x44, 0x33, 0x22, 0x11, 0x00, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5,
     0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff},
    {0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10},
    {0x4e, 0xe9, 0x01, 0xe5, 0xc2, 0xd8, 0xca, 0x3d},
    "A.2.4"};

bool answers(const KnownAnswer& known, stend_gost_cipher cipher, std::string_view variant) {
    stend_gost_key key;
    std::uint8_t out[STEND_GOST_LARGEST_BLOCK] = {}, back[STEND_GOST_LARGEST_BLOCK] = {};
    require_key(key, cipher, known.key, variant);
    stend_gost_encrypt_blocks(&key, known.plain, out, 1);
    stend_gost_decrypt_blocks(&key, known.encrypted, back, 1);
    return std::memcmp(out, known.encrypted, stend_gost_block_bytes(cipher)) == 0 &&
           std::memcmp(back, known.plain, stend_gost_block_bytes(cipher)) == 0;
}

// CRC-64 of ECMA-182, a bit at a time.
std::uint64_t checksum(const std::uint8_t* bytes, std::size_t size) {
    std::uint64_t crc = 0;
    for (std::size_t i = 0; i < size; ++i) {
        crc ^= std::uint64_t{bytes[i]} << 56;
        for (int bit = 0; bit < 8; ++bit) crc = crc << 1 ^ (0x42F0E1EBA9EA3693 & (0 - (crc >> 63)));
    }
    return crc;
}

class Encryption final : public Kernel {
public:
    Encryption(stend_gost_cipher cipher, const Mode& mode, std::size_t size, std::size_t offset,
               std::vector<int> cpus, std::string_view variant)
        : cipher_(cipher),
          cpus_(std::move(cpus)),
          tried_(cipher, mode, size, offset, threads(), variant),
          other_(cipher, mode, size, offset, threads(), another(cipher, variant)) {}

    void prepare() override {
        team_.emplace(cpus_);
        tried_.fill(*team_);
        other_.fill(*team_);
    }

    void repeat(std::uint64_t times) override {
        tried_.encrypt(*team_, asked_, times);
        asked_ += times;
    }

    // The frequency first, before the core is out of the work's state.
    bool check() override {
        const double hz = clock::core_frequency(0);
        if (!std::isnan(hz)) frequency_ = {hz};
        other_.encrypt(*team_, checked_, asked_ - checked_);
        checked_ = asked_;
        if (!tried_.accepted() || !other_.accepted()) return false;
        for (unsigned member = 0; member < threads(); ++member)
            if (std::memcmp(tried_.message(member), other_.message(member), tried_.size()) != 0)
                return false;
        return true;
    }

    Proof prove() override;

    std::vector<std::string> columns() const override { return {"frequency Hz"}; }
    std::span<const double> further() const override { return frequency_; }
    std::string_view variant() const override { return tried_.variant(); }
    unsigned threads() const override { return static_cast<unsigned>(cpus_.size()); }

private:
    stend_gost_cipher cipher_;
    std::vector<int> cpus_;
    std::optional<Team> team_;
    Messages tried_, other_;
    std::array<double, 1> frequency_{std::nan("")};
    std::uint64_t asked_ = 0, checked_ = 0;  // repetitions
};

Proof Encryption::prove() {
    const KnownAnswer& known = cipher_ == STEND_GOST_KUZNYECHIK ? kuznyechik_answer : magma_answer;
    const std::string example = std::string("the example of GOST R 34.12-2015, ") + known.clause;
    if (!answers(known, cipher_, tried_.variant()))
        return {false,
                "The variant " + std::string(tried_.variant()) + " does not give " + example + "."};
    if (!check())
        return {false, "After " + std::to_string(asked_) + " repetitions the messages are not " +
                           "those that the variant " + std::string(other_.variant()) + " leaves."};
    char sum[17];
    std::snprintf(sum, sizeof sum, "%016llx",
                  static_cast<unsigned long long>(
                      checksum(tried_.message(0), std::min<std::size_t>(tried_.size(), 1 << 20))));
    return {true, "It gives " + example + ", and after each batch, " + std::to_string(asked_) +
                      " repetitions in all, every byte was what the variant " +
                      std::string(other_.variant()) + " leaves (CRC-64 of the first MiB " + sum +
                      ")."};
}

}  // namespace

stend_gost_cipher cipher(std::string_view name) {
    if (name == "kuznyechik") return STEND_GOST_KUZNYECHIK;
    if (name == "magma") return STEND_GOST_MAGMA;
    throw std::invalid_argument("There is no cipher \"" + std::string(name) +
                                "\" to measure; there are kuznyechik and magma.");
}

std::span<const Mode> modes() {
    return all_modes;
}

const Mode& mode(std::string_view name) {
    const auto* const found = std::ranges::find(all_modes, name, &Mode::name);
    if (found != std::end(all_modes)) return *found;
    std::string names;
    for (const Mode& known : all_modes)
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    throw std::invalid_argument("There is no mode \"" + std::string(name) + "\"; there are " +
                                names + ".");
}

std::unique_ptr<Kernel> kernel(stend_gost_cipher cipher, const Mode& mode, std::size_t size,
                               std::size_t offset, std::vector<int> cpus,
                               std::string_view variant) {
    if (size > std::size_t{1} << 50U)
        throw std::invalid_argument("A message of " + std::to_string(size) +
                                    " bytes is longer than any memory; give 2^50 at most.");
    if (size == 0 || size % stend_gost_block_bytes(cipher) != 0)
        throw std::invalid_argument("A message of " + std::to_string(size) +
                                    " bytes is no whole number of blocks; give a multiple of " +
                                    std::to_string(stend_gost_block_bytes(cipher)) + ".");
    if (offset >= line)
        throw std::invalid_argument("An offset of " + std::to_string(offset) +
                                    " bytes leaves the cache line; give 0 to 63.");
    return std::make_unique<Encryption>(cipher, mode, size, offset, std::move(cpus), variant);
}

}  // namespace stend::ciphers
