/* Positions as text, beyond what include/neutreeko.h has. */
#ifndef NK_NOTATION_H
#define NK_NOTATION_H

#include "common/game/position.h"

#include <assert.h>

/* Room for the text of any move or position, with the terminating zero. */
enum {
    NK_MOVE_ROOM = 6,                                    /* "b1-c1" */
    NK_POSITION_ROOM = NK_MAX_SQUARES + NK_MAX_SIDE + 2, /* squares, slashes, a space, the side to move */
};
static_assert(NK_POSITION_ROOM <= sizeof(struct nk_text), "the longest text");

/* Reads a position in a notation that include/neutreeko.h describes, legal or not (see nk_position_check). NK_E_SYNTAX,
 * with the place in *error (may be NULL), if the text is not a position of the board. */
enum nk_status nk_position_parse_unchecked(const struct nk_rules *rules, const char *text,
                                           struct nk_position *position, enum nk_colour *to_move,
                                           struct nk_error *error);

#endif
