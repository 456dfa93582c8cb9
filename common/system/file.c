/* Files that a program writes: nothing is replaced by a part of a file, and nothing without permission. */

#include "common/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- temporary files ---- */

/* The paths of the temporary files of this process, which a signal handler removes: it must not follow pointers to
 * memory that another thread frees. A path is complete while its state is NAMED. It ends in a random number, so no
 * other file has it. */
enum { FREE, TAKEN, NAMED };
static struct temporary {
    atomic_int state;
    char path[4096];
} temporaries[16]; /* of 15 writers, and a second one of a writer that is being opened: see try_to_rename */
enum { MOST_TEMPORARIES = sizeof temporaries / sizeof temporaries[0] };

/* Takes a path in the directory of another path for a temporary file. NULL with the reason in errno. The caller ends
 * with remove_temporary. */
static struct temporary *take_temporary(const char *path)
{
    const int before = (int)(nk_system_file_name(path) - path);
    for (uint64_t n = 0; n < MOST_TEMPORARIES; n++) {
        struct temporary *const taken = &temporaries[n];
        int state = FREE;
        if (!atomic_compare_exchange_strong(&taken->state, &state, TAKEN))
            continue;
        const unsigned long long number = nk_system_random() + n;
        if (snprintf(taken->path, sizeof taken->path, "%.*s.new-%016llx", before, path, number) <
            (int)sizeof taken->path) {
            atomic_store(&taken->state, NAMED);
            return taken;
        }
        atomic_store(&taken->state, FREE);
        errno = ENAMETOOLONG;
        return NULL;
    }
    errno = EMFILE;
    return NULL;
}

/* Removes the file, unless it has got another name. Accepts NULL. */
static void remove_temporary(struct temporary *temporary)
{
    if (!temporary)
        return;
    (void)nk_system_remove(temporary->path);
    atomic_store(&temporary->state, FREE);
}

void nk_file_remove_unfinished(void)
{
    for (int n = 0; n < MOST_TEMPORARIES; n++)
        if (atomic_load(&temporaries[n].state) == NAMED)
            (void)nk_system_remove(temporaries[n].path);
}

/* ---- opening ---- */

struct nk_writer {
    char *path;      /* as it was given; in messages */
    char *target;    /* with its links followed; NULL for a device, a pipe or standard output */
    bool force;      /* whether a file may be replaced */
    bool exists;     /* whether there was a file when the writer was opened, */
    struct stat old; /* and then its permissions */
    struct temporary *temporary;
    int file;        /* the temporary file, or -1 before something is written */
    int device;      /* standard output, or the open device, or -1 */
    uint64_t length; /* bytes so far */
    bool redirects;  /* the process writes to standard output, which is the temporary file */
};

static enum nk_status failed(struct nk_error *error, const char *what, const char *path)
{
    const enum nk_status status = errno == ENOMEM ? NK_E_MEMORY : NK_E_WRITE;
    return nk_fail(error, status, 0, "%s " NK_PATH ": %s", what, NK_PATH_OF(path), nk_system_error(errno).s);
}

static enum nk_status failed_to_replace(const struct nk_writer *writer, struct nk_error *error)
{
    if (errno == EEXIST && !writer->force)
        return nk_fail(error, NK_E_EXISTS, 0,
                       NK_PATH " exists: choose another file, or replace it with --force",
                       NK_PATH_OF(writer->path));
    if (errno == ENOTSUP && !writer->force)
        return nk_fail(error, NK_E_WRITE, 0,
                       "cannot write " NK_PATH
                       ": this file system cannot refuse to replace a file that another "
                       "program creates meanwhile: permit it with --force",
                       NK_PATH_OF(writer->path));
    return failed(error, writer->exists ? "cannot replace" : "cannot create", writer->path);
}

/* Opens the temporary file for what is written. A device or a pipe gets all bytes at the end, as what is written to it
 * cannot be changed. */
static enum nk_status open_temporary(struct nk_writer *writer, struct nk_error *error)
{
    if (writer->file >= 0)
        return NK_OK;
    if (!writer->target) {
        writer->file = nk_system_create_unnamed(NULL);
        return writer->file < 0 ? failed(error, "cannot create a temporary file for", writer->path) : NK_OK;
    }
    struct temporary *const temporary = take_temporary(writer->target);
    if (temporary) /* a file that replaces a private one must be private from the beginning */
        writer->file = nk_system_create(temporary->path, writer->exists);
    if (writer->file < 0) {
        const enum nk_status status = failed(error, "cannot create", writer->path);
        if (temporary)
            atomic_store(&temporary->state, FREE);
        return status;
    }
    writer->temporary = temporary;
    return NK_OK;
}

/* The name is removed first: Windows keeps that of an open file until it is closed. */
static void close_temporary(struct nk_writer *writer)
{
    remove_temporary(writer->temporary);
    if (writer->file >= 0)
        close(writer->file);
    writer->temporary = NULL;
    writer->file = -1;
}

/* Finds out whether the temporary file can get another name without replacing a file. */
static enum nk_status try_to_rename(struct nk_writer *writer, struct nk_error *error)
{
    struct temporary *const other = take_temporary(writer->target);
    const bool can_rename = other && nk_system_rename(writer->temporary->path, other->path, false);
    const enum nk_status status = can_rename ? NK_OK : failed_to_replace(writer, error);
    remove_temporary(other);
    return status;
}

static enum nk_status open_standard(struct nk_writer *writer, struct nk_error *error)
{
    char *name = strdup("standard output"); /* in messages */
    if (!name)
        return nk_fail_memory(error);
    free(writer->path);
    writer->path = name;
    writer->device = dup(STDOUT_FILENO);
    return writer->device < 0 ? failed(error, "cannot open", writer->path) : NK_OK;
}

/* A regular file, or one that does not exist. */
static enum nk_status check_file(struct nk_writer *writer, struct nk_error *error)
{
    struct stat about;
    writer->target = nk_system_follow_links(writer->path);
    if (!writer->target)
        return failed(error, "cannot create", writer->path);
    /* In /proc, the link to a file that was removed leads to a name that does not exist: "/tmp/x (deleted)". */
    if (writer->exists != nk_system_stat(writer->target, &about)) {
        errno = ENOENT;
        return failed(error, "cannot follow the link", writer->path);
    }
    if (writer->exists && !(writer->force && nk_system_may_replace(writer->target, &writer->old))) {
        errno = writer->force ? EPERM : EEXIST;
        return failed_to_replace(writer, error);
    }
    enum nk_status status = open_temporary(writer, error);
    if (!status && !writer->force)
        status = try_to_rename(writer, error);
    close_temporary(writer);
    return status;
}

static enum nk_status check_path(struct nk_writer *writer, struct nk_error *error)
{
    if (nk_file_is_standard(writer->path))
        return open_standard(writer, error);
    if (!*writer->path)
        return nk_fail(error, NK_E_WRITE, 0, "the name of the file to write is empty");
    writer->exists = nk_system_stat(writer->path, &writer->old);
    if (!writer->exists && errno != ENOENT)
        return failed(error, errno == ELOOP ? "cannot follow the link" : "cannot create", writer->path);
    if (writer->exists && S_ISDIR(writer->old.st_mode))
        return nk_fail(error, NK_E_WRITE, 0, NK_PATH " is a directory, expected the name of a file",
                       NK_PATH_OF(writer->path));
    if (!writer->exists || S_ISREG(writer->old.st_mode))
        return check_file(writer, error);
    /* Opening a pipe would wait for its reader. */
    return nk_system_access(writer->path, W_OK) ? NK_OK : failed(error, "cannot open", writer->path);
}

enum nk_status nk_writer_open(const char *path, bool force, struct nk_writer **out, struct nk_error *error)
{
    struct nk_writer *writer = malloc(sizeof *writer);
    if (!writer)
        return nk_fail_memory(error);
    *writer = (struct nk_writer){.path = strdup(path), .force = force, .device = -1, .file = -1};
    const enum nk_status status = writer->path ? check_path(writer, error) : nk_fail_memory(error);
    if (status)
        nk_writer_abandon(writer);
    else
        *out = writer;
    return status;
}

bool nk_writer_is_stream(const struct nk_writer *writer)
{
    return !writer->target;
}

/* ---- writing ---- */

enum nk_status nk_writer_append(struct nk_writer *writer, const void *bytes, size_t length,
                                struct nk_error *error)
{
    const enum nk_status status = nk_writer_write_at(writer, writer->length, bytes, length, error);
    if (!status)
        writer->length += length;
    return status;
}

enum nk_status nk_writer_write_at(struct nk_writer *writer, uint64_t offset, const void *bytes, size_t length,
                                  struct nk_error *error)
{
    const enum nk_status status = open_temporary(writer, error);
    if (status || nk_file_write_at(writer->file, bytes, length, offset))
        return status;
    return failed(error, "cannot write", writer->path);
}

enum nk_status nk_writer_redirect(struct nk_writer *writer, struct nk_error *error)
{
    const enum nk_status status = open_temporary(writer, error);
    if (status)
        return status;
    if (dup2(writer->file, STDOUT_FILENO) < 0)
        return failed(error, "cannot write", writer->path);
    writer->redirects = true;
    return NK_OK;
}

/* ---- closing ---- */

/* To a device or a pipe, which has no offsets. */
static bool put(int file, const uint8_t *bytes, size_t length)
{
    while (length) {
        const ssize_t done = write(file, bytes, (unsigned)length);
        if (done < 0 && errno != EINTR) {
            nk_system_note_lost_reader();
            return false;
        }
        if (done > 0) {
            bytes += done;
            length -= (size_t)done;
        }
    }
    return true;
}

/* Sets *checksum to that of all bytes, and copies them to the device if it is open. Returns false, with the reason in
 * errno, after a failure. */
static bool hash_and_copy(const struct nk_writer *writer, uint64_t *checksum)
{
    uint8_t buffer[1 << 14];
    bool is_good = true;
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        errno = ENOMEM;
        return false;
    }
    XXH3_64bits_reset(state);
    for (uint64_t at = 0; is_good && at < writer->length; at += sizeof buffer) {
        const uint64_t left = writer->length - at;
        const size_t length = left < sizeof buffer ? (size_t)left : sizeof buffer;
        is_good = nk_file_read_at(writer->file, buffer, length, at);
        if (!is_good && !errno)
            errno = EIO; /* another process has cut the file */
        if (is_good && writer->device >= 0)
            is_good = put(writer->device, buffer, length);
        XXH3_64bits_update(state, buffer, length);
    }
    *checksum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return is_good;
}

/* Opens the device, if it is not open. A file that has its path by now is not one. */
static enum nk_status open_device(struct nk_writer *writer, struct nk_error *error)
{
    struct stat about;
    if (writer->device >= 0)
        return NK_OK;
    writer->device = nk_system_open(writer->path, O_WRONLY);
    if (writer->device < 0)
        return failed(error, "cannot open", writer->path);
    if (fstat(writer->device, &about) == 0 && !S_ISREG(about.st_mode))
        return NK_OK;
    return nk_fail(error, NK_E_EXISTS, 0,
                   NK_PATH " was a device or a pipe and is a file now: nothing was written",
                   NK_PATH_OF(writer->path));
}

static enum nk_status close_device(struct nk_writer *writer, struct nk_error *error)
{
    const bool is_closed = close(writer->device) == 0;
    writer->device = -1;
    return is_closed ? NK_OK : failed(error, "cannot write", writer->path);
}

static enum nk_status rename_to_target(struct nk_writer *writer, struct nk_error *error)
{
    if (writer->exists)
        nk_system_copy_permissions(writer->file, &writer->old);
    /* An error that close could report is reported by this. */
    if (!nk_system_flush(writer->file))
        return failed(error, "cannot write", writer->path);
    if (!nk_system_rename(writer->temporary->path, writer->target, writer->force))
        return failed_to_replace(writer, error);
    nk_system_flush_directory(writer->target);
    return NK_OK;
}

static enum nk_status finish(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error)
{
    uint64_t found = 0;
    struct stat about;
    enum nk_status status = open_temporary(writer, error);
    if (!status && writer->redirects) {
        if (fstat(writer->file, &about))
            return failed(error, "cannot write", writer->path);
        writer->length = (uint64_t)about.st_size;
    }
    if (!status && !writer->target)
        status = open_device(writer, error);
    if (status)
        return status;
    if ((checksum || !writer->target) && !hash_and_copy(writer, &found))
        return failed(error, "cannot write", writer->path);
    status = (writer->target ? rename_to_target : close_device)(writer, error);
    if (!status && checksum)
        *checksum = found;
    return status;
}

enum nk_status nk_writer_commit(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error)
{
    const enum nk_status status = finish(writer, checksum, error);
    nk_writer_abandon(writer);
    return status;
}

void nk_writer_abandon(struct nk_writer *writer)
{
    if (!writer)
        return;
    close_temporary(writer);
    if (writer->device >= 0)
        close(writer->device);
    free(writer->target);
    free(writer->path);
    free(writer);
}

/* ---- other functions for files ---- */

enum nk_status nk_file_write(const char *path, bool force, const void *bytes, size_t length,
                             struct nk_error *error)
{
    struct nk_writer *writer;
    enum nk_status status = nk_writer_open(path, force, &writer, error);
    if (status)
        return status;
    if (!(status = nk_writer_append(writer, bytes, length, error)))
        return nk_writer_commit(writer, NULL, error);
    nk_writer_abandon(writer);
    return status;
}

/* Creates a directory and those above it, as far as they are missing. If this fails, `path` becomes that of the one
 * which cannot be created. What is above one that exists is not tried: that can give other errors than EEXIST, such as
 * for C: on Windows. */
static bool make_directory(char *path)
{
    if (nk_system_make_directory(path, true) || errno == EEXIST)
        return true;
    const size_t name = (size_t)(nk_system_file_name(path) - path);
    if ((errno != ENOENT && errno != ENOTDIR) || name < 2 || path[name - 1] == ':')
        return false;
    const char separator = path[name - 1];
    path[name - 1] = '\0';
    if (!make_directory(path))
        return false;
    path[name - 1] = separator;
    return nk_system_make_directory(path, true) || errno == EEXIST;
}

enum nk_status nk_file_make_directories(const char *path, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    const size_t name = (size_t)(nk_system_file_name(path) - path);
    char *directory = strdup(path);
    if (!directory)
        return nk_fail_memory(error);
    if (name > 1) {
        directory[name - 1] = '\0';
        if (!make_directory(directory))
            status = failed(error, "cannot create the directory", directory);
    }
    free(directory);
    return status;
}
