#include "solver/mapping.h"

#include <sys/mman.h>

enum nk_status nk_map(size_t bytes, void **memory, struct nk_error *error)
{
    void *mapped =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory: cannot map %zu MiB", bytes >> 20);
    (void)madvise(mapped, bytes, MADV_HUGEPAGE);
    *memory = mapped;
    return NK_OK;
}

void nk_unmap(void *memory, size_t bytes)
{
    if (memory)
        (void)munmap(memory, bytes);
}
