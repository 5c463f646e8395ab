// Threads for large messages, made for one call and joined before it returns.
#include "gost/modes/share.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "gost/engine.h"
#include "gost/wipe.h"

namespace stend::gost {
namespace {

// A thread costs its starter and itself some 20 us, and what the other core has just written has to
// come over: two gain from twice these bytes on, which take Kuznyechik's fastest variant 115 us and
// Magma's 130.
constexpr std::size_t share_of(std::size_t block) {
    return std::size_t{block == 16 ? 128U : 256U} << 10;
}
constexpr std::size_t smallest_piece = std::size_t{64} << 10;
// A piece ends where the batches of all engines end.
constexpr std::size_t batch = 512;
// Many, so that a thread whose core is taken away for a while leaves little for the others to wait
// for: 4, 16 and 64 are equally fast on a quiet machine, but with a core taken for a quarter of the
// time 4 make two threads 1.6 times as fast as one, 16 and 64 1.77.
constexpr std::size_t pieces_a_thread = 16;

std::size_t useful(std::size_t threads, std::size_t bytes, std::size_t block) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    return std::min(threads, bytes / share_of(block));
}

}  // namespace

Pieces pieces_for(unsigned threads, std::size_t blocks, std::size_t block) {
    const std::size_t bytes = blocks * block;
    const std::size_t now = threads == 1 ? 1 : useful(threads, bytes, block);
    if (now <= 1) return {blocks, blocks, 1, 1};
    const std::size_t wanted = std::min(now * pieces_a_thread, bytes / smallest_piece);
    const std::size_t each = ((blocks + wanted - 1) / wanted + batch - 1) / batch * batch;
    return {blocks, each, (blocks + each - 1) / each, now};
}

void share_out(const Pieces& pieces, void* context, void (*work)(void*, std::size_t)) noexcept {
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
        for (std::size_t piece; (piece = next.fetch_add(1)) < pieces.count;) work(context, piece);
        wipe_stack(most_stack);  // each thread has one of its own
    };
    std::vector<std::thread> others;
    try {
        others.reserve(std::min(pieces.threads, pieces.count) - 1);
        while (others.size() < others.capacity()) others.emplace_back(take);
    } catch (...) {  // no memory or no thread: the rest is done by those there are
    }
    take();
    for (std::thread& other : others) other.join();
}

}  // namespace stend::gost
