#include "solver/comm.h"

#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Global like the state of MPI itself; constant after nk_comm_init. */
static int rank, size = 1, local_size = 1;

void nk_comm_init(int *argc, char ***argv)
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

void nk_comm_finalize(void)
{
    MPI_Finalize();
}

int nk_comm_rank(void)
{
    return rank;
}

int nk_comm_size(void)
{
    return size;
}

int nk_comm_local_size(void)
{
    return local_size;
}

void nk_comm_sum(uint64_t *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

uint64_t nk_comm_min(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return value;
}

/* The signal handler may read the current line at any time, so a new line is written to the other buffer. */
static char last_lines[2][501];
static atomic_int current;
static struct sigaction previous; /* handler of SIGTERM */
static bool is_installed;

static void end_with_last_line(int number)
{
    const char *line = last_lines[atomic_load(&current)];
    const ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    sigaction(number, &previous, NULL);
    raise(number); /* blocked until this handler returns */
}

void nk_comm_set_last_line(const char *line)
{
    const struct sigaction action = {.sa_handler = end_with_last_line};
    const int next = !atomic_load(&current);
    snprintf(last_lines[next], sizeof last_lines[next], "%s", line);
    atomic_store(&current, next);
    if (!is_installed && sigaction(SIGTERM, NULL, &previous) == 0 && previous.sa_handler != SIG_IGN)
        is_installed = sigaction(SIGTERM, &action, NULL) == 0;
}

void nk_comm_alltoall(size_t item, const void *out, const int *out_counts, void *in, const int *in_counts)
{
    MPI_Datatype type = item == 1 ? MPI_UINT8_T : MPI_UINT64_T;
    int *out_offsets = malloc((size_t)size * 2 * sizeof *out_offsets);
    if (!out_offsets) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return; /* not reached */
    }
    int *in_offsets = out_offsets + size;
    for (int r = 0, sent = 0, received = 0; r < size; r++) {
        out_offsets[r] = sent;
        in_offsets[r] = received;
        sent += out_counts[r];
        received += in_counts[r];
    }
    MPI_Alltoallv(out, out_counts, out_offsets, type, in, in_counts, in_offsets, type, MPI_COMM_WORLD);
    free(out_offsets);
}

void nk_comm_send(const uint8_t *bytes, size_t length)
{
    MPI_Send(bytes, (int)length, MPI_UINT8_T, 0, 0, MPI_COMM_WORLD);
}

void nk_comm_receive(int from, uint8_t *bytes, size_t length)
{
    MPI_Recv(bytes, (int)length, MPI_UINT8_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
