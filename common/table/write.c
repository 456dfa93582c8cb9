/* Writing tables, a batch of blocks at a time. */

#include "common/table/table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Blocks are compressed many at a time, by all threads, and then written in their order. One thread has nobody to wait
 * for: a few blocks at a time take less memory, which stays in the cache. */
enum { MOST_BLOCKS = 256, FEW_BLOCKS = 4 };

/* Bytes that a compressed block can need. */
#define MOST_COMPRESSED nk_compress_bound(NK_MAX_PACKED)

struct block {
    const uint8_t *bytes; /* codes or trap values; an empty block is not compressed */
    size_t length;
    bool has_codes;
    uint8_t *compressed; /* [MOST_COMPRESSED] */
    size_t compressed_length;
    uint64_t checksum; /* of compressed[] */
};

struct nk_table_writer {
    const struct nk_index *index;
    struct nk_table_sink sink;
    uint32_t blocks; /* of codes; as many of trap values follow */
    uint32_t done;   /* blocks written */
    uint8_t *header; /* header and list, as they will be in the file */
    size_t header_length;
    uint64_t end;        /* of the last block written */
    uint16_t *draws;     /* [blocks] how many in a block of codes: what its block of trap values holds */
    XXH3_state_t *codes; /* the checksum of all codes so far */

    uint32_t batch_blocks; /* of a batch, but for the last one */
    size_t batch_entries;
    uint8_t *waiting; /* [batch_entries] codes for the next batch */
    size_t waiting_length;

    struct block batch[MOST_BLOCKS];
    uint8_t *compressed; /* of the batch */
    int threads;
    atomic_bool failed; /* to compress a block */
};

void nk_table_writer_abandon(struct nk_table_writer *writer)
{
    free(writer->header);
    free(writer->draws);
    XXH3_freeState(writer->codes);
    free(writer->waiting);
    free(writer->compressed);
    free(writer);
}

static bool allocate(struct nk_table_writer *writer)
{
    const uint64_t entries = writer->index->entries;
    writer->blocks = nk_block_count(entries);
    writer->header_length = (size_t)nk_list_end(writer->blocks);
    writer->header = calloc(writer->header_length, 1);
    writer->draws = calloc(writer->blocks, sizeof *writer->draws);
    writer->codes = XXH3_createState();
    writer->batch_blocks = (uint32_t)nk_least(writer->blocks, writer->threads > 1 ? MOST_BLOCKS : FEW_BLOCKS);
    writer->batch_entries = (size_t)writer->batch_blocks * NK_BLOCK_ENTRIES;
    writer->waiting = malloc(writer->batch_entries);
    writer->compressed = malloc(writer->batch_blocks * MOST_COMPRESSED);
    if (!writer->header || !writer->draws || !writer->codes || !writer->waiting || !writer->compressed)
        return false;
    XXH3_64bits_reset(writer->codes);
    for (uint32_t i = 0; i < writer->batch_blocks; i++)
        writer->batch[i].compressed = writer->compressed + i * MOST_COMPRESSED;
    return true;
}

enum nk_status nk_table_writer_open(struct nk_table_sink sink, const struct nk_index *index, int threads,
                                    struct nk_table_writer **out, struct nk_error *error)
{
    struct nk_table_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return nk_fail_memory(error);
    writer->index = index;
    writer->sink = sink;
    writer->threads = threads ? threads : nk_system_processors();
    enum nk_status status = allocate(writer) ? NK_OK : nk_fail_memory(error);
    writer->end = writer->header_length;
    /* Space for header and list, which are not known before the end. */
    if (!status)
        status = sink.append(sink.context, writer->header, writer->header_length, error);
    if (status)
        nk_table_writer_abandon(writer);
    else
        *out = writer;
    return status;
}

static void compress_block(void *context, uint32_t item, int worker)
{
    struct nk_table_writer *writer = context;
    struct block *block = &writer->batch[item];
    const uint8_t *bytes = block->bytes;
    size_t length = block->length;
    uint8_t packed[NK_MAX_PACKED];
    (void)worker;
    block->compressed_length = 0;
    if (block->has_codes) {
        writer->draws[writer->done + item] = (uint16_t)nk_count_draws(bytes, length);
        length = nk_pack(bytes, length, packed);
        bytes = packed;
    }
    if (length && nk_compress(bytes, length, block->compressed, &block->compressed_length))
        atomic_store(&writer->failed, true);
    else
        block->checksum = XXH3_64bits(block->compressed, block->compressed_length);
}

/* Compresses the blocks at the beginning of the batch, records them in the list, and writes them at once. */
static enum nk_status write_batch(struct nk_table_writer *writer, uint32_t count, struct nk_error *error)
{
    size_t length = 0;
    nk_parallel(writer->threads, count, compress_block, writer);
    if (atomic_load(&writer->failed))
        return nk_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct block *block = &writer->batch[i];
        memmove(writer->compressed + length, block->compressed, block->compressed_length);
        length += block->compressed_length;
        uint8_t *item = writer->header + NK_HEADER_BYTES + (size_t)writer->done++ * NK_ITEM_BYTES;
        nk_put64(item + NK_ITEM_END, writer->end + length);
        nk_put64(item + NK_ITEM_CHECKSUM, block->checksum);
    }
    writer->end += length;
    return writer->sink.append(writer->sink.context, writer->compressed, length, error);
}

/* Writes the codes of up to a batch: whole blocks, or the last ones. */
static enum nk_status write_codes(struct nk_table_writer *writer, const uint8_t *codes, size_t count,
                                  struct nk_error *error)
{
    uint32_t blocks = 0;
    XXH3_64bits_update(writer->codes, codes, count);
    for (size_t at = 0; at < count; at += NK_BLOCK_ENTRIES) {
        struct block *block = &writer->batch[blocks];
        block->bytes = codes + at;
        block->has_codes = true;
        block->length = count - at < NK_BLOCK_ENTRIES ? count - at : NK_BLOCK_ENTRIES;
        blocks++;
    }
    return write_batch(writer, blocks, error);
}

enum nk_status nk_table_writer_append(struct nk_table_writer *writer, const uint8_t *codes, uint64_t count,
                                      struct nk_error *error)
{
    enum nk_status status = NK_OK;
    while (count && !status) {
        const size_t taken = (size_t)nk_least(count, writer->batch_entries - writer->waiting_length);
        if (taken == writer->batch_entries) {
            status = write_codes(writer, codes, taken, error);
        } else {
            memcpy(writer->waiting + writer->waiting_length, codes, taken);
            writer->waiting_length += taken;
            if (writer->waiting_length == writer->batch_entries) {
                status = write_codes(writer, writer->waiting, writer->batch_entries, error);
                writer->waiting_length = 0;
            }
        }
        codes += taken;
        count -= taken;
    }
    return status;
}

static enum nk_status write_traps(struct nk_table_writer *writer, const uint8_t *traps,
                                  struct nk_error *error)
{
    for (uint32_t first = 0; first < writer->blocks; first += writer->batch_blocks) {
        const uint32_t count = (uint32_t)nk_least(writer->blocks - first, writer->batch_blocks);
        for (uint32_t i = 0; i < count; i++) {
            writer->batch[i].bytes = traps;
            writer->batch[i].has_codes = false;
            writer->batch[i].length = traps ? writer->draws[first + i] : 0;
            traps = traps ? traps + writer->draws[first + i] : NULL;
        }
        const enum nk_status status = write_batch(writer, count, error);
        if (status)
            return status;
    }
    return NK_OK;
}

/* Fills the header, whose checksum covers the complete list. */
static void put_header(struct nk_table_writer *writer, const struct nk_summary *summary,
                       uint64_t codes_checksum)
{
    const struct nk_board *board = &writer->index->rules.board;
    uint8_t *header = writer->header;
    memcpy(header + NK_AT_SIGNATURE, nk_table_signature, sizeof nk_table_signature);
    nk_put32(header + NK_AT_VERSION, NK_FORMAT_VERSION);
    header[NK_AT_WIDTH] = (uint8_t)board->width;
    header[NK_AT_HEIGHT] = (uint8_t)board->height;
    header[NK_AT_PIECES] = (uint8_t)board->pieces;
    header[NK_AT_ROW_LENGTH] = (uint8_t)board->row_length;
    header[NK_AT_WIN] = (uint8_t)board->win;
    nk_put32(header + NK_AT_LONGEST, summary->longest);
    nk_put64(header + NK_AT_PLACEMENTS, summary->placements);
    nk_put64(header + NK_AT_LEGAL, summary->legal);
    nk_put64(header + NK_AT_WINS, summary->wins);
    nk_put64(header + NK_AT_LOSSES, summary->losses);
    nk_put64(header + NK_AT_DRAWS, summary->draws);
    nk_put64(header + NK_AT_STALEMATES, summary->stalemates);
    nk_put64(header + NK_AT_ENTRIES, writer->index->entries);
    nk_put64(header + NK_AT_SIZE, writer->end);
    nk_put32(header + NK_AT_BLOCK_ENTRIES, NK_BLOCK_ENTRIES);
    nk_put32(header + NK_AT_BLOCKS, writer->blocks);
    nk_put64(header + NK_AT_CODES_CHECKSUM, codes_checksum);
    nk_put64(header + NK_AT_CHECKSUM, XXH3_64bits(header, writer->header_length)); /* itself still zero */
}

enum nk_status nk_table_writer_close(struct nk_table_writer *writer, const struct nk_summary *summary,
                                     const uint8_t *traps, uint64_t *bytes, uint64_t *codes_checksum,
                                     struct nk_error *error)
{
    enum nk_status status = write_codes(writer, writer->waiting, writer->waiting_length, error);
    if (!status)
        status = write_traps(writer, traps, error);
    if (!status) {
        const uint64_t checksum = XXH3_64bits_digest(writer->codes);
        put_header(writer, summary, checksum);
        status =
            writer->sink.replace_first(writer->sink.context, writer->header, writer->header_length, error);
        if (!status && bytes)
            *bytes = writer->end;
        if (!status && codes_checksum)
            *codes_checksum = checksum;
    }
    nk_table_writer_abandon(writer);
    return status;
}

/* ---- a file as the sink ---- */

static enum nk_status append(void *file, const void *bytes, size_t length, struct nk_error *error)
{
    return nk_writer_append(file, bytes, length, error);
}

static enum nk_status replace_first(void *file, const void *bytes, size_t length, struct nk_error *error)
{
    return nk_writer_write_at(file, 0, bytes, length, error);
}

struct nk_table_sink nk_table_sink_of(struct nk_writer *file)
{
    return (struct nk_table_sink){file, append, replace_first};
}
