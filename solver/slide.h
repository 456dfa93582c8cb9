/* The one operation the analysis is made of: sliding sets of positions back along the moves that lead to
 * them, 512 positions at a time.
 *
 * A bit matrix has a row for every configuration of one side and a column for every orbit of configurations
 * of the other side, which does not move: the orbit's representative stands there. Columns come in slices of
 * NK_LANES. A slice of a row is a nk_lanes, a slice of the matrix is `configurations` of them, one after the
 * other, and nothing in one slice ever needs another: sliding changes the row and keeps the column.
 */
#ifndef NK_SLIDE_H
#define NK_SLIDE_H

#include "common/index.h"

enum { NK_LANES = 512, NK_LANE_WORDS = NK_LANES / 64 };

typedef struct {
    _Alignas(NK_LANES / 8) uint64_t word[NK_LANE_WORDS];
} nk_lanes;

/* For loops over lanes: a caller compiled for wider vectors gets the loop compiled for them too. */
#define NK_INLINE static inline __attribute__((always_inline))

/* What sliding needs to know of a board. Constant once made, so threads may share it. */
struct nk_slides {
    uint32_t groups;  /* configurations of all pieces but one: those that stay while one slides */
    uint32_t *row_of; /* [groups][squares] row of the group with its last piece on that square; any row where
                         the group itself stands */
    uint64_t *group;  /* [groups] the squares of the group */
    uint32_t *groups_of; /* [configurations][pieces] the groups that an configuration contains */
    uint16_t *line; /* every line of the board: its length, its axis 0..3, then its squares as offsets into a
                       struct nk_bench; length 0 ends */
    uint64_t board; /* every square */
    int squares, pieces;
};

/* Prepares sliding on the board of `index`. NK_E_MEMORY. The caller hands it to nk_slides_free. */
enum nk_status nk_slides_make(const struct nk_index *index, struct nk_slides *slides);
void nk_slides_free(struct nk_slides *slides);

/* Bytes that nk_slides_make takes at most for a board. */
uint64_t nk_slides_memory(const struct nk_index *index);

/* Where one group slides; made once and used for many. Each square's `came` has a place for every direction,
 * which some lines never fill: it must begin as zero. */
struct nk_bench {
    struct nk_square {
        nk_lanes reached, blocked, came[NK_DIRECTIONS];
    } on[NK_MAX_SQUARES];
};

#define VECTOR_BYTES 16
#include "solver/slide_loop.h"
#undef VECTOR_BYTES
#define VECTOR_BYTES 32
#include "solver/slide_loop.h"
#undef VECTOR_BYTES
#define VECTOR_BYTES 64
#include "solver/slide_loop.h"
#undef VECTOR_BYTES

#endif
