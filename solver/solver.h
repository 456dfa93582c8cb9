/* What the files of neutreeko-solve share: the settings from its command line, the summary that it prints, what it
 * does (run.c), its checkpoint (checkpoint.c), and the processes that do it together. */
#ifndef NK_SOLVER_H
#define NK_SOLVER_H

#include "common/game/game.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "solver/analysis/losses.h"

/* ---- the command line and what it does ---- */

/* The command line, which is the same in all processes. */
struct nk_settings {
    const struct nk_cluster *cluster; /* or NULL for a process alone */
    struct nk_rules rules;            /* of the board to solve */
    const char *output;               /* the path of its table */
    bool is_default;                  /* the output is that of nk_table_default_path */
    bool force, no_traps, verify;
    const char *check; /* a table to check instead of solving, or NULL */

    int threads;            /* 0 for one per processor */
    uint64_t memory;        /* the maximum in bytes, or 0 for what is available */
    const char *checkpoint; /* a directory, or NULL */

    bool json, quiet, verbose;
};

struct nk_solve_summary {
    struct nk_board board;
    struct nk_text start; /* the standard start position of the board; empty when there is none */
    struct nk_summary counts;
    uint64_t by_plies[NK_MAX_PLIES + 1]; /* positions with this distance in plies */
    struct nk_text example;              /* decided in counts.longest plies; empty when there is none */
    double solve_seconds;                /* negative when nothing was solved */
    double total_seconds;
    int processes;    /* that solved it together */
    uint64_t sent;    /* bytes that they sent each other */
    const char *path; /* of the table */
    struct nk_file_digest file;
    uint64_t codes_checksum; /* that of the table */
    bool verified;
};

/* Solves the board of `settings` in all processes, and writes the table and verifies it if requested. Prints what it
 * resumes from and what an interrupted run has saved; *summary, of the first process, is for the caller to print. A
 * failure, with a message in *error, is one of this process: the caller ends the others. */
enum nk_status nk_solve_and_write(const struct nk_settings *settings, struct nk_progress *progress,
                                  struct nk_solve_summary *summary, struct nk_error *error);

/* Verifies the table of --check, a file or standard input, and summarises it. NK_E_READ, NK_E_NOT_TABLE,
 * NK_E_CORRUPT, also for the first value that is wrong, NK_E_MEMORY, NK_E_WRITE for intermediate results. */
enum nk_status nk_check(const struct nk_settings *settings, struct nk_progress *progress,
                        struct nk_solve_summary *summary, struct nk_error *error);

/* ---- the checkpoint ---- */

/* A checkpoint is the storage of an analysis in the files of a directory: its losses and its state, from which another
 * run can continue. The directory is created if it does not exist, locked against other runs, and removed by the run
 * that created it if it is empty then.
 *
 * All processes share the directory. Each appends its own slices to a file of its own, and any process can read all of
 * them. Another file, the state, has the counts and the list of the sections. It is replaced atomically after the
 * sections have been flushed to the disk, so there is always the last complete state, or none. What a killed run
 * appended after it is overwritten. */

/* Whether a checkpoint may write or remove a file of this name in its directory. */
bool nk_checkpoint_has_name(const char *name);

/* Opens the checkpoint in a directory, which is created if it does not exist; `path` must outlive it. All processes
 * call it together, and then nk_losses_new with the storage, whose errors are NK_E_CORRUPT if the contents are damaged
 * or belong to another board, NK_E_READ, NK_E_WRITE and NK_E_MEMORY. NK_E_BUSY if another run uses the directory,
 * NK_E_READ, NK_E_WRITE, NK_E_MEMORY, with a message in *error (may be NULL). The caller closes the checkpoint with
 * nk_checkpoint_close, which accepts NULL. */
enum nk_status nk_checkpoint_open(const char *path, const struct nk_cluster *cluster,
                                  struct nk_storage **storage, struct nk_error *error);
void nk_checkpoint_close(struct nk_storage *storage);

/* Removes the files of the checkpoint, in the first process. */
void nk_checkpoint_remove(struct nk_storage *storage);

/* ---- the cluster ---- */

/* The cluster of the program: the processes that mpirun started in neutreeko-solve-mpi, where cluster_mpi.c defines
 * these functions; otherwise this process alone. */
#ifdef NK_MPI

/* The first and the last call of a program. nk_cluster_begin removes the arguments that are for MPI, and returns the
 * cluster. */
const struct nk_cluster *nk_cluster_begin(int *argc, char ***argv);
void nk_cluster_end(void);

/* Ends all processes, with this exit status, after one of them has reported a failure. Returns in an only process. */
void nk_cluster_abort(int status);

#else

static inline const struct nk_cluster *nk_cluster_begin(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return NULL;
}

static inline void nk_cluster_end(void) {}

static inline void nk_cluster_abort(int status)
{
    (void)status;
}

#endif

#endif
