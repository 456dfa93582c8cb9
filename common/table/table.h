/* An open table (docs/FORMATS.md), for the files that open it, keep its blocks and look up values in it. */
#ifndef NK_TABLE_H
#define NK_TABLE_H

#include "common/table/format.h"

#include <inttypes.h>
#include <stdatomic.h>

/* Where the bytes of a table come from. The functions may be called by several threads at once. */
struct nk_table_source {
    void *context;
    const char *name; /* of the file, for error messages, as long as the source; NULL if there is none */
    uint64_t size;    /* bytes of the table */

    /* Reads `length` bytes at `offset`, offset + length <= size. NK_E_READ, or NK_E_CORRUPT if the file has
     * become shorter. */
    enum nk_status (*read)(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                           struct nk_error *error);

    void (*close)(void *context); /* or NULL */
};

/* All fair starts of a table. */
struct nk_fair_list {
    uint64_t count;
    struct nk_position starts[];
};

struct nk_table {
    struct nk_table_source source;
    struct nk_index *index;     /* and the rules */
    struct nk_summary summary;  /* as the header has it, of which only the placements are known to be right */
    uint64_t codes_checksum;    /* XXH3-64 of all uncompressed codes */
    uint32_t block_count;       /* of codes; as many of trap values follow */
    bool has_traps;             /* some block of trap values is not empty */
    uint8_t *bytes;             /* header and list, as in the file but for the checksum, which is 0 */
    _Atomic(uint8_t *) *blocks; /* [2 * block_count] uncompressed; NULL: not in memory */
    struct nk_block_cache *cache; /* which blocks are in memory; NULL: each one stays once it is there */
    _Atomic(uint16_t *) values;   /* [entries] see nk_table_load; NULL before */
    _Atomic(struct nk_fair_list *) fair; /* NULL before they are listed; freed with free() */

    /* Of a table that was solved in memory (nk_table_from_codes), instead of a source, list and cache: what blocks[]
     * points into. */
    uint8_t *codes; /* [entries]; NULL in a table that was opened */
    uint8_t *traps; /* of all draws; may be NULL */
};

/* Records a failure with the reason after the name of the table's file; has the value `status`. */
enum nk_status nk_table_fail(const struct nk_table *table, enum nk_status status, const char *reason,
                             struct nk_error *error);

/* Records NK_E_CORRUPT in *error (may be NULL) for a damaged table, and has this value. The format is that of
 * nk_fail. */
#define nk_table_damaged(error, ...) nk_fail(error, NK_E_CORRUPT, 0, "damaged: " __VA_ARGS__)

/* How the entries are numbered. Valid until nk_table_close. */
const struct nk_index *nk_table_index(const struct nk_table *table);

/* XXH3-64 of all codes in the order of their entries, as the header has it. It does not depend on how they are
 * compressed. */
uint64_t nk_table_codes_checksum(const struct nk_table *table);

/* Whether the table has trap values. */
bool nk_table_has_traps(const struct nk_table *table);

#endif
