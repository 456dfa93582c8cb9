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
    char *path;            /* as it was given; in messages */
    bool force;            /* whether a file may be replaced */
    struct nk_place place; /* closed for a device */
    struct nk_seen
        old;         /* what was there when the writer was opened: the file to be replaced, or the device */
    bool has_device; /* to which the bytes are copied at the end; also standard output */
    int device;      /* that device if it is open, or -1 */
    int file;        /* open for reading and writing once something is written, or -1 */
    char *temporary; /* the path of that file, if it has one */
    uint64_t length; /* bytes so far */
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

/* ---- the temporary file ---- */

/* The temporary name. */
static const char *temporary_name(const struct nk_writer *writer)
{
    return nk_system_file_name(writer->temporary);
}

/* Removes the temporary file, if there is one, before it is closed: a signal handler removes open files only. */
static void remove_temporary(struct nk_writer *writer)
{
    if (writer->temporary)
        (void)nk_system_remove(&writer->place, temporary_name(writer));
    if (writer->file >= 0)
        close(writer->file);
    free(writer->temporary);
    writer->temporary = NULL;
    writer->file = -1;
}

/* Its name is short, so it cannot be too long, and follows from that of the file, so that what a killed process left is
 * found and removed. The last digit distinguishes processes that write the same file at the same time. */
static enum nk_status create_temporary(struct nk_writer *writer, struct nk_error *error)
{
    const struct nk_place *place = &writer->place;
    const int before = (int)(place->name - place->path);
    const unsigned long long hash = XXH3_64bits(place->name, strlen(place->name));
    if (asprintf(&writer->temporary, "%.*s%s%016llx-0", before, place->path, unfinished, hash) < 0) {
        writer->temporary = NULL;
        return nk_fail_memory(error);
    }
    char *digit = writer->temporary + strlen(writer->temporary) - 1;
    for (*digit = '0'; *digit <= '9'; ++*digit)
        nk_system_remove_abandoned(place, temporary_name(writer));
    for (*digit = '0'; *digit <= '9'; ++*digit) {
        /* A file that replaces a private one must be private from the beginning. */
        writer->file = nk_system_create(place, temporary_name(writer), writer->old.exists);
        if (writer->file >= 0)
            return NK_OK;
        if (errno != EEXIST)
            break;
    }
    const bool are_taken = errno == EEXIST;
    const enum nk_status status = failed(error, "cannot create", writer->path);
    free(writer->temporary); /* a file of this name belongs to another process */
    writer->temporary = NULL;
    return !are_taken ? status
                      : nk_fail(error, NK_E_WRITE, 0,
                                "cannot create " NK_PATH ": ten programs are writing it, with files called "
                                "%s%016llx-0 to -9 in its directory: wait until one of them has ended",
                                NK_PATH_OF(writer->path), unfinished, hash);
}

/* Opens the file for what is written. Nothing can be renamed to a device or a pipe, and bytes written to it cannot be
 * replaced, so it gets all bytes at the end. */
static enum nk_status open_unfinished(struct nk_writer *writer, struct nk_error *error)
{
    if (writer->file >= 0)
        return NK_OK;
    if (!writer->has_device)
        return create_temporary(writer, error);
    writer->file = nk_system_create_unnamed(NULL);
    return writer->file < 0 ? failed(error, "cannot create a temporary file for", writer->path) : NK_OK;
}

/* ---- opening ---- */

/* The only place that decides whether a file is replaced: a wrong name must not destroy another file. */
static enum nk_status check_replacement(const struct nk_writer *writer, struct nk_error *error)
{
    if (writer->force || !writer->old.exists || !writer->old.about.st_size)
        return NK_OK;
    return nk_fail(error, NK_E_EXISTS, 0, NK_PATH " exists: choose another file, or replace it with --force",
                   NK_PATH_OF(writer->path));
}

static enum nk_status open_standard(struct nk_writer *writer, struct nk_error *error)
{
    char *name = strdup("standard output"); /* in messages */
    if (!name)
        return nk_fail_memory(error);
    free(writer->path);
    writer->path = name;
    writer->has_device = true;
    writer->device = dup(STDOUT_FILENO);
    return writer->device < 0 ? failed(error, "cannot open", writer->path) : NK_OK;
}

/* Opening a pipe would wait for its reader. */
static enum nk_status check_device(struct nk_writer *writer, const struct stat *about, struct nk_error *error)
{
    writer->has_device = true;
    writer->old.about = *about;
    return access(writer->path, W_OK) ? failed(error, "cannot open", writer->path) : NK_OK;
}

/* A regular file, or one that does not exist. */
static enum nk_status check_file(struct nk_writer *writer, bool exists, struct nk_error *error)
{
    if (!nk_system_open_place(writer->path, &writer->place) ||
        !nk_system_look(&writer->place, writer->place.name, &writer->old))
        return failed(error, "cannot create", writer->path);
    /* The system may call a removed file by a path that leads to none. */
    const bool is_found = writer->old.exists ? S_ISREG(writer->old.about.st_mode) : !exists;
    if (!is_found) {
        errno = ENOENT;
        return failed(error, "cannot follow the link", writer->path);
    }
    if (writer->old.exists && !nk_system_may_replace(&writer->place, &writer->old)) {
        errno = EPERM;
        return failed(error, "cannot replace", writer->path);
    }
    enum nk_status status = check_replacement(writer, error);
    if (!status)
        status = create_temporary(writer, error);
    remove_temporary(writer);
    return status;
}

static enum nk_status check_path(struct nk_writer *writer, struct nk_error *error)
{
    struct stat about = {0};
    if (nk_file_is_standard(writer->path))
        return open_standard(writer, error);
    if (!*writer->path)
        return nk_fail(error, NK_E_WRITE, 0, "the name of the file to write is empty");
    const bool exists = stat(writer->path, &about) == 0;
    if (!exists && errno != ENOENT)
        return failed(error, errno == ELOOP ? "cannot follow the link" : "cannot create", writer->path);
    if (exists && S_ISDIR(about.st_mode))
        return nk_fail(error, NK_E_WRITE, 0, NK_PATH " is a directory, expected the name of a file",
                       NK_PATH_OF(writer->path));
    if (exists && !S_ISREG(about.st_mode))
        return check_device(writer, &about, error);
    return check_file(writer, exists, error);
}

bool nk_file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

enum nk_status nk_writer_open(const char *path, bool force, struct nk_writer **out, struct nk_error *error)
{
    struct nk_writer *writer = malloc(sizeof *writer);
    if (!writer)
        return nk_fail_memory(error);
    *writer = (struct nk_writer){
        .path = strdup(path), .force = force, .place.directory = -1, .device = -1, .file = -1};
    const enum nk_status status = writer->path ? check_path(writer, error) : nk_fail_memory(error);
    if (status)
        nk_writer_abandon(writer);
    else
        *out = writer;
    return status;
}

bool nk_writer_has_device(const struct nk_writer *writer)
{
    return writer->has_device;
}

/* ---- writing ---- */

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
    const enum nk_status status = open_unfinished(writer, error);
    if (status || nk_file_write_at(writer->file, bytes, length, offset))
        return status;
    return failed(error, "cannot write", writer->path);
}

/* ---- closing ---- */

/* Sets *out to size and checksum of an open file and copies it to `device`, unless that is -1. Returns false, with the
 * reason in errno, after a failure. */
static bool hash_and_copy(int file, int device, struct nk_file_digest *out)
{
    uint8_t buffer[1 << 14];
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

/* Opens the device, if it is not open: what is there must still be what was there before. */
static enum nk_status open_device(struct nk_writer *writer, struct nk_error *error)
{
    struct stat about;
    if (writer->device < 0)
        writer->device = nk_system_open(writer->path, O_WRONLY);
    else
        return NK_OK;
    if (writer->device < 0)
        return failed(error, "cannot open", writer->path);
    if (fstat(writer->device, &about) == 0 && !S_ISREG(about.st_mode) &&
        about.st_dev == writer->old.about.st_dev && about.st_ino == writer->old.about.st_ino)
        return NK_OK;
    return nk_fail(error, NK_E_EXISTS, 0,
                   NK_PATH " is another device or file than when this program began: nothing was written",
                   NK_PATH_OF(writer->path));
}

static enum nk_status close_device(struct nk_writer *writer, struct nk_error *error)
{
    const bool closed = close(writer->device) == 0;
    writer->device = -1;
    return closed ? NK_OK : failed(error, "cannot write", writer->path);
}

/* The temporary file has become a file with another name. */
static void forget_temporary(struct nk_writer *writer)
{
    free(writer->temporary);
    writer->temporary = NULL;
}

/* Finds out whether there is a file that would be replaced. Returns false unless it is that which was there when the
 * writer was opened, unchanged. */
static bool is_as_before(const struct nk_writer *writer, bool *replaces)
{
    const struct nk_seen *old = &writer->old;
    struct nk_seen now;
    const bool is_known = nk_system_look(&writer->place, writer->place.name, &now);
    *replaces = now.exists;
    if (!is_known || !now.exists)
        return is_known;
    /* The number of a file that is removed may be that of the next one. */
    return old->exists && now.device == old->device && now.number == old->number &&
           now.about.st_size == old->about.st_size &&
           nk_system_change_time(&now.about) == nk_system_change_time(&old->about);
}

/* Gives the file a name of its own, such as "table.dat.new" or "table.dat.new-2", if it can: the name is *kept, which
 * the caller frees, or NULL. */
static char *rename_to_other(struct nk_writer *writer)
{
    enum { MOST_NAMES = 100, LONGEST = 200 }; /* a longer name is cut, between two characters of UTF-8 */
    const struct nk_place *place = &writer->place;
    const size_t before = (size_t)(place->name - place->path);
    size_t length = strlen(place->name);
    if (length > LONGEST)
        for (length = LONGEST; (place->name[length] & 0xc0) == 0x80;)
            length--;
    for (int n = 1; n <= MOST_NAMES; n++) {
        char *path, digits[16] = "";
        if (n > 1)
            snprintf(digits, sizeof digits, "-%d", n);
        if (asprintf(&path, "%.*s.new%s", (int)(before + length), place->path, digits) < 0)
            return NULL;
        if (nk_system_rename(place, temporary_name(writer), path + before, false))
            return path;
        free(path);
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

/* Another file has the name now. What was written is not lost: at worst it keeps its temporary name. */
static enum nk_status keep_under_other_name(struct nk_writer *writer, struct nk_error *error)
{
    char *other = rename_to_other(writer);
    (void)nk_fail(error, NK_E_EXISTS, 0,
                  NK_PATH " was created or changed by another program meanwhile, and is not replaced: "
                          "the output is in " NK_PATH,
                  NK_PATH_OF(writer->path), NK_PATH_OF(other ? other : writer->temporary));
    free(other);
    forget_temporary(writer);
    return NK_E_EXISTS;
}

static enum nk_status rename_to_path(struct nk_writer *writer, struct nk_error *error)
{
    const struct nk_place *place = &writer->place;
    bool replaces;
    if (writer->old.exists)
        nk_system_copy_permissions(writer->file, &writer->old.about);
    /* The file stays open, and so locked, until it has its name. An error that close could report has been
     * reported by fsync. */
    if (!nk_system_flush(writer->file))
        return failed(error, "cannot write", writer->path);
    if (!is_as_before(writer, &replaces))
        return keep_under_other_name(writer, error);
    if (nk_system_rename(place, temporary_name(writer), place->name, replaces)) {
        forget_temporary(writer);
        return NK_OK;
    }
    return errno == EEXIST ? keep_under_other_name(writer, error)
                           : failed(error, "cannot replace", writer->path);
}

static enum nk_status finish(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error)
{
    struct nk_file_digest written = {.bytes = writer->length};
    enum nk_status status = open_unfinished(writer, error);
    if (!status && writer->has_device)
        status = open_device(writer, error);
    if (status)
        return status;
    const bool is_read = checksum || writer->has_device;
    if (is_read && !hash_and_copy(writer->file, writer->device, &written))
        return failed(error, "cannot write", writer->path);
    if (written.bytes != writer->length) {
        errno = EIO; /* another process has changed it */
        return failed(error, "cannot write", writer->path);
    }
    status = (writer->has_device ? close_device : rename_to_path)(writer, error);
    if (!status && checksum)
        *checksum = written.checksum;
    return status;
}

enum nk_status nk_writer_close(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error)
{
    const enum nk_status status = finish(writer, checksum, error);
    nk_writer_abandon(writer);
    return status;
}

void nk_writer_abandon(struct nk_writer *writer)
{
    if (!writer)
        return;
    remove_temporary(writer);
    if (writer->device >= 0)
        close(writer->device);
    nk_system_close_place(&writer->place);
    free(writer->path);
    free(writer);
}

enum nk_status nk_file_write(const char *path, bool force, const void *bytes, size_t length,
                             struct nk_error *error)
{
    struct nk_writer *writer;
    enum nk_status status = nk_writer_open(path, force, &writer, error);
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
        return nk_fail_memory(error);
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
