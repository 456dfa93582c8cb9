/* The width of the vectors that the kernels of the analysis and of the verifier are compiled for. */
#ifndef NK_VECTORS_H
#define NK_VECTORS_H

/* The width in bytes of the vectors to use: `wanted` (16, 32 or 64), or the widest for 0. Returns 0 if this processor
 * does not support vectors of that width, with the instructions of solver/meson.build for them. Any number of threads
 * may call it. */
int nk_vector_bytes(int wanted);

#endif
