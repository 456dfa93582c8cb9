/* Trap values: which drawn positions an imperfect opponent is most likely to lose.
 *
 * The model is a game between two players. The imperfect one sees every result that is decided within NK_SIGHT plies,
 * avoids the losses that it sees, and plays each of its other moves with equal probability. The perfect one keeps
 * every draw and wins every won position. For a drawn position q in which the imperfect player is to move, U(q) is
 * the discounted probability that it loses in the end:
 *
 *     U(q) = discount * (unseen(q) + sum of V(p) over its drawing moves to p) / (unseen(q) + number of drawing moves)
 *     V(p) = maximum of U(q) over the drawing moves of the perfect player from p to q
 *
 * where unseen(q) is the number of moves into losses that the imperfect player does not see, and U(q) = 0 if the
 * divisor is 0. The trap value of an entry is U.
 *
 * U is computed by value iteration over the drawn positions: from 0, NK_TRAP_ROUNDS rounds, in integers, so that the
 * result is the same on every machine. The discount of 15/16 prefers near traps, since a game can end by repetition
 * before a far one. A perfect player that steers for its opponent's mistakes is known as ultra-strong play from Nine
 * Men's Morris (G. E. Gevay, G. Danner, "Calculating ultrastrong and extended solutions for Nine Men's Morris,
 * Morabaraba, and Lasker Morris", 2016); the formula above is specific to this project. */
#ifndef NK_TRAP_H
#define NK_TRAP_H

#include "common/table.h"
#include "solver/progress.h"

enum {
    NK_SIGHT = 7, /* plies */
    NK_TRAP_ROUNDS = 64,

    /* Boards above these limits have no trap values. They bound the entries, which need random access to all codes at
     * once, and the drawn entries among them. */
    NK_MAX_TRAP_ENTRIES = 1 << 30,
    NK_MAX_TRAPS = 1 << 22
};

/* Computes U in units of 1/256, rounded down, for every entry whose code is a draw, in the order of the entries. The
 * codes, [index->entries], must be those of a solved board. `threads` as in nk_solve_options; the values do not
 * depend on it. *traps receives an array that the caller frees, or NULL if there are no draws or the board is above
 * the limits. `progress` may be NULL. Returns NK_E_MEMORY. */
enum nk_status nk_traps(const struct nk_index *index, const uint8_t *codes, int threads,
                        const struct nk_progress_sink *progress, uint8_t **traps);

/* The bytes that nk_traps takes if a drawn entry has at most a dozen drawing moves on average. */
uint64_t nk_traps_memory(const struct nk_index *index, int threads);

#endif
