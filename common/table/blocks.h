/* The blocks of an open table: where they are in the file, and which of them are in memory. */
#ifndef NK_TABLE_BLOCKS_H
#define NK_TABLE_BLOCKS_H

#include "common/table/table.h"

/* Takes the memory for the list of the blocks in memory, for nk_table_blocks_free, which also frees the blocks that
 * were read. NK_E_MEMORY. The header has been read, or the table has codes, and then has all blocks. */
enum nk_status nk_table_blocks_new(struct nk_table *table, struct nk_error *error);
void nk_table_blocks_free(struct nk_table *table);

/* Where a compressed block begins in the file, and its length; block < 2 * blocks. */
uint64_t nk_table_block_begin(const struct nk_table *table, uint32_t block);
size_t nk_table_block_length(const struct nk_table *table, uint32_t block);

/* Whether a block has nothing: one of trap values without draws, or in a table without trap values. */
bool nk_table_block_is_empty(const struct nk_table *table, uint32_t block);

/* The number of entries in a block of codes. */
size_t nk_table_block_entries(const struct nk_table *table, uint32_t block);

/* Uncompresses a block of codes to codes[], whether it is in memory or not. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY; codes[] may then have been written to. */
enum nk_status nk_table_read_codes(const struct nk_table *table, uint32_t block, uint8_t *codes,
                                   struct nk_error *error);

/* Sets *bytes to the uncompressed bytes of a block that is not empty; they stay in memory until
 * nk_table_release. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_table_acquire(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                                struct nk_error *error);
void nk_table_release(struct nk_table *table, uint32_t block);

#endif
