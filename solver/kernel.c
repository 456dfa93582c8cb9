#include "solver/kernel.h"

#include <stddef.h>

const struct nk_kernel *nk_find_kernel(int vector_bytes)
{
#ifdef __x86_64__
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    /* Of this family Zen 4 has vectors of 512 bits, but processes them in two halves, slower than vectors of 256. */
    const bool has_halves = __builtin_cpu_is("amdfam19h");
    if (has_avx512 && (vector_bytes == 64 || (!vector_bytes && !has_halves)))
        return &nk_kernel_64;
    if (has_avx2 && (vector_bytes == 32 || !vector_bytes))
        return &nk_kernel_32;
#endif
    return vector_bytes == 16 || !vector_bytes ? &nk_kernel_16 : NULL;
}
