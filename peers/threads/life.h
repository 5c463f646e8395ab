/* The life of threads as one writes it in C, on its own: loops around pthreads with
   clock_gettime(CLOCK_MONOTONIC) in them. All return seconds; a negative number is a failure. */
#ifndef LIFE_H
#define LIFE_H
#ifdef __cplusplus
extern "C" {
#endif

double life_create(int cpu);      /* one pthread_create; bound to that CPU unless it is negative */
double life_create_join(int cpu); /* with pthread_join */
double life_chain(long length, int joined); /* one chain, a thread's share */

struct dormitory;
struct dormitory* dormitory_open(int sleepers); /* they block on a condition variable */
double dormitory_wake_one(struct dormitory* one);
double dormitory_wake_all(struct dormitory* one); /* until the last has run */
void dormitory_close(struct dormitory* one);

#ifdef __cplusplus
}
#endif
#endif
