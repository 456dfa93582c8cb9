#include "file.h"
#include "format.h"
#include "parallel.h"
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* Of zlib's settings the ones that make the smallest file in the time: see docs/PERFORMANCE.md. */
enum { LEVEL = 6, STRATEGY = Z_FILTERED, WINDOW_BITS = 15, MEMORY_LEVEL = 9 };

/* ---- the image of the file: the head (header and list of blocks), then the blocks ---- */

struct image {
    uint8_t *bytes;
    size_t length, room;
    size_t head; /* bytes of the head */
    uint32_t blocks;
};

static bool make_room(struct image *image, size_t more)
{
    if (image->room - image->length >= more)
        return true;
    const size_t room = 2 * image->room + more;
    uint8_t *bytes = realloc(image->bytes, room);
    if (!bytes)
        return false;
    image->bytes = bytes;
    image->room = room;
    return true;
}

/* Blocks are compressed many at a time, by all processors, and then appended in their order. */
enum { BATCH = 256 };

struct packed {
    const uint8_t *bytes; /* to compress; an empty block takes no room */
    size_t length;
    uint8_t *room; /* [most] compressed */
    size_t packed_length;
};

struct batch {
    struct packed blocks[BATCH];
    z_stream *streams; /* [threads] */
    size_t most;       /* bytes that a compressed block can need */
    atomic_bool failed;
};

static void pack_block(void *context, uint32_t item, int worker)
{
    struct batch *batch = context;
    struct packed *block = &batch->blocks[item];
    z_stream *stream = &batch->streams[worker];
    block->packed_length = 0;
    if (!block->length)
        return;
    if (deflateReset(stream) != Z_OK) {
        atomic_store(&batch->failed, true);
        return;
    }
    stream->next_in = (z_const Bytef *)block->bytes;
    stream->avail_in = (uInt)block->length;
    stream->next_out = block->room;
    stream->avail_out = (uInt)batch->most;
    if (deflate(stream, Z_FINISH) != Z_STREAM_END)
        atomic_store(&batch->failed, true);
    block->packed_length = batch->most - stream->avail_out;
}

/* Appends a compressed block and notes it in the list. */
static bool append_block(struct image *image, uint32_t number, const struct packed *block)
{
    if (!make_room(image, block->packed_length))
        return false;
    uint8_t *at = image->bytes + image->length;
    if (block->packed_length)
        memcpy(at, block->room, block->packed_length);
    image->length += block->packed_length;
    uint8_t *entry = image->bytes + NK_HEADER_BYTES + (size_t)number * NK_BLOCK_BYTES;
    nk_put64(entry + NK_BLOCK_END, image->length);
    nk_put64(entry + NK_BLOCK_CHECKSUM, XXH3_64bits(at, block->packed_length));
    return true;
}

static bool append_blocks(struct image *image, struct batch *batch, int threads, const uint8_t *codes,
                          const uint8_t *traps, uint64_t entries)
{
    for (uint32_t first = 0; first < 2 * image->blocks; first += BATCH) {
        const uint32_t left = 2 * image->blocks - first;
        const uint32_t count = left < BATCH ? left : BATCH;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t entry = (uint64_t)((first + i) % image->blocks) * NK_BLOCK_ENTRIES;
            struct packed *block = &batch->blocks[i];
            block->bytes = codes + entry;
            block->length = entries - entry < NK_BLOCK_ENTRIES ? (size_t)(entries - entry) : NK_BLOCK_ENTRIES;
            if (first + i >= image->blocks) { /* the traps of these codes */
                block->length = traps ? nk_count_draws(block->bytes, block->length) : 0;
                block->bytes = traps;
                traps = traps ? traps + block->length : NULL;
            }
        }
        nk_parallel(threads, count, pack_block, batch);
        if (atomic_load(&batch->failed))
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (!append_block(image, first + i, &batch->blocks[i]))
                return false;
    }
    return true;
}

/* Compresses everything into the image. False when memory ran out. */
static bool compress_all(struct image *image, const uint8_t *codes, const uint8_t *traps, uint64_t entries)
{
    const int threads = nk_processors();
    struct batch batch = {.streams = calloc((size_t)threads, sizeof *batch.streams)};
    int ready = 0;
    bool done = false;
    uint8_t *rooms = NULL;
    if (!batch.streams)
        return false;
    while (ready < threads && deflateInit2(&batch.streams[ready], LEVEL, Z_DEFLATED, WINDOW_BITS,
                                           MEMORY_LEVEL, STRATEGY) == Z_OK)
        ready++;
    if (ready) {
        batch.most = deflateBound(&batch.streams[0], NK_BLOCK_ENTRIES);
        rooms = malloc(BATCH * batch.most);
        for (uint32_t i = 0; rooms && i < BATCH; i++)
            batch.blocks[i].room = rooms + i * batch.most;
        done = rooms && append_blocks(image, &batch, ready, codes, traps, entries);
    }
    while (ready)
        deflateEnd(&batch.streams[--ready]);
    free(rooms);
    free(batch.streams);
    return done;
}

static void fill_header(struct image *image, const struct nk_index *index, const struct nk_summary *summary,
                        uint64_t codes_checksum)
{
    const struct nk_rules *rules = &index->rules;
    uint8_t *head = image->bytes;
    memcpy(head + NK_AT_MAGIC, nk_magic, sizeof nk_magic);
    nk_put32(head + NK_AT_VERSION, NK_FORMAT_VERSION);
    head[NK_AT_WIDTH] = (uint8_t)rules->width;
    head[NK_AT_HEIGHT] = (uint8_t)rules->height;
    head[NK_AT_PIECES] = (uint8_t)rules->pieces;
    head[NK_AT_ROW] = (uint8_t)rules->row;
    head[NK_AT_WIN] = (uint8_t)rules->win;
    nk_put32(head + NK_AT_LONGEST, summary->longest);
    nk_put64(head + NK_AT_PLACEMENTS, summary->placements);
    nk_put64(head + NK_AT_LEGAL, summary->legal);
    nk_put64(head + NK_AT_WINS, summary->wins);
    nk_put64(head + NK_AT_LOSSES, summary->losses);
    nk_put64(head + NK_AT_DRAWS, summary->draws);
    nk_put64(head + NK_AT_STUCK, summary->stuck);
    nk_put64(head + NK_AT_ENTRIES, index->entries);
    nk_put64(head + NK_AT_SIZE, image->length);
    nk_put32(head + NK_AT_BLOCK, NK_BLOCK_ENTRIES);
    nk_put32(head + NK_AT_BLOCKS, image->blocks);
    nk_put64(head + NK_AT_CODES, codes_checksum);
    nk_put64(head + NK_AT_CHECKSUM, XXH3_64bits(head, image->head)); /* itself still zero */
}

static enum nk_status image_make(struct image *image, const struct nk_index *index,
                                 const struct nk_summary *summary, const uint8_t *codes, const uint8_t *traps,
                                 struct nk_error *error)
{
    image->blocks = (uint32_t)((index->entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES);
    image->head = (size_t)nk_head_bytes(image->blocks);
    if (!make_room(image, image->head))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the compressed table");
    memset(image->bytes, 0, image->head);
    image->length = image->head;
    if (!compress_all(image, codes, traps, index->entries))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the compressed table");
    fill_header(image, index, summary, XXH3_64bits(codes, index->entries));
    return NK_OK;
}

enum nk_status nk_table_write(const char *path, const struct nk_index *index,
                              const struct nk_summary *summary, const uint8_t *codes, const uint8_t *traps,
                              struct nk_file *file, struct nk_error *error)
{
    struct image image = {0};
    enum nk_status status = image_make(&image, index, summary, codes, traps, error);
    if (!status)
        status = nk_file_write(path, image.bytes, image.length, error);
    if (!status && file)
        *file = (struct nk_file){image.length, XXH3_64bits(image.bytes, image.length)};
    free(image.bytes);
    return status;
}

enum nk_status nk_file_describe(const char *path, struct nk_file *out, struct nk_error *error)
{
    uint8_t buffer[1 << 14];
    enum nk_status status = NK_OK;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    XXH3_64bits_reset(state);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t bytes = 0;
    ssize_t got = -1;
    while (file >= 0 && ((got = read(file, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))) {
        if (got < 0)
            continue;
        XXH3_64bits_update(state, buffer, (size_t)got);
        bytes += (uint64_t)got;
    }
    if (got < 0)
        status = nk_fail(error, NK_E_READ, 0, "%f: %s", path, strerror(errno));
    else
        *out = (struct nk_file){bytes, XXH3_64bits_digest(state)};
    if (file >= 0)
        close(file);
    XXH3_freeState(state);
    return status;
}
