// versus: lists what is compared, one a line. versus PEER CIPHER MODE DIRECTION [LARGEST]: messages
// of each size up to LARGEST bytes, a peer's and this library's back to back in one process, each
// first in turn. Before, both have to make the same of the same message, and each to decrypt what
// the other encrypted. Prints a line a pair: the four words, the size, cycles a byte of the peer's
// and of ours, at the core's true frequency.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "clock/clock.h"
#include "ways.h"

namespace {

constexpr std::size_t sizes[] = {16, 64, 128, 256, 1 << 10, 4 << 10, 16 << 10, 1 << 20, 64 << 20};

std::vector<What> everything() {
    std::vector<What> all;
    const auto both = [&](const char* peer, const char* cipher, const char* mode) {
        all.push_back({peer, cipher, mode, false});
        all.push_back({peer, cipher, mode, true});
    };
    const auto one = [&](const char* peer, const char* cipher, const char* mode) {
        all.push_back({peer, cipher, mode, false});
    };
    for (const char* cipher : {"kuznyechik", "magma"}) {
        for (const char* mode : {"ecb", "cbc", "cfb", "mgm"}) both("crates", cipher, mode);
        for (const char* mode : {"ctr", "ofb", "mac"}) one("crates", cipher, mode);
    }
    for (const char* mode : {"ecb", "cbc", "cfb"}) both("openssl", "kuznyechik", mode);
    for (const char* mode : {"ctr", "ofb", "ctr-acpkm", "mac"}) one("openssl", "kuznyechik", mode);
    both("openssl", "magma", "cbc");
    for (const char* mode : {"ctr", "ctr-acpkm", "mac"}) one("openssl", "magma", mode);
    for (const char* mode : {"cbc", "cfb-meshed"}) both("openssl", "28147-tc26-z", mode);
    for (const char* mode : {"ctr-meshed", "mac"}) one("openssl", "28147-tc26-z", mode);
    for (const char* mode : {"ecb", "cbc", "cfb"}) both("libgcrypt", "28147-tc26-z", mode);
    return all;
}

std::unique_ptr<Way> peer(const What& what) {
    if (what.peer == "crates") return crates(what);
    return what.peer == "openssl" ? openssl(what) : libgcrypt(what);
}

struct Message {
    std::vector<std::uint8_t> plain, theirs, mine;

    explicit Message(std::size_t size) : plain(size), theirs(size + 32), mine(size + 32) {
        for (std::size_t i = 0; i < size; ++i)
            plain[i] = static_cast<std::uint8_t>(i * 167 + i / 251);
    }
};

void must(bool right, const What& what, std::size_t size, const char* said) {
    if (right) return;
    std::fprintf(stderr, "%s, %zu bytes: %s\n", what.text().c_str(), size, said);
    std::exit(1);
}

// Both make the same of a message, and each decrypts it.
void agree(What what, std::size_t size) {
    Message m(size);
    const std::size_t room = what.mode == "mac" ? 0 : size, whole = room + what.tag();
    what.decrypt = false;
    must(peer(what)->message(m.plain.data(), m.theirs.data(), size), what, size, "the peer failed");
    must(ours(what)->message(m.plain.data(), m.mine.data(), size), what, size, "we failed");
    must(std::equal(m.mine.begin(), m.mine.begin() + long(whole), m.theirs.begin()), what, size,
         "the two differ");
    if (what.mode == "mac") return;
    what.decrypt = true;
    std::vector<std::uint8_t> back(m.theirs);  // with the tag behind
    must(ours(what)->message(m.theirs.data(), back.data(), size), what, size, "we can't decrypt");
    must(std::equal(m.plain.begin(), m.plain.end(), back.begin()), what, size,
         "we decrypt wrongly");
    std::copy(m.mine.begin(), m.mine.end(), back.begin());
    must(peer(what)->message(m.mine.data(), back.data(), size), what, size, "it can't decrypt");
    must(std::equal(m.plain.begin(), m.plain.end(), back.begin()), what, size,
         "it decrypts wrongly");
}

double seconds(Way& way, const std::uint8_t* in, std::uint8_t* out, std::size_t size, int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) way.message(in, out, size);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void race(const What& what, std::size_t size) {
    Message m(size);
    const auto theirs = peer(what), mine = ours(what);
    std::vector<std::uint8_t> in(m.plain);
    if (what.decrypt) {  // what is decrypted again and again, with the tag in place for MGM
        What forth = what;
        forth.decrypt = false;
        ours(forth)->message(m.plain.data(), m.mine.data(), size);
        in.assign(m.mine.begin(), m.mine.begin() + long(size));
        m.theirs = m.mine;
    }
    const double once = seconds(*theirs, in.data(), m.theirs.data(), size, 1);
    const double once_more = seconds(*mine, in.data(), m.mine.data(), size, 1);
    const int of_theirs = std::clamp(int(1e-3 / std::max(once, 1e-9)), 1, 20000);
    const int of_mine = std::clamp(int(1e-3 / std::max(once_more, 1e-9)), 1, 20000);
    const int rounds = size > (1 << 20) ? 3 : 9;
    for (int round = -1; round < rounds; ++round) {
        double a = 0, b = 0;
        const double hz = stend::clock::core_frequency(0.001);
        for (int turn = 0; turn < 2; ++turn)
            if ((turn ^ round) & 1)
                a = seconds(*theirs, in.data(), m.theirs.data(), size, of_theirs) / of_theirs;
            else
                b = seconds(*mine, in.data(), m.mine.data(), size, of_mine) / of_mine;
        const double mean = (hz + stend::clock::core_frequency(0.001)) / 2 / double(size);
        if (round >= 0)
            std::printf("%s %zu %.4f %.4f\n", what.text().c_str(), size, a * mean, b * mean);
    }
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    for (const What& what : everything()) {
        if (count < 5) {
            std::printf("%s\n", what.text().c_str());
            continue;
        }
        if (what.text() != std::string(words[1]) + " " + words[2] + " " + words[3] + " " + words[4])
            continue;
        for (const std::size_t size : {16, 1040, 4096, 70000}) agree(what, size);
        const std::size_t largest = count > 5 ? std::strtoul(words[5], nullptr, 10) : 64 << 20;
        for (const std::size_t size : sizes)
            if (size <= largest) race(what, size);
    }
}
