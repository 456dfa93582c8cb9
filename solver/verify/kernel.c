#include "solver/verify/kernel.h"

#include "solver/base/vectors.h"

#include <stddef.h>

const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes)
{
    switch (nk_vector_bytes(vector_bytes)) {
#ifdef __x86_64__
    case 64:
        return &nk_verify_kernel_64;
    case 32:
        return &nk_verify_kernel_32;
#endif
    case 16:
        return &nk_verify_kernel_16;
    default:
        return NULL;
    }
}
