#include "solver/log.h"

#include "common/status.h"
#include "solver/comm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* The most bytes of a row: its distance, its mask, and nine bytes for each word. */
enum { ROW_BYTES = 5 + 1 + 9 * NK_LANE_WORDS };

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the log of the analysis");
}

/* ---- rows ---- */

/* Writes at most ROW_BYTES bytes, and one more that has no meaning. Returns the end. */
static uint8_t *encode_row(uint8_t *at, uint32_t distance, const nk_lanes *lanes)
{
    for (; distance > 127; distance >>= 7)
        *at++ = (uint8_t)(distance | 128);
    *at++ = (uint8_t)distance;
    uint8_t *const mask = at++;
    *mask = 0;
    for (int w = 0; w < NK_LANE_WORDS; w++) {
        if (!lanes->word[w])
            continue;
        *mask |= (uint8_t)(1 << w);
        uint8_t *const bytes = at++;
        *bytes = 0;
        for (int b = 0; b < 8; b++) {
            *at = (uint8_t)(lanes->word[w] >> 8 * b); /* overwritten by the next byte if it is zero */
            *bytes |= (uint8_t)((*at != 0) << b);
            at += *at != 0;
        }
    }
    return at;
}

/* The inverse of encode_row: reads at most ROW_BYTES bytes, and adds the distance to *row. */
static const uint8_t *decode_row(const uint8_t *at, uint64_t *row, nk_lanes *lanes)
{
    uint64_t distance = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        distance |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128)
            break;
    }
    *row += distance;
    const uint8_t mask = *at++;
    for (int w = 0; w < NK_LANE_WORDS; w++) {
        uint64_t word = 0;
        if (mask >> w & 1)
            for (uint32_t bytes = *at++; bytes; bytes &= bytes - 1)
                word |= (uint64_t)*at++ << 8 * __builtin_ctz(bytes);
        lanes->word[w] = word;
    }
    return at;
}

/* ---- sections ---- */

void nk_log_fail(struct nk_log *log, const struct nk_error *error)
{
    if (!atomic_exchange(&log->has_failed, true))
        log->error = *error;
}

enum nk_status nk_log_failure(const struct nk_log *log, struct nk_error *error)
{
    return atomic_load(&log->has_failed) ? nk_fail(error, log->error.status, 0, "%s", log->error.text)
                                         : NK_OK;
}

static void fail_memory(struct nk_log *log)
{
    struct nk_error error;
    (void)no_memory(&error);
    nk_log_fail(log, &error);
}

/* Encodes the rows of a section into a new block. Returns NULL if there are none, or after a failure. */
static uint8_t *encode(struct nk_log *log, const nk_lanes *rows, const uint8_t *nonempty, uint64_t *length)
{
    enum { BLOCK = 1 << 16 };
    uint8_t *bytes = NULL;
    size_t used = 0, size = 0;
    uint32_t next = 0; /* row */
    for (uint32_t row = 0; row < log->index->configurations; row++) {
        if (!nonempty[row])
            continue;
        if (size - used <= ROW_BYTES) {
            size = size ? 2 * size : BLOCK;
            uint8_t *larger = realloc(bytes, size);
            if (!larger) {
                fail_memory(log);
                free(bytes);
                return NULL;
            }
            bytes = larger;
        }
        used = (size_t)(encode_row(bytes + used, row - next, &rows[row]) - bytes);
        next = row + 1;
    }
    *length = used;
    return bytes;
}

char *nk_log_path(const struct nk_log *log, uint8_t code, uint64_t rank)
{
    char *path;
    const int length = code == NK_CODE_DRAW
                           ? asprintf(&path, "%s/draws.%llu", log->directory, (unsigned long long)rank)
                           : asprintf(&path, "%s/ply-%03d.%llu", log->directory, 2 * (code - NK_CODE_LOSS),
                                      (unsigned long long)rank);
    return length < 0 ? NULL : path;
}

static bool write_all(int file, const uint8_t *bytes, uint64_t length, uint64_t offset)
{
    while (length) {
        const ssize_t done = pwrite(file, bytes, length, (off_t)offset);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            offset += (uint64_t)done;
            length -= (uint64_t)done;
        }
    }
    return true;
}

static void write_section(struct nk_log *log, uint8_t code, const struct nk_section *section,
                          const uint8_t *bytes)
{
    char *path = nk_log_path(log, code, section->rank);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (!path) {
        fail_memory(log);
    } else if (file < 0 || !write_all(file, bytes, section->length, section->offset)) {
        struct nk_error error;
        (void)nk_fail(&error, NK_E_WRITE, 0, "cannot write " NK_PATH ": %s", NK_PATH_OF(path),
                      strerror(errno));
        nk_log_fail(log, &error);
    }
    if (file >= 0)
        close(file);
    free(path);
}

void nk_log_begin(struct nk_log *log, uint8_t code)
{
    atomic_store(&log->end, 0);
    free(log->sections[code]);
    log->sections[code] = calloc(log->slices, sizeof *log->sections[code]);
    if (!log->sections[code])
        fail_memory(log);
}

void nk_log_append(struct nk_log *log, uint8_t code, uint32_t slice, const nk_lanes *rows,
                   const uint8_t *nonempty)
{
    if (!log->sections[code])
        return; /* nk_log_begin has failed */
    struct nk_section *section = &log->sections[code][slice];
    uint8_t *bytes = encode(log, rows, nonempty, &section->length);
    if (!bytes)
        return;
    if (!log->directory) {
        section->bytes = realloc(bytes, section->length);
        if (!section->bytes)
            section->bytes = bytes; /* which cannot shrink */
        return;
    }
    section->checksum = XXH3_64bits(bytes, section->length);
    section->rank = (uint64_t)nk_comm_rank();
    section->offset = atomic_fetch_add(&log->end, section->length);
    write_section(log, code, section, bytes);
    free(bytes);
}

static enum nk_status damaged(const char *path, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0,
                   NK_PATH ": damaged: remove the directory to start over, or name another one",
                   NK_PATH_OF(path));
}

/* Reads a section into *bytes, which the caller frees, followed by ROW_BYTES of zero. */
static enum nk_status read_section(const char *path, const struct nk_section *section, uint8_t **bytes,
                                   struct nk_error *error)
{
    struct stat about;
    enum nk_status status = NK_OK;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about))
        status = nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
    else if (section->offset > (uint64_t)about.st_size ||
             section->length > (uint64_t)about.st_size - section->offset)
        status = damaged(path, error);
    else if (!(*bytes = calloc(section->length + ROW_BYTES, 1)))
        status = no_memory(error);
    for (uint64_t done = 0; !status && done < section->length;) {
        const ssize_t got =
            pread(file, *bytes + done, section->length - done, (off_t)(section->offset + done));
        if (got < 0 && errno != EINTR)
            status = nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
        else if (got == 0)
            status = damaged(path, error);
        done += got > 0 ? (uint64_t)got : 0;
    }
    if (!status && XXH3_64bits(*bytes, section->length) != section->checksum)
        status = damaged(path, error);
    if (file >= 0)
        close(file);
    return status;
}

/* Returns false if the bytes or, for `visit`, the rows cannot be right. */
static bool visit_rows(const struct nk_section *section, const uint8_t *bytes, uint8_t code, uint32_t rows,
                       nk_log_visit *visit, void *context)
{
    const uint8_t *at = bytes, *end = bytes + section->length;
    nk_lanes lanes;
    for (uint64_t row = 0; at < end; row++) {
        at = decode_row(at, &row, &lanes);
        if (at > end || row >= rows || !visit(context, code, (uint32_t)row, &lanes))
            return false;
    }
    return true;
}

enum nk_status nk_log_read(const struct nk_log *log, uint32_t slice, uint8_t first, uint8_t last,
                           nk_log_visit *visit, void *context, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (int code = first; code <= last && !status; code++) {
        const struct nk_section *section = log->sections[code] ? &log->sections[code][slice] : NULL;
        if (!section || !section->length)
            continue;
        uint8_t *bytes = section->bytes;
        char *path = NULL;
        if (log->directory) {
            path = nk_log_path(log, (uint8_t)code, section->rank);
            status = path ? read_section(path, section, &bytes, error) : no_memory(error);
        }
        if (!status && !visit_rows(section, bytes, (uint8_t)code, log->index->configurations, visit, context))
            status = damaged(path ? path : "log", error);
        if (log->directory)
            free(bytes);
        free(path);
    }
    return status;
}

void nk_log_release(struct nk_log *log, uint32_t slice)
{
    for (int code = 0; code <= UINT8_MAX; code++)
        if (log->sections[code]) {
            free(log->sections[code][slice].bytes);
            log->sections[code][slice].bytes = NULL;
        }
}

uint64_t nk_log_bytes(const struct nk_log *log)
{
    uint64_t bytes = 0;
    for (int code = 0; code <= UINT8_MAX; code++)
        for (uint32_t s = 0; log->sections[code] && s < log->slices; s++)
            bytes += log->sections[code][s].length;
    return bytes;
}
