#include "solver/verify/kernel.h"

#include "solver/base/vectors.h"

const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes)
{
    const int bytes = nk_vector_bytes(vector_bytes);
    return NK_KERNEL_FOR(bytes, nk_verify_kernel);
}
