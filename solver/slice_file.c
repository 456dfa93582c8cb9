#include "solver/slice_file.h"

#include "common/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

enum { CHUNK = 1 << 15 }; /* bytes that are compressed or decompressed at once */

struct slice_io {
    z_stream stream;
    XXH3_state_t *checksum;
    uint8_t *packed, *plain; /* [CHUNK] each */
};

static bool slice_io_init(struct slice_io *io)
{
    *io = (struct slice_io){.checksum = XXH3_createState(), .packed = malloc(CHUNK), .plain = malloc(CHUNK)};
    if (!io->checksum || !io->packed || !io->plain)
        return false;
    XXH3_64bits_reset(io->checksum);
    return true;
}

static void slice_io_clear(struct slice_io *io)
{
    XXH3_freeState(io->checksum);
    free(io->packed);
    free(io->plain);
}

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the checkpoint");
}

static enum nk_status deflate_slice(struct slice_io *io, uint64_t length, nk_produce *produce, void *context,
                                    struct nk_writer *writer, struct nk_slice_sum *sum,
                                    struct nk_error *error)
{
    z_stream *stream = &io->stream;
    enum nk_status status = NK_OK;
    sum->size = 0;
    for (uint64_t offset = 0; offset < length && !status;) {
        const uint64_t left = length - offset;
        const size_t plain = left < CHUNK ? (size_t)left : CHUNK;
        produce(context, offset, io->plain, plain);
        offset += plain;
        stream->next_in = io->plain;
        stream->avail_in = (uInt)plain;
        do {
            stream->next_out = io->packed;
            stream->avail_out = CHUNK;
            (void)deflate(stream, plain == left ? Z_FINISH : Z_NO_FLUSH);
            const size_t packed = CHUNK - stream->avail_out;
            XXH3_64bits_update(io->checksum, io->packed, packed);
            sum->size += packed;
            status = nk_writer_append(writer, io->packed, packed, error);
        } while (!status && !stream->avail_out);
    }
    sum->checksum = XXH3_64bits_digest(io->checksum);
    return status;
}

enum nk_status nk_slice_file_write(const char *path, uint64_t length, nk_produce *produce, void *context,
                                   struct nk_slice_sum *sum, struct nk_error *error)
{
    struct slice_io io;
    struct nk_writer *writer;
    enum nk_status status;
    if (!slice_io_init(&io) || deflateInit(&io.stream, Z_BEST_SPEED) != Z_OK) {
        status = no_memory(error);
    } else {
        if (!(status = nk_writer_open(path, &writer, error))) {
            status = deflate_slice(&io, length, produce, context, writer, sum, error);
            if (status)
                nk_writer_abandon(writer);
            else
                status = nk_writer_close(writer, NULL, error);
        }
        deflateEnd(&io.stream);
    }
    slice_io_clear(&io);
    return status;
}

/* NK_E_CORRUPT, NK_E_MEMORY; after a read error also NK_E_CORRUPT, with ferror(file). */
static enum nk_status inflate_slice(struct slice_io *io, FILE *file, uint64_t length, nk_consume *consume,
                                    void *context, const struct nk_slice_sum *sum)
{
    z_stream *stream = &io->stream;
    uint64_t size = 0, offset = 0;
    int state = Z_OK;
    size_t packed;
    while ((packed = fread(io->packed, 1, CHUNK, file)) > 0) {
        size += packed;
        XXH3_64bits_update(io->checksum, io->packed, packed);
        stream->next_in = io->packed;
        stream->avail_in = (uInt)packed;
        do {
            stream->next_out = io->plain;
            stream->avail_out = CHUNK;
            state = inflate(stream, Z_NO_FLUSH);
            if (state == Z_BUF_ERROR)
                state = Z_OK; /* more input is needed */
            if (state == Z_MEM_ERROR)
                return NK_E_MEMORY;
            const size_t plain = CHUNK - stream->avail_out;
            if ((state != Z_OK && state != Z_STREAM_END) || plain > length - offset ||
                !consume(context, offset, io->plain, plain))
                return NK_E_CORRUPT;
            offset += plain;
        } while (state == Z_OK && (stream->avail_in || !stream->avail_out));
        if (stream->avail_in)
            return NK_E_CORRUPT; /* bytes after the end */
    }
    return state == Z_STREAM_END && offset == length && size == sum->size &&
                   XXH3_64bits_digest(io->checksum) == sum->checksum
               ? NK_OK
               : NK_E_CORRUPT;
}

enum nk_status nk_slice_file_read(const char *path, uint64_t length, nk_consume *consume, void *context,
                                  const struct nk_slice_sum *sum, struct nk_error *error)
{
    struct slice_io io;
    enum nk_status status;
    if (!slice_io_init(&io) || inflateInit(&io.stream) != Z_OK) {
        status = no_memory(error);
    } else {
        FILE *file = fopen(path, "rbe");
        if (file)
            status = inflate_slice(&io, file, length, consume, context, sum);
        else
            status = errno == ENOMEM ? NK_E_MEMORY : NK_E_READ; /* fopen allocates memory too */
        if (status == NK_E_READ || (file && status && ferror(file)))
            status = nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
        else if (status == NK_E_CORRUPT)
            status = nk_fail(error, status, 0,
                             NK_PATH ": damaged: remove the directory to start over, or name another one",
                             NK_PATH_OF(path));
        else if (status)
            status = no_memory(error);
        if (file)
            fclose(file);
        inflateEnd(&io.stream);
    }
    slice_io_clear(&io);
    return status;
}
