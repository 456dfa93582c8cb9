#include "common/system/file.h"

#include "common/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

struct nk_writer {
    char *path;      /* the final name */
    char *temporary; /* the present name; NULL if there is none, as for a device */
    int file;        /* open for reading and writing */
    int device;      /* to which the bytes are copied at the end, or -1; also standard output */
    uint64_t length; /* bytes so far */
    bool replaces;   /* there is an old file */
    struct stat old; /* its owner, group and permissions */
};

/* The prefix of the names of incomplete files. */
static const char unfinished[] = ".new-";

static enum nk_status failed(struct nk_error *error, const char *what, const char *path)
{
    const enum nk_status status = errno == ENOMEM ? NK_E_MEMORY : NK_E_WRITE;
    return nk_fail(error, status, 0, "%s " NK_PATH ": %s", what, NK_PATH_OF(path), strerror(errno));
}

/* To a device or a pipe, which has no offsets. */
static bool put(int file, const uint8_t *bytes, size_t length)
{
    enum { MOST = 1 << 30 }; /* bytes at a time: not every system writes more */
    while (length) {
        const ssize_t done = write(file, bytes, length < MOST ? (unsigned)length : MOST);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            length -= (size_t)done;
        }
    }
    return true;
}

/* Opens a new file in the directory of the path. Its name is short, so it cannot be too long, and follows from the
 * path, so that what a killed process left is found and removed. The last digit distinguishes processes that write the
 * same path at the same time. */
static enum nk_status open_temporary(struct nk_writer *writer, struct nk_error *error)
{
    const char *name = nk_system_file_name(writer->path);
    const int directory = (int)(name - writer->path);
    const unsigned long long hash = XXH3_64bits(name, strlen(name));
    if (asprintf(&writer->temporary, "%.*s%s%016llx-0", directory, writer->path, unfinished, hash) < 0) {
        writer->temporary = NULL;
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    }
    char *digit = writer->temporary + strlen(writer->temporary) - 1;
    for (*digit = '0'; *digit <= '9'; ++*digit)
        nk_system_remove_abandoned(writer->temporary);
    for (*digit = '0'; *digit <= '9'; ++*digit) {
        /* A file that replaces a private one must be private from the beginning. */
        writer->file = nk_system_create(writer->temporary, writer->replaces);
        if (writer->file >= 0)
            return NK_OK;
        if (errno != EEXIST)
            break;
    }
    const enum nk_status status = failed(error, "cannot create", writer->path);
    free(writer->temporary); /* a file of this name belongs to another process */
    writer->temporary = NULL;
    return status;
}

/* Nothing can be renamed to a device or a pipe, and bytes written to it cannot be replaced, so it gets all bytes
 * at the end. `device` is an open file or, after a failure, negative. */
static enum nk_status use_device(struct nk_writer *writer, int device, struct nk_error *error)
{
    writer->device = device;
    if (writer->device < 0)
        return failed(error, "cannot open", writer->path);
    writer->file = nk_system_create_unnamed();
    return writer->file < 0 ? failed(error, "cannot create a temporary file for", writer->path) : NK_OK;
}

static enum nk_status open_standard(struct nk_writer *writer, struct nk_error *error)
{
    char *name = strdup("standard output"); /* in messages */
    if (!name)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    free(writer->path);
    writer->path = name;
    return use_device(writer, dup(STDOUT_FILENO), error);
}

static enum nk_status open_by_type(struct nk_writer *writer, struct nk_error *error)
{
    struct stat about = {0};
    if (nk_file_is_standard(writer->path))
        return open_standard(writer, error);
    if (!*writer->path)
        return nk_fail(error, NK_E_WRITE, 0, "the name of the file to write is empty");
    /* There may be no file yet; any other error shows when the file is created, under a name that is short. */
    const bool exists = stat(writer->path, &about) == 0;
    if (!exists && errno == ENAMETOOLONG)
        return failed(error, "cannot create", writer->path);
    if (exists && S_ISDIR(about.st_mode))
        return nk_fail(error, NK_E_WRITE, 0, NK_PATH " is a directory, expected the name of a file",
                       NK_PATH_OF(writer->path));
    if (exists && !S_ISREG(about.st_mode))
        return use_device(writer, nk_system_open(writer->path, O_WRONLY), error);
    if (nk_system_is_link(writer->path)) {
        char *target = nk_system_resolve(writer->path);
        if (!target)
            return failed(error, "cannot follow the link", writer->path);
        free(writer->path);
        writer->path = target;
    }
    if (exists && !nk_system_may_replace(writer->path, &about)) {
        errno = EPERM;
        return failed(error, "cannot replace", writer->path);
    }
    writer->replaces = exists;
    writer->old = about;
    return open_temporary(writer, error);
}

bool nk_file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

enum nk_status nk_writer_open(const char *path, struct nk_writer **out, struct nk_error *error)
{
    struct nk_writer *writer = malloc(sizeof *writer);
    if (!writer)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    *writer = (struct nk_writer){.path = strdup(path), .file = -1, .device = -1};
    const enum nk_status status =
        writer->path ? open_by_type(writer, error) : nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    if (status)
        nk_writer_abandon(writer);
    else
        *out = writer;
    return status;
}

enum nk_status nk_writer_append(struct nk_writer *writer, const void *bytes, size_t length,
                                struct nk_error *error)
{
    const enum nk_status status = nk_writer_replace(writer, writer->length, bytes, length, error);
    if (!status)
        writer->length += length;
    return status;
}

enum nk_status nk_writer_replace(struct nk_writer *writer, uint64_t offset, const void *bytes, size_t length,
                                 struct nk_error *error)
{
    return nk_file_write_at(writer->file, bytes, length, offset)
               ? NK_OK
               : failed(error, "cannot write", writer->path);
}

const char *nk_writer_temporary(const struct nk_writer *writer)
{
    return writer->temporary;
}

/* Sets *out to size and checksum of an open file and copies it to `device`, unless that is -1. Returns false, with the
 * reason in errno, after a failure. */
static bool describe(int file, int device, struct nk_file_digest *out)
{
    uint8_t buffer[1 << 16];
    ptrdiff_t got = -1;
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        errno = ENOMEM;
        return false;
    }
    XXH3_64bits_reset(state);
    *out = (struct nk_file_digest){0};
    while ((got = nk_system_read_at(file, buffer, sizeof buffer, out->bytes)) > 0) {
        if (device >= 0 && !put(device, buffer, (size_t)got)) {
            got = -1;
            break;
        }
        XXH3_64bits_update(state, buffer, (size_t)got);
        out->bytes += (uint64_t)got;
    }
    out->checksum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return got == 0;
}

static enum nk_status rename_to_path(struct nk_writer *writer, struct nk_error *error)
{
    if (writer->device >= 0) {
        const bool closed = close(writer->device) == 0;
        writer->device = -1;
        return closed ? NK_OK : failed(error, "cannot write", writer->path);
    }
    if (writer->replaces)
        nk_system_copy_permissions(writer->file, &writer->old);
    /* The file stays open, and so locked, until it has its name. An error that close could report has been
     * reported by fsync. */
    if (!nk_system_flush(writer->file))
        return failed(error, "cannot write", writer->path);
    if (!nk_system_rename(writer->temporary, writer->path))
        return failed(error, "cannot replace", writer->path);
    free(writer->temporary);
    writer->temporary = NULL;
    return NK_OK;
}

enum nk_status nk_writer_close(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error)
{
    struct nk_file_digest written = {.bytes = writer->length};
    bool complete = (!checksum && writer->device < 0) || describe(writer->file, writer->device, &written);
    if (complete && written.bytes != writer->length) {
        errno = EIO; /* another process has changed it */
        complete = false;
    }
    const enum nk_status status =
        complete ? rename_to_path(writer, error) : failed(error, "cannot write", writer->path);
    if (!status && checksum)
        *checksum = written.checksum;
    nk_writer_abandon(writer);
    return status;
}

void nk_writer_abandon(struct nk_writer *writer)
{
    if (!writer)
        return;
    /* Before it is closed: a signal handler removes open files only. */
    if (writer->temporary)
        (void)unlink(writer->temporary);
    if (writer->file >= 0)
        close(writer->file);
    if (writer->device >= 0)
        close(writer->device);
    free(writer->temporary);
    free(writer->path);
    free(writer);
}

enum nk_status nk_file_permit(const char *path, bool (*is_own)(const char *bytes, size_t length),
                              const char *kind, bool *has_own, struct nk_error *error)
{
    char first[NK_FIRST_BYTES];
    struct stat about;
    const bool has_content =
        !nk_file_is_standard(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    if (has_own)
        *has_own = has_content;
    if (!has_content)
        return NK_OK;
    if (!is_own)
        return nk_fail(error, NK_E_EXISTS, 0, NK_PATH " exists" NK_OR_FORCE, NK_PATH_OF(path));
    const size_t length = about.st_size < NK_FIRST_BYTES ? (size_t)about.st_size : NK_FIRST_BYTES;
    const int file = nk_system_open(path, O_RDONLY);
    const bool was_read = file >= 0 && nk_file_read_at(file, first, length, 0);
    const int why = errno; /* 0 if another process has made it shorter */
    if (file >= 0)
        close(file);
    if (!was_read && why)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(why));
    if (!was_read || !is_own(first, length))
        return nk_fail(error, NK_E_EXISTS, 0, NK_PATH " exists and is not %s", NK_PATH_OF(path), kind);
    return NK_OK;
}

enum nk_status nk_file_write(const char *path, const void *bytes, size_t length, struct nk_error *error)
{
    struct nk_writer *writer;
    enum nk_status status = nk_writer_open(path, &writer, error);
    if (status)
        return status;
    if (!(status = nk_writer_append(writer, bytes, length, error)))
        return nk_writer_close(writer, NULL, error);
    nk_writer_abandon(writer);
    return status;
}

enum nk_status nk_file_make_directories(const char *path, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    char *directory = strdup(path);
    if (!directory)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    for (char *slash = strchr(directory + 1, '/'); slash && !status; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!nk_system_make_directory(directory, true) && errno != EEXIST)
            status = failed(error, "cannot create the directory", directory);
        *slash = '/';
    }
    free(directory);
    return status;
}

bool nk_file_read_at(int file, void *bytes, size_t length, uint64_t offset)
{
    for (size_t at = 0; at < length;) {
        const ptrdiff_t done = nk_system_read_at(file, (char *)bytes + at, length - at, offset + at);
        if (done == 0)
            errno = 0;
        if (done <= 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

bool nk_file_write_at(int file, const void *bytes, size_t length, uint64_t offset)
{
    for (size_t at = 0; at < length;) {
        const ptrdiff_t done = nk_system_write_at(file, (const char *)bytes + at, length - at, offset + at);
        if (done < 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

/* The system knows which files are open and their present names; a list here could not change together with
 * them. Where the system does not provide the names, the files stay. */
void nk_file_remove_unfinished(void)
{
    enum { MOST_FILES = 4096 }; /* open at the same time: far more than threads that write */
    char path[4096];
    for (int file = MOST_FILES - 1; file >= 0; file--)
        if (nk_system_path_of(file, path, sizeof path) &&
            strncmp(nk_system_file_name(path), unfinished, strlen(unfinished)) == 0)
            (void)unlink(path);
}
