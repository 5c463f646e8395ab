// The modes through the C interface: equal to the standards' registers written down plainly, the
// same in pieces, in place, unaligned and on several threads; every misuse has its status.
#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "check.h"
#include "stend/gost.h"

namespace {

using Buffer = std::vector<std::uint8_t>;

std::mt19937_64 random_bits(20261121);

std::size_t below(std::size_t limit) {
    return random_bits() % limit;
}

Buffer random_bytes(std::size_t size) {
    Buffer bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_bits());
    return bytes;
}

// Memory for a context, which need not be zeros before it is made.
template <typename Context>
std::unique_ptr<Context> room_for() {
    auto memory = std::make_unique<Context>();
    std::memset(memory.get(), 0xA5, sizeof(Context));
    return memory;
}

struct Keyed {
    std::unique_ptr<stend_gost_key> made = room_for<stend_gost_key>();
    std::size_t n;

    explicit Keyed(stend_gost_cipher cipher, const char* variant = nullptr,
                   const Buffer& bytes = random_bytes(32))
        : n(stend_gost_block_bytes(cipher)) {
        CHECK(stend_gost_key_init(made.get(), cipher, bytes.data(), variant) == STEND_GOST_OK);
    }
    const stend_gost_key* get() const { return made.get(); }

    Buffer encrypted(Buffer blocks) const {
        CHECK(stend_gost_encrypt_blocks(get(), blocks.data(), blocks.data(), blocks.size() / n) ==
              STEND_GOST_OK);
        return blocks;
    }
};

constexpr stend_gost_cipher modern[]{STEND_GOST_KUZNYECHIK, STEND_GOST_MAGMA};

bool legacy(stend_gost_cipher cipher) {
    return cipher >= STEND_GOST_28147_TC26_Z;
}

// What is asked of a stream.
struct Task {
    const Keyed& key;
    stend_gost_mode mode;
    stend_gost_direction direction;
    Buffer iv;
    stend_gost_padding padding = STEND_GOST_PADDING_NONE;
    std::size_t section = 0;
    unsigned threads = 1;
};

std::unique_ptr<stend_gost_stream> begun_stream(const Task& task) {
    auto stream = room_for<stend_gost_stream>();
    CHECK(stend_gost_stream_init(stream.get(), task.key.get(), task.mode, task.direction,
                                 task.iv.data(), task.iv.size()) == STEND_GOST_OK);
    if (task.padding) CHECK(stend_gost_stream_padding(stream.get(), task.padding) == STEND_GOST_OK);
    if (task.section)
        CHECK(stend_gost_stream_sections(stream.get(), task.section) == STEND_GOST_OK);
    CHECK(stend_gost_stream_threads(stream.get(), task.threads) == STEND_GOST_OK);
    return stream;
}

Buffer whole(const Task& task, const Buffer& in) {
    const auto stream = begun_stream(task);
    Buffer out(stend_gost_stream_room(stream.get(), in.size()));
    std::size_t written, last;
    const std::size_t told = stend_gost_stream_update_size(stream.get(), in.size());
    CHECK(stend_gost_stream_update(stream.get(), in.data(), in.size(), out.data(), out.size(),
                                   &written) == STEND_GOST_OK);
    CHECK(written == told);
    CHECK(stend_gost_stream_finish(stream.get(), out.data() + written, out.size() - written,
                                   &last) == STEND_GOST_OK);
    out.resize(written + last);
    return out;
}

enum class Place { apart, same, following };

// In pieces cut at random, at odd addresses. `same`: every piece on itself; `following`: where the
// output goes on, in the buffer of the input.
Buffer in_pieces(const Task& task, const Buffer& in, Place place) {
    const auto stream = begun_stream(task);
    Buffer memory(in.size() + 64), out(in.size() + 64), collected;
    std::uint8_t* const source = memory.data() + 1 + below(15);
    std::uint8_t* sink = place == Place::apart ? out.data() + below(15) : source;
    std::copy(in.begin(), in.end(), source);
    std::size_t written;
    for (std::size_t done = 0; done < in.size();) {
        const std::size_t most = below(3) ? 40 : 700;
        const std::size_t now = std::min(in.size() - done, below(most));
        std::uint8_t* const to = place == Place::same ? source + done : sink;
        const std::size_t room = place == Place::same ? now + 16 : in.size() + 32;
        const std::size_t told = stend_gost_stream_update_size(stream.get(), now);
        CHECK(stend_gost_stream_update(stream.get(), source + done, now, to, room, &written) ==
              STEND_GOST_OK);
        CHECK(written == told);
        collected.insert(collected.end(), to, to + written);
        if (place != Place::same) sink += written;
        // what `same` put behind its piece is overwritten by what is still to come
        std::copy(in.begin() + static_cast<long>(done + now), in.end(), source + done + now);
        done += now;
    }
    std::uint8_t last[16];
    CHECK(stend_gost_stream_finish(stream.get(), last, sizeof last, &written) == STEND_GOST_OK);
    collected.insert(collected.end(), last, last + written);
    return collected;
}

// ---- the standard, plainly --------------------------------------------------------------------

// GOST R 34.13-2015, 5.2 to 5.5, block by block with a register that is shifted; the last block
// may be cut short. Only encryption: decryption has to give back the message.
Buffer by_register(const Task& task, const Buffer& in) {
    const std::size_t n = task.key.n;
    Buffer reg = task.iv, out;
    if (task.mode == STEND_GOST_CTR) reg.resize(n);
    for (std::size_t at = 0; at < in.size(); at += n) {
        const std::size_t size = std::min(n, in.size() - at);
        Buffer x(in.begin() + static_cast<long>(at), in.begin() + static_cast<long>(at + size));
        Buffer front(reg.begin(), reg.begin() + static_cast<long>(n));
        if (task.mode == STEND_GOST_CBC)
            for (std::size_t i = 0; i < n; ++i) front[i] ^= x[i];
        const Buffer gamma = task.key.encrypted(front);
        Buffer y = gamma;
        if (task.mode != STEND_GOST_CBC)
            for (std::size_t i = 0; i < size; ++i) y[i] = x[i] ^ gamma[i];
        out.insert(out.end(), y.begin(), y.begin() + static_cast<long>(size));
        if (task.mode == STEND_GOST_CTR) {
            for (std::size_t i = n; i-- > 0 && ++reg[i] == 0;) continue;
        } else {
            reg.erase(reg.begin(), reg.begin() + static_cast<long>(n));
            const Buffer& fed = task.mode == STEND_GOST_OFB ? gamma : y;
            reg.insert(reg.end(), fed.begin(), fed.end());
        }
    }
    return out;
}

void modes_equal_the_standards_register() {
    for (const stend_gost_cipher cipher : modern) {
        const Keyed key(cipher);
        for (const auto mode : {STEND_GOST_CTR, STEND_GOST_OFB, STEND_GOST_CBC, STEND_GOST_CFB})
            for (const std::size_t chains : {1, 2, 3, 5, 16})
                for (const std::size_t blocks : {0, 1, 2, 4, 7, 16, 33, 48}) {
                    const std::size_t cut = mode == STEND_GOST_CBC ? 0 : below(key.n);
                    Task task{key, mode, STEND_GOST_ENCRYPT, random_bytes(chains * key.n)};
                    if (mode == STEND_GOST_CTR) task.iv.resize(chains == 1 ? key.n : key.n / 2);
                    if (mode == STEND_GOST_CTR && chains == 1)  // a carry through all bytes
                        std::fill(task.iv.begin() + 1, task.iv.end(), 0xff);
                    const Buffer message = random_bytes(blocks * key.n + cut);
                    const Buffer out = whole(task, message);
                    CHECK(out == by_register(task, message));
                    task.direction = STEND_GOST_DECRYPT;
                    CHECK(whole(task, out) == message);
                }
    }
}

// RFC 8645, 6.2: each section is the part of a CTR message under its own key.
void ctr_acpkm_equals_ctr_with_each_sections_key() {
    for (const stend_gost_cipher cipher : modern)
        for (const std::size_t blocks : {1, 3, 8}) {
            Buffer key_bytes = random_bytes(32), constants(32), expected;
            for (std::size_t i = 0; i < 32; ++i) constants[i] = static_cast<std::uint8_t>(0x80 + i);
            const Keyed first(cipher, nullptr, key_bytes);
            const std::size_t section = blocks * first.n;
            const Buffer iv = random_bytes(first.n / 2), message = random_bytes(5 * section + 5);
            for (std::size_t at = 0; at < message.size(); at += section) {
                const Keyed key(cipher, nullptr, key_bytes);
                const Buffer all = whole({key, STEND_GOST_CTR, STEND_GOST_ENCRYPT, iv}, message);
                const std::size_t end = std::min(at + section, message.size());
                expected.insert(expected.end(), all.begin() + static_cast<long>(at),
                                all.begin() + static_cast<long>(end));
                key_bytes = key.encrypted(constants);
            }
            const Task task{
                first, STEND_GOST_CTR, STEND_GOST_ENCRYPT, iv, STEND_GOST_PADDING_NONE, section, 1};
            CHECK(whole(task, message) == expected);
        }
}

// `brief`, for emulators: every variant that runs there in every mode, but fewer lengths, and of
// GOST 28147-89 one set of S-boxes, for the sets are nothing but other tables.
bool brief = false;

// ---- pieces --------------------------------------------------------------------------------

void pieces_equal_the_whole(const Task& task, const Buffer& message) {
    const Buffer out = whole(task, message);
    for (const Place place : {Place::apart, Place::same, Place::following})
        for (int time = 0; time < (brief ? 1 : 3); ++time)
            CHECK(in_pieces(task, message, place) == out);
}

void pieces_equal_the_whole_both_ways(Task task, Buffer message) {
    if ((task.mode == STEND_GOST_ECB || task.mode == STEND_GOST_CBC) &&
        task.padding == STEND_GOST_PADDING_NONE)
        message.resize(message.size() / task.key.n * task.key.n);
    pieces_equal_the_whole(task, message);
    const Buffer encrypted = whole(task, message);
    task.direction = STEND_GOST_DECRYPT;
    pieces_equal_the_whole(task, encrypted);
    const Buffer back = whole(task, encrypted);
    CHECK(back.size() >= message.size() && back.size() - message.size() <= task.key.n);
    CHECK(std::equal(message.begin(), message.end(), back.begin()));
    CHECK(task.padding != STEND_GOST_PADDING_2 || back.size() == message.size());
}

void pieces_of_every_mode_equal_the_whole(const Keyed& key, stend_gost_cipher cipher) {
    for (const auto mode :
         {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_OFB, STEND_GOST_CBC, STEND_GOST_CFB})
        for (const std::size_t size : {0, 5, 16, 200, 5000}) {
            if (legacy(cipher) && mode == STEND_GOST_OFB) continue;
            // Meshing begins after 1024 bytes, and whole batches somewhere.
            if (brief && (size == 16 || (size == 5000 && mode > STEND_GOST_CTR && !legacy(cipher))))
                continue;
            const std::size_t chains = legacy(cipher) || mode == STEND_GOST_CTR ? 1 : 1 + below(4);
            Task task{key, mode, STEND_GOST_ENCRYPT,
                      random_bytes(mode == STEND_GOST_ECB ? 0 : chains * key.n)};
            if (mode == STEND_GOST_ECB || mode == STEND_GOST_CBC)
                for (const auto padding :
                     {STEND_GOST_PADDING_1, STEND_GOST_PADDING_2, STEND_GOST_PADDING_3}) {
                    task.padding = padding;
                    pieces_equal_the_whole_both_ways(task, random_bytes(size));
                }
            task.padding = STEND_GOST_PADDING_NONE;
            pieces_equal_the_whole_both_ways(task, random_bytes(size));
            const bool sections =
                mode == STEND_GOST_CTR || (legacy(cipher) && mode == STEND_GOST_CFB);
            if (!sections) continue;
            task.section = legacy(cipher) ? 1024 : 48;
            pieces_equal_the_whole_both_ways(task, random_bytes(size));
        }
}

Buffer tag_of(const Keyed& key, const Buffer& message, std::size_t section, std::size_t master,
              bool cut) {
    const auto mac = room_for<stend_gost_mac>();
    CHECK(stend_gost_mac_init(mac.get(), key.get()) == STEND_GOST_OK);
    if (section) CHECK(stend_gost_mac_sections(mac.get(), section, master) == STEND_GOST_OK);
    for (std::size_t done = 0; done < message.size();) {
        const std::size_t now = std::min(message.size() - done, cut ? below(90) : message.size());
        CHECK(stend_gost_mac_update(mac.get(), message.data() + done, now) == STEND_GOST_OK);
        done += now;
    }
    Buffer tag(legacy(stend_gost_key_cipher(key.get())) ? 4 : key.n);
    CHECK(stend_gost_mac_finish(mac.get(), tag.data(), tag.size()) == STEND_GOST_OK);
    return tag;
}

void pieces_of_a_code_equal_the_whole(const Keyed& key, stend_gost_cipher cipher) {
    for (const std::size_t size : {1, 8, 16, 17, 100, 3000}) {
        const Buffer message = random_bytes(size);
        for (const bool sections : {false, true}) {
            const std::size_t section = sections ? (legacy(cipher) ? 1024 : 32) : 0;
            const std::size_t master = legacy(cipher) ? 0 : 240;
            const Buffer tag = tag_of(key, message, section, master, false);
            for (int time = 0; time < (brief ? 1 : 5); ++time)
                CHECK(tag_of(key, message, section, master, true) == tag);
        }
    }
}

struct Sealed {
    Buffer out, tag;
    friend bool operator==(const Sealed&, const Sealed&) = default;
};

Sealed sealed(const Keyed& key, const Buffer& nonce, const Buffer& associated,
              const Buffer& message, unsigned threads = 1) {
    Sealed made{Buffer(message.size()), Buffer(key.n)};
    CHECK(stend_gost_mgm_seal(key.get(), nonce.data(), nonce.size(), associated.data(),
                              associated.size(), message.data(), message.size(), made.out.data(),
                              made.tag.data(), made.tag.size(), threads) == STEND_GOST_OK);
    return made;
}

Buffer random_nonce(const Keyed& key) {
    Buffer nonce = random_bytes(key.n);
    nonce[0] &= 0x7f;
    return nonce;
}

Sealed sealed_in_pieces(const Keyed& key, const Buffer& nonce, const Buffer& associated,
                        const Buffer& message) {
    Sealed made{message, Buffer(key.n)};
    const auto memory = room_for<stend_gost_mgm>();
    stend_gost_mgm& mgm = *memory;
    CHECK(stend_gost_mgm_init(&mgm, key.get(), STEND_GOST_ENCRYPT, nonce.data(), nonce.size()) ==
          STEND_GOST_OK);
    for (std::size_t done = 0; done < associated.size();) {
        const std::size_t now = std::min(associated.size() - done, below(60));
        CHECK(stend_gost_mgm_associated(&mgm, associated.data() + done, now) == STEND_GOST_OK);
        done += now;
    }
    for (std::size_t done = 0; done < message.size();) {
        const std::size_t now = std::min(message.size() - done, below(below(2) ? 30 : 700));
        std::uint8_t* const at = made.out.data() + done;
        CHECK(stend_gost_mgm_update(&mgm, at, now, at) == STEND_GOST_OK);
        done += now;
    }
    CHECK(stend_gost_mgm_finish(&mgm, made.tag.data(), made.tag.size()) == STEND_GOST_OK);
    return made;
}

void pieces_of_mgm_equal_the_whole(const Keyed& key) {
    for (const std::size_t associated_bytes : {0, 1, 16, 41, 300})
        for (const std::size_t size : {0, 1, 16, 67, 2000}) {
            if (associated_bytes + size == 0) continue;
            const Buffer nonce = random_nonce(key), associated = random_bytes(associated_bytes),
                         message = random_bytes(size);
            const Sealed made = sealed(key, nonce, associated, message);
            CHECK(sealed_in_pieces(key, nonce, associated, message) == made);
            Buffer back = made.out;
            CHECK(stend_gost_mgm_open(key.get(), nonce.data(), nonce.size(), associated.data(),
                                      associated.size(), back.data(), size, back.data(),
                                      made.tag.data(), made.tag.size(), 1) == STEND_GOST_OK);
            CHECK(back == message);
        }
}

void every_variant_works_in_pieces() {
    for (int number = STEND_GOST_KUZNYECHIK; number <= STEND_GOST_28147_CRYPTOPRO_D; ++number) {
        const auto cipher = static_cast<stend_gost_cipher>(number);
        if (brief && cipher > STEND_GOST_28147_TC26_Z) break;
        for (std::size_t i = 0; const char* variant = stend_gost_variant(cipher, i); ++i) {
            if (stend_gost_variant_lacks(cipher, variant)) continue;
            const Keyed key(cipher, variant);
            CHECK(!std::strcmp(stend_gost_key_variant(key.get()), variant));
            pieces_of_every_mode_equal_the_whole(key, cipher);
            pieces_of_a_code_equal_the_whole(key, cipher);
            if (!legacy(cipher)) pieces_of_mgm_equal_the_whole(key);
        }
    }
}

// ---- many messages, many threads ---------------------------------------------------------------

void codes_of_many_messages_equal_those_of_each(stend_gost_cipher cipher, bool one_key) {
    constexpr std::size_t count = 150;
    std::vector<Keyed> keys;
    for (std::size_t i = 0; i < (one_key ? 1 : 7); ++i) keys.emplace_back(cipher);
    std::vector<Buffer> messages;
    std::vector<const stend_gost_key*> key_of;
    std::vector<const void*> starts;
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) {
        messages.push_back(random_bytes(i < 20 ? i : below(400)));
        key_of.push_back(keys[i % keys.size()].get());
        starts.push_back(messages.back().data());
        sizes.push_back(messages.back().size());
    }
    const std::size_t n = keys[0].n;
    for (const std::size_t some : {std::size_t{1}, std::size_t{2}, std::size_t{65}, count}) {
        Buffer tags(some * n);
        CHECK(stend_gost_mac_many(key_of.data(), starts.data(), sizes.data(), some, tags.data(),
                                  n) == STEND_GOST_OK);
        for (std::size_t i = 0; i < some; ++i)
            CHECK(tag_of(keys[i % keys.size()], messages[i], 0, 0, false) ==
                  Buffer(tags.begin() + static_cast<long>(i * n),
                         tags.begin() + static_cast<long>((i + 1) * n)));
    }
}

constexpr std::size_t large = (std::size_t{1} << 20) + 77 * 16;

void a_stream_of_threads_equals_that_of_one(Task task, unsigned threads) {
    const Buffer message = random_bytes(large), out = whole(task, message);
    task.threads = threads;
    const auto stream = begun_stream(task);
    Buffer place = message;
    std::size_t half = large / 2 / 48 * 48, written;  // goes on in the middle
    CHECK(stend_gost_stream_update(stream.get(), place.data(), half, place.data(), half,
                                   &written) == STEND_GOST_OK);
    CHECK(stend_gost_stream_update(stream.get(), place.data() + half, large - half,
                                   place.data() + half, large - half, &written) == STEND_GOST_OK);
    CHECK(place == out);
}

void threads_equal_one(const Keyed& key, unsigned threads) {
    for (const auto mode : {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_CBC, STEND_GOST_CFB})
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT}) {
            const std::size_t chains = mode == STEND_GOST_CTR ? 1 : 3;
            Task task{key, mode, direction,
                      random_bytes(mode == STEND_GOST_ECB ? 0 : chains * key.n)};
            if (mode == STEND_GOST_CTR)  // a carry through all bytes
                std::fill(task.iv.begin() + 1, task.iv.end(), 0xff);
            a_stream_of_threads_equals_that_of_one(task, threads);
        }
    Task counted{key, STEND_GOST_CTR, STEND_GOST_ENCRYPT, random_bytes(key.n / 2)};
    a_stream_of_threads_equals_that_of_one(counted, threads);
    counted.section = large / 2 / 16 * 16;
    a_stream_of_threads_equals_that_of_one(counted, threads);
    const Buffer nonce = random_nonce(key), associated = random_bytes(large / 2 + 3);
    const Buffer odd = random_bytes(large + 5);
    const Sealed made = sealed(key, nonce, associated, odd, 1);
    CHECK(sealed(key, nonce, associated, odd, threads) == made);
    Buffer back = made.out;
    CHECK(stend_gost_mgm_open(key.get(), nonce.data(), nonce.size(), associated.data(),
                              associated.size(), back.data(), back.size(), back.data(),
                              made.tag.data(), made.tag.size(), threads) == STEND_GOST_OK);
    CHECK(back == odd);
}

// Which stays on the calling thread, whatever is asked for.
void older_ciphers_are_the_same_with_threads() {
    const Keyed key(STEND_GOST_28147_TC26_Z);
    for (const auto mode : {STEND_GOST_ECB, STEND_GOST_CTR, STEND_GOST_CBC, STEND_GOST_CFB})
        for (const auto direction : {STEND_GOST_ENCRYPT, STEND_GOST_DECRYPT})
            a_stream_of_threads_equals_that_of_one(
                {key, mode, direction, random_bytes(mode == STEND_GOST_ECB ? 0 : key.n)}, 3);
}

// A thread's stack finds no room: the caller does the work alone. Only Linux has such a limit.
void without_memory_for_threads_the_work_is_done() {
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const Keyed key(STEND_GOST_MAGMA);
    Task task{key, STEND_GOST_CTR, STEND_GOST_ENCRYPT, random_bytes(8)};
    Buffer message = random_bytes(large), out = whole(task, message);
    task.threads = 4;
    const auto stream = begun_stream(task);
    const rlimit none{1, 1};
    CHECK(setrlimit(RLIMIT_AS, &none) == 0);
    CHECK(stend_gost_stream_update(stream.get(), message.data(), large, message.data(), large,
                                   nullptr) == STEND_GOST_OK);
    CHECK(message == out);
#endif
}

}  // namespace

int main(int count, char**) {
    brief = count > 1;
    modes_equal_the_standards_register();
    ctr_acpkm_equals_ctr_with_each_sections_key();
    every_variant_works_in_pieces();
    for (const stend_gost_cipher cipher : modern) {
        codes_of_many_messages_equal_those_of_each(cipher, true);
        codes_of_many_messages_equal_those_of_each(cipher, false);
        for (const unsigned threads : {2U, 3U, 0U})
            if (!brief || threads == 3) threads_equal_one(Keyed(cipher), threads);
    }
    if (!brief) older_ciphers_are_the_same_with_threads();
    without_memory_for_threads_the_work_is_done();
}
