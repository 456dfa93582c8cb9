#include "solver/checkpoint/store.h"

#include "common/system/file.h"
#include "common/system/system.h"
#include "common/table/format.h"

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

/* All files begin with the signature; one that does not is not touched. In a file of sections, these follow. The state
 * has little-endian numbers: the version (u32), the number of numbers (u32), these (u64 each), the numbers of each
 * section (u64 each), and the XXH3-64 of all bytes before. */
enum {
    AT_VERSION = 8,
    AT_NUMBERS = 12,
    HEADER_BYTES = 16,
    SECTION_BYTES = 8 * NK_SECTION_NUMBERS,
    VERSION = 3
};
static const uint8_t signature[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

static bool has_signature(const char *bytes, size_t length)
{
    return length >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

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

/* Whether a file begins with the signature. */
static enum nk_status check_signature(const struct nk_store *store, const char *name, struct nk_error *error)
{
    uint8_t first[sizeof signature] = {0};
    const int file = nk_directory_open_file(store->directory, name, O_RDONLY);
    enum nk_status status = NK_OK;
    if (file < 0 || (!nk_file_read_at(file, first, sizeof first, 0) && errno))
        status = file_failed(store, NK_E_READ, name, error);
    else if (memcmp(first, signature, sizeof first) != 0)
        status = foreign(store, name, error);
    if (file >= 0)
        close(file);
    return status;
}

/* ---- sections ---- */

void nk_section_encode(const struct nk_section *section, uint64_t numbers[NK_SECTION_NUMBERS])
{
    numbers[0] = section->length;
    numbers[1] = section->checksum;
    numbers[2] = section->process;
    numbers[3] = section->offset;
}

void nk_section_decode(const uint64_t numbers[NK_SECTION_NUMBERS], struct nk_section *section)
{
    section->length = numbers[0];
    section->checksum = numbers[1];
    section->process = numbers[2];
    section->offset = numbers[3];
}

void nk_store_clear(struct nk_store *store)
{
    for (uint64_t s = 0; store->sections && s < store->section_count; s++)
        free(store->sections[s].bytes);
    free(store->sections);
    free(store->numbers);
    if (NK_HAS_FILES && store->sections && store->own_file >= 0) /* else it was not opened */
        close(store->own_file);
    store->sections = NULL;
    store->numbers = NULL;
}

struct name {
    char text[40];
};

static struct name file_name(const struct nk_store *store, uint64_t process)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%s.%llu", store->names.sections, (unsigned long long)process);
    return name;
}

enum nk_status nk_store_damaged(const struct nk_store *store, const struct nk_section *section,
                                struct nk_error *error)
{
    if (!is_in_files(store))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged in memory");
    return damaged(store, section ? file_name(store, section->process).text : store->names.state, error);
}

enum nk_status nk_store_begin(struct nk_store *store, struct nk_error *error)
{
    uint64_t end = 0;
    if (!is_in_files(store))
        return NK_OK;
    for (uint64_t s = 0; s < store->section_count; s++) {
        const struct nk_section *section = &store->sections[s];
        if (section->process == store->process && section->offset + section->length > end)
            end = section->offset + section->length;
    }
    const struct name name = file_name(store, store->process);
    struct stat about = {0};
    store->own_file = nk_directory_open_file(store->directory, name.text, end ? O_RDWR : O_RDWR | O_CREAT);
    store->end = end ? end : sizeof signature;
    if (store->own_file < 0)
        return file_failed(store, end ? NK_E_READ : NK_E_WRITE, name.text, error);
    (void)fstat(store->own_file, &about); /* does not fail for an open file */
    if (end) /* what is appended must follow the sections, and these were in the file when the state was saved */
        return end > (uint64_t)about.st_size ? damaged(store, name.text, error) : NK_OK;
    if (about.st_size == 0 && !nk_file_write_at(store->own_file, signature, sizeof signature, 0))
        return file_failed(store, NK_E_WRITE, name.text, error);
    return check_signature(store, name.text, error);
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
    section->process = store->process;
    section->offset = atomic_fetch_add(&store->end, length);
    if (nk_file_write_at(store->own_file, bytes, length, section->offset))
        return NK_OK;
    return file_failed(store, NK_E_WRITE, file_name(store, section->process).text, error);
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
    const struct name name = file_name(store, section->process);
    uint64_t length = section->length;
    const bool is_own = section->process == store->process;
    const int file = is_own ? store->own_file : nk_directory_open_file(store->directory, name.text, O_RDONLY);
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
    return file_failed(store, NK_E_WRITE, file_name(store, store->process).text, error);
}

/* ---- the state ---- */

static void put_numbers(uint8_t *at, const uint64_t *numbers, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        nk_put64(at + 8 * (size_t)n, numbers[n]);
}

static void get_numbers(const uint8_t *at, uint64_t *numbers, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        numbers[n] = nk_get64(at + 8 * (size_t)n);
}

enum nk_status nk_store_save(const struct nk_store *store, uint64_t sections, struct nk_error *error)
{
    const size_t size = HEADER_BYTES + 8 * (size_t)store->number_count + SECTION_BYTES * (size_t)sections + 8;
    if (!is_in_files(store))
        return NK_OK;
    char *path;
    uint8_t *bytes = malloc(size);
    if (asprintf(&path, "%s/%s", store->directory, store->names.state) < 0)
        path = NULL;
    if (!bytes || !path) {
        free(bytes);
        free(path);
        return no_memory(error);
    }
    uint8_t *at = bytes + HEADER_BYTES;
    memcpy(bytes, signature, sizeof signature);
    nk_put32(bytes + AT_VERSION, VERSION);
    nk_put32(bytes + AT_NUMBERS, store->number_count);
    put_numbers(at, store->numbers, store->number_count);
    at += 8 * (size_t)store->number_count;
    for (uint64_t s = 0; s < sections; s++, at += SECTION_BYTES) {
        uint64_t numbers[NK_SECTION_NUMBERS];
        nk_section_encode(&store->sections[s], numbers);
        put_numbers(at, numbers, NK_SECTION_NUMBERS);
    }
    nk_put64(at, XXH3_64bits(bytes, size - 8));
    const struct nk_permission states = {.is_own = has_signature, .kind = "a file of a checkpoint"};
    const enum nk_status status = nk_file_write(path, &states, bytes, size, error);
    free(bytes);
    free(path);
    return status;
}

static enum nk_status parse_state(struct nk_store *store, const uint8_t *bytes, size_t size,
                                  struct nk_error *error)
{
    const size_t least = HEADER_BYTES + 8 * (size_t)store->number_count + 8;
    const uint8_t *at = bytes + HEADER_BYTES;
    if (!has_signature((const char *)bytes, size))
        return foreign(store, store->names.state, error);
    if (size < HEADER_BYTES + 8 || XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return damaged(store, store->names.state, error);
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/%s: a checkpoint of version %llu; this program reads version %d",
                       NK_PATH_OF(store->directory), store->names.state,
                       (unsigned long long)nk_get32(bytes + AT_VERSION), (int)VERSION);
    if (nk_get32(bytes + AT_NUMBERS) != store->number_count || size < least || (size - least) % SECTION_BYTES)
        return damaged(store, store->names.state, error);
    get_numbers(at, store->numbers, store->number_count);
    at += 8 * (size_t)store->number_count;
    const uint64_t count = (size - least) / SECTION_BYTES;
    for (uint64_t s = 0; s < count && s < store->section_count; s++, at += SECTION_BYTES) {
        uint64_t numbers[NK_SECTION_NUMBERS];
        get_numbers(at, numbers, NK_SECTION_NUMBERS);
        nk_section_decode(numbers, &store->sections[s]);
    }
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
    store->numbers = calloc(store->number_count, sizeof *store->numbers);
    if (!store->sections || !store->numbers)
        return no_memory(error);
    const int file =
        is_in_files(store) ? nk_directory_open_file(store->directory, store->names.state, O_RDONLY) : -1;
    if (!is_in_files(store) || (file < 0 && errno == ENOENT))
        return NK_OK;
    enum nk_status status = read_part(store, store->names.state, file, 0, &size, &bytes, error);
    if (!status) {
        store->checksum = XXH3_64bits(bytes, (size_t)size);
        status = parse_state(store, bytes, (size_t)size, error);
    }
    if (file >= 0)
        close(file);
    free(bytes);
    return status;
}

bool nk_store_has_name(const struct nk_store_names *names, const char *name)
{
    const size_t length = strlen(names->sections);
    int end = 0;
    if (strcmp(name, names->state) == 0)
        return true;
    if (strncmp(name, names->sections, length) == 0)
        (void)sscanf(name + length, ".%*9[0-9]%n", &end);
    return end && !name[length + (size_t)end];
}

void nk_store_remove(const struct nk_store *store)
{
    DIR *directory = is_in_files(store) ? opendir(store->directory) : NULL;
    /* The state first, or nothing: without its sections it would be damaged. */
    const bool removes =
        directory && (nk_directory_remove_file(store->directory, store->names.state) || errno == ENOENT);
    for (const struct dirent *entry; removes && (entry = readdir(directory));)
        if (nk_store_has_name(&store->names, entry->d_name) && !check_signature(store, entry->d_name, NULL))
            (void)nk_directory_remove_file(store->directory, entry->d_name);
    if (directory)
        closedir(directory);
}
