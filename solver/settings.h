/* The command line of neutreeko-solve. */
#ifndef NK_SETTINGS_H
#define NK_SETTINGS_H

#include "solver/cluster.h"

/* As error messages begin. */
extern const char nk_solver_name[];

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

/* Reads the command line of this process and compares it with those of the others. Returns true with
 * *settings, which stay valid and never change, or false with the exit status if there is nothing left to do. */
bool nk_read_settings(const struct nk_cluster *cluster, int argc, char **argv,
                      const struct nk_settings **settings, int *status);

#endif
