#include "solver/team.h"

#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MPI keeps its state in the process, and so do these. */
static int rank, size = 1, beside = 1;

void nk_team_begin(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &beside);
    MPI_Comm_free(&machine);
}

void nk_team_end(void)
{
    MPI_Finalize();
}

int nk_team_rank(void)
{
    return rank;
}

int nk_team_size(void)
{
    return size;
}

int nk_team_beside(void)
{
    return beside;
}

void nk_team_sum(uint64_t *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

uint64_t nk_team_least(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return value;
}

/* The one that is not current is free to be written. */
static char last_lines[2][501];
static atomic_int current;
static struct sigaction before; /* what SIGTERM did */
static bool before_is_known;

static void end_with_last_line(int number)
{
    const char *line = last_lines[atomic_load(&current)];
    const ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    sigaction(number, &before, NULL);
    raise(number); /* to be handled when this has returned */
}

void nk_team_set_last_line(const char *line)
{
    const struct sigaction action = {.sa_handler = end_with_last_line};
    const int next = !atomic_load(&current);
    snprintf(last_lines[next], sizeof last_lines[next], "%s", line);
    atomic_store(&current, next);
    if (!before_is_known && sigaction(SIGTERM, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        before_is_known = sigaction(SIGTERM, &action, NULL) == 0;
}

static void trade(const void *out, const int *counts, void *in, const int *received, MPI_Datatype type)
{
    int *from = malloc((size_t)size * 2 * sizeof *from);
    if (!from) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return; /* which it does not */
    }
    int *to = from + size;
    for (int r = 0, sent = 0, got = 0; r < size; r++) {
        from[r] = sent;
        to[r] = got;
        sent += counts[r];
        got += received[r];
    }
    MPI_Alltoallv(out, counts, from, type, in, received, to, type, MPI_COMM_WORLD);
    free(from);
}

void nk_team_trade_bytes(const uint8_t *out, const int *counts, uint8_t *in, const int *received)
{
    trade(out, counts, in, received, MPI_UINT8_T);
}

void nk_team_trade_words(const uint64_t *out, const int *counts, uint64_t *in, const int *received)
{
    trade(out, counts, in, received, MPI_UINT64_T);
}

void nk_team_send(const uint8_t *bytes, size_t length)
{
    MPI_Send(bytes, (int)length, MPI_UINT8_T, 0, 0, MPI_COMM_WORLD);
}

void nk_team_receive(int from, uint8_t *bytes, size_t length)
{
    MPI_Recv(bytes, (int)length, MPI_UINT8_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
