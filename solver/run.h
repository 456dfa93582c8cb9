/* Solving a board and writing its table. */
#ifndef NK_RUN_H
#define NK_RUN_H

#include "common/program/progress.h"
#include "solver/settings.h"
#include "solver/summary.h"

/* Solves the board of `settings` in all processes, and writes the table and verifies it if requested. Prints what it
 * resumes from and what an interrupted run has saved; *summary, of the first process, is for the caller to print. A
 * failure, with a message in *error, is one of this process: the caller ends the others. */
enum nk_status nk_solve_and_write(const struct nk_settings *settings, struct nk_progress *progress,
                                  struct nk_solve_summary *summary, struct nk_error *error);

#endif
