/* Traps: which of the drawn positions a fallible opponent is most likely to lose.
 *
 * Think of a mover who sees everything that is decided within NK_SIGHT plies, avoids what it sees lost and
 * plays any of its other moves with the same chance, against one who holds every draw and wins every win. For
 * the drawn position q in which that fallible side is to move, let U(q) be the chance that it loses in the
 * end, each move discounted:
 *
 *     U(q) = discount * (number of moves into losses it does not see + sum of V(p) over its drawing moves to
 * p) / (number of those moves) V(p) = the greatest U(q) over the drawing moves from p to q
 *
 * U is reckoned by value iteration over the drawn positions, from 0, NK_TRAP_ROUNDS times, in integers, so
 * that it is the same everywhere. The discount (15/16) prefers the trap that is near, since a game may end by
 * repetition first. Ultra-strong play, a perfect player that steers for its opponent's errors, is known from
 * Nine Men's Morris (G. E. Gevay, G. Danner, "Calculating ultrastrong and extended solutions for Nine Men's
 * Morris, Morabaraba, and Lasker Morris", 2016); the formula here is our own. */
#ifndef NK_TRAP_H
#define NK_TRAP_H

#include "common/table.h"

enum {
    NK_SIGHT = 7, /* plies */
    NK_TRAP_ROUNDS = 64,

    /* A board with more has its table written without traps: entries, for the whole table is asked all over
     * the place, and drawn ones among them. */
    NK_MAX_TRAP_ENTRIES = 1 << 30,
    NK_MAX_TRAPS = 1 << 22
};

/* Reckons U in 256ths for every entry whose code is a draw, in order: *traps, for the caller to free; NULL
 * when there are none or the board is beyond the bounds above. The codes must be those of a solved board.
 * `threads` as in nk_solve_options: the traps are the same whatever the number. NK_E_MEMORY. */
enum nk_status nk_traps(const struct nk_index *index, const uint8_t *codes, int threads, uint8_t **traps);

/* Bytes that nk_traps takes, for boards whose drawn positions have up to a dozen drawing moves on average. */
uint64_t nk_traps_memory(const struct nk_index *index, int threads);

#endif
