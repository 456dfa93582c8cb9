#include "file.h"
#include "table_format.h"
#include "parallel.h"
#include "system.h"
#include "table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

/* The settings of zlib that make the smallest file in reasonable time: see docs/PERFORMANCE.md. */
enum { LEVEL = 6, STRATEGY = Z_FILTERED, WINDOW_BITS = 15, MEMORY_LEVEL = 9 };

/* Blocks are compressed many at a time, by all processors, and then written in their order. */
enum { BATCH = 256, BATCH_ENTRIES = BATCH * NK_BLOCK_ENTRIES };

struct block {
    const uint8_t *bytes; /* to compress; an empty block is not compressed */
    size_t length;
    uint8_t *packed; /* [most] compressed */
    size_t packed_length;
};

struct nk_table_writer {
    const struct nk_index *index;
    struct nk_writer *file;
    uint32_t blocks; /* of codes; as many of traps follow */
    uint32_t done;   /* blocks written */
    uint8_t *header; /* header and list, as they will be in the file */
    size_t header_length;
    uint64_t end;        /* of the last block written */
    uint16_t *draws;     /* [blocks] how many in a block of codes: what its block of traps holds */
    XXH3_state_t *codes; /* the checksum of all codes so far */

    uint8_t *waiting; /* [BATCH_ENTRIES] codes for the next batch */
    size_t waiting_length;

    struct block batch[BATCH];
    uint8_t *packed;   /* of the batch */
    size_t most;       /* bytes that a compressed block can need */
    z_stream *streams; /* [threads] */
    int threads;
    atomic_bool failed; /* to compress a block */
};

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the compressed table");
}

void nk_table_writer_abandon(struct nk_table_writer *writer)
{
    if (!writer)
        return;
    nk_writer_abandon(writer->file);
    free(writer->header);
    free(writer->draws);
    XXH3_freeState(writer->codes);
    free(writer->waiting);
    free(writer->packed);
    while (writer->threads)
        deflateEnd(&writer->streams[--writer->threads]);
    free(writer->streams);
    free(writer);
}

/* As many streams as there is memory for, one for each processor. */
static bool open_streams(struct nk_table_writer *writer)
{
    const int processors = nk_system_processors();
    writer->streams = calloc((size_t)processors, sizeof *writer->streams);
    while (writer->streams && writer->threads < processors &&
           deflateInit2(&writer->streams[writer->threads], LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                        STRATEGY) == Z_OK)
        writer->threads++;
    return writer->threads > 0;
}

static bool allocate(struct nk_table_writer *writer)
{
    const uint64_t entries = writer->index->entries;
    writer->blocks = nk_block_count(entries);
    writer->header_length = (size_t)nk_list_end(writer->blocks);
    writer->header = calloc(writer->header_length, 1);
    writer->draws = calloc(writer->blocks, sizeof *writer->draws);
    writer->codes = XXH3_createState();
    writer->waiting = malloc(entries < BATCH_ENTRIES ? (size_t)entries : BATCH_ENTRIES);
    if (!writer->header || !writer->draws || !writer->codes || !writer->waiting || !open_streams(writer))
        return false;
    writer->most = deflateBound(&writer->streams[0], NK_BLOCK_ENTRIES);
    writer->packed = malloc(BATCH * writer->most);
    for (uint32_t i = 0; writer->packed && i < BATCH; i++)
        writer->batch[i].packed = writer->packed + i * writer->most;
    return writer->packed != NULL;
}

enum nk_status nk_table_writer_open(const char *path, const struct nk_index *index,
                                    struct nk_table_writer **out, struct nk_error *error)
{
    struct nk_table_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return no_memory(error);
    writer->index = index;
    if (!allocate(writer)) {
        nk_table_writer_abandon(writer);
        return no_memory(error);
    }
    XXH3_64bits_reset(writer->codes);
    writer->end = writer->header_length;
    enum nk_status status = nk_writer_open(path, &writer->file, error);
    /* Space for header and list, which are not known before the end. */
    if (!status)
        status = nk_writer_append(writer->file, writer->header, writer->header_length, error);
    if (status)
        nk_table_writer_abandon(writer);
    else
        *out = writer;
    return status;
}

static void pack_block(void *context, uint32_t item, int worker)
{
    struct nk_table_writer *writer = context;
    struct block *block = &writer->batch[item];
    z_stream *stream = &writer->streams[worker];
    block->packed_length = 0;
    if (!block->length)
        return;
    stream->next_in = (z_const Bytef *)block->bytes;
    stream->avail_in = (uInt)block->length;
    stream->next_out = block->packed;
    stream->avail_out = (uInt)writer->most;
    if (deflateReset(stream) != Z_OK || deflate(stream, Z_FINISH) != Z_STREAM_END)
        atomic_store(&writer->failed, true);
    block->packed_length = writer->most - stream->avail_out;
}

/* Compresses and writes the blocks at the beginning of the batch, and records them in the list. */
static enum nk_status write_batch(struct nk_table_writer *writer, uint32_t count, struct nk_error *error)
{
    nk_parallel(writer->threads, count, pack_block, writer);
    if (atomic_load(&writer->failed)) /* not all implementations of zlib need no more memory */
        return no_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct block *block = &writer->batch[i];
        const enum nk_status status =
            nk_writer_append(writer->file, block->packed, block->packed_length, error);
        if (status)
            return status;
        writer->end += block->packed_length;
        nk_table_put_block(writer->header, writer->done++, writer->end,
                           XXH3_64bits(block->packed, block->packed_length));
    }
    return NK_OK;
}

/* Writes up to BATCH_ENTRIES codes: whole blocks, or the last ones. */
static enum nk_status write_codes(struct nk_table_writer *writer, const uint8_t *codes, size_t count,
                                  struct nk_error *error)
{
    uint32_t blocks = 0;
    XXH3_64bits_update(writer->codes, codes, count);
    for (size_t at = 0; at < count; at += NK_BLOCK_ENTRIES) {
        struct block *block = &writer->batch[blocks];
        block->bytes = codes + at;
        block->length = count - at < NK_BLOCK_ENTRIES ? count - at : NK_BLOCK_ENTRIES;
        writer->draws[writer->done + blocks++] = (uint16_t)nk_count_draws(block->bytes, block->length);
    }
    return write_batch(writer, blocks, error);
}

enum nk_status nk_table_writer_append(struct nk_table_writer *writer, const uint8_t *codes, uint64_t count,
                                      struct nk_error *error)
{
    enum nk_status status = NK_OK;
    while (count && !status) {
        const size_t room = BATCH_ENTRIES - writer->waiting_length;
        const size_t taken = count < room ? (size_t)count : room;
        if (taken == BATCH_ENTRIES) {
            status = write_codes(writer, codes, taken, error);
        } else {
            memcpy(writer->waiting + writer->waiting_length, codes, taken);
            writer->waiting_length += taken;
            if (writer->waiting_length == BATCH_ENTRIES) {
                status = write_codes(writer, writer->waiting, BATCH_ENTRIES, error);
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
    for (uint32_t first = 0; first < writer->blocks; first += BATCH) {
        const uint32_t left = writer->blocks - first, count = left < BATCH ? left : BATCH;
        for (uint32_t i = 0; i < count; i++) {
            writer->batch[i].bytes = traps;
            writer->batch[i].length = traps ? writer->draws[first + i] : 0;
            traps = traps ? traps + writer->draws[first + i] : NULL;
        }
        const enum nk_status status = write_batch(writer, count, error);
        if (status)
            return status;
    }
    return NK_OK;
}

enum nk_status nk_table_writer_close(struct nk_table_writer *writer, const struct nk_summary *summary,
                                     const uint8_t *traps, struct nk_file *out, struct nk_error *error)
{
    struct nk_file file = {0};
    enum nk_status status = write_codes(writer, writer->waiting, writer->waiting_length, error);
    if (!status)
        status = write_traps(writer, traps, error);
    if (!status) {
        nk_table_put_header(writer->header, &writer->index->rules, summary, writer->index->entries,
                            writer->end, XXH3_64bits_digest(writer->codes));
        status = nk_writer_replace(writer->file, 0, writer->header, writer->header_length, error);
    }
    if (!status) {
        file.bytes = writer->end;
        status = nk_writer_close(writer->file, &file.checksum, error);
        writer->file = NULL;
    }
    nk_table_writer_abandon(writer);
    if (!status && out)
        *out = file;
    return status;
}
