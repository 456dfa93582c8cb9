#include "solver/analysis/kernel.h"

#include "solver/base/vectors.h"

const struct nk_kernel *nk_find_kernel(int vector_bytes)
{
    const int bytes = nk_vector_bytes(vector_bytes);
    return NK_KERNEL_FOR(bytes, nk_kernel);
}
