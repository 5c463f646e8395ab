// Items that don't depend on each other, shared by threads: who is done takes the next piece.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "team/team.h"

namespace stend::tomo {

// Pieces of the work: enough for threads to end together, few enough to cost nothing.
inline constexpr std::size_t pieces_a_thread = 8;

// Calls work(first, last, member) for pieces of items 0 … items - 1; returns when all are done.
template <typename Work>
void share(Team& team, std::size_t items, const Work& work) {
    const std::size_t pieces = team.size() == 1 ? 1 : team.size() * pieces_a_thread;
    const std::size_t piece = std::max<std::size_t>(1, (items + pieces - 1) / pieces);
    std::atomic<std::size_t> next = 0;
    team.run([&](unsigned member) noexcept {
        for (;;) {
            const std::size_t first = next.fetch_add(piece, std::memory_order_relaxed);
            if (first >= items) return;
            work(first, std::min(items, first + piece), member);
        }
    });
}

// Calls work(item, member) for each of them.
template <typename Work>
void share_each(Team& team, std::size_t items, const Work& work) {
    share(team, items, [&](std::size_t first, std::size_t last, unsigned member) {
        for (std::size_t item = first; item < last; ++item) work(item, member);
    });
}

}  // namespace stend::tomo
