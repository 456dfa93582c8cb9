/* What the tests that solve boards share, and those that need a solved board. */
#ifndef SOLVER_SUPPORT_H
#define SOLVER_SUPPORT_H

#include "solver/analysis/retrograde.h"
#include "tests/support.h"

struct solved {
    struct nk_rules rules;
    struct nk_index *index;
    struct nk_solution *solution;
    uint8_t *codes; /* of all entries */
    uint8_t *traps; /* of the draws; NULL when there are none */
};

struct solved solve_board(struct nk_board board);
void solved_free(struct solved *solved);
#define AUTO_SOLVED AUTO(solved_free) struct solved

/* All codes of a solution, and the traps that follow from codes, for the caller to free. */
enum nk_status all_codes(struct nk_solution *solution, uint8_t **codes, struct nk_error *error);
uint8_t *traps_of(const struct nk_index *index, const uint8_t *codes, int threads);

/* Whether a solution, which is freed, is that of the board. */
bool is_same_solution(const struct solved *solved, struct nk_solution *solution);

/* What the table of a solved board contains. The board keeps it. */
struct contents contents_of(const struct solved *solved);

/* The table of a solved board, traps included: as a file, as bytes, and open; see tests/support.h. */
struct nk_file_digest write_table(const struct solved *solved, const char *path);
struct bytes table_bytes(const struct solved *solved);
struct nk_table *open_table(const struct solved *solved);

#endif
