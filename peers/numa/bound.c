/* Memory placed as numactl does it: the thread's policy is set, then the pages are touched. */
#define _GNU_SOURCE
#include "bound.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { bind = 2 }; /* MPOL_BIND */

int bound_to(int node) {
    unsigned long nodes[16] = {0};
    if (node < 0) return (int)syscall(SYS_set_mempolicy, 0, NULL, 0);
    nodes[node / 64] = 1UL << (node % 64);
    return (int)syscall(SYS_set_mempolicy, bind, nodes, sizeof nodes * 8);
}

void* bound_memory(size_t bytes, int node) {
    if (bound_to(node) != 0) return NULL;
    const size_t huge = 2 << 20;
    char* whole =
        mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) return NULL;
    char* memory = whole + (huge - (size_t)whole % huge) % huge;
    madvise(memory, bytes, MADV_HUGEPAGE);
    memset(memory, 1, bytes);
    bound_to(-1);
    return memory;
}

/* But for what stuck out at its ends, less than a huge page. */
void bound_free(void* memory, size_t bytes) {
    munmap(memory, bytes);
}

void bound_copy(void* to, const void* from, size_t bytes) {
    memcpy(to, from, bytes);
}
