/* The moves of many positions at once, for the verifier (verify.c). It shares only the rules (common/game/rules.h: the
 * next square in a direction) and the numbers of configurations (common/game/index.h) with the analysis. */
#ifndef NK_VERIFY_MOVES_H
#define NK_VERIFY_MOVES_H

#include "common/game/index.h"

/* In each lane the other side has a configuration of its own; the side to move has the same ones in all lanes. */
enum { NK_VERIFY_LANES = 64 };

struct nk_verify_lanes {
    uint8_t lane[NK_VERIFY_LANES];
};

/* Computes best[r][lane], for each configuration r of the side to move: the greatest after[s][lane] of its moves, to
 * configurations s; 0 if there is no legal move. `others` are the squares of the other side in each lane. Where r
 * overlaps them, best[r][lane] is meaningless, and after[s][lane] may be anything where s overlaps them. */
void nk_verify_best_moves(const struct nk_index *index, const uint64_t others[NK_VERIFY_LANES],
                          const struct nk_verify_lanes *after, struct nk_verify_lanes *best);

#endif
