/* The arrays of a structure. They are listed first, which adds up their bytes, and allocated afterwards: what is
 * planned is what is used. All of them are freed together. */
#ifndef NK_MEMORY_H
#define NK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nk_array {
    void *place;     /* of the pointer to the first element */
    void *allocated; /* of which the array is a part, or NULL */
    uint64_t bytes;  /* with those for aligning it */
};

enum { NK_MAX_ARRAYS = 32 };

/* Zeroed, this is empty. For one thread at a time. */
struct nk_memory {
    uint64_t bytes; /* of all arrays in the list */
    struct nk_array arrays[NK_MAX_ARRAYS];
    int count;
};

/* Adds an array with `count` elements of `size` bytes to the list. `place` is the address of the pointer that will
 * point to it; it must not move until the array is freed. */
void nk_memory_list(struct nk_memory *memory, void *place, uint64_t count, size_t size);

/* Allocates the arrays that were listed since the last call, and sets their pointers. Their elements are zero; they are
 * aligned for nk_row_bits (solver/base/row_bits.h) and, if they are large and the system has them, in large pages.
 * Returns false if memory runs out; nk_memory_free then frees the others. */
bool nk_memory_allocate(struct nk_memory *memory);

/* Frees all arrays, sets their pointers to NULL, and clears the list. */
void nk_memory_free(struct nk_memory *memory);

#endif
