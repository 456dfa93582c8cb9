/* Verifying a table in a file, for --check and --verify. */
#ifndef NK_CHECK_H
#define NK_CHECK_H

#include "common/program/progress.h"
#include "solver/options.h"
#include "solver/summary.h"
#include "solver/verify/verify.h"

/* Verifies the table of a file or of standard input ("-"), with the options of `settings` for memory and threads.
 * *rules receives those of the table, *file (may be
 * NULL) what identifies its file. NK_E_READ, NK_E_NOT_TABLE, NK_E_CORRUPT, also for the first value that is wrong,
 * NK_E_MEMORY, NK_E_WRITE for intermediate results. */
enum nk_status nk_check_file(const char *path, const struct nk_settings *settings,
                             struct nk_progress *progress, struct nk_rules *rules,
                             struct nk_verified *verified, struct nk_file_digest *file,
                             struct nk_error *error);

/* Does what --check requests, and summarises it. */
enum nk_status nk_check(const struct nk_settings *settings, struct nk_progress *progress,
                        struct nk_solve_summary *summary, struct nk_error *error);

#endif
