/* A table in the browser, where the page inflates: it asks for a table's bytes, then for every block
 * unpacked. */
#ifndef NK_WEB_BLOCKS_H
#define NK_WEB_BLOCKS_H

#include "common/head.h"

/* Begins a table from its `size` bytes, which are only read now. Checks head, list and the checksum of every
 * block. NK_E_NOT_TABLE, NK_E_CORRUPT, NK_E_MEMORY. The caller hands the table to nk_table_close. */
enum nk_status web_table_begin(const uint8_t *bytes, size_t size, struct nk_table **table,
                               struct nk_error *error);

/* Takes the bytes that a block unpacks to; block < 2 * blocks, in their order. That the block ends where its
 * stream ends is for the page to check, which unpacks it. NK_E_CORRUPT when the length is wrong, or the block
 * of traps of a block of codes is empty and must not be, or the other way round; NK_E_MEMORY. */
enum nk_status web_table_take(struct nk_table *table, uint32_t block, const uint8_t *bytes, size_t length,
                              struct nk_error *error);

/* After the last block: NK_E_CORRUPT unless all are there and the checksum of all codes agrees. Only then may
 * the table be asked. */
enum nk_status web_table_finish(const struct nk_table *table, struct nk_error *error);

#endif
