// leaks: a statistical look for a time that depends on secrets, after "dude, is my code constant
// time?" (Reparaz, Balasch, Verbauwhede, 2017): calls of two classes, in random order, and Welch's
// t between their cycles. In one test all messages of a class are the same and the other's are
// random; in the other so are the keys, of which the schedule is timed. One line a variant with the
// largest |t| over several cuts of the slow tail; beyond 4.5 there is a difference, beyond 10 one
// that leaves no doubt. "constant-time" is what the variant says of itself. A table look-up need
// not show: this proves leaks, never that there are none (tests/native/gost_secrets.cpp does).
#include <x86intrin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "gost/engine.h"
#include "isa/isa.h"

using namespace stend;
using namespace stend::gost;

namespace {

constexpr int calls = 60000;
constexpr std::size_t blocks = 8;

struct Timed {
    bool random;
    double cycles;
};

// Welch's t of the calls that took less than `limit`.
double welch(const std::vector<Timed>& all, double limit) {
    double n[2] = {}, mean[2] = {}, squares[2] = {};
    for (const Timed& each : all) {
        if (each.cycles >= limit) continue;
        const int which = each.random;
        const double delta = each.cycles - mean[which];
        mean[which] += delta / ++n[which];
        squares[which] += delta * (each.cycles - mean[which]);
    }
    if (n[0] < 100 || n[1] < 100) return 0;
    const double error = squares[0] / (n[0] - 1) / n[0] + squares[1] / (n[1] - 1) / n[1];
    return error > 0 ? (mean[0] - mean[1]) / std::sqrt(error) : 0;
}

// The largest of several cuts: interrupts belong to neither class.
double largest(const std::vector<Timed>& all) {
    std::vector<double> sorted;
    for (const Timed& each : all) sorted.push_back(each.cycles);
    std::sort(sorted.begin(), sorted.end());
    double found = 0;
    for (const double part : {0.5, 0.8, 0.9, 0.95, 0.99})
        found = std::max(found, std::abs(welch(all, sorted[std::size_t(part * calls)] + 1)));
    return found;
}

std::uint64_t now() {
    unsigned core;
    _mm_lfence();
    const std::uint64_t ticks = __rdtscp(&core);
    _mm_lfence();
    return ticks;
}

// All secrets are made before, and those of both classes lie in as many places, for where they are
// taken from must not tell.
template <typename Work>
double tried(std::size_t size, Work work) {
    constexpr std::size_t places = 32;  // of each class, in turns
    std::mt19937_64 random(20261121);
    std::vector<std::uint8_t> secrets(size * 2 * places), secret(size);
    for (std::uint8_t& byte : secrets) byte = static_cast<std::uint8_t>(random());
    for (std::size_t i = 0; i < places; ++i)
        std::copy_n(secrets.begin(), size, secrets.begin() + std::ptrdiff_t(2 * i * size));
    std::vector<Timed> all;
    for (int i = 0; i < calls; ++i) {
        const std::size_t place = random() % (2 * places);
        std::memcpy(secret.data(), secrets.data() + place * size, size);
        const std::uint64_t begin = now();
        work(secret.data());
        all.push_back({place % 2 == 1, static_cast<double>(now() - begin)});
    }
    return largest(all);
}

void look_at(const char* cipher_name, Cipher cipher, const Engine& e) {
    static Schedule schedule;
    std::uint8_t key[key_bytes] = {7}, out[blocks * largest_block];
    e.schedule(schedule, cipher, key);
    const double data = tried(blocks * block_bytes(cipher), [&](const std::uint8_t* in) {
        e.encrypt(schedule, in, out, blocks);
    });
    const double keys =
        tried(key_bytes, [&](const std::uint8_t* secret) { e.schedule(schedule, cipher, secret); });
    std::printf("| %s | %s | %s | %.1f | %.1f |\n", cipher_name, e.name.data(),
                e.constant_time ? "yes" : "no", data, keys);
}

// A comparison that stops at the first difference: what is measured here has to show it.
double planted() {
    std::mt19937_64 random(20261121);  // as in tried(): the secret of the one class
    std::uint8_t expected[key_bytes];
    for (std::uint8_t& byte : expected) byte = static_cast<std::uint8_t>(random());
    return tried(key_bytes, [&](const std::uint8_t* secret) {
        volatile const std::uint8_t* const guess = secret;
        std::size_t same = 0;
        while (same < key_bytes && guess[same] == expected[same]) ++same;
    });
}

}  // namespace

int main() {
    std::printf("| cipher | variant | constant-time | t of data | t of keys |\n");
    std::printf("| --- | --- | --- | --- | --- |\n");
    std::printf("| a comparison | planted | no | | %.1f |\n", planted());
    const isa::Features usable = isa::usable();
    const auto all = [&](const char* name, Cipher cipher) {
        for (const Engine* const e : engines(cipher))
            if (usable.contains(e->needs)) look_at(name, cipher, *e);
    };
    all("Kuznyechik", Cipher::kuznyechik);
    all("Magma", Cipher::magma);
    all("GOST 28147-89", Cipher::gost28147_cryptopro_a);
}
