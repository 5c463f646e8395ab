/* The loops that everyone writes, after the Intel MPI Benchmarks (PingPong, Barrier) and the OSU
 * ones (allreduce): one message buffer to send and one to receive, whose contents never change,
 * timed by MPI_Wtime: of a ping-pong and of barriers a whole batch, of an allreduce each one after
 * a barrier. Those called alone have each event to itself, as stend has: a message with some new
 * words to a receiver who has told that it waits, a barrier or a sum when rank 0 has said so, all
 * without what reading the clock takes. Before each timing is one that does not count. */
#include "plain.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static char *sent, *received;

void plain_prepare(size_t bytes) {
    const size_t whole = ((bytes ? bytes : 1) + 4095) / 4096 * 4096;
    sent = aligned_alloc(4096, whole);
    received = aligned_alloc(4096, whole);
    memset(sent, 1, whole);
    memset(received, 0, whole);
}

void plain_release(void) {
    free(received);
    free(sent);
}

static int ascending(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

enum { most = 1000, batch = 20 };

static void there_and_back(int rank, int count, int times) {
    for (int i = 0; i < times; ++i) {
        if (rank == 0) {
            MPI_Send(sent, count, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
            MPI_Recv(received, count, MPI_BYTE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(received, count, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(sent, count, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
        }
    }
}

static void barriers(int rank, int count, int times) {
    (void)rank, (void)count;
    for (int i = 0; i < times; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

static double in_batches(void (*work)(int, int, int), size_t bytes, int times) {
    double means[most];
    int rank, batches = 0, each = times >= 10 * batch ? batch : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    work(rank, (int)bytes, each);
    for (; batches < most && batches * each < times; ++batches) {
        double begin = MPI_Wtime();
        work(rank, (int)bytes, each);
        means[batches] = (MPI_Wtime() - begin) / each;
    }
    return median(means, batches);
}

double plain_pingpong(size_t bytes, int times) {
    return in_batches(there_and_back, bytes, times) / 2;
}

double plain_barrier(size_t bytes, int times) {
    return in_batches(barriers, bytes, times);
}

static double clock_itself(void) {
    double between[most];
    for (int i = 0; i < most; ++i) {
        double begin = MPI_Wtime();
        between[i] = MPI_Wtime() - begin;
    }
    return median(between, most);
}

/* As much as stend changes of a message: its first word, its last one, and two between. */
static void change_words(size_t bytes, long number) {
    volatile long* const words = (long*)sent;
    const long last = (long)(bytes / sizeof *words) - 1;
    if (last < 0) return;
    words[0] = words[last] = number;
    words[number * 7919 % (last + 1)] = words[number * 104729 % (last + 1)] = number;
}

/* Half of each round trip, after the other rank's word that it waits. */
double plain_pingpong_alone(size_t bytes, int times) {
    double halves[most], clock = clock_itself();
    int rank, count = (int)bytes;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (times > most) times = most;
    for (int i = -1; i < times; ++i) {
        change_words(bytes, i + 1);
        if (rank == 0) {
            MPI_Recv(NULL, 0, MPI_BYTE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            double begin = MPI_Wtime();
            there_and_back(rank, count, 1);
            if (i >= 0) halves[i] = (MPI_Wtime() - begin - clock) / 2;
        } else {
            MPI_Send(NULL, 0, MPI_BYTE, 0, 6, MPI_COMM_WORLD);
            there_and_back(rank, count, 1);
        }
    }
    return rank == 0 ? median(halves, times) : 0;
}

static void sum(size_t bytes) {
    MPI_Allreduce(sent, received, (int)(bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

static void barrier(size_t bytes) {
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The slowest rank's, each after a barrier; `told`: that one after rank 0's word to go on. */
static double apart(void (*work)(size_t), size_t bytes, int times, int told) {
    double own[most], slowest[most], clock = told ? clock_itself() : 0;
    if (times > most) times = most;
    for (int i = -1; i < times; ++i) {
        if (told) MPI_Bcast(&told, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        work(bytes);
        if (i >= 0) own[i] = MPI_Wtime() - begin - clock;
    }
    MPI_Reduce(own, slowest, times, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return median(slowest, times);
}

double plain_allreduce(size_t bytes, int times) {
    return apart(sum, bytes, times, 0);
}

double plain_allreduce_alone(size_t bytes, int times) {
    return apart(sum, bytes, times, 1);
}

double plain_barrier_alone(size_t bytes, int times) {
    return apart(barrier, bytes, times, 1);
}
