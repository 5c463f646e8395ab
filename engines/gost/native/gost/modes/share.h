// Work shared out over threads: in pieces, of which each thread takes the next when it is done
// with one, so that a thread that starts late or is held up does less.
#pragma once

#include <cstddef>

namespace stend::gost {

// The pieces of equal size, but for the last, that a large message is worked on in.
struct Pieces {
    std::size_t blocks;  // of the whole message
    std::size_t each;    // blocks of a piece
    std::size_t count;   // 1: not worth a second thread
    std::size_t threads;

    std::size_t first(std::size_t piece) const { return piece * each; }
    std::size_t size(std::size_t piece) const {
        return piece + 1 == count ? blocks - first(piece) : each;
    }
};

// threads: as users say it, 0 for all CPUs of this process.
Pieces pieces_for(unsigned threads, std::size_t blocks, std::size_t block);

// work(context, piece) for every piece, each once. A thread that can't be had is done without.
void share_out(const Pieces& pieces, void* context,
               void (*work)(void* context, std::size_t piece)) noexcept;

// The same with anything that can be called.
template <typename Work>
void share_out(const Pieces& pieces, Work& work) noexcept {
    share_out(pieces, &work,
              [](void* context, std::size_t piece) { (*static_cast<Work*>(context))(piece); });
}

}  // namespace stend::gost
