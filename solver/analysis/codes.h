/* The codes of all entries of a solved board (common/table/format.h), computed from its losses. */
#ifndef NK_CODES_H
#define NK_CODES_H

#include "solver/analysis/losses.h"
#include "solver/base/memory.h"

struct nk_codes {
    const struct nk_index *index;
    struct nk_losses *losses;
    struct nk_slice_range range; /* of this process */
    int threads;
    struct nk_memory memory;        /* of `won` and `part` */
    uint8_t *won;                   /* [configurations] whether it wins */
    uint8_t *part;                  /* the codes of one part, by entry */
    struct nk_memory slices_memory; /* of `slices` */
    uint8_t *
        slices; /* [threads][configurations of the mover][NK_SLICE_COLUMNS orbits of the other side]; or NULL */
    uint32_t first, filled; /* the slices of the range whose codes are in `slices` */
};

/* Describes the codes of a range of slices and lists the arrays that they need, without allocating them. At most
 * `threads` threads work on them, 0 for one per processor. */
void nk_codes_list(struct nk_codes *c, const struct nk_index *index, struct nk_slice_range range,
                   int threads);

/* Prepares the codes of the board of complete losses, which must outlive them. Each process does so. NK_E_MEMORY,
 * with a message in *error (may be NULL). The caller frees them with nk_codes_free, which accepts NULL. */
enum nk_status nk_codes_new(struct nk_losses *losses, int threads, struct nk_codes **out,
                            struct nk_error *error);
void nk_codes_free(struct nk_codes *c);

/* The codes in parts that follow each other. All processes request all parts in order and once, one thread of each,
 * since the losses release what is read. Process 0 receives the `count` codes, valid until the next call; the others
 * NULL. NK_E_CORRUPT or NK_E_READ for losses that cannot be read, NK_E_MEMORY; with a message in *error, which may be
 * NULL. */
uint32_t nk_codes_parts(const struct nk_codes *c);
enum nk_status nk_codes_part(struct nk_codes *c, uint32_t part, const uint8_t **codes, uint64_t *count,
                             struct nk_error *error);

#endif
