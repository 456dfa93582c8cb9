/* Writing a table. */
#ifndef NK_TABLE_WRITE_H
#define NK_TABLE_WRITE_H

#include "common/game/index.h"
#include "common/system/file.h"

/* A table that is being written in parts, so that a large one is never in memory as a whole. One thread at a
 * time may use a writer. */
struct nk_table_writer;

/* Where the bytes of a table go. The functions that can fail return NK_E_WRITE or NK_E_MEMORY. */
struct nk_table_sink {
    void *context;

    /* Adds bytes at the end. */
    enum nk_status (*append)(void *context, const void *bytes, size_t length, struct nk_error *error);

    /* Replaces the first `length` bytes, which were appended before. */
    enum nk_status (*replace_first)(void *context, const void *bytes, size_t length, struct nk_error *error);

    /* Ends the table and frees the context, also after a failure. Sets *checksum, unless it is NULL, to the XXH3-64 of
     * all bytes. NULL if there is nothing to do. */
    enum nk_status (*close)(void *context, uint64_t *checksum, struct nk_error *error);

    /* Frees the context of a table that is not completed; NULL if `close` is NULL. */
    void (*abandon)(void *context);
};

/* Begins a table in a file that is being written, which is closed or abandoned with the table, or if this fails. Up to
 * `threads` threads compress, 0 for one per processor. The same table gives the same bytes. NK_E_WRITE with the reason
 * in *error (may be NULL), NK_E_MEMORY. The caller frees the writer with nk_table_writer_close or
 * nk_table_writer_abandon. `index` must outlive it. */
enum nk_status nk_table_writer_open(struct nk_writer *file, const struct nk_index *index, int threads,
                                    struct nk_table_writer **writer, struct nk_error *error);

/* Begins a table in any sink, which is abandoned if this fails. Up to `threads` threads compress, 0 for one per
 * processor. NK_E_MEMORY, and the errors of the sink. The caller frees the writer with nk_table_writer_close or
 * nk_table_writer_abandon. `index` must outlive it. */
enum nk_status nk_table_writer_open_sink(struct nk_table_sink sink, const struct nk_index *index, int threads,
                                         struct nk_table_writer **writer, struct nk_error *error);

/* Appends the next `count` codes; all calls together must append index->entries. NK_E_WRITE,
 * NK_E_MEMORY. */
enum nk_status nk_table_writer_append(struct nk_table_writer *writer, const uint8_t *codes, uint64_t count,
                                      struct nk_error *error);

/* Ends the table with the summary and the trap values of all draws, in the order of their entries; `traps` is
 * NULL for a table without traps. Sets *file (may be NULL) to the size, and to the checksum of a file, and
 * *codes_checksum (may be NULL) to what nk_table_codes_checksum returns. Frees the writer, also after a failure.
 * NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_table_writer_close(struct nk_table_writer *writer, const struct nk_summary *summary,
                                     const uint8_t *traps, struct nk_file_digest *file,
                                     uint64_t *codes_checksum, struct nk_error *error);

/* Frees the writer and leaves the old file, if there is one, as it was. NULL is allowed. */
void nk_table_writer_abandon(struct nk_table_writer *writer);

#endif
