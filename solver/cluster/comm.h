/* The communicator: the processes that share one analysis. In neutreeko-solve-mpi these are the processes that
 * mpirun started, otherwise this process is the only one. Each has a rank, 0 <= rank < size.
 *
 * All processes call these functions in the same order, each from one thread only. None of them returns an
 * error: when communication fails, MPI ends all processes.
 */
#ifndef NK_COMM_H
#define NK_COMM_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first and the last call of a program. nk_comm_init removes the arguments that are for MPI. */
void nk_comm_init(int *argc, char ***argv);
void nk_comm_finalize(void);

int nk_comm_rank(void);
int nk_comm_size(void);

/* The number of processes on this machine, including this one. */
int nk_comm_local_size(void);

/* Replaces each of the `count` values by the sum over all processes. */
void nk_comm_sum(uint64_t *values, size_t count);

/* Returns the minimum over all processes. */
uint64_t nk_comm_min(uint64_t value);

/* Whether the value is true in all processes. `&& value` follows from the minimum; static analysers need it. */
static inline bool nk_comm_all(bool value)
{
    return nk_comm_min(value) && value;
}

/* Makes all processes fail if one does. Returns `status` or another failure, with a message in *error (may be NULL). */
static inline enum nk_status nk_comm_agree(enum nk_status status, struct nk_error *error)
{
    if (nk_comm_all(!status))
        return NK_OK;
    return status ? status : nk_fail(error, NK_E_WRITE, 0, "another process has failed");
}

/* Whether the value is the same in all processes. */
static inline bool nk_comm_same(uint64_t value)
{
    const uint64_t min = nk_comm_min(value);
    return nk_comm_min(~value) == ~min; /* the maximum equals the minimum */
}

/* Sets the line, including its newline, that this process writes to standard error when SIGTERM ends it: mpirun
 * sends SIGTERM to the remaining processes when one has died. The line is truncated to 500 bytes; an empty line
 * writes nothing. Does nothing without MPI. */
void nk_comm_set_last_line(const char *line);

/* Every process sends items of `item` bytes, 1 or 8, to every process. `out` holds out_counts[r] items for each process r in the
 * order of the ranks; `in` receives in_counts[r] from each process r in the same order. Both counts have room for as many
 * more, which receive where the items of each process begin. For several processes only. */
void nk_comm_alltoall(size_t item, const void *out, int *out_counts, void *in, int *in_counts);

/* Copies the `length` bytes of one process to `bytes` of process 0; `bytes` of other processes is not used. */
void nk_comm_copy_to_first(int from, uint8_t *bytes, size_t length);

#endif
