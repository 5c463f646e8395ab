/* Shares nothing with stend. */
#define _GNU_SOURCE
#include "plain.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void bind_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Who calls may run afterwards where it could before. */
static cpu_set_t allowed;
static void come_to(int cpu) {
    sched_getaffinity(0, sizeof allowed, &allowed);
    bind_to(cpu);
}
static void leave(void) {
    sched_setaffinity(0, sizeof allowed, &allowed);
}

/* Several threads: all begin together, and the time is from then until the last one is done. */
struct job {
    void (*work)(int self, long times);
    pthread_barrier_t* line;
    int self, cpu;
    long times;
};

static void* at_work(void* argument) {
    struct job* job = argument;
    bind_to(job->cpu);
    pthread_barrier_wait(job->line);
    job->work(job->self, job->times);
    pthread_barrier_wait(job->line);
    return 0;
}

static double together(const struct where* where, void (*work)(int, long), long times) {
    enum { most = 64 };
    pthread_t threads[most];
    struct job jobs[most];
    pthread_barrier_t line;
    pthread_barrier_init(&line, 0, (unsigned)where->threads);
    for (int i = 1; i < where->threads; ++i) {
        jobs[i] = (struct job){work, &line, i, where->cpus[i], times};
        pthread_create(&threads[i], 0, at_work, &jobs[i]);
    }
    come_to(where->cpus[0]);
    pthread_barrier_wait(&line);
    const double began = now();
    work(0, times);
    pthread_barrier_wait(&line);
    const double ended = now();
    for (int i = 1; i < where->threads; ++i) pthread_join(threads[i], 0);
    pthread_barrier_destroy(&line);
    leave();
    return (ended - began) / (double)times;
}

/* One step of a mutex's life: an array of them, and the clock around each step. */
enum { mutexes = 512 };
static pthread_mutex_t array[mutexes];

#define STEP(timed, call)                          \
    {                                              \
        const double began = now();                \
        for (int i = 0; i < mutexes; ++i) call;    \
        if (step == timed) taken += now() - began; \
    }

static double steps(const struct where* where, int step, long times) {
    double taken = 0;
    come_to(where->cpus[0]);
    for (long pass = 0; pass < times; ++pass) {
        STEP(0, pthread_mutex_init(&array[i], 0))
        STEP(1, pthread_mutex_lock(&array[i]))
        STEP(2, pthread_mutex_unlock(&array[i]))
        STEP(3, pthread_mutex_destroy(&array[i]))
    }
    leave();
    return taken / (double)times / mutexes;
}

double plain_mutex_create(const struct where* w, long times) {
    return steps(w, 0, times);
}
double plain_mutex_lock(const struct where* w, long times) {
    return steps(w, 1, times);
}
double plain_mutex_unlock(const struct where* w, long times) {
    return steps(w, 2, times);
}
double plain_mutex_destroy(const struct where* w, long times) {
    return steps(w, 3, times);
}

/* How long a line travels between two cores depends on where its address has its home in the last
   cache, so each measurement takes another place. */
static void* fresh(void) {
    enum { places = 1 << 13, bytes = 128 };
    static _Alignas(128) char memory[places][bytes];
    char* place = memory[rand() % places];
    memset(place, 0, bytes);
    return place;
}

/* In the lock's own cache line, so that what is guarded goes where the lock goes. */
static struct guarded {
    pthread_mutex_t mutex;
    volatile long count;
}* guarded;

static void lock_unlock(int self, long times) {
    int failed = 0;
    (void)self;
    while (times-- > 0) {
        failed |= pthread_mutex_lock(&guarded->mutex);
        guarded->count++;
        failed |= pthread_mutex_unlock(&guarded->mutex);
    }
    if (failed) abort();
}
double plain_lock_unlock(const struct where* w, long times) {
    guarded = fresh();
    pthread_mutex_init(&guarded->mutex, 0);
    return together(w, lock_unlock, times);
}

static struct spun {
    pthread_spinlock_t lock;
    volatile long count;
}* spun;

static void spin(int self, long times) {
    int failed = 0;
    (void)self;
    while (times-- > 0) {
        failed |= pthread_spin_lock(&spun->lock);
        spun->count++;
        failed |= pthread_spin_unlock(&spun->lock);
    }
    if (failed) abort();
}
double plain_spinlock(const struct where* w, long times) {
    spun = fresh();
    pthread_spin_init(&spun->lock, 0);
    return together(w, spin, times);
}

static sem_t* semaphore;
static void post_wait(int self, long times) {
    int failed = 0;
    (void)self;
    while (times-- > 0) {
        failed |= sem_post(semaphore);
        failed |= sem_wait(semaphore);
    }
    if (failed) abort();
}
double plain_semaphore(const struct where* w, long times) {
    semaphore = fresh();
    sem_init(semaphore, 0, 0);
    return together(w, post_wait, times);
}

static long* number;
static void add(int self, long times) {
    (void)self;
    while (times-- > 0) __atomic_fetch_add(number, 1, __ATOMIC_SEQ_CST);
}
double plain_atomic_add(const struct where* w, long times) {
    number = fresh();
    return together(w, add, times);
}

static pthread_barrier_t barrier;
static void meet(int self, long times) {
    (void)self;
    while (times-- > 0) pthread_barrier_wait(&barrier);
}
double plain_barrier(const struct where* w, long times) {
    pthread_barrier_init(&barrier, 0, (unsigned)w->threads);
    const double taken = together(w, meet, times);
    pthread_barrier_destroy(&barrier);
    return taken;
}

/* Two threads: the first one's loop is a round trip, as in lmbench and perf bench. */
static volatile int turn;
static void yields(int self, long times) {
    for (long i = 0; i < times; ++i) {
        while (turn != self) sched_yield();
        turn = !self;
        sched_yield();
    }
}
double plain_yield(const struct where* w, long times) {
    turn = 0;
    return together(w, yields, times) / 2;
}

static int pipes[2][2];
static void pipe_hops(int self, long times) {
    int m = 0;
    for (long i = 0; i < times; ++i) {
        if (self == 0 && write(pipes[0][1], &m, sizeof m) != sizeof m) return;
        if (read(pipes[!self][0], &m, sizeof m) != sizeof m) return;
        if (self == 1 && write(pipes[1][1], &m, sizeof m) != sizeof m) return;
    }
}
double plain_pipe(const struct where* w, long times) {
    if (pipe(pipes[0]) || pipe(pipes[1])) return 0;
    const double taken = together(w, pipe_hops, times) / 2;
    for (int i = 0; i < 4; ++i) close(pipes[i / 2][i % 2]);
    return taken;
}

static struct {
    _Alignas(128) uint32_t word;
} words[2];
static void call(uint32_t* word, int operation, uint32_t value) {
    syscall(SYS_futex, word, operation, value, 0, 0, 0);
}
static void futex_hops(int self, long times) {
    for (uint32_t i = 1; i <= times; ++i) {
        for (int turn = 0; turn < 2; ++turn) {
            if (turn == self) {
                __atomic_store_n(&words[!self].word, i, __ATOMIC_RELEASE);
                call(&words[!self].word, FUTEX_WAKE_PRIVATE, 1);
            } else {
                while (__atomic_load_n(&words[self].word, __ATOMIC_ACQUIRE) != i)
                    call(&words[self].word, FUTEX_WAIT_PRIVATE, i - 1);
            }
        }
    }
}
double plain_futex(const struct where* w, long times) {
    words[0].word = words[1].word = 0;
    return together(w, futex_hops, times) / 2;
}
