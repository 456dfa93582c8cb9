/* What an analysis records, and the processes that share it: the record of losses, from which all codes of the table
 * follow, the storage in which it can be, and the cluster, whose processes divide the work and exchange what each of
 * them has decided. */
#ifndef NK_LOSSES_H
#define NK_LOSSES_H

#include "common/table/table.h"
#include "solver/analysis/bits.h"

#include <stdatomic.h>
#include <stddef.h>

/* ---- the cluster ---- */

/* The cluster: the processes that share one analysis. They are numbered from 0, the first one, which reads and writes
 * what belongs to all. A function that gets NULL as the cluster works for a process that is alone; several are those
 * that mpirun started (solver/cluster_mpi.c).
 *
 * Processes divide the slices of the matrices (solver/analysis/bits.h) among themselves, and exchange after each pass
 * what it decided: each has the rows of its slices of `next`, and the transposition (analysis.h) needs, from all slices
 * of the matrix, the rows of the configurations whose orbits this process owns. A process that is alone has them all
 * already. Several send each other their rows in rounds of one slice from each, so that buffers do not grow with the
 * number of slices.
 *
 * All processes call the functions that communicate in the same order, each from one thread only. None of them returns
 * an error: when communication fails, MPI ends all processes. A function that fails in one process returns its error
 * there only, up to main, which reports it and ends the other processes. They wait for this one meanwhile. */

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

    /* Adds what the exchange needs to `memory`; fills it after it has been allocated. */
    void (*add_exchange)(struct nk_exchange *exchange, struct nk_memory *memory);
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
    return (struct nk_slice_range){first, slices, first_orbit, (uint32_t)nk_least(orbits, left)};
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

/* ---- the record of losses ---- */

/* The record of losses: the positions that each pass of the analysis decided, slice by slice. All codes of the table
 * follow from it (codes.c), and so does the state of the analysis after any ply (analysis.c). Only losses of two plies
 * or more and draws are recorded. Losses of no plies follow from the rules, and all other entries are wins.
 *
 * The record is in memory, or in a storage, which all processes share.
 *
 * Several threads may append or read different slices at once; all other functions are for one thread. All errors have
 * a message in *error (may be NULL). */

/* The state: what a commit records besides the positions. */
struct nk_losses_state {
    bool is_complete; /* no pass remains */
    int ply;          /* the last one with a position; -1 for none */
    uint64_t stalemates, draws;
    uint64_t example; /* the lowest entry that is decided in `ply` plies */
    uint64_t by_plies[NK_MAX_PLIES + 1];
};

enum { NK_SECTION_PADDING = 128 }; /* zeros after the bytes of a section that a storage reads */

/* The rows of one code in one slice. All numbers are zero if there are none. */
struct nk_section {
    uint64_t length;
    uint64_t checksum, process, offset; /* for a storage */
};

struct nk_losses;

/* Where an analysis keeps what it decides so that another run can continue it, and sets that are too large for the
 * memory: files (solver/checkpoint.h). write, read and damaged, and those for rows, may be called by several threads at
 * once. */
struct nk_storage {
    const char *name; /* for messages */

    /* Writes the section->length bytes of a section, and sets what its other members are to find them again. */
    enum nk_status (*write)(struct nk_storage *storage, struct nk_section *section, const uint8_t *bytes,
                            struct nk_error *error);

    /* Reads a section into memory that the caller frees, with NK_SECTION_PADDING zeros after it. */
    enum nk_status (*read)(struct nk_storage *storage, const struct nk_section *section, uint8_t **bytes,
                           struct nk_error *error);

    /* Records that a section that was read cannot be right. Returns NK_E_CORRUPT. */
    enum nk_status (*damaged)(struct nk_storage *storage, const struct nk_section *section,
                              struct nk_error *error);

    /* Saves the state, after the [slices] sections of its ply, or NULL for none, in all processes together. */
    enum nk_status (*commit)(struct nk_storage *storage, const struct nk_losses *losses,
                             const struct nk_losses_state *state, struct nk_section *sections,
                             struct nk_error *error);

    /* Sets the state and the sections to those of the last commit of a former run, if there was one. */
    enum nk_status (*restore)(struct nk_storage *storage, struct nk_losses *losses, struct nk_error *error);

    /* Creates a file of so many zero bytes for a set of positions, for the next functions. */
    enum nk_status (*open_set)(struct nk_storage *storage, uint64_t bytes, int *file, struct nk_error *error);
    void (*close_set)(int file);
    void (*prefetch_rows)(int file, uint64_t offset, size_t bytes);
    enum nk_status (*read_rows)(int file, void *rows, size_t bytes, uint64_t offset, struct nk_error *error);
    enum nk_status (*write_rows)(int file, const void *rows, size_t bytes, uint64_t offset,
                                 struct nk_error *error);
};

struct nk_losses {
    const struct nk_index *index;
    const struct nk_cluster *cluster; /* or NULL */
    struct nk_storage *storage;       /* or NULL for memory */
    uint32_t slices;                  /* of the whole matrix */
    struct nk_losses_state state;     /* of the last commit */
    uint64_t section_count;           /* a section for each code in each slice */
    struct nk_section *sections;      /* [codes][slices]; draws have the place of losses of no plies */
    uint8_t **bytes;        /* [codes][slices] those of the sections in memory; NULL with a storage */
    atomic_bool has_failed; /* some thread that uses the record, or a set of the analysis */
    struct nk_error error;  /* of the first failure */
};

/* Creates the record for the board of `index`. That, the cluster and the storage, which may be NULL, must outlive it.
 * All processes call it together. A storage may have the state of a former run, from which the analysis continues: see
 * losses->state. NK_E_MEMORY, and the errors of nk_storage.restore. The caller frees the record with nk_losses_free,
 * which accepts NULL. */
enum nk_status nk_losses_new(const struct nk_index *index, const struct nk_cluster *cluster,
                             struct nk_storage *storage, struct nk_losses **losses, struct nk_error *error);
void nk_losses_free(struct nk_losses *losses);

/* Records the rows of a slice of the whole matrix that are not marked as empty. */
void nk_losses_append(struct nk_losses *losses, uint8_t code, uint32_t slice, const nk_row_bits *rows,
                      const uint8_t *nonempty);

/* nk_losses_set_error keeps the first failure of any thread. nk_losses_error returns it with its message, or NK_OK.
 * nk_losses_append reports its failures in this way. */
void nk_losses_set_error(struct nk_losses *losses, const struct nk_error *error);
enum nk_status nk_losses_error(const struct nk_losses *losses, struct nk_error *error);

/* Saves the state, and all rows of its ply or, in a complete state, of the draws. All processes call it together. When
 * it returns in the first one, a storage has all of that. The errors of nk_storage.commit, or the first failure that
 * nk_losses_set_error was given; then the last commit stays valid. */
enum nk_status nk_losses_commit(struct nk_losses *losses, const struct nk_losses_state *state,
                                struct nk_error *error);

/* The counts of positions in a complete state. */
struct nk_summary nk_losses_summary(const struct nk_losses *losses);

/* Receives a row of a section. Returns false if it cannot be right. */
typedef bool nk_losses_visit(void *context, uint8_t code, uint32_t row, const nk_row_bits *bits);

/* Calls `visit` for all rows of a slice of the whole matrix with the codes first..last, 1 or more, in ascending order
 * of codes and rows. NK_E_CORRUPT if the section is damaged or `visit` rejects it, and the errors of nk_storage.read.
 */
enum nk_status nk_losses_read(const struct nk_losses *losses, uint32_t slice, uint8_t first, uint8_t last,
                              nk_losses_visit *visit, void *context, struct nk_error *error);

/* Frees what the record has of a slice in memory; then it can no longer be read. For one thread for each slice. */
void nk_losses_release(struct nk_losses *losses, uint32_t slice);

/* The bytes of everything recorded. */
uint64_t nk_losses_bytes(const struct nk_losses *losses);

#endif
