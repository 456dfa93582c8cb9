/* The two inner steps of a pass, compiled once for each vector width. */
#ifndef NK_KERNELS_H
#define NK_KERNELS_H

#include "common/parallel.h"

/* Work for nk_parallel; the context is a struct nk_analysis. */
struct nk_kernels {
    nk_work *pass;      /* item: a slice */
    nk_work *transpose; /* item: a word of the columns of `frontier` */
};

/* Returns the kernels for vectors of that many bytes (16, 32 or 64), or the fastest for 0; NULL if this processor
 * does not support them. */
const struct nk_kernels *nk_find_kernels(int vector_bytes);

/* Defines name_16 and, on x86-64, name_32 and name_64. They call the inline function `body`, whose last argument is
 * the vector width, compiled for processors that have such vectors. */
#define NK_DEFINE_KERNEL(name, body, vector_bytes, attributes)                      \
    attributes void name##_##vector_bytes(void *context, uint32_t item, int worker) \
    {                                                                               \
        body(context, item, worker, vector_bytes);                                  \
    }
#ifdef __x86_64__
#define NK_DEFINE_KERNELS(name, body)                                                 \
    NK_DEFINE_KERNEL(name, body, 16, )                                                \
    NK_DEFINE_KERNEL(name, body, 32, __attribute__((target("avx2,popcnt,bmi,bmi2")))) \
    NK_DEFINE_KERNEL(name, body, 64, __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi,bmi2"))))
#else
#define NK_DEFINE_KERNELS(name, body) NK_DEFINE_KERNEL(name, body, 16, )
#endif

nk_work nk_pass_16, nk_transpose_16;
#ifdef __x86_64__
nk_work nk_pass_32, nk_pass_64, nk_transpose_32, nk_transpose_64;
#endif

#endif
