/* Verifying a table in a file, for --check and --verify. */
#ifndef NK_CHECK_H
#define NK_CHECK_H

#include "common/program/progress.h"
#include "solver/settings.h"
#include "solver/summary.h"
#include "solver/verify/verify.h"

/* Verifies the table that was written for --output, and has the summary state what was verified: a log may have been
 * changed. NK_E_READ, NK_E_NOT_TABLE, NK_E_CORRUPT, also for the first value that is wrong, NK_E_MEMORY, NK_E_WRITE
 * for intermediate results. */
enum nk_status nk_check_written(const struct nk_settings *settings, struct nk_progress *progress,
                                struct nk_solve_summary *summary, struct nk_error *error);

/* Does what --check requests, with a file or standard input, and summarises it. NK_E_READ, NK_E_NOT_TABLE,
 * NK_E_CORRUPT, also for the first value that is wrong, NK_E_MEMORY, NK_E_WRITE for intermediate results. */
enum nk_status nk_check(const struct nk_settings *settings, struct nk_progress *progress,
                        struct nk_solve_summary *summary, struct nk_error *error);

#endif
