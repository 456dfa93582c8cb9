/* Checks the codes of a group of rows against the values of their moves, and counts them. For verify.c. */
#ifndef NK_VERIFY_GROUP_H
#define NK_VERIFY_GROUP_H

#include "solver/verify/errors.h"
#include "solver/verify/kernel.h"

#include <stddef.h>

/* The table has no distances of wins, so it is verified in two phases. The first one, `measure`, checks everything but
 * distances of losses, and finds the distances of wins. With these the second one, `check`, checks the distances of
 * losses. What a group needs after moves, and what its best moves are, are bytes for the side that moves:
 *   measure   the value (kernel.h)
 *   check     the code of the nearest loss of a win; 0: not a win */
enum nk_verify_phase { NK_MEASURE, NK_CHECK };

/* Numbers of positions, and what is wrong. */
struct nk_findings {
    uint64_t codes[UINT8_MAX + 1]; /* with this code */
    uint64_t
        nearest[UINT8_MAX + 1]; /* wins with this code of the nearest loss after a move, and `illegal` ones */
    uint64_t illegal;           /* only the mover has already won; the code is that of a win */
    uint64_t stalemates;
    struct nk_first_failure failure;
};

struct nk_group {
    enum nk_verify_phase phase;
    const struct nk_index *index;
    const struct nk_verify_kernel *kernel;
    const bool *won; /* [configurations] whether they win */

    uint32_t first, count;              /* orbits */
    uint8_t *codes[NK_VERIFY_GROUP];    /* [per_orbit] of each orbit; `measure` replaces them */
    const struct nk_group_bytes *after; /* [configurations] to which a move leads */
    struct nk_group_bytes *best;        /* [configurations] scratch, for those that move */
    struct nk_findings *findings;       /* of the thread */
};

/* Checks the codes of a group, and adds to the findings. `measure` also counts the positions, and replaces each code by
 * that of the nearest loss after a move if it is a win, otherwise by 0; after a failure, by anything. */
void nk_group_check(const struct nk_group *group);

#endif
