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
#include "solver/slide.h"

struct nk_solution {
    struct nk_summary summary;
    uint64_t by_distance[NK_MAX_PLIES + 1]; /* positions decided in so many plies; even losses, odd wins */
    uint8_t *codes; /* [index->entries] what each entry is worth, as the table stores it */
};

struct nk_solve_options {
    /* Called after each pass with the ply just finished and how many positions it decided; may be NULL. */
    void (*progress)(void *context, int ply, uint64_t decided);
    void *context;
    int vector_bytes; /* width of the vectors to use: 16, 32 or 64; 0 for the widest this machine has */
    int threads; /* how many to use; 0 for one a processor. The result is the same whatever the number. */
};

/* Bytes that nk_solve takes at most for a board, its result included, with so many threads (0: one a
 * processor). */
uint64_t nk_solve_memory(const struct nk_rules *rules, int threads);

/* Solves the board of `index`. NK_E_MEMORY; NK_E_LIMIT when a distance exceeds NK_MAX_PLIES; NK_E_RULES for
 * vectors that this machine does not have. The caller hands the solution to nk_solution_free. */
enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **solution);
void nk_solution_free(struct nk_solution *solution);

#endif
