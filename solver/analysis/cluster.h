/* The cluster: the processes that share one analysis. They are numbered from 0, the first one, which reads and writes
 * what belongs to all. A function that gets NULL as the cluster works for a process that is alone; several are those
 * that mpirun started (solver/cluster_mpi.c).
 *
 * Processes divide the slices of the matrices (solver/base/row_bits.h) among themselves, and exchange after each pass
 * what it decided: each has the rows of its slices of `next`, and the transposition (analysis.h) needs, from all slices
 * of the matrix, the rows of the configurations whose orbits this process owns. A process that is alone has them all
 * already. Several send each other their rows in rounds of one slice from each, so that buffers do not grow with the
 * number of slices.
 *
 * All processes call the functions that communicate in the same order, each from one thread only. None of them returns
 * an error: when communication fails, MPI ends all processes. A function that fails in one process returns its error
 * there only, up to main, which reports it and ends the other processes. They wait for this one meanwhile. */
#ifndef NK_ANALYSIS_CLUSTER_H
#define NK_ANALYSIS_CLUSTER_H

#include "solver/base/memory.h"
#include "solver/base/row_bits.h"

#include <stddef.h>

/* Rows of a slice. */
struct nk_source {
    uint32_t slice; /* among all slices of the matrix */
    /* By configuration in the slices that are sent; see row_of in those that are received. */
    const nk_row_bits *rows;
    const uint8_t *nonempty; /* [rows] zero where the row is empty; such a row has undefined contents */
};

struct nk_cluster;

struct nk_exchange {
    const struct nk_cluster *cluster; /* or NULL */
    const struct nk_index *index;

    /* What the round has brought. */
    const struct nk_source *sources; /* [source_count] */
    uint32_t source_count;
    /* [configurations] the row of each configuration in a source; NULL if that is its number */
    uint32_t *row_of;
    uint64_t sent; /* bytes that this process has sent to others in all rounds */

    /* For several processes. */
    uint32_t *row_order;           /* [configurations] sorted by the process that owns their orbit */
    uint32_t *first_row;           /* [size + 1] where the rows of each process begin in row_order */
    uint8_t *masks_out, *masks_in; /* for each row, a bit for each of its words that is not zero */
    uint64_t *words_out, *words_in;
    nk_row_bits *rows;          /* the received rows */
    struct nk_source *received; /* [size] */
    int *counts;                /* [4][2][size] items for each process or from it, and where they begin */
};

/* Several processes, and what they do together. */
struct nk_cluster {
    int process;    /* the number of this one */
    int size;       /* how many there are */
    int local_size; /* how many of them are on this machine, including this one */

    /* Replaces each of the `count` values by the sum over all processes. */
    void (*sum)(uint64_t *values, size_t count);

    /* Returns the minimum over all processes. */
    uint64_t (*min)(uint64_t value);

    /* Copies the `length` bytes of one process to `bytes` of the first; `bytes` of other processes is not used. */
    void (*gather)(int from, uint8_t *bytes, size_t length);

    /* Lists what the exchange needs in `memory`; fills it after it has been allocated. */
    void (*list_exchange)(struct nk_exchange *exchange, struct nk_memory *memory);
    void (*fill_exchange)(struct nk_exchange *exchange);

    /* Runs a round, which all processes do in order. `own` are the slices of this process, all of them, from which it
     * sends. Fills the sources, valid until the next round. */
    void (*run_round)(struct nk_exchange *exchange, uint32_t round, const struct nk_source *own);
};

static inline int nk_cluster_process(const struct nk_cluster *cluster)
{
    return cluster ? cluster->process : 0;
}

static inline bool nk_cluster_is_first(const struct nk_cluster *cluster)
{
    return nk_cluster_process(cluster) == 0;
}

static inline int nk_cluster_size(const struct nk_cluster *cluster)
{
    return cluster ? cluster->size : 1;
}

/* ---- which slices a process has ---- */

/* Slices that follow each other, and the orbits of their columns. */
struct nk_slice_range {
    uint32_t first_slice, slices;
    uint32_t first_orbit, orbits;
};

static inline uint32_t nk_cluster_first_slice(const struct nk_cluster *cluster, const struct nk_index *index,
                                              int process)
{
    return (uint32_t)((uint64_t)nk_slice_count(index) * (uint64_t)process /
                      (uint64_t)nk_cluster_size(cluster));
}

/* What a process owns. The ranges follow each other in the order of the processes and differ by at most one slice; a
 * range may be empty. None has more slices than that of the last process. */
static inline struct nk_slice_range nk_cluster_range_of(const struct nk_cluster *cluster,
                                                        const struct nk_index *index, int process)
{
    const uint32_t first = nk_cluster_first_slice(cluster, index, process);
    const uint32_t slices = nk_cluster_first_slice(cluster, index, process + 1) - first;
    const uint32_t first_orbit = first * NK_SLICE_COLUMNS, orbits = slices * NK_SLICE_COLUMNS;
    const uint32_t left = index->orbit_count > first_orbit ? index->orbit_count - first_orbit : 0;
    return (struct nk_slice_range){first, slices, first_orbit, orbits < left ? orbits : left};
}

/* What this process owns. */
static inline struct nk_slice_range nk_cluster_range(const struct nk_cluster *cluster,
                                                     const struct nk_index *index)
{
    return nk_cluster_range_of(cluster, index, nk_cluster_process(cluster));
}

/* A range that is as large as any. */
static inline struct nk_slice_range nk_cluster_largest_range(const struct nk_cluster *cluster,
                                                             const struct nk_index *index)
{
    return nk_cluster_range_of(cluster, index, nk_cluster_size(cluster) - 1);
}

/* The process that owns a slice. */
static inline int nk_cluster_owner(const struct nk_cluster *cluster, const struct nk_index *index,
                                   uint32_t slice)
{
    int process = 0;
    while (nk_cluster_first_slice(cluster, index, process + 1) <= slice)
        process++;
    return process;
}

/* ---- what all processes do together ---- */

static inline void nk_cluster_sum(const struct nk_cluster *cluster, uint64_t *values, size_t count)
{
    if (cluster)
        cluster->sum(values, count);
}

static inline uint64_t nk_cluster_min(const struct nk_cluster *cluster, uint64_t value)
{
    return cluster ? cluster->min(value) : value;
}

/* Whether the value is the same in all processes. */
static inline bool nk_cluster_same(const struct nk_cluster *cluster, uint64_t value)
{
    const uint64_t min = nk_cluster_min(cluster, value);
    return nk_cluster_min(cluster, ~value) == ~min; /* the maximum equals the minimum */
}

static inline void nk_cluster_gather(const struct nk_cluster *cluster, int from, uint8_t *bytes,
                                     size_t length)
{
    if (cluster)
        cluster->gather(from, bytes, length);
}

/* The rounds of an exchange; the same in all processes. */
static inline uint32_t nk_exchange_rounds(const struct nk_exchange *exchange)
{
    return exchange->cluster ? nk_cluster_largest_range(exchange->cluster, exchange->index).slices : 1;
}

static inline void nk_exchange_run_round(struct nk_exchange *exchange, uint32_t round,
                                         const struct nk_source *own)
{
    if (exchange->cluster) {
        exchange->cluster->run_round(exchange, round, own);
    } else {
        exchange->sources = own;
        exchange->source_count = nk_slice_count(exchange->index);
    }
}

#endif
