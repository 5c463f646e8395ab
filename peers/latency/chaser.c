/* The peer: shares nothing with stend's chain. See chaser.h. */
#define _GNU_SOURCE
#include "chaser.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { line = 64, huge = 2 << 20 };

static void** at_line(void** cycle, size_t i) {
    return (void**)((char*)cycle + i * line);
}

void** chaser_make(size_t bytes) {
    const size_t lines = bytes / line, room = (bytes + huge - 1) / huge * huge;
    void** cycle = aligned_alloc(huge, room);
    if (!cycle) return NULL;
    madvise(cycle, room, MADV_HUGEPAGE);
    for (size_t i = 0; i < lines; ++i) *at_line(cycle, i) = at_line(cycle, i);
    srandom(1);
    for (size_t i = lines - 1; i > 0; --i) {
        const size_t j = (((size_t)random() << 31) | (size_t)random()) % i;
        void* const kept = *at_line(cycle, i);
        *at_line(cycle, i) = *at_line(cycle, j);
        *at_line(cycle, j) = kept;
    }
    return cycle;
}

void chaser_free(void** cycle) {
    free(cycle);
}

void** chaser_follow(void** at, size_t loads) {
    while (loads-- > 0) at = (void**)*at;
    return at;
}
