/* Where things are in the file of a table, as docs/FORMATS.md has it, not as the programs do. */
#ifndef TABLE_FORMAT_H
#define TABLE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

static const uint8_t table_signature[8] = {0x89, 0x4e, 0x4b, 0x54, 0x0d, 0x0a, 0x1a, 0x0a};

enum {
    TABLE_VERSION = 2,
    TABLE_BLOCK_CODES = 16384, /* in a block; the last one may have fewer */

    TABLE_AT_SIGNATURE = 0, /* 8 bytes */
    TABLE_AT_VERSION = 8,   /* 4 bytes */
    TABLE_AT_WIDTH = 12,
    TABLE_AT_HEIGHT = 13,
    TABLE_AT_PIECES = 14,
    TABLE_AT_ROW_LENGTH = 15,
    TABLE_AT_WIN = 16,
    TABLE_AT_ZERO = 17,           /* 3 bytes */
    TABLE_AT_LONGEST = 20,        /* 4 bytes */
    TABLE_AT_PLACEMENTS = 24,     /* 8 bytes */
    TABLE_AT_LEGAL = 32,          /* 8 bytes */
    TABLE_AT_WINS = 40,           /* 8 bytes */
    TABLE_AT_LOSSES = 48,         /* 8 bytes */
    TABLE_AT_DRAWS = 56,          /* 8 bytes */
    TABLE_AT_STALEMATES = 64,     /* 8 bytes */
    TABLE_AT_ENTRIES = 72,        /* 8 bytes */
    TABLE_AT_SIZE = 80,           /* 8 bytes */
    TABLE_AT_BLOCK_CODES = 88,    /* 4 bytes */
    TABLE_AT_BLOCKS = 92,         /* 4 bytes */
    TABLE_AT_CODES_CHECKSUM = 96, /* 8 bytes */
    TABLE_AT_CHECKSUM = 104,      /* 8 bytes */
    TABLE_HEADER = 112,           /* bytes, before the list */

    /* An item of the list: the end of a block, its checksum. */
    TABLE_ITEM = 16,
    TABLE_AT_ITEM_END = 0,     /* 8 bytes */
    TABLE_AT_ITEM_CHECKSUM = 8 /* 8 bytes */
};

/* The codes. A loss takes an even number of plies. */
enum { CODE_WIN = 0, CODE_DRAW = 1, CODE_LOSS = 2 };

static inline uint8_t code_of_loss(int plies)
{
    return (uint8_t)(CODE_LOSS + plies / 2);
}

/* The number of draws among these codes, which is the length of their block of trap values. */
static inline size_t count_draws(const uint8_t *codes, size_t length)
{
    size_t draws = 0;
    for (size_t i = 0; i < length; i++)
        draws += codes[i] == CODE_DRAW;
    return draws;
}

/* The number of blocks of codes. */
static inline uint32_t table_blocks(uint64_t entries)
{
    return (uint32_t)(entries / TABLE_BLOCK_CODES + (entries % TABLE_BLOCK_CODES > 0));
}

/* The offset of the end of the list, which has an item for each block of codes and for each of traps. */
static inline uint64_t table_list_end(uint32_t blocks)
{
    return TABLE_HEADER + 2 * TABLE_ITEM * (uint64_t)blocks;
}

/* Numbers of so many bytes, little-endian. */
static inline void put_number(uint8_t *at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t get_number(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static inline void put32(uint8_t *at, uint32_t value)
{
    put_number(at, 4, value);
}

static inline void put64(uint8_t *at, uint64_t value)
{
    put_number(at, 8, value);
}

static inline uint32_t get32(const uint8_t *at)
{
    return (uint32_t)get_number(at, 4);
}

static inline uint64_t get64(const uint8_t *at)
{
    return get_number(at, 8);
}

#endif
