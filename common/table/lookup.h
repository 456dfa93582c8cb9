/* The solved game: the value of every position, in perfect_move.dat (docs/FORMATS.md).
 *
 * The table stores losses with their distances, draws, and wins without: the distance of a win is one ply more
 * than the shortest loss that a move leads to. Any number of threads may use an open table at once. */
#ifndef NK_TABLE_LOOKUP_H
#define NK_TABLE_LOOKUP_H

#include "common/table/table.h"

/* The code of an entry, entry < nk_table_index(table)->entries. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error);

/* The codes of `count` entries from `first` on, first + count <= entries. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY; codes[] may then have been written to. */
enum nk_status nk_table_codes(struct nk_table *table, uint64_t first, uint64_t count, uint8_t *codes,
                              struct nk_error *error);

/* The block that a pass over a whole table has reached. Zeroed, none. */
struct nk_table_pass {
    uint32_t block; /* 1 + the number of the block in codes[]; 0 for none */
    uint8_t codes[NK_BLOCK_ENTRIES];
};

/* The codes of `count` entries from `first` on, first + count <= entries, in a pass over the table in which `first`
 * never decreases: uncompresses each block only once, without keeping the blocks of a large table in memory. One thread
 * at a time may use a pass. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY; codes[] may then have been written to. */
enum nk_status nk_table_pass_codes(struct nk_table *table, struct nk_table_pass *pass, uint64_t first,
                                   uint64_t count, uint8_t *codes, struct nk_error *error);

/* The trap values of all entries whose code is a draw, in their order; traps[] has room for as many. NK_E_READ,
 * NK_E_CORRUPT, NK_E_MEMORY; traps[] may then have been written to. */
enum nk_status nk_table_traps(struct nk_table *table, uint8_t *traps, struct nk_error *error);

/* Inserts a move with its value into moves[], which has `count` moves, best first. Moves of equal value stay in the
 * order in which they are inserted. */
void nk_move_values_insert(struct nk_move_value moves[], int count, struct nk_move move,
                           struct nk_value value);

/* A load (nk_table_load) that is done in parts; all zero at first. */
struct nk_table_loading {
    uint16_t *values; /* as those of the table, to which they are given in the end */
    uint16_t *wins;   /* scratch */
    bool *won;        /* [configurations] whether they win */
    void *hash;       /* of the codes so far: an XXH3_state_t, whose name depends on how xxHash is included */
    uint32_t blocks;  /* those that have been read */
    uint32_t orbits;  /* those whose wins have been measured */
};

/* Does at most so many steps of a load: each reads a block and, after all blocks, measures the wins against an orbit.
 * *done: there is nothing left to do, and `loading` is all zero again, as it is after an error.
 * NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_load_part(struct nk_table *table, struct nk_table_loading *loading, uint32_t steps,
                                  bool *done, struct nk_error *error);

#endif
