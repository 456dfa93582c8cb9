#include "solver/kernels.h"

#include <stdbool.h>
#include <stddef.h>

const struct nk_kernels *nk_find_kernels(int vector_bytes)
{
    static const struct nk_kernels base = {nk_pass_16, nk_transpose_16};
#ifdef __x86_64__
    static const struct nk_kernels avx2 = {nk_pass_32, nk_transpose_32};
    static const struct nk_kernels avx512 = {nk_pass_64, nk_transpose_64};
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    /* Of this family Zen 4 has vectors of 512 bits, but processes them in two halves, slower than vectors of 256. */
    const bool has_halves = __builtin_cpu_is("amdfam19h");
    if (has_avx512 && (vector_bytes == 64 || (!vector_bytes && !has_halves)))
        return &avx512;
    if (has_avx2 && (vector_bytes == 32 || !vector_bytes))
        return &avx2;
#endif
    return vector_bytes == 16 || !vector_bytes ? &base : NULL;
}
