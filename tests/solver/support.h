/* What the tests that solve boards share, and those that need a solved board. */
#ifndef SOLVER_SUPPORT_H
#define SOLVER_SUPPORT_H

#include "solver/analysis/analysis.h"
#include "solver/solver.h"
#include "tests/support.h"

/* The counts of a solved board. */
struct solution {
    struct nk_summary summary;
    uint64_t by_plies[NK_MAX_PLIES + 1]; /* positions with this distance in plies */
    uint64_t example;                    /* the lowest entry with the largest distance */
};

struct solved {
    struct nk_rules rules;
    struct nk_index *index;
    struct solution *solution;
    uint8_t *codes; /* of all entries */
    uint8_t *traps; /* of the draws; NULL when there are none, or they have been dropped */
};

struct solved solve_board(struct nk_board board);
struct solved solve_without_traps(struct nk_board board);
void drop_traps(struct solved *solved);
void solved_free(struct solved *solved);
#define AUTO_SOLVED AUTO(solved_free) struct solved

/* Opens losses with a checkpoint in a directory; the checkpoint is closed together with them. */
enum nk_status open_losses(const char *directory, const struct nk_index *index, struct nk_losses **losses,
                           struct nk_error *error);
void close_losses(struct nk_losses *losses);

/* Runs all passes that remain. */
enum nk_status run_passes(struct nk_losses *losses, const struct nk_analysis_options *options,
                          struct nk_error *error);

/* Limits for the options of an analysis: the usual one; few, all and some passes are sparse. With the last, one on the
 * standard board decides so many positions that the next one is dense again. */
enum { SPARSE_LIMITS = 4 };
extern const uint64_t sparse_limits[SPARSE_LIMITS];

/* All codes of a complete record, and the traps that follow from codes, for the caller to free. */
enum nk_status all_codes(struct nk_losses *losses, uint8_t **codes, struct nk_error *error);
uint8_t *traps_of(const struct nk_index *index, const uint8_t *codes, int threads);

/* Whether a complete record has the solution of the board. */
bool is_same_solution(const struct solved *solved, struct nk_losses *losses);

/* What the table of a solved board contains. The board keeps it. */
struct contents contents_of(const struct solved *solved);

/* The table of a solved board, traps included: as a file, as bytes, and open; see tests/support.h. */
void write_table(const struct solved *solved, const char *path);
struct bytes table_bytes(const struct solved *solved);
struct nk_table *open_solved(const struct solved *solved);

#endif
