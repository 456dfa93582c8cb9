/* Links of the page: the addresses of positions and games, which web/page/state/address.js writes. */
#ifndef NK_LINK_H
#define NK_LINK_H

#include "common/game/position.h"

/* The length of the link that a text begins with, up to a blank, a line end, `<`, `>` or `"`; 0 if there is none. */
size_t nk_link_length(const char *text);

/* Reads the legal position that the page shows for a link, whose length is that of nk_link_length. The fields have the
 * forms that the page accepts; moves that do not lead to the position, and fields that have no part in it, are not
 * checked. NK_E_SYNTAX, with the reason, if it shows no position of this board; NK_E_POSITION if it begins at an
 * illegal position, at the start of a board that has none, or at a fair start that does not exist; NK_E_MEMORY. For a
 * fair start also NK_E_UNSUPPORTED if the table has no trap values, NK_E_READ, NK_E_CORRUPT. */
enum nk_status nk_link_read(const struct nk_rules *rules, const char *text, size_t length,
                            struct nk_position *position, enum nk_colour *to_move, struct nk_error *error);

#endif
