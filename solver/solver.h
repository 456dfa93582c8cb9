/* What the files of neutreeko-solve share: the settings from its command line, the summary that it prints, what it
 * does (run.c), and the processes that do it together. */
#ifndef NK_SOLVER_H
#define NK_SOLVER_H

#include "common/game/game.h"
#include "common/program/program.h"
#include "common/system/system.h"
#include "solver/analysis/losses.h"

/* As error messages begin. */
extern const char nk_solver_name[];

/* The command line, which is the same in all processes. */
struct nk_settings {
    const struct nk_cluster *cluster; /* or NULL for a process alone */
    struct nk_rules rules;            /* of the board to solve */
    const char *output;               /* the path of its table */
    bool is_default;                  /* the output is that of nk_table_default_path */
    bool writes_standard;             /* the output is standard output, where no summary may follow */
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
    uint64_t codes_checksum; /* nk_table_codes_checksum */
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
