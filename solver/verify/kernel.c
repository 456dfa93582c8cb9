#include "solver/verify/kernel.h"

#include <stddef.h>

const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes)
{
#ifdef __x86_64__
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (has_avx512 && (vector_bytes == 64 || !vector_bytes))
        return &nk_verify_kernel_64;
    if (has_avx2 && (vector_bytes == 32 || !vector_bytes))
        return &nk_verify_kernel_32;
#endif
    return vector_bytes == 16 || !vector_bytes ? &nk_verify_kernel_16 : NULL;
}
