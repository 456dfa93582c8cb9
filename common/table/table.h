/* Tables: the value of every position of a board, in memory or in a file such as perfect_move.dat.
 *
 * A table stores a code of one byte for each entry (nk_index_entry): losses with their distances, draws, and wins
 * without, because the distance of a win is one ply more than the shortest loss that a move leads to. Any number of
 * threads may use an open table at once.
 *
 * Whatever opens or reads a table can fail with NK_E_READ and NK_E_CORRUPT, if its file cannot be read or is damaged,
 * and with NK_E_MEMORY; the arrays that it fills may have been written to by then. The comments of these functions name
 * only their other errors. */
#ifndef NK_TABLE_H
#define NK_TABLE_H

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/system/system.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- codes ---- */

enum {
    NK_CODE_WIN = 0, /* also of illegal placements, in which the mover has already won */
    NK_CODE_DRAW = 1,
    NK_CODE_LOSS = 2 /* NK_CODE_LOSS + plies / 2; a loss takes an even number of plies */
};
static_assert(NK_MAX_PLIES == 2 * (255 - NK_CODE_LOSS) + 1,
              "the longest win is one move from the longest loss");

static inline uint8_t nk_loss_to_code(int plies)
{
    return (uint8_t)(NK_CODE_LOSS + plies / 2);
}

static inline int nk_code_to_loss(int code)
{
    return 2 * (code - NK_CODE_LOSS);
}

/* The number of draws among these codes, which is the number of bytes in their block of trap values. */
static inline size_t nk_count_draws(const uint8_t *codes, size_t length)
{
    size_t draws = 0;
    for (size_t i = 0; i < length; i++)
        draws += codes[i] == NK_CODE_DRAW;
    return draws;
}

/* Counts how many of the bytes have each value (compression.c). */
void nk_count_codes(const uint8_t *codes, size_t count, uint32_t counts[UINT8_MAX + 1]);

/* ---- the layout of a file, which docs/FORMATS.md describes; all numbers are little-endian ---- */

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

/* ---- an open table ---- */

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

/* Records a failure with the reason after the name of the table's file, and returns `status`. */
enum nk_status nk_table_fail(const struct nk_table *table, enum nk_status status, const char *reason,
                             struct nk_error *error);

/* Records NK_E_CORRUPT in *error (may be NULL) for a damaged table, and has this value. The format is that of
 * nk_fail. */
#define nk_table_damaged(error, ...) nk_fail(error, NK_E_CORRUPT, 0, "damaged: " __VA_ARGS__)

/* Bytes of the blocks of a large table that stay in memory. Their codes are packed: all of the 270 million of 6x6/4
 * need 93.6 million bytes. */
enum { NK_MOST_CACHED = 90 << 20 };

/* Whether a table is large, with more than 67,108,864 entries: if it is in a file, not all of its blocks may stay in
 * memory. Reading all of it takes long. */
static inline bool nk_table_is_large(const struct nk_table *table)
{
    return table->block_count > (64 << 20) / NK_BLOCK_ENTRIES;
}

/* ---- compressed blocks ----
 *
 * They are zlib streams (RFC 1950), which zlib compresses or, in WebAssembly, functions of JavaScript. The codes of a
 * block are packed before, two or three to a byte: most are among a few, so packing leaves a third to a half of the
 * bytes for zlib, whose time is most of what writing and verifying a table take. */

/* More bytes than the stream of `length` bytes can have. */
static inline size_t nk_compress_bound(size_t length)
{
    return length + length / 4 + 64;
}

/* Compresses `length` bytes to a stream in compressed[], which has room for nk_compress_bound(length) bytes, and sets
 * *compressed_length to the length of the stream. NK_E_MEMORY, without a message. */
enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *compressed,
                           size_t *compressed_length);

/* Uncompresses the stream that compressed[] consists of to bytes[], which has room for `room` bytes, and sets *length
 * to their number. NK_E_CORRUPT, also if other bytes follow the stream, or NK_E_MEMORY, without a message; bytes[] is
 * undefined then. */
enum nk_status nk_uncompress(const uint8_t *compressed, size_t compressed_length, uint8_t *bytes, size_t room,
                             size_t *length);

/* The most bytes that so many packed codes need: two to a byte, with none of them listed. */
#define NK_PACK_BOUND(count) (16 + ((count) + 1) / 2 + (count))
enum { NK_MAX_PACKED = NK_PACK_BOUND(NK_BLOCK_ENTRIES) }; /* of a block */

/* Packs codes[] to packed[], which has room for NK_PACK_BOUND(count) bytes. Returns how many it has. The same codes
 * make the same bytes on every machine. */
size_t nk_pack(const uint8_t *codes, size_t count, uint8_t *packed);

/* Unpacks `length` bytes to codes[], which has room for `count` codes. Returns whether they are the packed form of so
 * many codes; codes[] is undefined otherwise. */
bool nk_unpack(const uint8_t *packed, size_t length, uint8_t *codes, size_t count);

/* The code at a place, place < count, of `count` codes that nk_unpack has found to be packed correctly. */
uint8_t nk_packed_code(const uint8_t *packed, size_t count, size_t place);

/* ---- the blocks of an open table ---- */

/* The number of entries in a block of codes. */
size_t nk_table_block_entries(const struct nk_table *table, uint32_t block);

/* Uncompresses a block of codes to codes[], whether it is in memory or not. The table is of a file: see
 * nk_table_from_codes for one that is not. */
enum nk_status nk_table_read_codes(const struct nk_table *table, uint32_t block, uint8_t *codes,
                                   struct nk_error *error);

/* The code of an entry, entry < table->index->entries. */
enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error);

/* Sets *codes to the codes of a block, in the table's memory or in unpacked[]. */
enum nk_status nk_table_block_codes(struct nk_table *table, uint32_t block,
                                    uint8_t unpacked[NK_BLOCK_ENTRIES], const uint8_t **codes,
                                    struct nk_error *error);

/* Copies `count` trap values of a block of codes, from that of its draw number `first` on; zeros if its block of trap
 * values is empty. */
enum nk_status nk_table_block_traps(struct nk_table *table, uint32_t block, size_t first, size_t count,
                                    uint8_t *traps, struct nk_error *error);

/* ---- opening ---- */

/* Opens the table that a source has; the source is closed by nk_table_close, or here if this fails. NK_E_NOT_TABLE. A
 * file costs no more memory or time than its size and its board justify, whatever its header claims. */
enum nk_status nk_table_open_source(struct nk_table_source source, struct nk_table **table,
                                    struct nk_error *error);

/* Makes a table of what was computed: the index and the counts of a board, the codes of all its entries and the trap
 * values of all draws in their order, or NULL for a table without. Takes index, codes and traps, which free() frees,
 * unless it fails with NK_E_MEMORY. The caller closes the table with nk_table_close. */
enum nk_status nk_table_from_codes(struct nk_index *index, const struct nk_summary *summary, uint8_t *codes,
                                   uint8_t *traps, struct nk_table **table, struct nk_error *error);

/* Opens the table in a file, or in standard input if the path is "-": this is read to its end unless it is a file.
 * The caller closes the table with nk_table_close. NK_E_NOT_TABLE; NK_E_WRITE if there is no place for a copy of
 * standard input. */
enum nk_status nk_table_open_path_or_input(const char *path, struct nk_table **table, struct nk_error *error);

/* The path where neutreeko-solve writes the table of the standard game, and where neutreeko looks for it: in
 * $XDG_DATA_HOME or its default. The caller frees it. NULL, with errno, if neither XDG_DATA_HOME nor HOME is set (0) or
 * memory runs out (ENOMEM). */
char *nk_table_default_path(void);

/* What identifies the content of a file. */
struct nk_file_digest {
    uint64_t bytes;    /* size of the file */
    uint64_t checksum; /* XXH3-64 of all of it */
};

/* Sets *file to the size and checksum of the file of a table, which has one. */
enum nk_status nk_table_digest(struct nk_table *table, struct nk_file_digest *file, struct nk_error *error);

/* ---- looking up ---- */

/* For reading codes in order; all zero at first. One thread at a time may use it. */
struct nk_code_reader {
    uint32_t block;       /* 1 + the number of the block that was read last; 0 for none */
    const uint8_t *codes; /* of this block, in the table's memory or in unpacked[] */
    uint8_t unpacked[NK_BLOCK_ENTRIES];
};

/* The codes of `count` entries from `first` on, first + count <= entries. If `first` never decreases from call to call
 * with the same reader, each block is uncompressed once. The blocks of a large table do not stay in memory. */
enum nk_status nk_table_codes(struct nk_table *table, struct nk_code_reader *reader, uint64_t first,
                              uint64_t count, uint8_t *codes, struct nk_error *error);

/* Inserts a move with its value into moves[], which has `count` moves, best first. Moves of equal value stay in the
 * order in which they are inserted. */
void nk_move_values_insert(struct nk_move_value moves[], int count, struct nk_move move,
                           struct nk_value value);

/* ---- where a game may begin ---- */

/* Sets *position to the first of the positions among which nk_suggested_start chooses, whatever its value, without
 * reading the table. Returns false if there is none. */
bool nk_any_legal_start(const struct nk_index *index, struct nk_position *position);

/* ---- writing ---- */

/* A table that is being written in parts, so that a large one is never in memory as a whole. One thread at a
 * time may use a writer. */
struct nk_table_writer;

/* Where the bytes of a table go. The functions return NK_E_WRITE or NK_E_MEMORY if they fail. */
struct nk_table_sink {
    void *context;

    /* Adds bytes at the end. */
    enum nk_status (*append)(void *context, const void *bytes, size_t length, struct nk_error *error);

    /* Replaces the first `length` bytes, which were appended before. */
    enum nk_status (*replace_first)(void *context, const void *bytes, size_t length, struct nk_error *error);
};

/* A file that is being written, which the caller commits or abandons when the table is complete. */
struct nk_table_sink nk_table_sink_of(struct nk_writer *file);

/* Begins a table. Up to `threads` threads compress, 0 for one per processor. The same table gives the same bytes.
 * NK_E_MEMORY, and the errors of the sink with the reason in *error (may be NULL). The caller frees the writer with
 * nk_table_writer_close or nk_table_writer_abandon. `index` must outlive it. */
enum nk_status nk_table_writer_open(struct nk_table_sink sink, const struct nk_index *index, int threads,
                                    struct nk_table_writer **writer, struct nk_error *error);

/* Appends the next `count` codes; all calls together must append index->entries. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_table_writer_append(struct nk_table_writer *writer, const uint8_t *codes, uint64_t count,
                                      struct nk_error *error);

/* Ends the table with the summary and the trap values of all draws, in the order of their entries; `traps` is
 * NULL for a table without traps. Sets *bytes (may be NULL) to its size, and *codes_checksum (may be NULL) to that of
 * the table. Frees the writer, also after a failure. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status nk_table_writer_close(struct nk_table_writer *writer, const struct nk_summary *summary,
                                     const uint8_t *traps, uint64_t *bytes, uint64_t *codes_checksum,
                                     struct nk_error *error);

/* Frees the writer of a table that is not completed. */
void nk_table_writer_abandon(struct nk_table_writer *writer);

#endif
