/* An open table: its header, the list of its blocks, and the blocks in memory (docs/perfect_move.md). For
 * common/table/lookup.c, which looks up values, and for what opens tables in another way than
 * common/table/open_file.c. */
#ifndef NK_TABLE_OPEN_H
#define NK_TABLE_OPEN_H

#include "common/table/format.h"

#include <inttypes.h>
#include <stdatomic.h>

/* Where the bytes of a table come from. The functions may be called by several threads at once. */
struct nk_table_source {
    void *context;
    const char *name; /* of the file, for error messages; NULL if there is none */
    uint64_t size;    /* bytes of the table */

    /* Reads `length` bytes at `offset`, offset + length <= size. NK_E_READ, or NK_E_CORRUPT if the file has
     * become shorter. */
    enum nk_status (*read)(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                           struct nk_error *error);

    void (*close)(void *context); /* or NULL */
};

/* The header. All but the checksums, the summary and the exact number of entries has been checked against
 * the board. */
struct nk_table_header {
    struct nk_rules rules;
    struct nk_summary summary;
    uint64_t entries;
    uint32_t blocks;         /* of codes; as many of trap values follow */
    uint64_t codes_checksum; /* XXH3-64 of all uncompressed codes */
    uint64_t checksum;       /* XXH3-64 of header and list */
};

struct nk_table {
    struct nk_table_source source;
    struct nk_table_header header;
    struct nk_index *index;
    bool has_traps;               /* some block of trap values is not empty */
    uint8_t *bytes;               /* header and list, as in the file */
    _Atomic(uint8_t *) *blocks;   /* [2 * header.blocks] uncompressed; NULL: not in memory */
    struct nk_block_cache *cache; /* which blocks are in memory; NULL: each one stays once it is there */
    _Atomic(uint16_t *) values;   /* [entries] see nk_table_load; NULL before */
};

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
 * *done: there is nothing left to do, and `loading` is all zero again, as it is after an error. Errors as
 * nk_table_load. */
enum nk_status nk_table_load_part(struct nk_table *table, struct nk_table_loading *loading, uint32_t steps,
                                  bool *done, struct nk_error *error);

/* Opens the table that a source has; the source is closed by nk_table_close, or here if this fails.
 * NK_E_NOT_TABLE, NK_E_CORRUPT, NK_E_MEMORY, NK_E_READ. A file costs no more memory or time than its size and
 * its board justify, whatever its header claims. */
enum nk_status nk_table_open_source(struct nk_table_source source, struct nk_table **table,
                                    struct nk_error *error);

/* As nk_table_open, with a file that is open for reading; nk_table_close closes it, or this function if it fails.
 * `path` is for messages. */
enum nk_status nk_table_open_descriptor(int descriptor, const char *path, struct nk_table **table,
                                        struct nk_error *error);

/* Records a failure with the reason after the name of the table's file; has the value `status`. */
enum nk_status nk_table_fail(const struct nk_table *table, enum nk_status status, const char *reason,
                             struct nk_error *error);

/* The same for a damaged table. The format is that of nk_fail. */
#define nk_table_damaged(error, ...) nk_fail(error, NK_E_CORRUPT, 0, "damaged: " __VA_ARGS__)

/* Where a compressed block begins in the file, and its length; block < 2 * blocks. */
uint64_t nk_table_block_begin(const struct nk_table *table, uint32_t block);
size_t nk_table_block_length(const struct nk_table *table, uint32_t block);

/* The number of entries in a block of codes. */
size_t nk_table_block_entries(const struct nk_table *table, uint32_t block);

/* Uncompresses a block of codes to codes[], whether it is in memory or not. Errors as the next function. */
enum nk_status nk_table_read_codes(const struct nk_table *table, uint32_t block, uint8_t *codes,
                                   struct nk_error *error);

/* Sets *bytes to the uncompressed bytes of a block that is not empty; they stay in memory until
 * nk_table_release. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_acquire(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                                struct nk_error *error);
void nk_table_release(struct nk_table *table, uint32_t block);

#endif
