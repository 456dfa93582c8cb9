/* Restoring an analysis from its log. The log has the losses only. One pass finds all wins from them, since a win of at
 * most d plies is a position with a move to a loss of at most d - 1 plies. */
#ifndef NK_RESUME_H
#define NK_RESUME_H

#include "solver/analysis.h"

/* Restores the state after the ply of a->log->state. After wins the frontier then has those of earlier plies as well,
 * instead of `almost_win`; the next pass decides the same. The analysis must be in the state after
 * nk_decide_finished. All processes call it. Errors as nk_log_read, also NK_E_CORRUPT if the log contradicts the rules
 * or its own counts. If one process fails, all do, with a message in *error (may be NULL). */
enum nk_status nk_resume_analysis(struct nk_analysis *a, struct nk_error *error);

#endif
