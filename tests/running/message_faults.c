/* Stands between the program and MPI (the profiling interface) and spoils what rank 1 receives, from
 * the 20th message with contents on: FAULT=flip changes its last byte, FAULT=stale leaves what was there
 * before, FAULT=allreduce makes sums of doubles wrong, FAULT=barrier lets all through a barrier at once. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *fault) {
    const char *named = getenv("FAULT");
    return named && !strcmp(named, fault);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
    static int received = 0;
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank != 1 || count == 0 || ++received < 20)
        return PMPI_Recv(buffer, count, type, source, tag, comm, status);
    if (is("stale")) {
        void *elsewhere = malloc((size_t)count);
        int done = PMPI_Recv(elsewhere, count, type, source, tag, comm, status);
        free(elsewhere);
        return done;
    }
    int done = PMPI_Recv(buffer, count, type, source, tag, comm, status);
    if (is("flip")) ((char *)buffer)[count - 1] ^= 1;
    return done;
}

int MPI_Allreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    int done = PMPI_Allreduce(sent, received, count, type, op, comm);
    if (is("allreduce") && type == MPI_DOUBLE) ((double *)received)[0] += 1;
    return done;
}

int MPI_Barrier(MPI_Comm comm) { return is("barrier") ? MPI_SUCCESS : PMPI_Barrier(comm); }
