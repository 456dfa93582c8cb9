#include "solver/mapping.h"

#include <inttypes.h>
#include <sys/mman.h>

enum nk_status nk_map(uint64_t bytes, void **memory, struct nk_error *error)
{
    void *mapped = MAP_FAILED;
    if (bytes <= SIZE_MAX)
        mapped = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory: cannot map %" PRIu64 " MiB", bytes >> 20);
    (void)madvise(mapped, (size_t)bytes, MADV_HUGEPAGE);
    *memory = mapped;
    return NK_OK;
}

void nk_unmap(void *memory, uint64_t bytes)
{
    if (memory)
        (void)munmap(memory, (size_t)bytes);
}
