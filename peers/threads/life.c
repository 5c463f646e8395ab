/* The peer: shares nothing with stend's room of threads. See life.h. */
#define _GNU_SOURCE
#include "life.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* nothing(void* argument) {
    return argument;
}

static double lived(int cpu, int with_join) {
    pthread_t thread;
    pthread_attr_t attributes;
    cpu_set_t set;
    pthread_attr_init(&attributes);
    if (cpu >= 0) {
        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
        pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    }
    const double begin = now();
    if (pthread_create(&thread, cpu >= 0 ? &attributes : NULL, nothing, NULL)) return -1;
    double end = now();
    pthread_join(thread, NULL);
    if (with_join) end = now();
    pthread_attr_destroy(&attributes);
    return end - begin;
}

double life_create(int cpu) {
    return lived(cpu, 0);
}

double life_create_join(int cpu) {
    return lived(cpu, 1);
}

static struct {
    long length;
    int joined;
    double last;
    sem_t done;
    pthread_attr_t detached;
} chain;

static void* link(void* argument) {
    const long number = (long)argument;
    pthread_t next;
    if (number == chain.length) {
        chain.last = now();
        if (!chain.joined) sem_post(&chain.done);
    } else {
        if (pthread_create(&next, chain.joined ? NULL : &chain.detached, link, (void*)(number + 1)))
            abort();
        if (chain.joined) pthread_join(next, NULL);
    }
    return NULL;
}

double life_chain(long length, int joined) {
    pthread_t first;
    chain.length = length;
    chain.joined = joined;
    sem_init(&chain.done, 0, 0);
    pthread_attr_init(&chain.detached);
    pthread_attr_setdetachstate(&chain.detached, PTHREAD_CREATE_DETACHED);
    const double begin = now();
    if (pthread_create(&first, joined ? NULL : &chain.detached, link, (void*)1L)) return -1;
    if (joined)
        pthread_join(first, NULL);
    else
        while (sem_wait(&chain.done)) {
        }
    const double end = joined ? now() : chain.last;
    const struct timespec pause = {0, 2000000}; /* the last detached ones end */
    nanosleep(&pause, NULL);
    return (end - begin) / (double)length;
}

struct dormitory {
    pthread_mutex_t mutex;
    pthread_cond_t wake, back;
    int sleepers, asleep, awake, tickets, over;
    long night;
    double last;
    pthread_t* threads;
};

static void* sleeper(void* argument) {
    struct dormitory* const d = argument;
    long night = 0;
    pthread_mutex_lock(&d->mutex);
    for (;;) {
        ++d->asleep;
        if (d->asleep == d->sleepers && d->awake == 0) pthread_cond_signal(&d->back);
        while (d->night == night && d->tickets == 0 && !d->over)
            pthread_cond_wait(&d->wake, &d->mutex);
        if (d->over) break;
        d->last = now();
        if (d->night == night)
            --d->tickets;
        else
            night = d->night;
        --d->awake;
        --d->asleep;
    }
    pthread_mutex_unlock(&d->mutex);
    return NULL;
}

static void settle(struct dormitory* d) {
    pthread_mutex_lock(&d->mutex);
    while (d->asleep < d->sleepers || d->awake > 0) pthread_cond_wait(&d->back, &d->mutex);
    pthread_mutex_unlock(&d->mutex);
}

struct dormitory* dormitory_open(int sleepers) {
    struct dormitory* const d = calloc(1, sizeof *d);
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->wake, NULL);
    pthread_cond_init(&d->back, NULL);
    d->sleepers = sleepers;
    d->threads = calloc((size_t)sleepers, sizeof *d->threads);
    for (int i = 0; i < sleepers; ++i)
        if (pthread_create(&d->threads[i], NULL, sleeper, d)) abort();
    settle(d);
    return d;
}

static double woken(struct dormitory* d, int all) {
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&d->mutex);
    d->awake = all ? d->sleepers : 1;
    if (all)
        ++d->night;
    else
        ++d->tickets;
    pthread_mutex_unlock(&d->mutex);
    const double begin = now();
    if (all)
        pthread_cond_broadcast(&d->wake);
    else
        pthread_cond_signal(&d->wake);
    settle(d);
    return d->last - begin;
}

double dormitory_wake_one(struct dormitory* d) {
    return woken(d, 0);
}

double dormitory_wake_all(struct dormitory* d) {
    return woken(d, 1);
}

void dormitory_close(struct dormitory* d) {
    pthread_mutex_lock(&d->mutex);
    d->over = 1;
    pthread_mutex_unlock(&d->mutex);
    pthread_cond_broadcast(&d->wake);
    for (int i = 0; i < d->sleepers; ++i) pthread_join(d->threads[i], NULL);
    free(d->threads);
    free(d);
}
