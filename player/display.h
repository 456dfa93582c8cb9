/* Boards as text diagrams. */
#ifndef NK_DISPLAY_H
#define NK_DISPLAY_H

#include "common/position.h"

#include <stdio.h>

/* Whether to use colour on a stream: on a terminal, unless NO_COLOR is set or TERM is "dumb". */
bool nk_use_colour(FILE *stream);

/* Display options. All zero: without colour, seen by Black. */
struct nk_look {
    bool colour;
    bool flip;                  /* seen by White: a1 in the upper right corner */
    const struct nk_move *last; /* the last move, to be marked, or NULL */
};

/* Prints the board with coordinates. The last move is marked: `+` where it started, `[w]` where it ended. */
void nk_show_board(FILE *stream, const struct nk_rules *rules, struct nk_position position,
                   enum nk_colour to_move, struct nk_look look);

#endif
