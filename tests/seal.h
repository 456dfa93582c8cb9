/* Sets the checksums of a table right: what damage is noticed then is not noticed by them. */
#ifndef SEAL_H
#define SEAL_H

#include "common/table_format.h"

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

static inline void seal(uint8_t *table, size_t size)
{
    if (size < NK_HEADER_BYTES)
        return;
    memcpy(table + NK_AT_MAGIC, nk_magic, sizeof nk_magic);
    nk_put32(table + NK_AT_VERSION, NK_FORMAT_VERSION);
    nk_put64(table + NK_AT_SIZE, size);
    seal_blocks(table, size);
    const uint64_t head = nk_list_end(nk_get32(table + NK_AT_BLOCKS));
    nk_put64(table + NK_AT_CHECKSUM, 0);
    if (head <= size)
        nk_put64(table + NK_AT_CHECKSUM, XXH3_64bits(table, head));
}

#endif
