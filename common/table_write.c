#include "file.h"
#include "format.h"
#include "table.h"

#include <errno.h>
#include <fcntl.h>
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

/* Appends `length` bytes as a block of its own, and notes it in the list; an empty block takes no room. */
static bool append_block(struct image *image, z_stream *stream, uint32_t block, const uint8_t *bytes,
                         size_t length)
{
    const size_t most = deflateBound(stream, (uLong)length);
    if (!make_room(image, most) || deflateReset(stream) != Z_OK)
        return false;
    uint8_t *packed = image->bytes + image->length;
    stream->next_in = (z_const Bytef *)bytes;
    stream->avail_in = (uInt)length;
    stream->next_out = packed;
    stream->avail_out = (uInt)most;
    if (length && deflate(stream, Z_FINISH) != Z_STREAM_END)
        return false;
    const size_t packed_length = most - stream->avail_out;
    image->length += packed_length;
    uint8_t *entry = image->bytes + NK_HEADER_BYTES + (size_t)block * NK_BLOCK_BYTES;
    nk_put64(entry + NK_BLOCK_END, image->length);
    nk_put64(entry + NK_BLOCK_CHECKSUM, XXH3_64bits(packed, packed_length));
    return true;
}

static size_t count_draws(const uint8_t *codes, size_t length)
{
    size_t draws = 0;
    for (size_t i = 0; i < length; i++)
        draws += codes[i] == NK_CODE_DRAW;
    return draws;
}

static bool append_blocks(struct image *image, const uint8_t *codes, const uint8_t *traps, uint64_t entries)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, STRATEGY) != Z_OK)
        return false;
    bool appended = true;
    for (uint32_t b = 0; appended && b < 2 * image->blocks; b++) {
        const uint64_t first = (uint64_t)(b % image->blocks) * NK_BLOCK_ENTRIES;
        const size_t length =
            entries - first < NK_BLOCK_ENTRIES ? (size_t)(entries - first) : NK_BLOCK_ENTRIES;
        if (b < image->blocks) {
            appended = append_block(image, &stream, b, codes + first, length);
        } else {
            const size_t draws = traps ? count_draws(codes + first, length) : 0;
            appended = append_block(image, &stream, b, traps, draws);
            traps = traps ? traps + draws : NULL;
        }
    }
    deflateEnd(&stream);
    return appended;
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
    if (!append_blocks(image, codes, traps, index->entries))
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
