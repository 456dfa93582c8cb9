/* Tables made by hand. `seal` corrects the checksums of a damaged one: what damage is noticed then is not noticed by
 * them. */
#ifndef SEAL_H
#define SEAL_H

#include "common/table/table.h"
#include "tests/table_format.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static inline void seal_blocks(uint8_t *file, size_t size)
{
    const uint32_t blocks = get32(file + TABLE_AT_BLOCKS);
    uint64_t begin = table_list_end(blocks);
    if (begin > size)
        return;
    for (uint64_t b = 0; b < 2 * (uint64_t)blocks; b++) {
        uint8_t *entry = file + TABLE_HEADER + b * TABLE_ITEM;
        const uint64_t end = get64(entry + TABLE_AT_ITEM_END);
        if (end < begin || end > size)
            return;
        put64(entry + TABLE_AT_ITEM_CHECKSUM, XXH3_64bits(file + begin, end - begin));
        begin = end;
    }
}

/* Sets only the checksum of header and list. */
static inline void seal_header(uint8_t *file, size_t size)
{
    const uint64_t end = table_list_end(get32(file + TABLE_AT_BLOCKS));
    put64(file + TABLE_AT_CHECKSUM, 0);
    if (end <= size)
        put64(file + TABLE_AT_CHECKSUM, XXH3_64bits(file, end));
}

static inline void seal(uint8_t *file, size_t size)
{
    if (size < TABLE_HEADER)
        return;
    memcpy(file + TABLE_AT_SIGNATURE, table_signature, sizeof table_signature);
    put32(file + TABLE_AT_VERSION, TABLE_VERSION);
    put64(file + TABLE_AT_SIZE, size);
    seal_blocks(file, size);
    seal_header(file, size);
}

enum { MOST_PACKED_BYTES = 16 + 2 * TABLE_BLOCK_CODES }; /* of packed_by_hand */

/* Packs codes, two to a byte, with 0 to 14 as the listed ones. Returns how many bytes there are. */
static inline size_t packed_by_hand(const uint8_t *codes, size_t count, uint8_t *packed)
{
    enum { TWO = 2, LISTED = 15, NOT_LISTED = 15 };
    size_t length = 0;
    packed[length++] = TWO;
    for (uint8_t code = 0; code < LISTED; code++)
        packed[length++] = code;
    for (size_t i = 0; i < count; i += 2) {
        const int low = codes[i] < LISTED ? codes[i] : NOT_LISTED;
        const int second = i + 1 < count ? codes[i + 1] : 0;
        const int high = second < LISTED ? second : NOT_LISTED;
        packed[length++] = (uint8_t)(low + 16 * high);
    }
    for (size_t i = 0; i < count; i++)
        if (codes[i] >= LISTED)
            packed[length++] = codes[i];
    return length;
}

/* Makes up the codes or trap values of a block, the same for blocks whose numbers differ by MADE_UP_PERIOD. */
enum { MADE_UP_PERIOD = 61 };
typedef void make_up_block(uint32_t block, uint8_t *bytes, size_t length);

/* Appends the compressed block MADE_UP_PERIOD before `block` once more: compressing is slow. Returns the end. */
static inline uint64_t repeat_block(uint32_t block, uint8_t *file, uint64_t end)
{
    const uint8_t *item =
        file + TABLE_HEADER + (size_t)(block - MADE_UP_PERIOD) * TABLE_ITEM + TABLE_AT_ITEM_END;
    const uint64_t first = get64(item - TABLE_ITEM), length = get64(item) - first;
    memcpy(file + end, file + first, length);
    return end + length;
}

/* Appends the compressed blocks of made_up_table to its header. Returns the end. */
static inline uint64_t make_up_blocks(const struct nk_index *index, make_up_block *make_up, uint8_t *file)
{
    const uint32_t blocks = table_blocks(index->entries);
    uint64_t end = table_list_end(blocks);
    for (uint32_t b = 0; b < 2 * blocks; b++) {
        static _Thread_local uint8_t bytes[TABLE_BLOCK_CODES], packed[MOST_PACKED_BYTES];
        const uint64_t left = index->entries - (uint64_t)(b % blocks) * TABLE_BLOCK_CODES;
        const uint8_t *content = bytes;
        size_t length = left < TABLE_BLOCK_CODES ? (size_t)left : TABLE_BLOCK_CODES;
        size_t compressed_length = b < blocks;
        if (b % blocks > MADE_UP_PERIOD && left >= TABLE_BLOCK_CODES) {
            end = repeat_block(b, file, end);
            put64(file + TABLE_HEADER + (size_t)b * TABLE_ITEM + TABLE_AT_ITEM_END, end);
            continue;
        }
        if (make_up)
            make_up(b % blocks, bytes, length);
        if (make_up && b >= blocks) {
            length = count_draws(bytes, length);
            make_up(b, bytes, length);
        }
        if (make_up && b < blocks) {
            length = packed_by_hand(bytes, length, packed);
            content = packed;
        }
        if (make_up && length && nk_compress(content, length, file + end, &compressed_length))
            abort();
        end += compressed_length;
        put64(file + TABLE_HEADER + (size_t)b * TABLE_ITEM + TABLE_AT_ITEM_END, end);
    }
    return end;
}

/* A table whose blocks are made up, those of traps after those of codes; with NULL, a block of codes is a single byte
 * that cannot be read, and there are no traps. NULL if there is not enough memory. */
static inline uint8_t *made_up_table(const struct nk_index *index, uint32_t longest, make_up_block *make_up,
                                     size_t *size)
{
    const struct nk_rules *rules = &index->rules;
    const uint32_t blocks = table_blocks(index->entries);
    const size_t room = make_up ? nk_compress_bound(MOST_PACKED_BYTES) : 1;
    uint8_t *file =
        calloc((size_t)table_list_end(blocks) + 2 * blocks * room, 1); /* most of it is never written */
    if (!file)
        return NULL;
    *size = (size_t)make_up_blocks(index, make_up, file);
    file[TABLE_AT_WIDTH] = (uint8_t)rules->board.width;
    file[TABLE_AT_HEIGHT] = (uint8_t)rules->board.height;
    file[TABLE_AT_PIECES] = (uint8_t)rules->board.pieces;
    file[TABLE_AT_ROW_LENGTH] = (uint8_t)rules->board.row_length;
    file[TABLE_AT_WIN] = (uint8_t)rules->board.win;
    put32(file + TABLE_AT_LONGEST, longest);
    put64(file + TABLE_AT_PLACEMENTS, index->placements);
    put64(file + TABLE_AT_ENTRIES, index->entries);
    put32(file + TABLE_AT_BLOCK_CODES, TABLE_BLOCK_CODES);
    put32(file + TABLE_AT_BLOCKS, blocks);
    seal(file, *size);
    return file;
}

#endif
