/* Synchronisation measured as one does in a few lines of C: a loop, and the clock around it. Each
   call makes its threads anew and gives the ns of one operation: of several threads, of each one's
   own; of a hop, half of a round trip. Threads are bound to the CPUs given. */
#ifndef PLAIN_H
#define PLAIN_H
#ifdef __cplusplus
extern "C" {
#endif

struct where {
    int threads;
    const int* cpus;
};

double plain_mutex_create(const struct where* where, long times);
double plain_mutex_lock(const struct where* where, long times);
double plain_mutex_unlock(const struct where* where, long times);
double plain_mutex_destroy(const struct where* where, long times);
double plain_lock_unlock(const struct where* where, long times);
double plain_spinlock(const struct where* where, long times);
double plain_semaphore(const struct where* where, long times);
double plain_atomic_add(const struct where* where, long times);
double plain_barrier(const struct where* where, long times);
double plain_yield(const struct where* where, long times);
double plain_pipe(const struct where* where, long times);
double plain_futex(const struct where* where, long times);

#ifdef __cplusplus
}
#endif
#endif
