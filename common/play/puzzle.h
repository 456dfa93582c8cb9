/* Puzzles: positions in which only one of several moves keeps the win or the draw. */
#ifndef NK_PUZZLE_H
#define NK_PUZZLE_H

#include "common/table/lookup.h"

/* The number of puzzles. Positions that differ only by colours or symmetry are counted once. */
struct nk_puzzle_count {
    uint64_t total; /* with the requested plies */
    int longest;    /* the largest number of plies of a puzzle */
};

/* Classifies the entries from `begin` to before `end`: sets kinds[entry], of the whole table, to the nk_puzzle_kind
 * of the puzzle, or to 0 if the entry is not a puzzle. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY; kinds[] may then have
 * been written to. */
enum nk_status nk_puzzle_survey(struct nk_table *table, uint64_t begin, uint64_t end, uint8_t *kinds,
                                struct nk_error *error);

/* 1 for NK_PUZZLE_DRAW, 2 for a win in 1 ply, 3 for a win in 3 plies, ... */
static inline uint8_t nk_puzzle_kind(int plies)
{
    return (uint8_t)(1 + (plies + 1) / 2);
}

/* Takes a random sample of the puzzles with `plies`, which is odd for a win or NK_PUZZLE_DRAW: writes `wanted`
 * different ones to puzzles[], or all if there are fewer, each in a random symmetry and with a random side to move.
 * *random is the state of nk_random; fewer with the same one are the first of more. `kinds` is the survey of the whole
 * table, or NULL to read the whole table; with a survey, count->longest is at most `plies`. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY; puzzles[] may then have been written to. */
enum nk_status nk_puzzle_take(struct nk_table *table, const uint8_t *kinds, int plies, uint64_t *random,
                              struct nk_puzzle *puzzles, size_t wanted, struct nk_puzzle_count *count,
                              struct nk_error *error);

/* Looks for a puzzle with `from` to `to` plies, both odd for wins or both NK_PUZZLE_DRAW, near some random entries:
 * it reads few blocks, of a table of any size, and may find none although there are some. *found: there is one in
 * *puzzle. *random is the state of nk_random. Not every puzzle has the same probability. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY. */
enum nk_status nk_puzzle_sample(struct nk_table *table, int from, int to, uint64_t *random,
                                struct nk_puzzle *puzzle, bool *found, struct nk_error *error);

#endif
