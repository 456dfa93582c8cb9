#include "solver/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum nk_status nk_map_memory(size_t bytes, void **memory, struct nk_error *error)
{
    void *mapped =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the sets of positions");
    (void)madvise(mapped, bytes, MADV_HUGEPAGE);
    *memory = mapped;
    return NK_OK;
}

enum nk_status nk_map_file(const char *directory, const char *name, size_t bytes, void **memory,
                           struct nk_error *error)
{
    char *path;
    void *mapped = MAP_FAILED;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the sets of positions");
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    /* A write to a mapped page that has no space on the disk would end the process. */
    int why = file < 0 ? errno : posix_fallocate(file, 0, (off_t)bytes);
    if (file >= 0)
        (void)unlink(path);
    if (!why) {
        mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        why = mapped == MAP_FAILED ? errno : 0;
    }
    const enum nk_status status =
        why ? nk_fail(error, NK_E_WRITE, 0, "cannot write " NK_PATH ": %s", NK_PATH_OF(path), strerror(why))
            : NK_OK;
    if (!why)
        *memory = mapped;
    if (file >= 0)
        close(file);
    free(path);
    return status;
}

void nk_unmap(void *memory, size_t bytes)
{
    if (memory)
        (void)munmap(memory, bytes);
}

void nk_map_prefetch(void *memory, size_t bytes)
{
    const size_t into_page = (uintptr_t)memory % (size_t)sysconf(_SC_PAGESIZE);
    (void)madvise((char *)memory - into_page, bytes + into_page, MADV_WILLNEED);
}
