/* Positions in which a single move is right. */
#ifndef NK_PUZZLE_H
#define NK_PUZZLE_H

#include "common/table.h"

struct nk_puzzle {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_move answer; /* the only winning move, or the only one that does not lose */
};

enum { NK_PUZZLE_SAVE = 0 }; /* instead of the plies of a win: a draw that a single move holds */

/* How many puzzles there are, positions equal but for colours and symmetry counted once. */
struct nk_puzzle_count {
    uint64_t total; /* with the plies asked for */
    int longest;    /* the most plies that there is one for */
};

/* Finds out of the entries from `begin` to `end` which are puzzles, so that nk_puzzle_take need not: writes
 * to kinds[entry] nk_puzzle_kind, or 0 where there is none. Errors as nk_table_code. */
enum nk_status nk_puzzle_survey(struct nk_table *table, uint64_t begin, uint64_t end, uint8_t *kinds,
                                struct nk_error *error);

static inline uint8_t nk_puzzle_kind(int plies)
{
    return (uint8_t)(1 + (plies + 1) / 2);
}

/* Takes puzzles by chance, each as likely as any other and none twice: a win in `plies` (odd), or
 * NK_PUZZLE_SAVE. Writes `wanted` of them, or all when there are fewer. Colours and symmetry are left to
 * chance as well. Every move but one leads to less, and there are at least two. *random is the state of
 * nk_random. Goes through the whole table unless `kinds`, which may be NULL, is a survey of all of it; then
 * count->longest is just `plies`. Errors as nk_table_code. */
enum nk_status nk_puzzle_take(struct nk_table *table, const uint8_t *kinds, int plies, uint64_t *random,
                              struct nk_puzzle *puzzles, size_t wanted, struct nk_puzzle_count *count,
                              struct nk_error *error);

#endif
