/* The independent verifier of a table. It checks the value of every position against the values of the positions that
 * its moves lead to. It shares the rules of the game with the analysis (common/rules.h: which configurations win, and
 * the neighbours of a square), but no code that generates moves. */
#ifndef NK_VERIFY_H
#define NK_VERIFY_H

#include "common/table.h"

struct nk_verified {
    struct nk_summary summary;              /* counted from the codes */
    uint64_t by_distance[NK_MAX_PLIES + 1]; /* positions with this distance in plies */
};

/* Checks every legal position of the table:
 *   the other side has won   it is a loss of 0 plies, and no other position is
 *   a win of d plies         a move leads to a loss of d - 1 plies, and no move to a nearer one
 *   a loss of d plies        every move leads to a win, the farthest of d - 1 plies
 *   a draw                   no move leads to a loss and one to a draw, or there is no legal move
 * and then the counts in the table's header, and the trap values. Returns NK_OK and fills *verified if all of this
 * holds, otherwise NK_E_CORRUPT with the first disagreement in *error (may be NULL). Also returns NK_E_READ and
 * NK_E_MEMORY.
 *
 * `threads` as in nk_solve_options; no other thread may use the table. The first disagreement does not depend on the
 * number of threads. Disagreements come in this order, and among those of one kind in the order of the entries:
 *   1. a distance of more than 251 plies, if the header has no such distance
 *   2. a win without a move to a loss, or an illegal position with a value
 *   3. all others
 *
 * Takes a byte for each entry of the index, two if the header has a distance of more than 251 plies, and four bytes
 * per thread for each configuration that does not overlap a given one. */
enum nk_status nk_verify(struct nk_table *table, int threads, struct nk_verified *verified,
                         struct nk_error *error);

#endif
