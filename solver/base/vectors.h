/* The width of the vectors that the kernels of the analysis and of the verifier are compiled for. */
#ifndef NK_VECTORS_H
#define NK_VECTORS_H

#include <stddef.h>

/* The width in bytes of the vectors to use: `wanted` (16, 32 or 64), or the widest for 0. Returns 0 if this processor
 * does not support vectors of that width, with the instructions of solver/meson.build for them. Any number of threads
 * may call it. */
int nk_vector_bytes(int wanted);

/* Of the kernels name_16, name_32 and name_64, the address of the one for vectors of `bytes`; NULL for 0. Those for 32
 * and 64 bytes exist on x86-64 only. */
#ifdef __x86_64__
#define NK_KERNEL_FOR(bytes, name) \
    ((bytes) == 64 ? &name##_64 : (bytes) == 32 ? &name##_32 : (bytes) == 16 ? &name##_16 : NULL)
#else
#define NK_KERNEL_FOR(bytes, name) ((bytes) == 16 ? &name##_16 : NULL)
#endif

#endif
