/* neutreeko query --svg: a picture of a position with the values of its moves. */
#ifndef NK_QUERY_SVG_H
#define NK_QUERY_SVG_H

#include "common/table.h"

/* A position, its result, and its moves, best first. */
struct answer {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
};

/* Whether a file begins as an earlier picture does. */
bool query_svg_is_picture(const char *bytes, size_t length);

/* Writes the picture to a file, atomically. NK_E_WRITE, NK_E_MEMORY. */
enum nk_status query_svg_write(const char *path, const struct nk_rules *rules, const struct answer *answer,
                               struct nk_error *error);

/* The state of the game, as "Black to move wins in 5 plies.", without a line end. */
enum { ANSWER_TEXT = 80 };
void answer_format(const struct answer *answer, char text[ANSWER_TEXT]);

#endif
