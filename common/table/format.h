/* The layout of perfect_move.dat, for what reads it (open.c, blocks.c) and writes it (write.c); docs/FORMATS.md
 * describes it. All numbers are little-endian. */
#ifndef NK_TABLE_FORMAT_H
#define NK_TABLE_FORMAT_H

#include "common/game/index.h"

#include <assert.h>

/* The code of an entry (see nk_index_entry), one byte. */
enum {
    NK_CODE_WIN = 0, /* also of illegal placements, in which the mover has already won */
    NK_CODE_DRAW = 1,
    NK_CODE_LOSS = 2 /* NK_CODE_LOSS + plies / 2; a loss takes an even number of plies */
};
static_assert(NK_MAX_PLIES == 2 * (255 - NK_CODE_LOSS) + 1,
              "the longest win is one move from the longest loss");

static inline uint8_t nk_code_loss(int plies)
{
    return (uint8_t)(NK_CODE_LOSS + plies / 2);
}

/* The signature: a byte above 127, a name, and the line ends that a transfer in text mode would change. */
static const uint8_t nk_table_signature[8] = {0x89, 'N', 'K', 'T', '\r', '\n', 0x1a, '\n'};

enum {
    NK_FORMAT_VERSION = 2,
    NK_BLOCK_ENTRIES = 1 << 14, /* codes in an uncompressed block; the last one may have fewer */
    NK_MAX_COMPRESSED = 2 * NK_BLOCK_ENTRIES, /* bytes of a compressed block; zlib needs far fewer */

    /* Offsets in the header. */
    NK_AT_SIGNATURE = 0,
    NK_AT_VERSION = 8,         /* u32 */
    NK_AT_WIDTH = 12,          /* u8 */
    NK_AT_HEIGHT = 13,         /* u8 */
    NK_AT_PIECES = 14,         /* u8 */
    NK_AT_ROW_LENGTH = 15,     /* u8 */
    NK_AT_WIN = 16,            /* u8 */
    NK_AT_ZERO = 17,           /* 3 bytes */
    NK_AT_LONGEST = 20,        /* u32 */
    NK_AT_PLACEMENTS = 24,     /* u64 */
    NK_AT_LEGAL = 32,          /* u64 */
    NK_AT_WINS = 40,           /* u64 */
    NK_AT_LOSSES = 48,         /* u64 */
    NK_AT_DRAWS = 56,          /* u64 */
    NK_AT_STALEMATES = 64,     /* u64 */
    NK_AT_ENTRIES = 72,        /* u64 */
    NK_AT_SIZE = 80,           /* u64: the whole file */
    NK_AT_BLOCK_ENTRIES = 88,  /* u32: NK_BLOCK_ENTRIES */
    NK_AT_BLOCKS = 92,         /* u32: blocks of codes */
    NK_AT_CODES_CHECKSUM = 96, /* u64: XXH3-64 of all uncompressed codes */
    NK_AT_CHECKSUM = 104,      /* u64: XXH3-64 of header and list, with these 8 bytes as zero */
    NK_HEADER_BYTES = 112,

    /* The list follows the header. It has an item for each block of codes, then for as many blocks of trap values;
     * a block of trap values belongs to the draws of its block of codes and is empty if there are none. An item is
     * the end of the block (u64, offset in the file) and the XXH3-64 of its bytes. */
    NK_ITEM_END = 0,
    NK_ITEM_CHECKSUM = 8,
    NK_ITEM_BYTES = 16
};

/* The number of blocks of codes for so many entries. */
static inline uint32_t nk_block_count(uint64_t entries)
{
    return (uint32_t)((entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES);
}

/* The offset of the end of the list, where the blocks begin. */
static inline uint64_t nk_list_end(uint32_t blocks)
{
    return NK_HEADER_BYTES + (uint64_t)blocks * 2 * NK_ITEM_BYTES;
}

static inline void nk_put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static inline void nk_put64(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static inline uint32_t nk_get32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t nk_get64(const uint8_t *at)
{
    return (uint64_t)nk_get32(at) | (uint64_t)nk_get32(at + 4) << 32;
}

/* The board that a header states, which may be impossible. */
static inline struct nk_board nk_get_board(const uint8_t *header)
{
    return (struct nk_board){header[NK_AT_WIDTH], header[NK_AT_HEIGHT], header[NK_AT_PIECES],
                             header[NK_AT_ROW_LENGTH], (enum nk_win)header[NK_AT_WIN]};
}

/* The number of draws among these codes, which is the number of bytes in their block of trap values. */
static inline size_t nk_count_draws(const uint8_t *codes, size_t length)
{
    size_t draws = 0;
    for (size_t i = 0; i < length; i++)
        draws += codes[i] == NK_CODE_DRAW;
    return draws;
}

#endif
