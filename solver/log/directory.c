#include "solver/log/directory.h"

#include "common/system/file.h"
#include "common/system/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The caller frees it. NULL, with ENOMEM, if memory runs out. */
static char *path_of(const char *directory, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) >= 0)
        return path;
    errno = ENOMEM;
    return NULL;
}

int nk_directory_open_file(const char *path, const char *name, int flags)
{
    char *full = path_of(path, name);
    const int file = NK_HAS_FILES && full ? nk_system_open(full, flags) : -1;
    const int why = errno;
    free(full);
    errno = why;
    return file;
}

bool nk_directory_remove_file(const char *path, const char *name)
{
    char *full = path_of(path, name);
    const bool removed = NK_HAS_FILES && full && unlink(full) == 0;
    free(full);
    return removed;
}

enum nk_status nk_directory_join(const char *path, struct nk_directory *directory, struct nk_error *error)
{
    *directory = (struct nk_directory){strdup(path), -1, false};
    return directory->path ? NK_OK : nk_fail_memory(error);
}

enum nk_status nk_directory_open(const char *path, struct nk_directory *directory, struct nk_error *error)
{
    const enum nk_status status = nk_directory_join(path, directory, error);
    if (status)
        return status;
    directory->is_made = nk_system_make_directory(path, false);
    if (!directory->is_made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s", NK_PATH_OF(path),
                       strerror(errno));
    directory->lock = nk_system_lock_directory(path);
    if (directory->lock >= 0)
        return NK_OK;
    if (errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_BUSY, 0,
                       NK_PATH ": another run uses this directory: wait for it, or name another one",
                       NK_PATH_OF(path));
    return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
}

void nk_directory_close(struct nk_directory *directory)
{
    if (NK_HAS_FILES && directory->path && directory->lock >= 0)
        nk_system_unlock_directory(directory->lock, directory->path, directory->is_made);
    free(directory->path);
    *directory = (struct nk_directory){NULL, -1, false};
}
