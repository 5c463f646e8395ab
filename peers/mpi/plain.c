/* The loops that everyone writes, after the Intel MPI Benchmarks (PingPong, Barrier) and the OSU
 * ones (allreduce): one message buffer to send and one to receive, whose contents never change,
 * timed by MPI_Wtime: of a ping-pong and of barriers a whole batch, of an allreduce each one after
 * a barrier. */
#include "plain.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static char *sent, *received;

void plain_prepare(size_t bytes) {
    const size_t whole = (bytes + 4096) / 4096 * 4096;
    sent = aligned_alloc(4096, whole);
    received = aligned_alloc(4096, whole);
    memset(sent, 1, whole);
    memset(received, 0, whole);
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

double plain_allreduce(size_t bytes, int times) {
    double own[most], slowest[most];
    if (times > most) times = most;
    for (int i = 0; i < times; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        MPI_Allreduce(sent, received, (int)(bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
        own[i] = MPI_Wtime() - begin;
    }
    MPI_Reduce(own, slowest, times, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return median(slowest, times);
}
