/* Where a game may begin on a board without a start position, beyond what include/neutreeko.h has. */
#ifndef NK_START_H
#define NK_START_H

#include "common/table/lookup.h"

/* Sets *position to the first of the positions among which nk_start_proposal chooses, whatever its value, without
 * reading the table. Returns false if there is none. */
bool nk_start_first(const struct nk_table *table, struct nk_position *position);

#endif
