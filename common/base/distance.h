/* Distances to the end of a game for people. */
#ifndef NK_DISTANCE_H
#define NK_DISTANCE_H

#include "include/neutreeko.h"

/* Data count plies; texts for people count moves, as chess does: a win in 19 plies takes 10 moves of the winner, and a
 * loss in 20 plies as many. */
int nk_moves_in(int plies);

/* "10 moves". */
struct nk_text nk_moves_text(int plies);

/* "10 moves (19 plies)", where the plies help. */
struct nk_text nk_distance_text(int plies);

#endif
