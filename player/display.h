/* Boards as text diagrams on standard output. */
#ifndef NK_DISPLAY_H
#define NK_DISPLAY_H

#include "common/position.h"

/* Whether to use colour: if standard output is a terminal, unless NO_COLOR is set or TERM is "dumb". */
bool nk_use_colour(void);

/* Display options. All zero: without colour, seen by Black. */
struct nk_look {
    bool colour;
    bool flip;                  /* seen by White: a1 in the upper right corner */
    const struct nk_move *last; /* the last move, to be marked, or NULL */
};

/* Prints the board with coordinates. The last move is marked: `+` where it started, `[w]` where it ended. */
void nk_show_board(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                   struct nk_look look);

/* Prints the board at a ply of a game, 0 <= ply <= nk_game_known(game), with the move before it as the last move. */
void nk_show_game(const struct nk_game *game, int ply, struct nk_look look);

#endif
