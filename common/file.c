#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

struct nk_writer {
    char *path;      /* the final name */
    char *temporary; /* the present name; NULL if there is none, as for a device */
    int file;        /* open for reading and writing */
    int device;      /* to which the bytes are copied at the end, or -1 */
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

static bool put(int file, const uint8_t *bytes, size_t length)
{
    while (length) {
        const ssize_t done = write(file, bytes, length);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            length -= (size_t)done;
        }
    }
    return true;
}

/* Whether the name in the directory is that of the open file. */
static bool is_named(int file, int directory, const char *name)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* A locked file belongs to a live writer, so that nk_file_sweep leaves it. Returns false when a sweep came
 * between the creation of the file and the lock. Where the file system has no locks, nothing can be swept
 * either. */
static bool claim(int file, const char *path)
{
    return (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && is_named(file, AT_FDCWD, path);
}

/* Opens a new file in the directory of the path, under a short name, which cannot be too long. */
static enum nk_status open_temporary(struct nk_writer *writer, struct nk_error *error)
{
    const char *slash = strrchr(writer->path, '/');
    const int directory = slash ? (int)(slash - writer->path) + 1 : 0;
    /* A file that replaces a private one must be private from the beginning. */
    const mode_t mode = writer->replaces ? 0600 : 0666;
    /* A process that was killed may have left a file under the first name. */
    for (int n = 0; n < 100 && writer->file < 0; n++) {
        free(writer->temporary);
        if (asprintf(&writer->temporary, "%.*s%s%ld-%d", directory, writer->path, unfinished, (long)getpid(),
                     n) < 0) {
            writer->temporary = NULL;
            return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
        }
        writer->file = open(writer->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (writer->file < 0 && errno != EEXIST)
            break;
        if (writer->file >= 0 && !claim(writer->file, writer->temporary)) {
            close(writer->file);
            writer->file = -1;
            errno = EEXIST;
        }
    }
    if (writer->file >= 0)
        return NK_OK;
    free(writer->temporary); /* a file of this name belongs to another process */
    writer->temporary = NULL;
    return failed(error, "cannot create", writer->path);
}

/* Nothing can be renamed to a device or a pipe, and bytes written to it cannot be replaced, so it gets all bytes
 * at the end. */
static enum nk_status open_device(struct nk_writer *writer, struct nk_error *error)
{
    writer->device = open(writer->path, O_WRONLY | O_CLOEXEC);
    if (writer->device < 0)
        return failed(error, "cannot open", writer->path);
    FILE *unnamed = tmpfile();
    writer->file = unnamed ? fcntl(fileno(unnamed), F_DUPFD_CLOEXEC, 3) : -1;
    const int why = errno;
    if (unnamed)
        fclose(unnamed);
    errno = why;
    return writer->file < 0 ? failed(error, "cannot create a temporary file for", writer->path) : NK_OK;
}

static enum nk_status open_by_type(struct nk_writer *writer, struct nk_error *error)
{
    struct stat about, link;
    if (!*writer->path)
        return nk_fail(error, NK_E_WRITE, 0, "the name of the file to write is empty");
    const bool is_link = lstat(writer->path, &link) == 0 && S_ISLNK(link.st_mode);
    if (stat(writer->path, &about)) {
        if (is_link)
            return failed(error, "cannot follow the link", writer->path);
        /* There is no file yet; any other error shows when the file is created. */
        return open_temporary(writer, error);
    }
    if (S_ISDIR(about.st_mode))
        return nk_fail(error, NK_E_WRITE, 0, NK_PATH " is a directory, expected the name of a file",
                       NK_PATH_OF(writer->path));
    if (!S_ISREG(about.st_mode))
        return open_device(writer, error);
    if (is_link) {
        char *target = realpath(writer->path, NULL);
        if (!target)
            return failed(error, "cannot follow the link", writer->path);
        free(writer->path);
        writer->path = target;
    }
    writer->replaces = true;
    writer->old = about;
    return open_temporary(writer, error);
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
    if (!put(writer->file, bytes, length))
        return failed(error, "cannot write", writer->path);
    writer->length += length;
    return NK_OK;
}

enum nk_status nk_writer_replace(struct nk_writer *writer, uint64_t offset, const void *bytes, size_t length,
                                 struct nk_error *error)
{
    if (lseek(writer->file, (off_t)offset, SEEK_SET) < 0 || !put(writer->file, bytes, length) ||
        lseek(writer->file, (off_t)writer->length, SEEK_SET) < 0)
        return failed(error, "cannot write", writer->path);
    return NK_OK;
}

const char *nk_writer_temporary(const struct nk_writer *writer)
{
    return writer->temporary;
}

/* Sets *out to size and checksum of an open file and copies it to `device`, unless that is -1. Returns false, with the
 * reason in errno, after a failure. */
static bool describe(int file, int device, struct nk_file *out)
{
    uint8_t buffer[1 << 16];
    ssize_t got = -1;
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        errno = ENOMEM;
        return false;
    }
    XXH3_64bits_reset(state);
    *out = (struct nk_file){0};
    while ((got = pread(file, buffer, sizeof buffer, (off_t)out->bytes)) > 0 || (got < 0 && errno == EINTR)) {
        if (got > 0 && device >= 0 && !put(device, buffer, (size_t)got)) {
            got = -1;
            break;
        }
        XXH3_64bits_update(state, buffer, got > 0 ? (size_t)got : 0);
        out->bytes += got > 0 ? (uint64_t)got : 0;
    }
    out->checksum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return got == 0;
}

/* Makes the new name survive a power failure. A file system that cannot do this is not an error. */
static void flush_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int file = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(directory);
}

/* Gives the new file the owner, the group and the permissions of the old one, as far as this is permitted. */
static void keep_permissions(const struct nk_writer *writer)
{
    mode_t mode = writer->old.st_mode & 0777;
    if (fchown(writer->file, writer->old.st_uid, writer->old.st_gid) &&
        fchown(writer->file, (uid_t)-1, writer->old.st_gid))
        mode = (mode & 0707) | (mode & 0007) << 3; /* another group gets the permissions of others */
    (void)fchmod(writer->file, mode);
}

static enum nk_status rename_to_path(struct nk_writer *writer, struct nk_error *error)
{
    if (writer->device >= 0) {
        const bool closed = close(writer->device) == 0;
        writer->device = -1;
        return closed ? NK_OK : failed(error, "cannot write", writer->path);
    }
    if (writer->replaces)
        keep_permissions(writer);
    /* The file stays open, and so locked, until it has its name. An error that close could report has been
     * reported by fsync. */
    if (fsync(writer->file))
        return failed(error, "cannot write", writer->path);
    if (rename(writer->temporary, writer->path))
        return failed(error, "cannot replace", writer->path);
    free(writer->temporary);
    writer->temporary = NULL;
    flush_directory_of(writer->path);
    return NK_OK;
}

enum nk_status nk_writer_close(struct nk_writer *writer, uint64_t *checksum, struct nk_error *error)
{
    struct nk_file written = {.bytes = writer->length};
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

enum nk_status nk_file_describe(const char *path, struct nk_file *out, struct nk_error *error)
{
    struct nk_file found;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool read = file >= 0 && describe(file, -1, &found);
    const int why = errno;
    if (file >= 0)
        close(file);
    if (!read)
        return nk_fail(error, why == ENOMEM ? NK_E_MEMORY : NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path),
                       strerror(why));
    *out = found;
    return NK_OK;
}

bool nk_file_read_at(int file, void *bytes, size_t length, uint64_t offset)
{
    for (size_t at = 0; at < length;) {
        const ssize_t done = pread(file, (char *)bytes + at, length - at, (off_t)(offset + at));
        if (done < 0 && errno == EINTR)
            continue;
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
        const ssize_t done = pwrite(file, (const char *)bytes + at, length - at, (off_t)(offset + at));
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? (size_t)done : 0;
    }
    return true;
}

void nk_file_sweep(int directory, const char *name)
{
    int end = 0;
    if (strncmp(name, unfinished, strlen(unfinished)) != 0)
        return;
    (void)sscanf(name + strlen(unfinished), "%*[0-9]-%*[0-9]%n", &end);
    if (!end || name[strlen(unfinished) + (size_t)end])
        return;
    const int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    /* If its writer has just finished, the name may be that of the next file by now. */
    if (flock(file, LOCK_SH | LOCK_NB) == 0 && is_named(file, directory, name))
        (void)unlinkat(directory, name, 0);
    close(file);
}

/* Appends a number to a text, with functions that a signal handler may call. */
static void append_number(char *text, int number)
{
    if (number >= 10)
        append_number(text, number / 10);
    text += strlen(text);
    text[0] = (char)('0' + number % 10);
    text[1] = '\0';
}

/* The system knows which files are open and their present names; a list here could not change together with
 * them. Without /proc the files stay. */
void nk_file_remove_unfinished(void)
{
    enum { MOST_FILES = 4096 }; /* open at the same time: far more than threads that write */
    for (int file = MOST_FILES - 1; file >= 0; file--) {
        char link[32] = "/proc/self/fd/", path[4096];
        append_number(link, file);
        const ssize_t length = readlink(link, path, sizeof path - 1);
        if (length < 0)
            continue;
        path[length] = '\0';
        const char *slash = strrchr(path, '/');
        /* Only its writer has such a file open for writing. */
        if (slash && strncmp(slash + 1, unfinished, strlen(unfinished)) == 0 &&
            (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR && is_named(file, AT_FDCWD, path))
            (void)unlink(path);
    }
}

void nk_file_fill_standard(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}
