/* Where a game begins on a board for which no start position is known. */
#ifndef NK_START_H
#define NK_START_H

#include "common/table/lookup.h"

/* Proposes a start position, in which Black moves first, for a board for which nk_rules_start has none. In it
 * White's pieces are those of Black seen from the other side of the board: reflected, with pieces that are symmetric
 * from left to right, or rotated. It is the first of at most a thousand such positions of each kind that is drawn,
 * otherwise the one of the first hundred whose win or loss takes longest, so that it is found quickly in any table.
 * The same table always gives the same proposal. NK_E_POSITION if there is none; NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY. */
enum nk_status nk_start_find(struct nk_table *table, struct nk_position *position, struct nk_error *error);

/* Sets *position to the first of those positions, whatever its value, without reading the table. Returns false if
 * there is none. */
bool nk_start_first(const struct nk_table *table, struct nk_position *position);

#endif
