/* The processes that mpirun started. */
#include "solver/cluster/cluster.h"

#include <mpi.h>

/* Global like the state of MPI itself; constant after nk_cluster_begin. */
static int rank, size = 1, local_size = 1;

void nk_cluster_begin(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &local_size);
    MPI_Comm_free(&machine);
}

void nk_cluster_end(void)
{
    MPI_Finalize();
}

void nk_cluster_abort(int status)
{
    if (size > 1)
        MPI_Abort(MPI_COMM_WORLD, status);
}

int nk_cluster_process(void)
{
    return rank;
}

int nk_cluster_size(void)
{
    return size;
}

int nk_cluster_local_size(void)
{
    return local_size;
}

void nk_cluster_sum(uint64_t *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

uint64_t nk_cluster_min(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return value;
}

void nk_cluster_gather(int from, uint8_t *bytes, size_t length)
{
    if (rank == from && from > 0)
        MPI_Send(bytes, (int)length, MPI_UINT8_T, 0, 0, MPI_COMM_WORLD);
    if (rank == 0 && from > 0)
        MPI_Recv(bytes, (int)length, MPI_UINT8_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
