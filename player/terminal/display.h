/* Boards as text diagrams on standard output. */
#ifndef NK_DISPLAY_H
#define NK_DISPLAY_H

#include "common/game/position.h"

/* Whether boards and results may have colours: if standard output is a terminal, unless NO_COLOR is set or TERM is
 * "dumb". */
bool nk_display_has_colour(void);

/* Whether pieces may be Unicode characters: where there may be colour and the locale's characters are UTF-8. */
bool nk_display_has_unicode(void);

/* Display options. All zero: without colour, in ASCII, seen by Black. */
struct nk_board_view {
    bool colour;
    bool unicode;               /* the pieces are circles, filled for Black, not the letters b and w */
    bool flip;                  /* seen by White: a1 in the upper right corner */
    const struct nk_move *last; /* the last move, to be marked, or NULL */
};

/* How the board shows a piece. */
const char *nk_piece_text(enum nk_colour colour, bool unicode);

/* A text about a result, of at most 70 bytes, with the escape sequences for a colour around it if there is to be one:
 * wins are green, draws yellow, losses red. */
struct nk_text nk_paint(enum nk_result result, bool colour, const char *text);

/* Prints the board with coordinates. The last move is marked: `+` where it started, `[w]` where it ended. */
void nk_show_board(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move,
                   struct nk_board_view view);

/* Prints the board at a ply of a game, 0 <= ply <= nk_game_plies_with_undone(game), with the move before it as the last
 * move. */
void nk_show_game(const struct nk_game *game, int ply, struct nk_board_view view);

#endif
