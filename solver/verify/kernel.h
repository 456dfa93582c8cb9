/* The functions in which the verifier (verify.c) spends its time, compiled from kernel_tmpl.c for each width of
 * vectors. They share only the rules (common/game/rules.h: the next square in a direction) and the numbers of
 * configurations (common/game/index.h) with the analysis. */
#ifndef NK_VERIFY_KERNEL_H
#define NK_VERIFY_KERNEL_H

#include "common/game/index.h"

/* In each lane the other side has a configuration of its own; the side to move has the same ones in all lanes. */
enum { NK_VERIFY_LANES = 64 };

struct nk_verify_lanes {
    _Alignas(NK_VERIFY_LANES) uint8_t lane[NK_VERIFY_LANES];
};

/* As many configurations at once as stay in the cache. */
enum { NK_VERIFY_PART = 512 };

/* A configuration as the numbers of two sets of squares: its lowest pieces, and the others. */
struct nk_verify_halves {
    uint16_t low, high;
};

/* The values of positions after a move, for the side that moved, and of its best move, in the first phase. The others,
 * NK_VERIFY_SUM minus a code, are those of losses of the opponent, the greatest of the nearest one. */
enum { NK_VERIFY_LOSS = 0, NK_VERIFY_DRAW = 1, NK_VERIFY_WIN = 2, NK_VERIFY_SUM = 257 };

/* Numbers of positions: by codes of losses and draws, and by NK_VERIFY_WINS + the value of the best move for wins. The
 * number is the sum over `apart`: adding to a number that was just stored takes long, so neighbours are counted
 * apart. */
enum { NK_VERIFY_WINS = 256, NK_VERIFY_COUNTS = 512, NK_VERIFY_APART = 4 };
struct nk_verify_counts {
    uint64_t apart[NK_VERIFY_APART][NK_VERIFY_COUNTS];
};

struct nk_verify_kernel {
    /* Converts codes to values. */
    void (*to_values)(const uint8_t *codes, uint32_t count, uint8_t *values);

    /* Fills each lane with the byte of the row whose number is the sum of the terms of both halves. */
    void (*gather)(const uint8_t *row, const uint32_t *low, const uint32_t *high,
                   const struct nk_verify_halves from[NK_VERIFY_LANES], struct nk_verify_lanes *to);

    /* Computes best[r][lane], for each configuration r of the side to move: the greatest after[s][lane] of its moves,
     * to configurations s; 0 if there is no legal move. `others` are the squares of the other side in each lane. Where
     * r overlaps them, best[r][lane] is meaningless, and after[s][lane] may be anything where s overlaps them. */
    void (*best_moves)(const struct nk_index *index, const uint64_t others[NK_VERIFY_LANES],
                       const struct nk_verify_lanes *after, struct nk_verify_lanes *best);

    /* The next functions are for at most NK_VERIFY_PART configurations or codes.
     *
     * Copies the bytes of a lane for those of `count` configurations that do not overlap the other side. Returns how
     * many they are. selected[] has room for `count` and one more. */
    uint32_t (*select)(const uint64_t *squares, uint32_t count, uint64_t other,
                       const struct nk_verify_lanes *best, int lane, uint8_t *selected);

    /* The first phase: returns whether codes agree with the best moves but for the distances of losses. Then it counts
     * them, and replaces each by the code of the nearest loss if it is a win, otherwise by 0. */
    bool (*measure)(uint8_t *codes, const uint8_t *best, uint32_t count, struct nk_verify_counts *counts);

    /* The second phase: returns whether all losses are one code farther than the farthest win that a move leads to,
     * whose distance is given by the code of the nearest loss after it. */
    bool (*check)(const uint8_t *codes, const uint8_t *farthest, uint32_t count);
};

/* Returns the kernel for vectors of that many bytes (16, 32 or 64), or the fastest for 0; NULL if this processor does
 * not support them. */
const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes);

/* Those for 32 and 64 bytes exist on x86-64 only. */
extern const struct nk_verify_kernel nk_verify_kernel_16, nk_verify_kernel_32, nk_verify_kernel_64;

#endif
