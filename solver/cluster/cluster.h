/* The cluster: the processes that share one analysis. In neutreeko-solve-mpi (cluster_mpi.c) these are the processes
 * that mpirun started, otherwise (cluster_single.c) this process is the only one. They are numbered from 0, the first
 * one, which reads and writes what belongs to all.
 *
 * Processes divide the slices of the matrices (solver/base/row_bits.h) among themselves. After each pass they exchange
 * what it decided (exchange.h).
 *
 * All processes call the functions that communicate in the same order, each from one thread only. None of them returns
 * an error: when communication fails, MPI ends all processes. A function that fails in one process returns its error
 * there only, up to main, which reports it and ends the other processes. They wait for this one meanwhile. */
#ifndef NK_CLUSTER_H
#define NK_CLUSTER_H

#include "solver/base/row_bits.h"

#include <stddef.h>

/* The first and the last call of a program. nk_cluster_begin removes the arguments that are for MPI. */
void nk_cluster_begin(int *argc, char ***argv);
void nk_cluster_end(void);

/* Ends all processes, with this exit status, after one of them has reported a failure. Returns in an only process. */
void nk_cluster_abort(int status);

/* The number of this process, how many there are, and how many of them are on this machine, including this one. */
int nk_cluster_process(void);
int nk_cluster_size(void);
int nk_cluster_local_size(void);

static inline bool nk_cluster_is_first(void)
{
    return nk_cluster_process() == 0;
}

/* ---- which slices a process has ---- */

/* Slices that follow each other, and the orbits of their columns. */
struct nk_slice_range {
    uint32_t first_slice, slices;
    uint32_t first_orbit, orbits;
};

static inline uint32_t nk_cluster_first_slice(const struct nk_index *index, int process)
{
    return (uint32_t)((uint64_t)nk_slice_count(index) * (uint64_t)process / (uint64_t)nk_cluster_size());
}

/* What a process owns. The ranges follow each other in the order of the processes and differ by at most one slice; a
 * range may be empty. None has more slices than that of the last process. */
static inline struct nk_slice_range nk_cluster_range_of(const struct nk_index *index, int process)
{
    const uint32_t first = nk_cluster_first_slice(index, process);
    const uint32_t slices = nk_cluster_first_slice(index, process + 1) - first;
    const uint32_t first_orbit = first * NK_SLICE_COLUMNS, orbits = slices * NK_SLICE_COLUMNS;
    const uint32_t left = index->orbit_count > first_orbit ? index->orbit_count - first_orbit : 0;
    return (struct nk_slice_range){first, slices, first_orbit, orbits < left ? orbits : left};
}

/* What this process owns. */
static inline struct nk_slice_range nk_cluster_range(const struct nk_index *index)
{
    return nk_cluster_range_of(index, nk_cluster_process());
}

/* A range that is as large as any. */
static inline struct nk_slice_range nk_cluster_largest_range(const struct nk_index *index)
{
    return nk_cluster_range_of(index, nk_cluster_size() - 1);
}

/* The process that owns a slice. */
static inline int nk_cluster_owner(const struct nk_index *index, uint32_t slice)
{
    int process = 0;
    while (nk_cluster_first_slice(index, process + 1) <= slice)
        process++;
    return process;
}

/* ---- what all processes do together ---- */

/* Replaces each of the `count` values by the sum over all processes. */
void nk_cluster_sum(uint64_t *values, size_t count);

/* Returns the minimum over all processes. */
uint64_t nk_cluster_min(uint64_t value);

/* Whether the value is the same in all processes. */
static inline bool nk_cluster_same(uint64_t value)
{
    const uint64_t min = nk_cluster_min(value);
    return nk_cluster_min(~value) == ~min; /* the maximum equals the minimum */
}

/* Copies the `length` bytes of one process to `bytes` of the first; `bytes` of other processes is not used. */
void nk_cluster_gather(int from, uint8_t *bytes, size_t length);

#endif
