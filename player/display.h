/* Boards as people read them. */
#ifndef NK_DISPLAY_H
#define NK_DISPLAY_H

#include "common/position.h"

#include <stdio.h>

/* Whether to use colour on a stream: only on a terminal, and not with NO_COLOR or TERM=dumb. */
bool nk_use_colour(FILE *stream);

/* How a board looks. All zero: plain, from Black's side. */
struct nk_look {
    bool colour;
    bool flip;                  /* from White's side: a1 in the upper right corner */
    const struct nk_move *last; /* the move that led to the position, to be marked; or NULL */
};

/* Prints the board with its coordinates. The last move is marked like this: from `+` to `[w]`. */
void nk_show_board(FILE *stream, const struct nk_rules *rules, struct nk_position position,
                   enum nk_colour to_move, struct nk_look look);

#endif
