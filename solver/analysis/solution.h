/* The solution of a board: counts of positions, and the code of every entry of the index. */
#ifndef NK_SOLUTION_H
#define NK_SOLUTION_H

#include "common/table/table.h"
#include "solver/cluster/cluster.h"
#include "solver/log/log.h"
#include "solver/base/memory.h"

struct nk_solution {
    struct nk_summary summary;
    uint64_t by_plies[NK_MAX_PLIES + 1]; /* positions with this distance in plies; even losses, odd wins */
    /* The lowest entry with a distance of summary.longest plies; index->entries or more if there is none. */
    uint64_t example;
    uint64_t sent; /* bytes that the processes sent each other */

    const struct nk_index *index;
    struct nk_log *log;
    bool owns_log;
    struct nk_share share; /* of this process */
    int threads;
    struct nk_memory memory; /* of `won` and `part` */
    uint8_t *won;            /* [configurations] whether it wins */

    /* For nk_solution_part. */
    uint32_t first, filled;        /* the slices of the share whose codes are in `codes` */
    struct nk_memory codes_memory; /* of `codes` */
    uint8_t *codes; /* [threads][configurations of the mover][NK_LANES orbits of the other side]; or NULL */
    uint8_t *part;  /* the codes of one part, by entry */
};

/* The number of threads that work on a share, one on each slice. `threads` as in nk_solve_options. */
int nk_solution_threads(const struct nk_share *share, int threads);

/* Describes the solution of a share and lists its arrays, without allocating them. `threads` as in nk_solve_options. */
void nk_solution_list(struct nk_solution *solution, const struct nk_index *index, struct nk_share share,
                      int threads);

/* Allocates a solution for nk_solve. `log` must outlive it; if it is NULL, the solution has a log in memory. `threads`
 * as in nk_solve_options. Returns NULL if memory runs out. The index must outlive the solution. */
struct nk_solution *nk_solution_new(const struct nk_index *index, struct nk_log *log, int threads);

/* Frees a solution; accepts NULL. */
void nk_solution_free(struct nk_solution *solution);

/* The codes of all entries (common/table/format.h), in parts that follow each other. All processes request all parts in
 * order and once, one thread of each. Process 0 receives the `count` codes, valid until the next call; the others NULL.
 * NK_E_MEMORY, and the errors of nk_log_read. */
uint32_t nk_solution_parts(const struct nk_solution *solution);
enum nk_status nk_solution_part(struct nk_solution *solution, uint32_t part, const uint8_t **codes,
                                uint64_t *count, struct nk_error *error);

#endif
