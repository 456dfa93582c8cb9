/* The functions of the analysis in which it spends its time, compiled from kernel_tmpl.c for each width of vectors. */
#ifndef NK_KERNEL_H
#define NK_KERNEL_H

#include "common/system/parallel.h"
#include "solver/analysis/slide.h"

struct nk_analysis;
struct nk_worker;

struct nk_kernel {
    /* Sets `next` to the undecided positions with a move into the frontier. */
    void (*find_predecessors)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker);

    /* Sets `next` to undecided positions, among them all that have a move into the frontier. The others have a move
     * that does not lead into `almost_win`, or an earlier pass would have decided them. */
    void (*find_candidates)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker);

    /* Adds the frontier, which are wins, to `almost_win`, and removes from `next` the positions with an escape: a move
     * that does not lead into `almost_win`. The others are losses. */
    void (*keep_losses)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker);

    /* Removes the positions of `next` from `undecided`. Returns how many positions of the game they are: a bit stands
     * for as many as its column's orbit has configurations. *example receives the lowest entry, or UINT64_MAX. */
    uint64_t (*take_decided)(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker,
                             uint64_t *example);

    /* Work for nk_parallel: transposes a->exchange.sources into a slice of `frontier`. The context is a struct
     * nk_analysis. */
    nk_work *transpose;

    /* Adds to `to` every position of a slice in which a slide leads to a position of `from`, or of its complement if
     * `inverted`. `from` and `to` are rows of slices, [configurations]; occupied[s] are the columns in which the other
     * side is on square s. Only with sets of stationary pieces that are `active`, [slides->stationary_count]; NULL for
     * all. `to` also receives positions in which the two sides overlap or the game is over. */
    void (*slide)(const struct nk_slides *slides, const uint8_t *active, const nk_row_bits *from,
                  bool inverted, const nk_row_bits *occupied, nk_row_bits *to);
};

/* Those for 32 and 64 bytes exist on x86-64 only. */
extern const struct nk_kernel nk_kernel_16, nk_kernel_32, nk_kernel_64;

/* Returns the kernel for vectors of that many bytes (16, 32 or 64), or the fastest for 0; NULL if this processor does
 * not support them. */
const struct nk_kernel *nk_find_kernel(int vector_bytes);

#endif
