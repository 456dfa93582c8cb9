/* Retrograde analysis: computes the result and the distance of every position, ply by ply, from the positions in which
 * the game is over.
 *
 * Pass d decides the positions with a distance of d plies:
 *   odd d    the wins: undecided positions with a move to a loss of d - 1 plies, a position of the frontier
 *   even d   the losses: undecided positions all of whose moves lead to wins. Those were decided by earlier passes
 *            and form the set `almost_win`; one of them is in the frontier.
 * Ply 0 are the losses in which the other side has already won. When a pass decides nothing, all undecided positions
 * are draws. Positions without legal moves are draws from the beginning.
 *
 * Sets of positions are bit matrices (solver/base/row_bits.h), in two views.
 *
 *   by mover   row: configuration of the mover; column: orbit of the other side. A pass decides positions in this
 *              view, since a move changes the mover's configuration and keeps the other side's.
 *   by other   row: configuration of the other side; column: orbit of the mover. A pass looks up the results of its
 *              moves in this view: a move exchanges the roles, so the row is again the side that has just moved.
 *
 * The transposition turns the positions that a pass decided from the first view into the second. It applies to each
 * position the symmetry that makes the side in the column canonical.
 *
 * A process has the slices of its range in both views. A pass works on each slice alone; only the transposition
 * exchanges data with other processes. */
#ifndef NK_ANALYSIS_H
#define NK_ANALYSIS_H

#include "solver/analysis/kernel.h"
#include "solver/analysis/losses.h"
#include "solver/analysis/slide.h"

/* Kinds of orbits: with at most 1/2, 1/4 and 1/8 as many configurations as there are symmetries. */
enum { NK_SMALL_ORBITS = 3 };

/* Where the record of losses and the sets of an analysis are. Files are those of the storage. Only the sets that a pass
 * uses slice by slice, in order, can be in files. */
enum nk_layout {
    NK_IN_MEMORY,       /* everything in memory */
    NK_LOSSES_IN_FILES, /* the record in files */
    NK_ONE_SET_IN_FILE, /* also `almost_win`, which every second pass uses */
    NK_SETS_IN_FILES    /* also `undecided`, which every pass uses */
};

/* A set of positions that is used slice by slice, in order: in memory, or in a file that is read and written with plain
 * calls. (Mapped into memory it takes twice as long: the pages of a large file come and go with a fault each.) */
struct nk_sliced_set {
    nk_row_bits *rows; /* [slices][rows]; NULL for a set in a file */
    int file;          /* of the storage; -1 for a set in memory */
};

/* A set of positions that is used in any order. */
struct nk_bitset {
    nk_row_bits *rows; /* [slices][rows] */
    uint8_t *nonempty; /* [slices][rows] whether the row has a position */
};

/* The scratch of a thread. */
struct nk_worker {
    /* The rows of these sets in the present slice. */
    nk_row_bits *undecided, *almost_win;
    nk_row_bits *undecided_buffer, *almost_win_buffer; /* [rows] for sets in files */

    nk_row_bits *escapes; /* [rows] positions with a move that does not lose */
    uint8_t *active; /* [slides.stationary_count] whether slides with these stationary pieces can matter */
};

struct nk_analysis {
    struct nk_memory memory; /* of everything below */
    const struct nk_index *index;
    struct nk_losses *losses;
    const struct nk_kernel *kernel;
    struct nk_slides slides;
    uint32_t rows; /* configurations */
    struct nk_slice_range range;
    uint8_t *won;          /* [rows] whether the configuration wins */
    nk_row_bits *occupied; /* [slices][NK_MAX_SQUARES] columns whose canonical configuration has the square */
    nk_row_bits *small_orbits; /* [slices][NK_SMALL_ORBITS] their columns */

    enum nk_layout layout;
    bool has_begun;                  /* with a pass */
    bool is_backward;                /* the next step goes from the last slice to the first */
    struct nk_sliced_set undecided;  /* by mover; positions that no pass has decided */
    struct nk_bitset next;           /* by mover; what this pass decides: the next frontier */
    struct nk_bitset frontier;       /* by other; what the last pass decided */
    struct nk_sliced_set almost_win; /* by other; the wins of all earlier passes */

    struct nk_worker *workers; /* [threads] */
    int threads;
    nk_row_bits *escapes; /* [threads][rows]; this and the next ones are the scratch of all workers */
    uint8_t *active;      /* [threads][slides.stationary_count] */
    nk_row_bits *undecided_buffers, *almost_win_buffers; /* [threads][rows]; NULL for sets in memory */

    uint64_t *decided;  /* [slices] how many positions the last step decided */
    uint64_t *examples; /* [slices] the lowest entry among them, or UINT64_MAX */

    /* For the transposition. */
    struct nk_source *own; /* [slices] the rows of `next` */
    struct nk_exchange exchange;
};

struct nk_analysis_options {
    enum nk_layout layout; /* more than NK_IN_MEMORY only if the losses have a storage */
    /* NULL for the fastest; others for tests and measurements (solver/analysis/kernel.h). */
    const struct nk_kernel *kernel;
    int threads; /* 0 for one per processor; the result does not depend on it */
};

/* Begins the analysis of the board of `losses`, or continues it from their state; they must outlive it. All
 * processes call this and the next functions together. NK_E_MEMORY or NK_E_WRITE, with a message in *error (may be
 * NULL). The caller frees the analysis with nk_analysis_free, which accepts NULL. */
enum nk_status nk_analysis_new(struct nk_losses *losses, const struct nk_analysis_options *options,
                               struct nk_analysis **analysis, struct nk_error *error);
void nk_analysis_free(struct nk_analysis *a);

/* Runs the next pass, and records what it decides. The state of the losses then has its ply, or is complete: no
 * pass remains. The first call with losses that a former run has left restores the sets instead.
 *
 * NK_E_LIMIT for a distance over NK_MAX_PLIES, NK_E_MEMORY or NK_E_WRITE for losses that cannot be written,
 * NK_E_CORRUPT or NK_E_READ for those that cannot be continued, with a message in *error (may be NULL). */
enum nk_status nk_analysis_pass(struct nk_analysis *a, struct nk_error *error);

/* The bytes that all processes have sent each other. */
uint64_t nk_analysis_sent(const struct nk_analysis *a);

/* Describes an analysis of a range of slices and lists all its arrays in a->memory, without allocating them. `threads`
 * are at most so many, 0 for one per processor. */
void nk_analysis_list(struct nk_analysis *a, const struct nk_index *index, const struct nk_cluster *cluster,
                      struct nk_slice_range range, int threads, enum nk_layout layout);

/* The number of threads that work on a range, one on each slice: at most `threads`, 0 for one per processor. */
int nk_analysis_threads(const struct nk_slice_range *range, int threads);

/* In which columns of a slice the other side is on each square: an array [squares]. */
static inline const nk_row_bits *nk_occupied_in(const struct nk_analysis *a, uint32_t slice)
{
    return a->occupied + (size_t)slice * NK_MAX_SQUARES;
}

/* The part of a set that is in one slice: arrays [rows]. */
static inline struct nk_bitset nk_slice_of(const struct nk_analysis *a, const struct nk_bitset *set,
                                           uint32_t slice)
{
    return (struct nk_bitset){set->rows + (size_t)slice * a->rows, set->nonempty + (size_t)slice * a->rows};
}

#endif
