/* Retrograde analysis: the result and the exact distance of every position, ply by ply from the finished
 * ones.
 *
 * Two sets grow in turn, the mover to move in both:
 *   checked_states  positions whose every move leads into the opponent's almost_win: the mover loses.
 *                   It starts as the positions in which the other side already has won.
 *   almost_win      positions with a move into the opponent's checked_states: the mover wins.
 * Each pass looks only at what the pass before added, so the number of the pass is the distance in plies.
 * When a pass adds nothing, whatever is left is drawn.
 */
#ifndef NK_RETROGRADE_H
#define NK_RETROGRADE_H

#include "common/table.h"
#include "solver/checkpoint.h"
#include "solver/slide.h"

struct nk_solution {
    struct nk_summary summary;
    uint64_t by_distance[NK_MAX_PLIES + 1]; /* positions decided in so many plies; even losses, odd wins */
    uint64_t example; /* the first entry whose position is decided in summary.longest plies */
    uint64_t sent;    /* bytes that the ranks of a team sent each other */

    struct nk_analysis *analysis; /* where nk_solution_part finds the codes */
    uint8_t *part;
};

struct nk_solve_options {
    /* Called after each pass with the ply just finished and how many positions it decided; may be NULL. */
    void (*progress)(void *context, int ply, uint64_t decided);
    /* Called when a checkpoint could not be saved, with the reason; may be NULL. The analysis goes on. */
    void (*warn)(void *context, const struct nk_error *error);
    /* Called in every rank with the ply of a checkpoint that has been saved; may be NULL. */
    void (*saved)(void *context, int ply);
    void *context;
    struct nk_checkpoint *checkpoint; /* to go on from, and to save to; may be NULL */
    int vector_bytes; /* width of the vectors to use: 16, 32 or 64; 0 for the fastest of this machine */
    int threads; /* how many to use; 0 for one a processor. The result is the same whatever the number. */
};

/* Bytes that nk_solve takes at most beside the index, its solution included, in each of so many ranks, with
 * so many threads (0: one a processor). */
uint64_t nk_solve_memory(const struct nk_index *index, int threads, int ranks);

/* Bytes of these that the solution keeps. */
uint64_t nk_solution_memory(const struct nk_index *index, int ranks);

/* Solves the board of `index`, which must outlive the solution; all ranks of a team together (solver/comm.h).
 * Returns, with words in *error (may be NULL), NK_E_MEMORY; NK_E_LIMIT when a distance exceeds NK_MAX_PLIES;
 * NK_E_RULES for vectors that this machine does not have; NK_E_CORRUPT or NK_E_READ for a checkpoint that
 * cannot be gone on from. The caller hands the solution to nk_solution_free. */
enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **solution, struct nk_error *error);
void nk_solution_free(struct nk_solution *solution);

/* A checkpoint for nk_solve: see nk_checkpoint_open. */
enum nk_status nk_solve_checkpoint(const struct nk_index *index, const char *directory, int seconds,
                                   struct nk_checkpoint **checkpoint, struct nk_error *error);

/* What the entries are worth, as the table stores it, in parts that follow each other. All ranks ask for
 * every part, in order; rank 0 gets its codes (valid until the next call), the others NULL. */
uint32_t nk_solution_parts(const struct nk_solution *solution);
void nk_solution_part(struct nk_solution *solution, uint32_t part, const uint8_t **codes, uint64_t *count);

/* All of them at once: [index->entries] for rank 0, for the caller to free; NULL for the others. NK_E_MEMORY.
 */
enum nk_status nk_solution_codes(struct nk_solution *solution, uint8_t **codes, struct nk_error *error);

#endif
