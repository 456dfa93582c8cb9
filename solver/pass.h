/* The steps of the analysis. Each decides the positions of one slice of `undecided`: it writes them to `next`,
 * removes them from `undecided`, records their codes and stores their number in a->decided[slice]. nk_find_kernels
 * has the step of all passes after ply 0.
 *
 * A step is work for nk_parallel; its context is a struct nk_analysis. */
#ifndef NK_PASS_H
#define NK_PASS_H

#include "solver/analysis.h"
#include "solver/kernels.h"

/* The first step: fills `undecided` with the legal positions in which nobody has won, and decides those without legal
 * moves, which are draws. */
nk_work nk_init_undecided;

/* Ply 0: decides the losses of 0 plies, in which the other side has already won. They never were in `undecided`. */
nk_work nk_decide_finished;

/* The last step: decides all that is still undecided as draws. */
nk_work nk_decide_draws;

/* Runs a step for all slices of all processes. Returns how many positions it decided. */
uint64_t nk_run_step(struct nk_analysis *a, nk_work *step);

/* Transposes `next` of all processes into `frontier`, with a->kernels. */
void nk_transpose_frontier(struct nk_analysis *a);

#endif
