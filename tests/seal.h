/* Tables made by hand. `seal` corrects the checksums of a damaged one: what damage is noticed then is not noticed by
 * them. */
#ifndef SEAL_H
#define SEAL_H

#include "common/table_format.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static inline void seal_blocks(uint8_t *table, size_t size)
{
    const uint32_t blocks = nk_get32(table + NK_AT_BLOCKS);
    uint64_t begin = nk_list_end(blocks);
    if (begin > size)
        return;
    for (uint64_t b = 0; b < 2 * (uint64_t)blocks; b++) {
        uint8_t *entry = table + NK_HEADER_BYTES + b * NK_BLOCK_BYTES;
        const uint64_t end = nk_get64(entry + NK_BLOCK_END);
        if (end < begin || end > size)
            return;
        nk_put64(entry + NK_BLOCK_CHECKSUM, XXH3_64bits(table + begin, end - begin));
        begin = end;
    }
}

/* Sets only the checksum of header and list. */
static inline void seal_header(uint8_t *table, size_t size)
{
    const uint64_t end = nk_list_end(nk_get32(table + NK_AT_BLOCKS));
    nk_put64(table + NK_AT_CHECKSUM, 0);
    if (end <= size)
        nk_put64(table + NK_AT_CHECKSUM, XXH3_64bits(table, end));
}

static inline void seal(uint8_t *table, size_t size)
{
    if (size < NK_HEADER_BYTES)
        return;
    memcpy(table + NK_AT_MAGIC, nk_magic, sizeof nk_magic);
    nk_put32(table + NK_AT_VERSION, NK_FORMAT_VERSION);
    nk_put64(table + NK_AT_SIZE, size);
    seal_blocks(table, size);
    seal_header(table, size);
}

/* A table of which each block of codes is a single byte, and each block of traps one or none: the caller's own function
 * for uncompressing makes up what is in them. NULL if there is not enough memory. */
static inline uint8_t *made_up_table(const struct nk_index *index, uint32_t longest, bool traps, size_t *size)
{
    const struct nk_rules *rules = &index->rules;
    const uint32_t blocks = (uint32_t)((index->entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES);
    const uint64_t end = nk_list_end(blocks);
    *size = (size_t)end + blocks * (traps ? 2 : 1);
    uint8_t *table = calloc(*size, 1);
    if (!table)
        return NULL;
    table[NK_AT_WIDTH] = (uint8_t)rules->board.width;
    table[NK_AT_HEIGHT] = (uint8_t)rules->board.height;
    table[NK_AT_PIECES] = (uint8_t)rules->board.pieces;
    table[NK_AT_ROW_LENGTH] = (uint8_t)rules->board.row_length;
    table[NK_AT_WIN] = (uint8_t)rules->board.win;
    nk_put32(table + NK_AT_LONGEST, longest);
    nk_put64(table + NK_AT_PLACEMENTS, index->placements);
    nk_put64(table + NK_AT_ENTRIES, index->entries);
    nk_put32(table + NK_AT_BLOCK, NK_BLOCK_ENTRIES);
    nk_put32(table + NK_AT_BLOCKS, blocks);
    for (uint32_t b = 0; b < 2 * blocks; b++)
        nk_put64(table + NK_HEADER_BYTES + (size_t)b * NK_BLOCK_BYTES + NK_BLOCK_END,
                 end + (b < blocks || traps ? b + 1 : blocks));
    seal(table, *size);
    return table;
}

#endif
