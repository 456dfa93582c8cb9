#include "solver/base/vectors.h"

#include <stdbool.h>

int nk_vector_bytes(int wanted)
{
#ifdef __x86_64__
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    const bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (has_avx512 && (wanted == 64 || !wanted))
        return 64;
    if (has_avx2 && (wanted == 32 || !wanted))
        return 32;
#endif
    return wanted == 16 || !wanted ? 16 : 0;
}
