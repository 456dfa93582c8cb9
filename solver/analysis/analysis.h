/* Retrograde analysis: computes the result and the distance of every position, ply by ply, from the positions in which
 * the game is over. Codes and trap values then follow from the losses that it has recorded (losses.h).
 *
 * Pass d decides the positions with a distance of d plies:
 *   odd d    the wins: undecided positions with a move to a loss of d - 1 plies, a position of the frontier
 *   even d   the losses: undecided positions all of whose moves lead to wins. Those were decided by earlier passes
 *            and form the set `almost_win`; one of them is in the frontier.
 * Ply 0 are the losses in which the other side has already won. When a pass decides nothing, all undecided positions
 * are draws. Positions without legal moves are draws from the beginning.
 *
 * Sets of positions are bit matrices (matrix.h), in two views.
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
 * exchanges data with other processes.
 *
 * analysis.c has the passes, kernel_tmpl.c the functions in which they spend their time, sparse.c the passes that
 * decide few positions, solve.c the codes, what solving takes and nk_table_solve, and traps.c the trap values. */
#ifndef NK_ANALYSIS_H
#define NK_ANALYSIS_H

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/losses.h"
#include "solver/analysis/matrix.h"

/* ---- the analysis ---- */

struct nk_kernel;

/* An orbit has as many configurations as there are symmetries, unless some of these leave its configurations as they
 * are. Kinds of such symmetric orbits: with at most 1/2, 1/4 and 1/8 as many. */
enum { NK_SYMMETRIC_ORBITS = 3 };

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
    uint8_t *nonempty; /* [slices][rows] 1 for a row that has a position, otherwise 0 */
};

/* What a thread uses for a slice. */
struct nk_worker {
    nk_row_bits *undecided, *almost_win; /* [rows] of these sets in the slice */
    uint8_t *active; /* [slides.stationary_count] whether slides with these stationary pieces can matter */
};

struct nk_analysis {
    struct nk_memory memory; /* of all arrays below */
    const struct nk_index *index;
    struct nk_losses *losses;
    const struct nk_kernel *kernel;
    struct nk_slides slides;
    uint32_t rows; /* configurations */
    struct nk_slice_range range;
    bool *won;             /* [rows] whether the configuration wins */
    nk_row_bits *occupied; /* [slices][NK_MAX_SQUARES] columns whose canonical configuration has the square */
    nk_row_bits *symmetric_orbits; /* [slices][NK_SYMMETRIC_ORBITS] their columns */

    bool has_begun;                  /* with a pass */
    bool is_backward;                /* the next step goes from the last slice to the first */
    struct nk_sliced_set undecided;  /* by mover; positions that no pass has decided */
    struct nk_bitset next;           /* by mover; what this pass decides: the next frontier */
    struct nk_bitset frontier;       /* by other; what the last pass decided */
    struct nk_sliced_set almost_win; /* by other; the wins of all earlier passes */

    int threads;
    uint8_t *active; /* [threads][slides.stationary_count]; with the next ones, the scratch of all threads */
    nk_row_bits *undecided_buffers, *almost_win_buffers; /* [threads][rows]; NULL for sets in memory */

    uint64_t *decided;  /* [slices] how many positions the last step decided */
    uint64_t *examples; /* [slices] the lowest entry among them, or UINT64_MAX */

    /* For the transposition. */
    struct nk_source *own; /* [slices] the rows of `next` */
    struct nk_exchange exchange;

    /* For sparse passes (sparse.c). */
    bool is_sparse;              /* the last pass was */
    uint64_t sparse_limit;       /* see nk_analysis_options */
    uint64_t frontier_positions; /* of all processes; UINT64_MAX before the first pass after resuming */
    /* What the last pass has decided, by mover: in each slice; in all processes; and what of that is in a column of
     * this process by other, sorted by the slice of that column. */
    struct nk_list *found; /* [slices] */
    struct nk_list all_found, frontier_list;
    size_t *first_in_slice; /* [slices + 2] where those of each slice begin in frontier_list */
};

struct nk_analysis_options {
    enum nk_layout layout; /* more than NK_IN_MEMORY only if the losses have a storage */
    /* NULL for the fastest; others for tests and measurements. */
    const struct nk_kernel *kernel;
    int threads; /* 0 for one per processor; the result does not depend on it */
    /* A pass is sparse if the one before has decided at most this many positions, symmetric ones counted once; 0 for
     * the usual number, others for tests. */
    uint64_t sparse_limit;
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

/* Describes an analysis of a range of slices and adds all its arrays to a->memory, without allocating them. `threads`
 * are at most so many, 0 for one per processor. */
void nk_analysis_describe(struct nk_analysis *a, const struct nk_index *index,
                          const struct nk_cluster *cluster, struct nk_slice_range range, int threads,
                          enum nk_layout layout);

/* The number of threads that work on a range, one on each slice: at most `threads`, 0 for one per processor. */
int nk_analysis_threads(const struct nk_slice_range *range, int threads);

/* ---- sets in files ---- */

/* Sets *rows to the rows of a slice: those in memory, or a copy in `buffer`. NK_E_READ. */
enum nk_status nk_load_slice(const struct nk_analysis *a, const struct nk_sliced_set *set, uint32_t slice,
                             nk_row_bits *buffer, nk_row_bits **rows, struct nk_error *error);

/* Saves what was changed in the rows of a slice that were loaded. Rows whose element of `changed` is zero have not been
 * changed; NULL stands for changes in any row. NK_E_WRITE. */
enum nk_status nk_store_slice(const struct nk_analysis *a, const struct nk_sliced_set *set, uint32_t slice,
                              const nk_row_bits *rows, const uint8_t *changed, struct nk_error *error);

/* ---- sparse passes ---- */

/* Begins a sequence of sparse passes after a pass that has set `next`, or ends it, after which `next` has what the
 * last one has decided. Both return false after a failure, which is the error of the losses. */
bool nk_sparse_begin(struct nk_analysis *a);
bool nk_sparse_end(struct nk_analysis *a);

/* Decides the positions of a ply, which are wins or losses. a->decided and a->examples receive how many there are in
 * each slice, and the lowest entries among them; the record receives them with the code, unless that is 0. Returns
 * false after a failure, which is the error of the losses. */
bool nk_sparse_pass(struct nk_analysis *a, bool finds_losses, uint8_t code);

/* The usual limit of nk_analysis_options. It is higher where only a dense pass reads and writes sets in files, and
 * lower the more processes there are: all of them receive every position of a sparse pass, which at this limit sends
 * about as much as a dense one. */
uint64_t nk_sparse_limit(const struct nk_index *index, const struct nk_cluster *cluster,
                         enum nk_layout layout);

/* Frees the lists. */
void nk_sparse_free(struct nk_analysis *a);

/* ---- the kernel ---- */

/* The functions in which the analysis spends its time, compiled from kernel_tmpl.c for each width of vectors. */
struct nk_kernel {
    /* Sets `next` to the undecided positions with a move into the frontier. */
    void (*find_predecessors)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker);

    /* Adds the frontier, which are wins, to `almost_win`, and sets `next` to the undecided positions without an escape:
     * a move that does not lead into `almost_win`. All of them have a move into the frontier, or an earlier pass would
     * have decided them. */
    void (*find_losses)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker);

    /* Removes the positions of `next` from `undecided`. Returns how many positions of the game they are: a bit stands
     * for as many as its column's orbit has configurations. *example receives the lowest entry, or UINT64_MAX. */
    uint64_t (*remove_decided)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker,
                               uint64_t *example);

    /* Work for nk_parallel: transposes a->exchange.sources into a slice of `frontier`. The context is a struct
     * nk_analysis. */
    nk_work *transpose;

    /* Adds to `to` every position of a slice in which a slide leads to a position of `from`, or of its complement if
     * `inverted`. `from` and `to` are rows of slices, [configurations]; occupied[s] are the columns in which the other
     * side is on square s. Only with sets of stationary pieces that are `active`, [slides->stationary_count]; NULL for
     * all. Only the first `columns` of the slice exist. `to` also receives positions in which the two sides overlap or
     * the game is over. */
    void (*slide)(const struct nk_slides *slides, const uint8_t *active, uint32_t columns,
                  const nk_row_bits *from, bool inverted, const nk_row_bits *occupied, nk_row_bits *to);
};

/* Those for 32 and 64 bytes exist on x86-64 only. */
extern const struct nk_kernel nk_kernel_16, nk_kernel_32, nk_kernel_64;

/* Returns the kernel for vectors of that many bytes (16, 32 or 64), or the fastest for 0; NULL if this processor does
 * not support them. */
const struct nk_kernel *nk_find_kernel(int vector_bytes);

/* For the kernel and analysis.c: in which columns of a slice the other side is on each square: an array [squares]. */
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

/* ---- what solving takes, computed before anything is allocated ---- */

struct nk_plan {
    enum nk_layout layout;
    /* Bytes in each process, without the index, the buffers of the table (8 MiB) and the page cache: while the board is
     * analysed, while its codes and trap values are computed, and the greater of them. */
    uint64_t analysing, writing, memory;
    uint64_t disk; /* bytes in the storage, for all processes together */
};

/* Any program may need as much memory as this. To ask the system for what is available takes a fiftieth of the time
 * in which the standard board is solved. */
enum { NK_LITTLE_MEMORY = 64 << 20 };

/* The plan for a board on all processes of a cluster (NULL for this process alone) with so many threads in each, 0 for
 * one per processor. nk_index_init_sizes is enough for the index. The size of the losses and the number of draws are
 * those of usual boards, all else is an upper bound. On other boards the trap values take more. */
struct nk_plan nk_plan(const struct nk_index *index, const struct nk_cluster *cluster, enum nk_layout layout,
                       int threads, bool with_traps);

/* ---- the two steps of solving ---- */

/* Called after a pass that has decided positions. Any status but NK_OK, with a message in *error, ends the analysis. */
typedef enum nk_status nk_pass_done(void *context, int ply, uint64_t decided, struct nk_error *error);

/* Runs all passes that remain of the board of `losses`; none if they are complete. `done` is called with `context`.
 * On success, *sent (or NULL) receives what nk_analysis_sent returns. Fails as nk_analysis_new and nk_analysis_pass. */
enum nk_status nk_find_losses(struct nk_losses *losses, const struct nk_analysis_options *options,
                              nk_pass_done *done, void *context, uint64_t *sent, struct nk_error *error);

struct nk_traps; /* traps.h */

/* Takes the codes of the next `count` entries, whole orbits, after which the share `done` of all codes has been taken.
 * Any status but NK_OK, with a message in *error, ends the computation. */
typedef enum nk_status nk_take_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                     struct nk_error *error);

/* Computes all codes from complete losses. They are added to `traps`, which may be NULL, and `take` is called with them
 * and `context`, in order: in process 0; in the others both are NULL. NK_E_CORRUPT or NK_E_READ for losses that cannot
 * be read, NK_E_MEMORY, and what `take` returns. */
enum nk_status nk_find_codes(struct nk_losses *losses, int threads, struct nk_traps *traps,
                             nk_take_codes *take, void *context, struct nk_error *error);

#endif
