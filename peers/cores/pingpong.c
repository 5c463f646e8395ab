/* Two threads, pinned, hand a cache line to and fro by compare-and-swap, as one writes it down
 * without further thought; one sample after the other on each line of a page. */
#define _GNU_SOURCE
#include "pingpong.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { samples = 320, trips = 400, page = 4096, apart = 128 };

static char* memory;
static pthread_barrier_t barrier;

static atomic_int* line(int sample) {
    return (atomic_int*)(memory + sample * apart % page);
}

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) exit(2);
}

static void go_over(atomic_int* flag, int from, int to) {
    int expected = from;
    while (!atomic_compare_exchange_strong_explicit(flag, &expected, to, memory_order_relaxed,
                                                    memory_order_relaxed))
        expected = from;
}

static void* answer(void* cpu) {
    pin(*(int*)cpu);
    pthread_barrier_wait(&barrier);
    for (int s = 0; s < samples; ++s) {
        atomic_int* const flag = line(s);
        for (int i = 0; i < trips; ++i) go_over(flag, 1, 0);
    }
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double pingpong(int from, int to) {
    static double times[samples];
    cpu_set_t before;
    pthread_t other;
    sched_getaffinity(0, sizeof before, &before);
    pin(from);
    memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(2);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, answer, &to);
    pthread_barrier_wait(&barrier);
    for (int s = 0; s < samples; ++s) {
        atomic_int* const flag = line(s);
        const double begin = now();
        for (int i = 0; i < trips; ++i) go_over(flag, 0, 1);
        times[s] = (now() - begin) / trips / 2;
    }
    pthread_join(other, NULL);
    munmap(memory, page);
    sched_setaffinity(0, sizeof before, &before);
    qsort(times, samples, sizeof times[0], by_size);
    return times[samples / 2];
}
