/* Retrograde analysis: computes the result and the distance of every position, ply by ply, from the positions in
 * which the game is over.
 *
 * Pass d decides the positions with a distance of d plies:
 *   odd d    the wins: undecided positions with a move to a loss of d - 1 plies, a position of the frontier
 *   even d   the losses: undecided positions all of whose moves lead to wins. Those were decided by earlier passes
 *            and form the set `almost_win`; one of them is in the frontier.
 * Ply 0 are the losses in which the other side has already won. When a pass decides nothing, all undecided positions
 * are draws. Positions without legal moves are draws from the beginning. */
#ifndef NK_RETROGRADE_H
#define NK_RETROGRADE_H

#include "solver/analysis/solution.h"

struct nk_kernel;

struct nk_solve_options {
    /* Called after each pass with its ply and the number of positions it decided; may be NULL. */
    void (*progress)(void *context, int ply, uint64_t decided);
    void *context;
    /* To continue, and for the solution, which it must outlive; NULL for a new one in memory. */
    struct nk_log *log;
    /* How many of the sets that are used slice by slice, in order, are in files of the log's directory: 1 for
     * `almost_win`, which every second pass uses, 2 for `undecided` too, which every pass uses. */
    int set_files;
    /* NULL for the fastest; others for tests and measurements (solver/analysis/kernel.h). */
    const struct nk_kernel *kernel;
    int threads; /* 0 for one per processor; the result does not depend on it */
};

/* Solves the board of `index`, which must outlive the solution. All processes call it (solver/cluster/cluster.h); the
 * callbacks run in the calling thread. The caller frees the solution with nk_solution_free.
 *
 * Returns NK_E_MEMORY, NK_E_LIMIT for a distance over NK_MAX_PLIES, NK_E_WRITE for a log that cannot be written, and
 * NK_E_CORRUPT or NK_E_READ for one that cannot be continued, with a message in *error (may be NULL). */
enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **solution, struct nk_error *error);

#endif
