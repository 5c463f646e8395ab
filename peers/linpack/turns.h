// What the programs here share: solving once, timed, on a system written right before.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kernel.h"
#include "kernels/linpack/matrix.h"

template <typename Work>
double seconds(Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double solved(stend::Kernel& kernel) {
    kernel.ready(1);
    const double time = seconds([&] { kernel.repeat(1); });
    if (!kernel.check()) std::fprintf(stderr, "%s\n", kernel.prove().said.c_str()), std::exit(1);
    return time;
}

// Whoever goes first alternates. `theirs` and `ours` solve once and give the seconds; a line a
// pair: n, lda, name, operations, seconds of theirs, seconds of ours.
template <typename Theirs, typename Ours>
void interleave(stend::linpack::Shape shape, std::string_view name, int rounds, Theirs theirs,
                Ours ours) {
    const double n = double(shape.n), operations = 2 * n * n * n / 3 + 2 * n * n;
    for (int round = -3; round < rounds; ++round) {
        const bool ours_first = round & 1;
        double mine = ours_first ? ours() : 0;
        const double other = theirs();
        if (!ours_first) mine = ours();
        if (round >= 0)  // else warm-up
            std::printf("%zu %zu %s %.0f %.9f %.9f\n", shape.n, shape.lda, name.data(), operations,
                        other, mine);
    }
    std::fflush(stdout);
}
