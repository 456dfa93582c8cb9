/* The cluster of the program: the processes that mpirun started in neutreeko-solve-mpi, where cluster_mpi.c defines
 * these functions; otherwise this process alone. */
#ifndef NK_CLUSTER_H
#define NK_CLUSTER_H

#include "solver/analysis/cluster.h"

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
