/* The blocks of an open table in memory. common/blocks.c reads them from a file when they are first asked
 * for; web/blocks.c has them all from the beginning. */
#ifndef NK_BLOCKS_H
#define NK_BLOCKS_H

#include "head.h"

const struct nk_head *nk_table_head(const struct nk_table *table);

/* The `expected` bytes of a block, unpacked; they stay until nk_table_let_go. Errors as nk_table_code. */
enum nk_status nk_table_hold(struct nk_table *table, uint32_t block, size_t expected, const uint8_t **bytes,
                             struct nk_error *error);
void nk_table_let_go(struct nk_table *table, uint32_t block);

#endif
