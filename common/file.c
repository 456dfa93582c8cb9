#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum nk_status failed(struct nk_error *error, const char *what, const char *path)
{
    return nk_fail(error, NK_E_WRITE, 0, "%s %f: %s", what, path, strerror(errno));
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

/* A device or a pipe has no old content to lose and cannot be renamed to. */
static enum nk_status write_through(const char *path, const void *bytes, size_t length,
                                    struct nk_error *error)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return failed(error, "cannot open", path);
    const bool written = put(file, bytes, length);
    const int why = errno;
    if (close(file) && written)
        return failed(error, "cannot write", path);
    errno = why;
    return written ? NK_OK : failed(error, "cannot write", path);
}

/* Opens a new file in the directory of `path`, under a name that cannot be too long where `path` is not.
 * *beside is its name, for the caller to free; NULL when memory ran out. */
static int open_beside(const char *path, char **beside)
{
    const char *slash = strrchr(path, '/');
    const int directory = slash ? (int)(slash - path) + 1 : 0;
    int file = -1;
    *beside = NULL;
    /* A process that was killed may have left a file under the first name. */
    for (int n = 0; n < 100; n++) {
        free(*beside);
        if (asprintf(beside, "%.*s.new-%ld-%d", directory, path, (long)getpid(), n) < 0) {
            *beside = NULL;
            return -1;
        }
        file = open(*beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    return file;
}

/* So that the new name survives a loss of power too. A file system that cannot do it is no reason to fail. */
static void flush_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    const int file = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(directory);
}

static enum nk_status write_beside_and_rename(const char *path, const void *bytes, size_t length,
                                              struct nk_error *error)
{
    char *beside;
    enum nk_status status = NK_OK;
    const int file = open_beside(path, &beside);
    if (!beside)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    if (file < 0) {
        status = failed(error, "cannot create", path);
        goto done;
    }
    if (!put(file, bytes, length) || fsync(file)) {
        status = failed(error, "cannot write", path);
        close(file);
    } else if (close(file)) {
        status = failed(error, "cannot write", path);
    } else if (rename(beside, path)) {
        status = failed(error, "cannot replace", path);
    }
    if (status)
        (void)unlink(beside);
    else
        flush_directory_of(path);
done:
    free(beside);
    return status;
}

enum nk_status nk_file_write(const char *path, const void *bytes, size_t length, struct nk_error *error)
{
    struct stat about, link;
    if (!*path)
        return nk_fail(error, NK_E_WRITE, 0, "the name of the file to write is empty");
    const bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (stat(path, &about)) {
        if (is_link)
            return failed(error, "cannot follow the link", path);
        /* Nothing there yet; what else may be wrong shows when the file is made. */
        return write_beside_and_rename(path, bytes, length, error);
    }
    if (S_ISDIR(about.st_mode))
        return nk_fail(error, NK_E_WRITE, 0, "%f is a directory, expected the name of a file", path);
    if (!S_ISREG(about.st_mode))
        return write_through(path, bytes, length, error);
    if (!is_link)
        return write_beside_and_rename(path, bytes, length, error);
    char *target = realpath(path, NULL);
    if (!target)
        return failed(error, "cannot follow the link", path);
    const enum nk_status status = write_beside_and_rename(target, bytes, length, error);
    free(target);
    return status;
}

void nk_file_fill_standard(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}
