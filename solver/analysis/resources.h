/* What the analysis and the verifier use of the machine: arrays, whose bytes are known before they are allocated, and
 * vectors. */
#ifndef NK_RESOURCES_H
#define NK_RESOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t nk_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t nk_greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- arrays ---- */

enum { NK_ALIGNMENT = 64 }; /* bytes: of the widest vectors, and of a line of the cache */

/* The arrays of a structure are added first, which adds up their bytes, and allocated afterwards: what is planned is
 * what is used. All of them are freed together. */
struct nk_array {
    void *place;     /* of the pointer to the first element */
    void *allocated; /* of which the array is a part, or NULL */
    uint64_t bytes;  /* with those for aligning it */
};

enum { NK_MAX_ARRAYS = 32 };

/* Zeroed, this is empty. For one thread at a time. */
struct nk_memory {
    uint64_t bytes; /* of all arrays */
    struct nk_array arrays[NK_MAX_ARRAYS];
    int count;
};

/* Adds an array with `count` elements of `size` bytes. `place` is the address of the pointer that will point to it; it
 * must not move until the array is freed. */
void nk_memory_add(struct nk_memory *memory, void *place, uint64_t count, size_t size);

/* Allocates the arrays that were added since the last call, and sets their pointers. Their elements are zero; they are
 * aligned by NK_ALIGNMENT and, if they are large and the system has them, in large pages. Returns false if memory runs
 * out; nk_memory_free then frees the others. */
bool nk_memory_allocate(struct nk_memory *memory);

/* Frees all arrays, sets their pointers to NULL, and forgets them. */
void nk_memory_free(struct nk_memory *memory);

/* ---- vectors ---- */

/* The kernels of the analysis and of the verifier are compiled once for each width.
 *
 * nk_vector_bytes returns the width in bytes of the vectors to use: `wanted` (16, 32 or 64), or the widest for 0. It
 * returns 0 if this processor does not support vectors of that width, with the instructions of
 * solver/analysis/meson.build for them. Any number of threads may call it. */
int nk_vector_bytes(int wanted);

/* Of the kernels name_16, name_32 and name_64, the address of the one for vectors of `bytes`; NULL for 0. Those for 32
 * and 64 bytes exist on x86-64 only. */
#ifdef __x86_64__
#define NK_KERNEL_FOR(bytes, name) \
    ((bytes) == 64 ? &name##_64 : (bytes) == 32 ? &name##_32 : (bytes) == 16 ? &name##_16 : NULL)
#else
#define NK_KERNEL_FOR(bytes, name) ((bytes) == 16 ? &name##_16 : NULL)
#endif

/* Before a loop of few steps, whose number is a constant when the loop is compiled. */
#ifdef __clang__
#define NK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define NK_UNROLL _Pragma("GCC unroll 8")
#endif

#endif
