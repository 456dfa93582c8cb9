/* The trap values show which drawn positions an imperfect opponent is most likely to lose.
 *
 * The model is a game between two players. The imperfect one sees every result within NK_TRAP_DEPTH plies, avoids the
 * losses that it sees, and plays each of its other moves with equal probability. The perfect one keeps every draw and
 * wins every won position. For a drawn position q in which the imperfect player is to move, U(q) is the discounted
 * probability that it loses in the end:
 *
 *     U(q) = discount * (unseen(q) + sum of V(p) over its drawing moves to p) / (unseen(q) + number of drawing moves)
 *     V(p) = maximum of U(q) over the drawing moves of the perfect player from p to q
 *
 * where unseen(q) is the number of moves into losses that the imperfect player does not see, and U(q) = 0 if the
 * divisor is 0. The trap value of an entry is U.
 *
 * U is computed by value iteration over the drawn positions: from 0, NK_TRAP_ROUNDS rounds, each of which computes all
 * V and then all U, in units of 1/65536 and rounded down, so that the result is the same on every machine. The discount
 * of 15/16 prefers near traps, since a game can end by repetition before a far one. A perfect player that steers for
 * its opponent's mistakes is known as ultra-strong play from Nine Men's Morris (G. E. Gevay, G. Danner, "Calculating
 * ultrastrong and extended solutions for Nine Men's Morris, Morabaraba, and Lasker Morris", 2016); the formula above is
 * specific to this project. */
#ifndef NK_TRAPS_H
#define NK_TRAPS_H

#include "common/base/base.h"
#include "common/game/game.h"

#include <stdint.h>

enum {
    NK_TRAP_DEPTH = 7, /* plies */
    NK_TRAP_ROUNDS = 64,

    /* Boards above these limits have no trap values. They bound the entries, of which two bits each are in memory, and
     * the drawn entries among them, of which the moves are as well. */
    NK_MAX_TRAP_ENTRIES = 1 << 30,
    NK_MAX_TRAPS = 1 << 22
};

/* What the values of a board follow from: for each entry whether it is a draw, and whether it is a loss that the
 * imperfect player sees coming. One thread at a time may use it, unless a function says otherwise. */
struct nk_traps;

/* *traps is NULL if the board is above the limit of entries. NK_E_MEMORY. The caller frees it with nk_traps_free, which
 * accepts NULL. */
enum nk_status nk_traps_new(const struct nk_index *index, struct nk_traps **traps);
void nk_traps_free(struct nk_traps *traps);

/* Adds the codes of so many orbits from `first` on, with up to `threads` threads. Each orbit is added once, in any
 * order, and several threads may add different ones at once. Accepts NULL. */
void nk_traps_add(struct nk_traps *traps, uint32_t first, uint32_t orbits, const uint8_t *codes, int threads);

/* The number of draws among the codes that were added. */
uint64_t nk_traps_draws(const struct nk_traps *traps);

/* Computes U in units of 1/256, rounded down, for every draw in the order of the entries, after all codes, those of a
 * solved board, have been added. Uses at most `threads` threads, 0 for one per processor; the values do not depend on
 * it. *values receives an array that the caller frees, or NULL if there are no draws, too many, or `traps` is NULL.
 * `progress` may be NULL. NK_E_MEMORY, or NK_E_STOPPED if `progress` stops it. */
enum nk_status nk_traps_compute(struct nk_traps *traps, int threads, const struct nk_progress_sink *progress,
                                uint8_t **values);

/* The bytes that this takes on a usual board with so many draws, or with no draws while codes are added; 0 for a board
 * above the limit of entries. `threads` is the most threads to use, 0 for one per processor. */
uint64_t nk_traps_memory(const struct nk_index *index, uint64_t draws, int threads);

#endif
