/* The solved game: what every position is worth, in memory and in perfect_move.dat (docs/perfect_move.md).
 *
 * The table stores losses with their distance, draws, and the bare fact of a win: the distance of a win is
 * one ply more than that of its nearest lost successor, found by looking one move ahead.
 *
 * An open table may be asked by any number of threads at once.
 */
#ifndef NK_TABLE_H
#define NK_TABLE_H

#include "file.h"
#include "index.h"

#include <assert.h>

/* What an entry is worth, in a byte: see nk_index_entry for the entries. */
enum {
    NK_CODE_WIN = 0, /* also where the mover has already won, which is no position */
    NK_CODE_DRAW = 1,
    NK_CODE_LOSS = 2 /* NK_CODE_LOSS + plies / 2; a loss takes an even number of plies */
};
static_assert(NK_MAX_PLIES == 2 * (255 - NK_CODE_LOSS) + 1,
              "the longest win is one move from the longest loss");

static inline uint8_t nk_code_loss(int plies)
{
    return (uint8_t)(NK_CODE_LOSS + plies / 2);
}

const struct nk_index *nk_table_index(const struct nk_table *table);

/* The code of an entry, entry < nk_table_index(table)->entries. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error);

/* The codes of `count` entries from `first` on, first + count <= entries. Errors as nk_table_code. */
enum nk_status nk_table_codes(struct nk_table *table, uint64_t first, uint64_t count, uint8_t *codes,
                              struct nk_error *error);

/* The trap values of all entries whose code is a draw, in their order; traps[] has room for as many. Errors
 * as nk_table_code. */
enum nk_status nk_table_traps(struct nk_table *table, uint8_t *traps, struct nk_error *error);

/* Puts a move that leads to a position worth `reply` to the opponent into its place among the `count` moves
 * before it, best first; equals stay in the order in which they come. */
void nk_move_values_insert(struct nk_move_value moves[], int count, struct nk_move move,
                           struct nk_value reply);

/* The index of a move, which must be one of the `count` moves. */
int nk_move_values_find(const struct nk_move_value moves[], int count, struct nk_move move);

/* XXH3-64 of all codes in the order of their entries, as the table's writer reckoned it: the same whatever
 * compressed them. */
uint64_t nk_table_codes_checksum(const struct nk_table *table);

/* True when the table holds traps. */
bool nk_table_has_traps(const struct nk_table *table);

/* ---- writing ---- */

/* A table being written, entry by entry, so that no more of a large one need be in memory than the caller
 * has at hand. One thread at a time may use a writer. */
struct nk_table_writer;

/* Begins a table. The file appears under its name whole, on disk, or not at all (see common/file.h). The same
 * table gives the same bytes. NK_E_WRITE with the reason in *error (may be NULL), NK_E_MEMORY. The caller
 * hands the writer to nk_table_writer_close or to nk_table_writer_abandon. `index` must outlive it. */
enum nk_status nk_table_writer_open(const char *path, const struct nk_index *index,
                                    struct nk_table_writer **writer, struct nk_error *error);

/* Takes the next `count` codes; all calls together give index->entries. Errors as above. */
enum nk_status nk_table_writer_append(struct nk_table_writer *writer, const uint8_t *codes, uint64_t count,
                                      struct nk_error *error);

/* Ends the table: the summary, and for every entry whose code is a draw, in order, its trap value (traps may
 * be NULL: a table without). Frees the writer, whatever happens. Errors as above. *file (may be NULL)
 * describes what was written. */
enum nk_status nk_table_writer_close(struct nk_table_writer *writer, const struct nk_summary *summary,
                                     const uint8_t *traps, struct nk_file *file, struct nk_error *error);

/* Leaves the old file as it was. NULL is allowed. */
void nk_table_writer_abandon(struct nk_table_writer *writer);

/* Writes a table at once, from all its codes: open, append, close. */
enum nk_status nk_table_write(const char *path, const struct nk_index *index,
                              const struct nk_summary *summary, const uint8_t *codes, const uint8_t *traps,
                              struct nk_file *file, struct nk_error *error);

#endif
