/* Saving and restoring an analysis between two passes.
 *
 * A checkpoint holds only the codes, in which undecided positions are marked as draws. The sets of the analysis
 * follow from them. */
#ifndef NK_RESUME_H
#define NK_RESUME_H

#include "solver/analysis.h"
#include "solver/checkpoint.h"

/* Restores the state after `ply`, that of a->checkpoint. The analysis must be in the state after nk_decide_finished.
 * All processes call it. Errors as nk_checkpoint_load; if one process fails, all do, with a message in *error (may be
 * NULL). */
enum nk_status nk_resume_analysis(struct nk_analysis *a, int ply, struct nk_error *error);

/* Whether enough time has passed to save the next checkpoint; the same in all processes, which all call it. */
bool nk_save_is_due(const struct nk_analysis *a);

/* Saves the state after `ply`, which is even, to a->checkpoint. by_distance[0..ply] are the positions decided in each
 * ply. All processes call it. Errors as nk_checkpoint_commit. The analysis does not change and can continue. */
enum nk_status nk_save_analysis(struct nk_analysis *a, int ply, const uint64_t *by_distance,
                                struct nk_error *error);

#endif
