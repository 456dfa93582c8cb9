/* The independent verifier: recomputes what every position of a finished table is worth from what its moves
 * lead to, by the rules of common/rules.h: what wins, and the neighbour of a square. It shares nothing with
 * the analysis. */
#ifndef NK_VERIFY_H
#define NK_VERIFY_H

#include "common/table.h"

struct nk_verified {
    struct nk_summary summary;              /* counted anew */
    uint64_t by_distance[NK_MAX_PLIES + 1]; /* positions decided in so many plies */
};

/* Checks every legal position of the table:
 *   the other side has its row  exactly the losses of 0 plies
 *   a win of d plies            some move leads to a loss of d - 1, none to a nearer one
 *   a loss of d plies           every move leads to a win, the farthest of d - 1
 *   a draw                      no move leads to a loss, one to a draw; or there is no move
 * and then the counts in the table's header, and the traps. Fills *verified and returns NK_OK when all of it
 * holds; otherwise NK_E_CORRUPT with the first disagreement, in words, in *error. Also NK_E_READ,
 * NK_E_MEMORY. Memory: a byte per entry of the index, two where the header speaks of more than 251 plies, and
 * four per thread for every configuration beside a given one. `threads` as in nk_solve_options; the first
 * disagreement is the same whatever the number: a loss of more than 251 plies that the header does not speak
 * of, then a win that no move wins or a value of what is no position, then any other; of several of one kind
 * that of the lowest entry. */
enum nk_status nk_verify(struct nk_table *table, int threads, struct nk_verified *verified,
                         struct nk_error *error);

#endif
