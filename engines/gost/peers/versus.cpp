// versus list: what is compared, a line a peer and cipher. versus PEER CIPHER check: in each mode
// both have to make the same of the same message, and each to decrypt what the other encrypted.
// versus PEER CIPHER LARGEST: after that, messages of each size up to LARGEST bytes, a peer's and
// this library's back to back, each first in turn. Prints a line a pair: peer, cipher, mode,
// direction, "streams" or "messages", size, cycles a byte of the peer's and of ours, at the core's
// true frequency.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "clock/clock.h"
#include "ways.h"

namespace {

constexpr std::size_t sizes[] = {16, 64, 128, 256, 1 << 10, 4 << 10, 16 << 10, 1 << 20, 64 << 20};

struct Row {
    const char *peer, *cipher, *both, *one;  // modes of which decryption is another, and the rest
    bool stream;
};

// A peer that is given a message whole, by one call after its initialisation vector, meets our
// call for whole messages; one that takes pieces meets our streams.
constexpr Row rows[] = {
    {"crates", "kuznyechik", "ecb cbc cfb mgm", "ctr ofb mac", false},
    {"crates", "magma", "ecb cbc cfb mgm", "ctr ofb mac", false},
    {"openssl", "kuznyechik", "ecb cbc cfb", "ctr ofb ctr-acpkm mac", true},
    {"openssl", "magma", "cbc", "ctr ctr-acpkm mac", true},
    {"openssl", "28147-tc26-z", "cbc cfb-meshed", "ctr-meshed mac", true},
    {"libgcrypt", "28147-tc26-z", "ecb cbc cfb", "", true},
    {"bouncycastle", "kuznyechik", "ecb cbc cfb", "ctr ofb mac", true},
    {"bouncycastle", "28147-tc26-z", "ecb cbc cfb", "", true},
    {"gostcrypto", "kuznyechik", "ecb cbc cfb", "ctr ofb mac", false},
    {"gostcrypto", "magma", "ecb cbc cfb", "ctr ofb mac", false},
};

std::vector<What> modes_of(const Row& row) {
    std::vector<What> all;
    std::istringstream both(row.both), one(row.one);
    for (std::string mode; both >> mode;)
        for (const bool decrypt : {false, true})
            all.push_back({row.peer, row.cipher, mode, decrypt, row.stream});
    for (std::string mode; one >> mode;)
        all.push_back({row.peer, row.cipher, mode, false, row.stream});
    return all;
}

bool slow(const What& what) {
    return what.peer == "gostcrypto";  // tens of thousands of cycles a byte
}

std::vector<std::size_t> checked(const What& what) {
    // gostcrypto's counter has no carry: with the 257th block it begins again.
    if (slow(what)) return {16, 1040, 2048};
    return {16, 1040, 4096, 70000};
}

bool timed(const What& what, std::size_t size) {
    const bool elsewhere = what.peer == "bouncycastle" || slow(what);
    if (elsewhere && size != 16 && size != 256 && size != (16 << 10) && size != (1 << 20))
        return false;
    if (size > (1 << 20))
        return what.peer == "crates" &&
               (what.decrypt ? what.mode == "cbc"
                             : what.mode == "ecb" || what.mode == "ctr" || what.mode == "mgm");
    return size <= (16 << 10) || !slow(what);
}

std::unique_ptr<Way> peer(const What& what) {
    if (what.peer == "crates") return crates(what);
    if (what.peer == "openssl") return openssl(what);
    return what.peer == "libgcrypt" ? libgcrypt(what) : foreign(what);
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
    const double once = theirs->seconds(in.data(), m.theirs.data(), size, 1);
    const double once_more = mine->seconds(in.data(), m.mine.data(), size, 1);
    const int of_theirs = std::clamp(int(1e-3 / std::max(once, 1e-9)), 1, 20000);
    const int of_mine = std::clamp(int(1e-3 / std::max(once_more, 1e-9)), 1, 20000);
    const int rounds = once > 0.02 ? 3 : 25;
    int made = -1;  // the first warms up
    for (int round = 0; made < rounds && round < 3 * rounds; ++round) {
        double a = 0, b = 0;
        const double hz = stend::clock::core_frequency(0.001);
        for (int turn = 0; turn < 2; ++turn)
            if ((turn ^ round) & 1)
                a = theirs->seconds(in.data(), m.theirs.data(), size, of_theirs) / of_theirs;
            else
                b = mine->seconds(in.data(), m.mine.data(), size, of_mine) / of_mine;
        const double mean = (hz + stend::clock::core_frequency(0.001)) / 2 / double(size);
        if (std::isnan(mean)) continue;  // the clock was disturbed
        if (made++ >= 0)
            std::printf("%s %s %zu %.4f %.4f\n", what.text().c_str(),
                        what.stream ? "streams" : "messages", size, a * mean, b * mean);
    }
    std::fflush(stdout);
}

}  // namespace

double Way::seconds(const std::uint8_t* in, std::uint8_t* out, std::size_t size, int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) message(in, out, size);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main(int count, char** words) {
    const bool list = count < 4, check = !list && words[3] == std::string("check");
    const std::size_t largest = list || check ? 0 : std::strtoul(words[3], nullptr, 10);
    for (const Row& row : rows) {
        if (list) std::printf("%s %s\n", row.peer, row.cipher);
        if (list || row.peer != std::string(words[1]) || row.cipher != std::string(words[2]))
            continue;
        for (const What& what : modes_of(row)) {
            if (!what.decrypt)
                for (const std::size_t size : checked(what)) agree(what, size);
            for (const std::size_t size : sizes)
                if (size <= largest && timed(what, size)) race(what, size);
        }
    }
}
