/* The steps of the analysis. Each decides positions of one slice: it sets `next` there to them, with the rows that are
 * not empty. nk_run_step then removes them from `undecided`, counts them and adds them to the log. */
#ifndef NK_PASS_H
#define NK_PASS_H

#include "solver/analysis/analysis.h"

/* The first step: fills `undecided` with the legal positions in which nobody has won, and decides those without legal
 * moves, which the last step adds to the draws: all moves of such a position lead to wins, but it is not a loss. */
extern const struct nk_step nk_init_undecided;

/* Ply 0: decides the losses of 0 plies, in which the other side has already won. They never were in `undecided`. */
extern const struct nk_step nk_decide_finished;

/* The last step: decides as draws all that is still undecided, and the positions without legal moves. */
extern const struct nk_step nk_decide_draws;

/* Run a step for all slices of all processes: one that is not recorded, and one whose positions are recorded with this
 * code. Return how many positions it decides. */
uint64_t nk_run_step(struct nk_analysis *a, const struct nk_step *step);
uint64_t nk_record_step(struct nk_analysis *a, const struct nk_step *step, uint8_t code);

/* Transposes `next` of all processes into `frontier`. */
void nk_transpose_frontier(struct nk_analysis *a);

#endif
