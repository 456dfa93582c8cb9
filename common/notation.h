/* Moves and positions as text.
 *
 * Printed: moves as `b1-c1`; positions like chess FEN, ranks from the highest down, `b` and `w` for pieces,
 * digits for runs of empty squares, then the side to move: `1w1w1/2b2/5/2w2/1b1b1 b`. Accepted as well, in
 * any case: moves `b1c1` and `1B1C` (rank, file, rank, file); positions with `_` for the space, and the
 * side's letter, a colon and every square from a1 along the ranks: `B:.B.B...W.........B...W.W.`.
 *
 * Nothing here allocates or depends on the locale; safe in any thread.
 */
#ifndef NK_NOTATION_H
#define NK_NOTATION_H

#include "position.h"

enum {
    NK_SQUARE_TEXT = 3,                                 /* bytes, with the final zero */
    NK_MOVE_TEXT = 6,                                   /* "b1-c1" */
    NK_POSITION_TEXT = NK_MAX_SQUARES + NK_MAX_SIDE + 2 /* squares, slashes, the side, the zero */
};

/* Writes the square's name, as "b1". */
NK_API void nk_square_print(const struct nk_rules *rules, int square, char text[NK_SQUARE_TEXT]);

/* Writes the move, as "b1-c1". */
NK_API void nk_move_print(const struct nk_rules *rules, struct nk_move move, char text[NK_MOVE_TEXT]);

/* Writes the position with the colour that is to move. */
NK_API void nk_position_print(const struct nk_rules *rules, struct nk_position position,
                              enum nk_colour to_move, char text[NK_POSITION_TEXT]);

/* Reads a move: two different squares of the board. Whether it is legal is another question.
 * NK_E_SYNTAX with the place in *error (may be NULL). */
NK_API enum nk_status nk_move_parse(const struct nk_rules *rules, const char *text, struct nk_move *move,
                                    struct nk_error *error);

/* Reads a position, whether it can occur or not (see nk_position_check). NK_E_SYNTAX with the place in *error
 * (may be NULL). */
NK_API enum nk_status nk_position_read(const struct nk_rules *rules, const char *text,
                                       struct nk_position *position, enum nk_colour *to_move,
                                       struct nk_error *error);

/* Reads a position that can occur. NK_E_SYNTAX with the place in *error (may be NULL) for what is no
 * position, NK_E_POSITION (see nk_position_check) for one that cannot be. */
NK_API enum nk_status nk_position_parse(const struct nk_rules *rules, const char *text,
                                        struct nk_position *position, enum nk_colour *to_move,
                                        struct nk_error *error);

#endif
