#include "solver/checkpoint/store.h"

#include "common/file.h"
#include "common/system.h"
#include "common/table_format.h"
#include "solver/cluster/comm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* All files begin with the magic; one that does not is not touched. In a file of sections, these follow. The state has
 * little-endian numbers: the version (u32), the number of numbers (u32), these (u64 each), for each section its length,
 * checksum, rank and offset (u64 each), and the XXH3-64 of all bytes before. */
enum { AT_VERSION = 8, AT_NUMBERS = 12, HEADER_BYTES = 16, SECTION_BYTES = 32, VERSION = 3 };
static const uint8_t magic[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

static bool is_in_files(const struct nk_store *store)
{
    return NK_HAS_FILES && store->directory;
}

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for what is saved");
}

/* For a failed operation on a file of the directory; errno is the reason. */
static enum nk_status file_failed(const struct nk_store *store, enum nk_status status, const char *name,
                                  struct nk_error *error)
{
    if (errno == ENOMEM)
        return no_memory(error);
    return nk_fail(error, status, 0, "%s" NK_PATH "/%s: %s", status == NK_E_WRITE ? "cannot write " : "",
                   NK_PATH_OF(store->directory), name, strerror(errno));
}

static enum nk_status damaged(const struct nk_store *store, const char *name, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, NK_PATH "/%s: damaged: name another directory to start over",
                   NK_PATH_OF(store->directory), name);
}

static enum nk_status foreign(const struct nk_store *store, const char *name, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, NK_PATH "/%s: not a file of a checkpoint: name another directory",
                   NK_PATH_OF(store->directory), name);
}

/* ---- the directory ---- */

/* An empty file that marks the directory as created by a run, also if that run has been killed. */
static const char made_name[] = ".made";

/* The caller frees it. NULL, also in errno, if memory runs out. */
static char *path_of(const char *directory, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) >= 0)
        return path;
    errno = ENOMEM;
    return NULL;
}

/* open(2) for a file of a directory. */
static int open_file(const char *directory, const char *name, int flags)
{
    char *path = path_of(directory, name);
    const int file = path ? nk_system_open(path, flags) : -1;
    const int why = errno;
    free(path);
    errno = why;
    return file;
}

/* unlink(2), with 0 as true. */
static bool remove_file(const char *directory, const char *name)
{
    char *path = path_of(directory, name);
    const bool removed = path && unlink(path) == 0;
    free(path);
    return removed;
}

/* Whether a file begins with the magic. */
static enum nk_status check_magic(const struct nk_store *store, const char *name, struct nk_error *error)
{
    uint8_t first[sizeof magic] = {0};
    const int file = open_file(store->directory, name, O_RDONLY);
    enum nk_status status = NK_OK;
    if (file < 0 || (!nk_file_read_at(file, first, sizeof first, 0) && errno))
        status = file_failed(store, NK_E_READ, name, error);
    else if (memcmp(first, magic, sizeof first) != 0)
        status = foreign(store, name, error);
    if (file >= 0)
        close(file);
    return status;
}

enum nk_status nk_directory_open(const char *path, struct nk_directory *directory, struct nk_error *error)
{
    *directory = (struct nk_directory){strdup(path), -1};
    if (!directory->path)
        return no_memory(error);
    if (nk_comm_rank() > 0)
        return NK_OK;
    const bool made = nk_system_make_directory(path, false);
    if (!made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s", NK_PATH_OF(path),
                       strerror(errno));
    directory->lock = nk_system_lock_directory(path);
    if (directory->lock < 0 && errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_BUSY, 0,
                       NK_PATH ": another run uses this directory: wait for it, or name another one",
                       NK_PATH_OF(path));
    if (directory->lock < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
    const int mark = made ? open_file(path, made_name, O_WRONLY | O_CREAT) : -1;
    if (mark >= 0)
        close(mark);
    return NK_OK;
}

/* Whether the directory has only what rmdir or its creation put there. */
static bool is_empty(const char *path)
{
    int files = 0;
    DIR *directory = opendir(path);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                 strcmp(entry->d_name, made_name) != 0;
    if (directory)
        closedir(directory);
    return directory && !files;
}

void nk_directory_close(struct nk_directory *directory)
{
    if (directory->path && directory->lock >= 0) {
        const bool removes = is_empty(directory->path) && remove_file(directory->path, made_name);
        nk_system_unlock_directory(directory->lock, directory->path, removes);
    }
    free(directory->path);
    *directory = (struct nk_directory){NULL, -1};
}

/* ---- sections ---- */

void nk_store_clear(struct nk_store *store)
{
    if (!store->sections) /* also when it was not prepared */
        return;
    for (uint64_t s = 0; s < store->section_count; s++)
        free(store->sections[s].bytes);
    free(store->sections);
    if (NK_HAS_FILES && store->own_file >= 0)
        close(store->own_file);
}

struct name {
    char text[40];
};

static struct name file_name(const struct nk_store *store, uint64_t rank)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%s.%llu", store->file, (unsigned long long)rank);
    return name;
}

enum nk_status nk_store_damaged(const struct nk_store *store, const struct nk_section *section,
                                struct nk_error *error)
{
    if (!is_in_files(store))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged in memory");
    return damaged(store, section ? file_name(store, section->rank).text : store->state, error);
}

enum nk_status nk_store_begin(struct nk_store *store, struct nk_error *error)
{
    const uint64_t rank = (uint64_t)nk_comm_rank();
    uint64_t end = 0;
    if (!is_in_files(store))
        return NK_OK;
    for (uint64_t s = 0; s < store->section_count; s++) {
        const struct nk_section *section = &store->sections[s];
        if (section->rank == rank && section->offset + section->length > end)
            end = section->offset + section->length;
    }
    const struct name name = file_name(store, rank);
    struct stat about = {0};
    store->own_file = open_file(store->directory, name.text, end ? O_RDWR : O_RDWR | O_CREAT);
    store->end = end ? end : sizeof magic;
    if (store->own_file < 0)
        return file_failed(store, end ? NK_E_READ : NK_E_WRITE, name.text, error);
    (void)fstat(store->own_file, &about); /* does not fail for an open file */
    if (end) /* what is appended must follow the sections, and these were in the file when the state was saved */
        return end > (uint64_t)about.st_size ? damaged(store, name.text, error) : NK_OK;
    if (about.st_size == 0 && !nk_file_write_at(store->own_file, magic, sizeof magic, 0))
        return file_failed(store, NK_E_WRITE, name.text, error);
    return check_magic(store, name.text, error);
}

enum nk_status nk_store_put(struct nk_store *store, struct nk_section *section, const uint8_t *bytes,
                            size_t length, struct nk_error *error)
{
    *section = (struct nk_section){.length = length};
    if (!is_in_files(store)) {
        section->bytes = malloc(length + 1);
        if (!section->bytes)
            return no_memory(error);
        memcpy(section->bytes, bytes, length);
        return NK_OK;
    }
    section->checksum = XXH3_64bits(bytes, length);
    section->rank = (uint64_t)nk_comm_rank();
    section->offset = atomic_fetch_add(&store->end, length);
    if (nk_file_write_at(store->own_file, bytes, length, section->offset))
        return NK_OK;
    return file_failed(store, NK_E_WRITE, file_name(store, section->rank).text, error);
}

/* Reads a part of a file, or all of it for *length == WHOLE, which receives its length, into memory that the caller
 * frees, with zeros after it. A negative `file` could not be opened. */
static const uint64_t WHOLE = UINT64_MAX;
static enum nk_status read_part(const struct nk_store *store, const char *name, int file, uint64_t offset,
                                uint64_t *length, uint8_t **bytes, struct nk_error *error)
{
    struct stat about = {0};
    *bytes = NULL;
    if (file < 0)
        return file_failed(store, NK_E_READ, name, error);
    (void)fstat(file, &about); /* does not fail for an open file */
    const uint64_t size = (uint64_t)about.st_size;
    if (*length == WHOLE)
        *length = size;
    if (offset > size || *length > size - offset)
        return damaged(store, name, error);
    if (*length <= SIZE_MAX - NK_SECTION_PADDING) /* not where addresses have 32 bits */
        *bytes = calloc((size_t)*length + NK_SECTION_PADDING, 1);
    if (!*bytes)
        return no_memory(error);
    if (nk_file_read_at(file, *bytes, (size_t)*length, offset))
        return NK_OK;
    return errno ? file_failed(store, NK_E_READ, name, error) : damaged(store, name, error);
}

enum nk_status nk_store_get(const struct nk_store *store, const struct nk_section *section, uint8_t **bytes,
                            struct nk_error *error)
{
    *bytes = section->bytes;
    if (!is_in_files(store))
        return NK_OK;
    const struct name name = file_name(store, section->rank);
    uint64_t length = section->length;
    const bool is_own = section->rank == (uint64_t)nk_comm_rank();
    const int file = is_own ? store->own_file : open_file(store->directory, name.text, O_RDONLY);
    enum nk_status status = read_part(store, name.text, file, section->offset, &length, bytes, error);
    if (!status && XXH3_64bits(*bytes, (size_t)length) != section->checksum)
        status = damaged(store, name.text, error);
    if (status)
        free(*bytes);
    if (!is_own && file >= 0)
        close(file);
    return status;
}

void nk_store_release(const struct nk_store *store, uint8_t *bytes)
{
    if (is_in_files(store))
        free(bytes);
}

enum nk_status nk_store_flush(const struct nk_store *store, struct nk_error *error)
{
    if (!is_in_files(store) || nk_system_flush(store->own_file))
        return NK_OK;
    return file_failed(store, NK_E_WRITE, file_name(store, (uint64_t)nk_comm_rank()).text, error);
}

/* ---- the state ---- */

enum nk_status nk_store_save(const struct nk_store *store, uint64_t sections, struct nk_error *error)
{
    const size_t size = HEADER_BYTES + 8 * (size_t)store->number_count + SECTION_BYTES * (size_t)sections + 8;
    if (!is_in_files(store))
        return NK_OK;
    char *path = path_of(store->directory, store->state);
    uint8_t *bytes = malloc(size);
    if (!bytes || !path) {
        free(bytes);
        free(path);
        return no_memory(error);
    }
    uint8_t *at = bytes + HEADER_BYTES;
    memcpy(bytes, magic, sizeof magic);
    nk_put32(bytes + AT_VERSION, VERSION);
    nk_put32(bytes + AT_NUMBERS, store->number_count);
    for (uint32_t n = 0; n < store->number_count; n++, at += 8)
        nk_put64(at, store->numbers[n]);
    for (uint64_t s = 0; s < sections; s++, at += SECTION_BYTES) {
        nk_put64(at, store->sections[s].length);
        nk_put64(at + 8, store->sections[s].checksum);
        nk_put64(at + 16, store->sections[s].rank);
        nk_put64(at + 24, store->sections[s].offset);
    }
    nk_put64(at, XXH3_64bits(bytes, size - 8));
    const enum nk_status status = nk_file_write(path, bytes, size, error);
    free(bytes);
    free(path);
    return status;
}

static enum nk_status parse_state(struct nk_store *store, const uint8_t *bytes, size_t size,
                                  struct nk_error *error)
{
    const size_t least = HEADER_BYTES + 8 * (size_t)store->number_count + 8;
    const uint8_t *at = bytes + HEADER_BYTES;
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return foreign(store, store->state, error);
    if (size < HEADER_BYTES + 8 || XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return damaged(store, store->state, error);
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/%s: a checkpoint of version %llu; this program reads version %d",
                       NK_PATH_OF(store->directory), store->state,
                       (unsigned long long)nk_get32(bytes + AT_VERSION), (int)VERSION);
    if (nk_get32(bytes + AT_NUMBERS) != store->number_count || size < least || (size - least) % SECTION_BYTES)
        return damaged(store, store->state, error);
    for (uint32_t n = 0; n < store->number_count; n++, at += 8)
        store->numbers[n] = nk_get64(at);
    const uint64_t count = (size - least) / SECTION_BYTES;
    for (uint64_t s = 0; s < count && s < store->section_count; s++, at += SECTION_BYTES)
        store->sections[s] = (struct nk_section){.length = nk_get64(at),
                                                 .checksum = nk_get64(at + 8),
                                                 .rank = nk_get64(at + 16),
                                                 .offset = nk_get64(at + 24)};
    store->found = (int64_t)count;
    return NK_OK;
}

enum nk_status nk_store_open(struct nk_store *store, struct nk_error *error)
{
    uint64_t size = WHOLE;
    uint8_t *bytes;
    store->own_file = -1;
    store->found = -1;
    store->sections = calloc((size_t)store->section_count, sizeof *store->sections);
    if (!store->sections)
        return no_memory(error);
    const int file = is_in_files(store) ? open_file(store->directory, store->state, O_RDONLY) : -1;
    if (!is_in_files(store) || (file < 0 && errno == ENOENT))
        return NK_OK;
    enum nk_status status = read_part(store, store->state, file, 0, &size, &bytes, error);
    if (!status) {
        store->checksum = XXH3_64bits(bytes, (size_t)size);
        status = parse_state(store, bytes, (size_t)size, error);
    }
    if (file >= 0)
        close(file);
    free(bytes);
    return status;
}

void nk_store_remove(const struct nk_store *store)
{
    const size_t length = strlen(store->file);
    DIR *directory = store->directory ? opendir(store->directory) : NULL;
    /* The state first, or nothing: without its sections it would be damaged. */
    const bool removes = directory && (remove_file(store->directory, store->state) || errno == ENOENT);
    for (const struct dirent *entry; removes && (entry = readdir(directory));) {
        int end = 0;
        if (strncmp(entry->d_name, store->file, length) == 0)
            (void)sscanf(entry->d_name + length, ".%*9[0-9]%n", &end);
        if (end && !entry->d_name[length + (size_t)end] && !check_magic(store, entry->d_name, NULL))
            (void)remove_file(store->directory, entry->d_name);
    }
    if (directory)
        closedir(directory);
}
