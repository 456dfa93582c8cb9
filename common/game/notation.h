/* Positions as text, beyond what include/neutreeko.h has. */
#ifndef NK_NOTATION_H
#define NK_NOTATION_H

#include "common/game/position.h"

/* Parses a position like nk_position_parse, but accepts an illegal one (see nk_position_check). NK_E_SYNTAX with
 * the place in *error (may be NULL). */
enum nk_status nk_position_parse_unchecked(const struct nk_rules *rules, const char *text,
                                           struct nk_position *position, enum nk_colour *to_move,
                                           struct nk_error *error);

#endif
