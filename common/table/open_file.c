/* The file as the source of a table. */

#include "common/table/open.h"

#include "common/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    int descriptor;
    char path[];
};

static enum nk_status read_file(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                                struct nk_error *error)
{
    const struct file *file = context;
    while (length) {
        const ptrdiff_t got = nk_system_read_at(file->descriptor, bytes, length, offset);
        if (got < 0)
            return nk_fail(error, NK_E_READ, 0, "cannot read the table: %s", strerror(errno));
        if (got == 0)
            return nk_table_damaged(error, "the file ends at byte %" PRIu64 ", expected %zu more", offset,
                                    length);
        bytes += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return NK_OK;
}

static void close_file(void *context)
{
    struct file *file = context;
    close(file->descriptor);
    free(file);
}

static enum nk_status fail_to_open(const char *path, const char *reason, struct nk_error *error)
{
    return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), reason);
}

enum nk_status nk_table_open_descriptor(int descriptor, const char *path, struct nk_table **table,
                                        struct nk_error *error)
{
    struct stat about = {0}; /* of no regular file, in case that nothing is known about it */
    (void)fstat(descriptor, &about);
    if (!S_ISREG(about.st_mode)) {
        close(descriptor);
        return fail_to_open(path, "not a regular file", error);
    }
    const size_t path_size = strlen(path) + 1;
    struct file *file = malloc(sizeof *file + path_size);
    if (!file) {
        close(descriptor);
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table");
    }
    file->descriptor = descriptor;
    memcpy(file->path, path, path_size);
    const struct nk_table_source source = {.context = file,
                                           .name = file->path,
                                           .size = (uint64_t)about.st_size,
                                           .read = read_file,
                                           .close = close_file};
    return nk_table_open_source(source, table, error);
}

enum nk_status nk_table_open(const char *path, struct nk_table **table, struct nk_error *error)
{
    const int descriptor = nk_system_open(path, O_RDONLY);
    if (descriptor < 0)
        return fail_to_open(path, strerror(errno), error);
    return nk_table_open_descriptor(descriptor, path, table, error);
}
