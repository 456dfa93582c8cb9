#include "solver/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Creates a file without a name, with space reserved. Returns -1 after a failure, with the reason in errno. */
static int create(const char *directory, int number, size_t bytes)
{
    char *path;
    /* The name of an unfinished file, which nk_file_sweep removes; writers have lower numbers at the end. */
    if (asprintf(&path, "%s/.new-%d-100", directory, number) < 0)
        return -1;
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int why = file < 0 ? errno : 0;
    if (file >= 0)
        (void)unlink(path);
    /* A write to a mapped page that has no space on the disk would end the process. */
    if (file >= 0 && (why = posix_fallocate(file, 0, (off_t)bytes)))
        close(file);
    free(path);
    errno = why;
    return why ? -1 : file;
}

enum nk_status nk_map(const char *directory, int number, size_t bytes, void **memory, struct nk_error *error)
{
    void *mapped = MAP_FAILED;
    if (!directory) {
        mapped =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED)
            return nk_fail(error, NK_E_MEMORY, 0, "out of memory: cannot map %zu MiB", bytes >> 20);
        (void)madvise(mapped, bytes, MADV_HUGEPAGE);
    } else {
        const int file = create(directory, number, bytes);
        if (file >= 0)
            mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED)
            (void)nk_fail(error, NK_E_WRITE, 0, "cannot write %zu MiB in " NK_PATH ": %s", bytes >> 20,
                          NK_PATH_OF(directory), strerror(errno));
        if (file >= 0)
            close(file);
        if (mapped == MAP_FAILED)
            return NK_E_WRITE;
    }
    *memory = mapped;
    return NK_OK;
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
