/* Solving a board in memory (nk_table_solve), and what solving takes, computed before anything is allocated. */
#ifndef NK_SOLVE_H
#define NK_SOLVE_H

#include "solver/analysis/analysis.h"

struct nk_plan {
    enum nk_layout layout;
    /* Bytes in each process, without the index, the buffers of the table (8 MiB) and the page cache: while the board is
     * analysed, while its codes and trap values are computed, and the greater of them. */
    uint64_t analysing, writing, memory;
    uint64_t disk; /* bytes in the storage, for all processes together */
};

/* The plan for a board on all processes of a cluster (NULL for this process alone) with so many threads in each, 0 for
 * one per processor. nk_index_count is enough for the index. The size of the losses and the number of draws are those
 * of usual boards, all else is an upper bound. On other boards the trap values take more, up to nk_traps_memory for
 * NK_MAX_TRAPS draws with NK_DIRECTIONS moves of each piece. */
struct nk_plan nk_plan(const struct nk_index *index, const struct nk_cluster *cluster, enum nk_layout layout,
                       int threads, bool with_traps);

/* The bytes for the trap values of a board with so many drawn entries, or 0 for a board without them. */
uint64_t nk_plan_traps(const struct nk_index *index, uint64_t draws, int threads);

#endif
