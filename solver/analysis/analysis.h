/* The state of an analysis: sets of positions as bit matrices (solver/base/lanes.h), in two views.
 *
 *   by mover   row: configuration of the mover; column: orbit of the other side. A pass decides positions in this
 *              view, since a move changes the mover's configuration and keeps the other side's.
 *   by other   row: configuration of the other side; column: orbit of the mover. A pass looks up the results of its
 *              moves in this view: a move exchanges the roles, so the row is again the side that has just moved.
 *
 * The transposition (nk_transpose_frontier) turns the positions that a pass decided from the first view into the
 * second. It applies to each position the symmetry that makes the side in the column canonical.
 *
 * A process has the slices of its share in both views. A pass works on each slice alone; only the transposition
 * exchanges data with other processes. */
#ifndef NK_ANALYSIS_H
#define NK_ANALYSIS_H

#include "solver/cluster/exchange.h"
#include "solver/analysis/kernel.h"
#include "solver/analysis/sliced_set.h"
#include "solver/analysis/slide.h"
#include "solver/analysis/solution.h"

/* Kinds of orbits: with at most 1/2, 1/4 and 1/8 as many configurations as there are symmetries. */
enum { NK_SMALL_ORBITS = 3 };

/* A set of positions that is used in any order. */
struct nk_bitset {
    nk_lanes *rows;    /* [slices][rows] */
    uint8_t *nonempty; /* [slices][rows] whether the row has a position */
};

/* The scratch of a thread. */
struct nk_worker {
    /* The rows of these sets in the present slice. */
    nk_lanes *undecided, *almost_win;
    nk_lanes *undecided_buffer, *almost_win_buffer; /* [rows] for sets in files */

    nk_lanes *escapes; /* [rows] positions with a move that does not lose */
    uint8_t *active;   /* [slides.stationary_count] whether slides with these stationary pieces can matter */
};

struct nk_analysis {
    struct nk_memory memory; /* of everything below */
    const struct nk_index *index;
    const struct nk_kernel *kernel;
    struct nk_slides slides;
    uint32_t rows; /* configurations */
    struct nk_share share;
    nk_lanes *occupied; /* [slices][NK_MAX_SQUARES] columns whose canonical configuration has the square */
    nk_lanes *small_orbits; /* [slices][NK_SMALL_ORBITS] their columns */

    int set_files;                   /* as in nk_solve_options */
    bool is_backward;                /* the next pass goes from the last slice to the first */
    struct nk_sliced_set undecided;  /* by mover; positions that no pass has decided */
    struct nk_bitset next;           /* by mover; what this pass decides: the next frontier */
    struct nk_bitset frontier;       /* by other; what the last pass decided */
    struct nk_sliced_set almost_win; /* by other; the wins of all earlier passes */

    const uint8_t *won; /* [rows] whether the configuration wins; of the solution, as the log */
    struct nk_log *log;

    struct nk_worker *workers; /* [threads] */
    int threads;
    nk_lanes *escapes; /* [threads][rows]; this and the next ones are the scratch of all workers */
    uint8_t *active;   /* [threads][slides.stationary_count] */
    nk_lanes *undecided_buffers, *almost_win_buffers; /* [threads][rows]; NULL for sets in memory */

    uint64_t *decided;  /* [slices] how many positions the last step decided */
    uint64_t *examples; /* [slices] the lowest entry among them, or UINT64_MAX */
    uint64_t example;   /* the lowest of all slices and processes, or UINT64_MAX */

    /* For the transposition. */
    struct nk_source *own; /* [slices] the rows of `next` */
    struct nk_exchange exchange;
};

/* Describes an analysis of a share and lists all its arrays in a->memory, without allocating them. `threads` as in
 * nk_solve_options. */
void nk_analysis_list(struct nk_analysis *a, const struct nk_index *index, struct nk_share share, int threads,
                      int set_files);

/* Allocates an analysis that is recorded in the log of `solution`, which must outlive it; the files of sets are in the
 * log's directory. Returns NK_E_MEMORY or NK_E_WRITE, with a message in *error (may be NULL). The caller calls
 * nk_analysis_clear in any case; it also accepts a zeroed analysis. */
enum nk_status nk_analysis_init(struct nk_analysis *a, struct nk_solution *solution, int set_files,
                                struct nk_error *error);
void nk_analysis_clear(struct nk_analysis *a);

/* The part of a set that is in one slice: arrays [rows]. */
static inline struct nk_bitset nk_slice_of(const struct nk_analysis *a, const struct nk_bitset *set,
                                           uint32_t slice)
{
    return (struct nk_bitset){set->rows + (size_t)slice * a->rows, set->nonempty + (size_t)slice * a->rows};
}

#endif
