/* Lists of fair starts. */
#ifndef NK_FAIR_H
#define NK_FAIR_H

#include "common/table/lookup.h"

/* Sets *starts to all fair starts, of which there is at least one, in the order of their numbers, and *count to their
 * number. The caller frees *starts with free(). NK_E_POSITION if the board has none, NK_E_UNSUPPORTED if the table
 * has draws but no trap values; NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_fair_list(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                            struct nk_error *error);

#endif
