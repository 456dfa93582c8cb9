/* Trap values: which drawn positions an imperfect opponent is most likely to lose.
 *
 * The model is a game between two players. The imperfect one sees every result that is decided within NK_SIGHT plies,
 * avoids the losses that it sees, and plays each of its other moves with equal probability. The perfect one keeps every
 * draw and wins every won position. For a drawn position q in which the imperfect player is to move, U(q) is the
 * discounted probability that it loses in the end:
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
#ifndef NK_TRAP_VALUES_H
#define NK_TRAP_VALUES_H

#include "common/game/index.h"

enum {
    NK_SIGHT = 7, /* plies */
    NK_TRAP_ROUNDS = 64,

    /* Boards above these limits have no trap values. They bound the entries, of which two bits each are in memory, and
     * the drawn entries among them, of which the moves are as well. */
    NK_MAX_TRAP_ENTRIES = 1 << 30,
    NK_MAX_TRAPS = 1 << 22
};

/* An upper bound on the drawing moves of so many draws of a usual board. Where draws are few, few moves from them lead
 * to draws: 1.2 to 1.5 on the boards of docs/BOARDS.md. */
static inline uint64_t nk_traps_usual_moves(const struct nk_index *index, uint64_t draws)
{
    return draws * (draws < index->entries / 4 ? 3 : (uint64_t)index->rules.board.pieces * NK_DIRECTIONS);
}

#endif
