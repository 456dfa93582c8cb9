/* The solved game: the value of every position, in perfect_move.dat (docs/perfect_move.md).
 *
 * The table stores losses with their distances, draws, and wins without: the distance of a win is one ply more
 * than the shortest loss that a move leads to. Any number of threads may use an open table at once. */
#ifndef NK_TABLE_LOOKUP_H
#define NK_TABLE_LOOKUP_H

#include "common/system/file.h"
#include "common/table/format.h"

const struct nk_index *nk_table_index(const struct nk_table *table);

/* The code of an entry, entry < nk_table_index(table)->entries. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error);

/* The codes of `count` entries from `first` on, first + count <= entries. Errors as nk_table_code. */
enum nk_status nk_table_codes(struct nk_table *table, uint64_t first, uint64_t count, uint8_t *codes,
                              struct nk_error *error);

/* The block that a pass over a whole table has reached. Zeroed, none. */
struct nk_table_pass {
    uint32_t block; /* the number of the next one */
    uint8_t codes[NK_BLOCK_ENTRIES];
};

/* As nk_table_codes, for passes in ascending order: uncompresses each block only once, without keeping the blocks of a
 * large table in memory. One thread at a time may use a pass. */
enum nk_status nk_table_pass_codes(struct nk_table *table, struct nk_table_pass *pass, uint64_t first,
                                   uint64_t count, uint8_t *codes, struct nk_error *error);

/* The trap values of all entries whose code is a draw, in their order; traps[] has room for as many. Errors
 * as nk_table_code. */
enum nk_status nk_table_traps(struct nk_table *table, uint8_t *traps, struct nk_error *error);

/* Inserts a move into moves[], which has `count` moves, best first. `reply` is the value of the position after the
 * move to the opponent. Moves of equal value stay in the order in which they are inserted. */
void nk_move_values_insert(struct nk_move_value moves[], int count, struct nk_move move,
                           struct nk_value reply);

/* XXH3-64 of all codes in the order of their entries, as the header has it. It does not depend on how they are
 * compressed. */
uint64_t nk_table_codes_checksum(const struct nk_table *table);

/* Whether the table has trap values. */
bool nk_table_has_traps(const struct nk_table *table);

/* ---- writing ---- */

/* A table that is being written in parts, so that a large one is never in memory as a whole. One thread at a
 * time may use a writer. */
struct nk_table_writer;

/* Where the bytes of a table go. The functions return the errors of nk_table_writer_open. */
struct nk_table_sink {
    void *context;

    /* Adds bytes at the end. */
    enum nk_status (*append)(void *context, const void *bytes, size_t length, struct nk_error *error);

    /* Replaces the first `length` bytes, which were appended before. */
    enum nk_status (*replace_first)(void *context, const void *bytes, size_t length, struct nk_error *error);

    /* Ends the table and frees the context, also after a failure. Sets *checksum, unless it is NULL, to the XXH3-64 of
     * all bytes. NULL if there is nothing to do. */
    enum nk_status (*close)(void *context, uint64_t *checksum, struct nk_error *error);

    /* Frees the context of a table that is not completed, or NULL. */
    void (*abandon)(void *context);
};

/* Begins a table in a file that is being written, which is closed or abandoned with the table, or if this fails. Up to
 * `threads` threads compress, 0 for one per processor. The same table gives the same bytes. NK_E_WRITE with the reason
 * in *error (may be NULL), NK_E_MEMORY. The caller frees the writer with nk_table_writer_close or
 * nk_table_writer_abandon. `index` must outlive it. */
enum nk_status nk_table_writer_open(struct nk_writer *file, const struct nk_index *index, int threads,
                                    struct nk_table_writer **writer, struct nk_error *error);

/* The same for any sink, which is abandoned if this fails. */
enum nk_status nk_table_writer_open_sink(struct nk_table_sink sink, const struct nk_index *index, int threads,
                                         struct nk_table_writer **writer, struct nk_error *error);

/* Appends the next `count` codes; all calls together must append index->entries. Errors as above. */
enum nk_status nk_table_writer_append(struct nk_table_writer *writer, const uint8_t *codes, uint64_t count,
                                      struct nk_error *error);

/* Ends the table with the summary and the trap values of all draws, in the order of their entries; `traps` is
 * NULL for a table without traps. Sets *file (may be NULL) to the size, and to the checksum of a file, and
 * *codes_checksum (may be NULL) to what nk_table_codes_checksum returns. Frees the writer, also after a failure. Errors
 * as above. */
enum nk_status nk_table_writer_close(struct nk_table_writer *writer, const struct nk_summary *summary,
                                     const uint8_t *traps, struct nk_file_digest *file,
                                     uint64_t *codes_checksum, struct nk_error *error);

/* Frees the writer and leaves the old file, if there is one, as it was. NULL is allowed. */
void nk_table_writer_abandon(struct nk_table_writer *writer);

/* As nk_table_open; the path "-" stands for standard input, which is read to its end unless it is a file. NK_E_WRITE if
 * there is no place for a copy. */
enum nk_status nk_table_open_named(const char *path, struct nk_table **table, struct nk_error *error);

/* Sets *file to the size and checksum of the file of a table. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_digest(struct nk_table *table, struct nk_file_digest *file, struct nk_error *error);

#endif
