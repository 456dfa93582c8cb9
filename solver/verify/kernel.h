/* The functions in which the verifier (verify.c) spends most of its time, compiled from kernel_tmpl.c for each width of
 * vectors. With the analysis they share only the board (common/game/rules.h), the numbers of configurations
 * (common/game/index.h), and the choice of the width (solver/base/vectors.h). */
#ifndef NK_VERIFY_KERNEL_H
#define NK_VERIFY_KERNEL_H

#include "common/game/index.h"

/* The verifier examines the moves against so many orbits at once: a group. */
enum { NK_VERIFY_GROUP = 64 };

/* A byte for each orbit of a group. */
struct nk_group_bytes {
    _Alignas(NK_VERIFY_GROUP) uint8_t orbit[NK_VERIFY_GROUP];
};

/* The value of a move, for the side that makes it: the greatest one is that of the best move. A move to a win of the
 * opponent has the value 0 and one to a draw 1. One to a loss of the opponent has at least 2, and the more the nearer
 * the loss is: it is a win for the side that moves, and the nearest loss determines its distance. As the codes of
 * losses go from NK_CODE_LOSS, the nearest, to UINT8_MAX, and their values from UINT8_MAX to NK_VALUE_WIN, a code and
 * its value always have the same sum. Subtracting from it turns either one into the other. */
enum {
    NK_VALUE_LOSS = 0,
    NK_VALUE_DRAW = 1,
    NK_VALUE_WIN = 2,
    NK_LOSS_CODE_PLUS_VALUE = 257 /* NK_CODE_LOSS + UINT8_MAX */
};

struct nk_verify_kernel {
    /* Computes best[r].orbit[o], for each configuration r of the side to move against each orbit o: the greatest
     * after[s].orbit[o] of its moves, to configurations s; 0 if there is no legal move. `others` are the canonical
     * configurations of the orbits. Where r overlaps others[o], best[r].orbit[o] is meaningless; after[s].orbit[o] may
     * be anything where s does. */
    void (*best_moves)(const struct nk_index *index, const uint64_t others[NK_VERIFY_GROUP],
                       const struct nk_group_bytes *after, struct nk_group_bytes *best);

    /* The first phase: returns whether codes agree with the values of the best moves but for the distances of losses.
     * Then it replaces each by the code of the nearest loss if it is a win, otherwise by 0. */
    bool (*measure)(uint8_t *codes, const uint8_t *best, uint32_t count);

    /* The second phase: returns whether all losses are one code farther than the farthest win that a move leads to,
     * whose distance is given by the code of the nearest loss after it. */
    bool (*check)(const uint8_t *codes, const uint8_t *farthest, uint32_t count);
};

/* Those for 32 and 64 bytes exist on x86-64 only. */
extern const struct nk_verify_kernel nk_verify_kernel_16, nk_verify_kernel_32, nk_verify_kernel_64;

/* Returns the kernel for vectors of that many bytes (16, 32 or 64), or the fastest for 0; NULL if this processor does
 * not support them. */
const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes);

#endif
