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
    sent = malloc(bytes + 1);
    received = malloc(bytes + 1);
    memset(sent, 1, bytes + 1);
    memset(received, 2, bytes + 1);
}

double plain_pingpong(size_t bytes, int times) {
    int rank, count = (int)bytes;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) {
        if (rank == 0) {
            MPI_Send(sent, count, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
            MPI_Recv(received, count, MPI_BYTE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(received, count, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(sent, count, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - begin) / times / 2;
}

double plain_barrier(size_t bytes, int times) {
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) MPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / times;
}

double plain_allreduce(size_t bytes, int times) {
    double own = 0, slowest = 0;
    for (int i = 0; i < times; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        MPI_Allreduce(sent, received, (int)(bytes / sizeof(float)), MPI_FLOAT, MPI_SUM,
                      MPI_COMM_WORLD);
        own += MPI_Wtime() - begin;
    }
    own /= times;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}
