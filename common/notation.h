/* Positions as text: include/neutreeko.h tells the notation and has the other functions. */
#ifndef NK_NOTATION_H
#define NK_NOTATION_H

#include "position.h"

/* Reads a position, whether it can occur or not (see nk_position_check). NK_E_SYNTAX with the place in *error
 * (may be NULL). */
enum nk_status nk_position_read(const struct nk_rules *rules, const char *text, struct nk_position *position,
                                enum nk_colour *to_move, struct nk_error *error);

#endif
