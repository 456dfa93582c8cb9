/* The files of a checkpoint: the state, and the rows that each process has recorded. What is read from them is checked
 * before it is used, as the files may be damaged, or those of something else. */

#include "solver/solver.h"

#include "common/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* All files begin with the signature; one that does not is not touched. In a file with rows, the sections follow. The
 * state has little-endian numbers: the version (u32), the number of numbers (u32), these (u64 each), the numbers of
 * each section (u64 each), and the XXH3-64 of all bytes before. */
enum { AT_VERSION = 8, AT_NUMBERS = 12, HEADER_BYTES = 16, SECTION_NUMBERS = 4, VERSION = 3 };
static const uint8_t signature[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};
static_assert(sizeof(struct nk_section) == sizeof(uint64_t[SECTION_NUMBERS]),
              "sections are added up as numbers");

/* The names of the files: the state, and the rows of process P with the suffix .P. */
static const char state_name[] = "state", rows_name[] = "log";

/* What the storage of an analysis consists of. */
struct checkpoint {
    struct nk_storage storage;
    const struct nk_cluster *cluster; /* or NULL */
    struct nk_losses *losses;         /* for which the storage is */
    int lock;             /* its file descriptor; -1 in the other processes of the run that has locked it */
    bool is_made;         /* whether this run has created the directory */
    int own_file;         /* with the rows of this process, or -1 */
    _Atomic uint64_t end; /* of this file */
};

static struct checkpoint *checkpoint_of(struct nk_storage *storage)
{
    return (struct checkpoint *)storage; /* its first member */
}

/* ---- errors ---- */

/* For a failed operation on a file of the directory; errno is the reason. */
static enum nk_status file_failed(const struct checkpoint *checkpoint, enum nk_status status,
                                  const char *name, struct nk_error *error)
{
    if (errno == ENOMEM)
        return nk_fail_memory(error);
    return nk_fail(error, status, 0, "%s" NK_PATH "/%s: %s", status == NK_E_WRITE ? "cannot write " : "",
                   NK_PATH_OF(checkpoint->storage.directory), name, nk_system_error(errno).s);
}

static enum nk_status damaged(const struct checkpoint *checkpoint, const char *name, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, NK_PATH "/%s: damaged: name another directory to start over",
                   NK_PATH_OF(checkpoint->storage.directory), name);
}

static enum nk_status foreign(const struct checkpoint *checkpoint, const char *name, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, NK_PATH "/%s: not a file of a checkpoint: name another directory",
                   NK_PATH_OF(checkpoint->storage.directory), name);
}

/* ---- files ---- */

/* The path of a file, which the caller frees. NULL, with ENOMEM, if memory runs out. */
static char *path_of(const struct checkpoint *checkpoint, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", checkpoint->storage.directory, name) >= 0)
        return path;
    errno = ENOMEM;
    return NULL;
}

/* Returns the file descriptor, or -1 with errno. */
static int open_file(const struct checkpoint *checkpoint, const char *name, int flags)
{
    char *path = path_of(checkpoint, name);
    const int file = path ? nk_system_open(path, flags) : -1;
    const int why = errno;
    free(path);
    errno = why;
    return file;
}

static bool remove_file(const struct checkpoint *checkpoint, const char *name)
{
    char *path = path_of(checkpoint, name);
    const bool is_removed = path && nk_system_remove(path);
    free(path);
    return is_removed;
}

static struct nk_text rows_file(uint64_t process)
{
    return nk_text_of("%s.%" PRIu64, rows_name, process);
}

bool nk_checkpoint_has_name(const char *name)
{
    int end = 0;
    if (strcmp(name, state_name) == 0)
        return true;
    if (strncmp(name, rows_name, sizeof rows_name - 1) == 0)
        (void)sscanf(name + sizeof rows_name - 1, ".%*9[0-9]%n", &end);
    return end && !name[sizeof rows_name - 1 + (size_t)end];
}

static bool has_signature(const char *bytes, size_t length)
{
    return length >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

/* Whether an open file begins with the signature. */
static enum nk_status check_signature(const struct checkpoint *checkpoint, const char *name, int file,
                                      struct nk_error *error)
{
    char first[sizeof signature] = {0};
    if (file < 0 || (!nk_file_read_at(file, first, sizeof first, 0) && errno))
        return file_failed(checkpoint, NK_E_READ, name, error);
    return has_signature(first, sizeof first) ? NK_OK : foreign(checkpoint, name, error);
}

/* Whether a file is one of a checkpoint. */
static bool is_own(const struct checkpoint *checkpoint, const char *name)
{
    const int file = open_file(checkpoint, name, O_RDONLY);
    const bool is = check_signature(checkpoint, name, file, NULL) == NK_OK;
    if (file >= 0)
        close(file);
    return is;
}

static uint64_t size_of(int file)
{
    struct stat about = {0};
    (void)fstat(file, &about); /* does not fail for an open file */
    return (uint64_t)about.st_size;
}

/* Reads a part of a file, which is negative if it could not be opened, into memory that the caller frees, with zeros
 * after it. */
static enum nk_status read_part(const struct checkpoint *checkpoint, const char *name, int file,
                                uint64_t offset, uint64_t length, uint8_t **bytes, struct nk_error *error)
{
    *bytes = NULL;
    if (file < 0)
        return file_failed(checkpoint, NK_E_READ, name, error);
    const uint64_t size = size_of(file);
    if (offset > size || length > size - offset)
        return damaged(checkpoint, name, error);
    if (length <= SIZE_MAX - NK_SECTION_PADDING) /* not where addresses have 32 bits */
        *bytes = calloc((size_t)length + NK_SECTION_PADDING, 1);
    if (!*bytes)
        return nk_fail_memory(error);
    if (nk_file_read_at(file, *bytes, (size_t)length, offset))
        return NK_OK;
    return errno ? file_failed(checkpoint, NK_E_READ, name, error) : damaged(checkpoint, name, error);
}

/* Opens the file with the rows of this process. */
static enum nk_status open_own_file(struct checkpoint *checkpoint, struct nk_error *error)
{
    const uint64_t process = (uint64_t)nk_cluster_process(checkpoint->cluster);
    const struct nk_text name = rows_file(process);
    uint64_t end = 0;
    for (uint64_t s = 0; s < checkpoint->losses->section_count; s++) {
        const struct nk_section *section = &checkpoint->losses->sections[s];
        if (section->process == process && section->offset + section->length > end)
            end = section->offset + section->length;
    }
    checkpoint->own_file = open_file(checkpoint, name.s, end ? O_RDWR : O_RDWR | O_CREAT);
    checkpoint->end = end ? end : sizeof signature;
    if (checkpoint->own_file < 0)
        return file_failed(checkpoint, end ? NK_E_READ : NK_E_WRITE, name.s, error);
    const uint64_t size = size_of(checkpoint->own_file);
    if (end) /* what is appended must follow the sections, and these were in the file when the state was saved */
        return end > size ? damaged(checkpoint, name.s, error) : NK_OK;
    if (!size && !nk_file_write_at(checkpoint->own_file, signature, sizeof signature, 0))
        return file_failed(checkpoint, NK_E_WRITE, name.s, error);
    return check_signature(checkpoint, name.s, checkpoint->own_file, error);
}

/* ---- sections ---- */

/* Writes a section behind what the file of this process has. */
static enum nk_status write_section(struct nk_storage *storage, struct nk_section *section,
                                    const uint8_t *bytes, struct nk_error *error)
{
    struct checkpoint *checkpoint = checkpoint_of(storage);
    const size_t length = (size_t)section->length;
    section->checksum = XXH3_64bits(bytes, length);
    section->process = (uint64_t)nk_cluster_process(checkpoint->cluster);
    section->offset = atomic_fetch_add(&checkpoint->end, length);
    return nk_file_write_at(checkpoint->own_file, bytes, length, section->offset)
               ? NK_OK
               : file_failed(checkpoint, NK_E_WRITE, rows_file(section->process).s, error);
}

static enum nk_status read_section(struct nk_storage *storage, const struct nk_section *section,
                                   uint8_t **bytes, struct nk_error *error)
{
    const struct checkpoint *checkpoint = checkpoint_of(storage);
    const struct nk_text name = rows_file(section->process);
    const bool is_own = section->process == (uint64_t)nk_cluster_process(checkpoint->cluster);
    const int file = is_own ? checkpoint->own_file : open_file(checkpoint, name.s, O_RDONLY);
    enum nk_status status =
        read_part(checkpoint, name.s, file, section->offset, section->length, bytes, error);
    if (!status && XXH3_64bits(*bytes, (size_t)section->length) != section->checksum)
        status = damaged(checkpoint, name.s, error);
    if (status)
        free(*bytes);
    if (!is_own && file >= 0)
        close(file);
    return status;
}

static enum nk_status damaged_section(struct nk_storage *storage, const struct nk_section *section,
                                      struct nk_error *error)
{
    return damaged(checkpoint_of(storage), rows_file(section->process).s, error);
}

/* ---- the state ---- */

/* The places of its numbers in the file. */
enum {
    AT_RULES, /* width, height, pieces, row length, win: a byte each from the lowest; zero without a state */
    AT_COMPLETE,
    AT_PLY,
    AT_STALEMATES,
    AT_DRAWS,
    AT_EXAMPLE,
    AT_BY_PLIES,
    STATE_NUMBERS = AT_BY_PLIES + NK_MAX_PLIES + 1
};

static uint64_t pack_rules(const struct nk_rules *rules)
{
    return (uint64_t)rules->board.width | (uint64_t)rules->board.height << 8 |
           (uint64_t)rules->board.pieces << 16 | (uint64_t)rules->board.row_length << 24 |
           (uint64_t)rules->board.win << 32;
}

static void encode_state(const struct checkpoint *checkpoint, const struct nk_losses_state *state,
                         uint64_t *numbers)
{
    numbers[AT_RULES] = pack_rules(&checkpoint->losses->index->rules);
    numbers[AT_COMPLETE] = state->is_complete;
    numbers[AT_PLY] = (uint64_t)state->ply;
    numbers[AT_STALEMATES] = state->stalemates;
    numbers[AT_DRAWS] = state->draws;
    numbers[AT_EXAMPLE] = state->example;
    memcpy(numbers + AT_BY_PLIES, state->by_plies, sizeof state->by_plies);
}

/* The inverse of encode_state, for numbers that check_numbers has accepted. */
static void decode_state(const uint64_t *numbers, struct nk_losses_state *state)
{
    state->is_complete = numbers[AT_COMPLETE];
    state->ply = (int)numbers[AT_PLY];
    state->stalemates = numbers[AT_STALEMATES];
    state->draws = numbers[AT_DRAWS];
    state->example = numbers[AT_EXAMPLE];
    memcpy(state->by_plies, numbers + AT_BY_PLIES, sizeof state->by_plies);
}

/* The sections that a state has after a ply. */
static uint64_t sections_of(const struct checkpoint *checkpoint, uint64_t ply)
{
    return (ply / 2 + 1) * checkpoint->losses->slices;
}

static void put_numbers(uint8_t *at, const uint64_t *numbers, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        nk_put64(at + 8 * n, numbers[n]);
}

static void get_numbers(const uint8_t *at, uint64_t *numbers, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        numbers[n] = nk_get64(at + 8 * n);
}

/* Replaces the file. */
static enum nk_status save_state(const struct checkpoint *checkpoint, const struct nk_losses_state *state,
                                 struct nk_error *error)
{
    const uint64_t section_numbers = SECTION_NUMBERS * sections_of(checkpoint, (uint64_t)state->ply);
    const size_t size = HEADER_BYTES + 8 * (STATE_NUMBERS + (size_t)section_numbers) + 8;
    uint64_t numbers[STATE_NUMBERS];
    char *path = path_of(checkpoint, state_name);
    uint8_t *bytes = malloc(size), *at = bytes;
    enum nk_status status = path && bytes ? NK_OK : nk_fail_memory(error);
    if (!status) {
        encode_state(checkpoint, state, numbers);
        memcpy(at, signature, sizeof signature);
        nk_put32(at + AT_VERSION, VERSION);
        nk_put32(at + AT_NUMBERS, STATE_NUMBERS);
        at += HEADER_BYTES;
        put_numbers(at, numbers, STATE_NUMBERS);
        at += sizeof(uint64_t[STATE_NUMBERS]);
        put_numbers(at, (const uint64_t *)checkpoint->losses->sections, section_numbers);
        nk_put64(bytes + size - 8, XXH3_64bits(bytes, size - 8));
        status = nk_file_write(path, true, bytes, size, error);
    }
    free(bytes);
    free(path);
    return status;
}

static enum nk_status commit(struct nk_storage *storage, const struct nk_losses_state *state,
                             struct nk_section *sections, struct nk_error *error)
{
    struct checkpoint *checkpoint = checkpoint_of(storage);
    if (sections && !nk_system_flush(checkpoint->own_file))
        return file_failed(checkpoint, NK_E_WRITE,
                           rows_file((uint64_t)nk_cluster_process(checkpoint->cluster)).s, error);
    /* All sections are in one process each: their sums are all of them, and all of them have been flushed. */
    if (sections)
        nk_cluster_sum(checkpoint->cluster, (uint64_t *)sections,
                       SECTION_NUMBERS * (size_t)checkpoint->losses->slices);
    return nk_cluster_is_first(checkpoint->cluster) ? save_state(checkpoint, state, error) : NK_OK;
}

/* Checks the numbers of the state that was read with so many sections. */
static enum nk_status check_numbers(const struct checkpoint *checkpoint, const uint64_t *numbers,
                                    uint64_t sections, struct nk_error *error)
{
    const uint64_t rules = numbers[AT_RULES], win = rules >> 32;
    if (rules != pack_rules(&checkpoint->losses->index->rules)) {
        const struct nk_board other = {rules & 255, rules >> 8 & 255, rules >> 16 & 255, rules >> 24 & 255,
                                       win < NK_WIN_RULES ? (enum nk_win)win : NK_WIN_LINE};
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH ": a checkpoint of another game: %s: finish that analysis, or name another "
                               "directory",
                       NK_PATH_OF(checkpoint->storage.directory), nk_board_options(&other).s);
    }
    if (numbers[AT_COMPLETE] > 1 || numbers[AT_PLY] > NK_MAX_PLIES ||
        sections != sections_of(checkpoint, numbers[AT_PLY]))
        return damaged(checkpoint, state_name, error);
    return NK_OK;
}

/* Fills in the numbers and the sections from the bytes of the file. */
static enum nk_status parse_state(struct checkpoint *checkpoint, const uint8_t *bytes, size_t size,
                                  uint64_t *numbers, struct nk_error *error)
{
    const size_t least = HEADER_BYTES + 8 * STATE_NUMBERS + 8;
    if (!has_signature((const char *)bytes, size))
        return foreign(checkpoint, state_name, error);
    if (size < HEADER_BYTES + 8 || XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return damaged(checkpoint, state_name, error);
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/%s: a checkpoint of version %u; this program reads version %d",
                       NK_PATH_OF(checkpoint->storage.directory), state_name, nk_get32(bytes + AT_VERSION),
                       (int)VERSION);
    if (nk_get32(bytes + AT_NUMBERS) != STATE_NUMBERS || size < least ||
        (size - least) % sizeof(struct nk_section))
        return damaged(checkpoint, state_name, error);
    get_numbers(bytes + HEADER_BYTES, numbers, STATE_NUMBERS);
    const uint64_t sections = (size - least) / sizeof(struct nk_section);
    const enum nk_status status = check_numbers(checkpoint, numbers, sections, error);
    if (!status)
        get_numbers(bytes + HEADER_BYTES + sizeof(uint64_t[STATE_NUMBERS]),
                    (uint64_t *)checkpoint->losses->sections, SECTION_NUMBERS * sections);
    return status;
}

/* Reads the state that a former run left in the directory, if there is one. */
static enum nk_status read_state(struct checkpoint *checkpoint, uint64_t *numbers, struct nk_error *error)
{
    uint8_t *bytes;
    const int file = open_file(checkpoint, state_name, O_RDONLY);
    if (file < 0 && errno == ENOENT)
        return NK_OK;
    const uint64_t size = file < 0 ? 0 : size_of(file);
    enum nk_status status = read_part(checkpoint, state_name, file, 0, size, &bytes, error);
    if (!status)
        status = parse_state(checkpoint, bytes, (size_t)size, numbers, error);
    if (file >= 0)
        close(file);
    free(bytes);
    return status;
}

/* ---- opening, closing and removing ---- */

/* Continues from the state that the directory has. */
static enum nk_status restore(struct nk_storage *storage, struct nk_losses *losses, struct nk_error *error)
{
    struct checkpoint *checkpoint = checkpoint_of(storage);
    uint64_t numbers[STATE_NUMBERS] = {0};
    checkpoint->losses = losses;
    if (nk_cluster_is_first(checkpoint->cluster)) {
        const enum nk_status status = read_state(checkpoint, numbers, error);
        if (status)
            return status;
    }
    /* The others have zeros. They touch the directory only after the first process has locked it. */
    nk_cluster_sum(checkpoint->cluster, numbers, STATE_NUMBERS);
    nk_cluster_sum(checkpoint->cluster, (uint64_t *)losses->sections,
                   SECTION_NUMBERS * (size_t)losses->section_count);
    if (numbers[AT_RULES])
        decode_state(numbers, &losses->state);
    return open_own_file(checkpoint, error);
}

/* Creates the directory if it does not exist, and locks it. */
static enum nk_status lock_directory(struct checkpoint *checkpoint, struct nk_error *error)
{
    const char *path = checkpoint->storage.directory;
    checkpoint->is_made = nk_system_make_directory(path, false);
    if (!checkpoint->is_made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s", NK_PATH_OF(path),
                       nk_system_error(errno).s);
    checkpoint->lock = nk_system_lock_directory(path);
    if (checkpoint->lock >= 0)
        return NK_OK;
    if (errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_BUSY, 0,
                       NK_PATH ": another run uses this directory: wait for it, or name another one",
                       NK_PATH_OF(path));
    return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), nk_system_error(errno).s);
}

enum nk_status nk_checkpoint_open(const char *path, const struct nk_cluster *cluster, struct nk_storage **out,
                                  struct nk_error *error)
{
    struct checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint)
        return nk_fail_memory(error);
    checkpoint->storage = (struct nk_storage){
        .directory = path,
        .write = write_section,
        .read = read_section,
        .damaged = damaged_section,
        .commit = commit,
        .restore = restore,
    };
    checkpoint->cluster = cluster;
    checkpoint->lock = checkpoint->own_file = -1;
    const enum nk_status status = nk_cluster_is_first(cluster) ? lock_directory(checkpoint, error) : NK_OK;
    if (status)
        nk_checkpoint_close(&checkpoint->storage);
    else
        *out = &checkpoint->storage;
    return status;
}

static void close_own_file(struct checkpoint *checkpoint)
{
    if (checkpoint->own_file >= 0)
        close(checkpoint->own_file);
    checkpoint->own_file = -1;
}

void nk_checkpoint_close(struct nk_storage *storage)
{
    struct checkpoint *checkpoint = checkpoint_of(storage);
    if (!storage)
        return;
    close_own_file(checkpoint);
    if (checkpoint->lock >= 0)
        nk_system_unlock_directory(checkpoint->lock, checkpoint->storage.directory, checkpoint->is_made);
    free(checkpoint);
}

void nk_checkpoint_remove(struct nk_storage *storage)
{
    struct checkpoint *checkpoint = checkpoint_of(storage);
    close_own_file(checkpoint); /* where few files can be open, this leaves room for those that are checked */
    struct nk_listing *const listing =
        nk_cluster_is_first(checkpoint->cluster) ? nk_system_list(storage->directory) : NULL;
    /* The state first, or nothing: without its sections it would be damaged. */
    const bool removes = listing && (remove_file(checkpoint, state_name) || errno == ENOENT);
    for (const char *name; removes && (name = nk_system_next_name(listing));)
        if (nk_checkpoint_has_name(name) && is_own(checkpoint, name))
            (void)remove_file(checkpoint, name);
    nk_system_end_list(listing);
}
