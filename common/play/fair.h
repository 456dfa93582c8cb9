/* Fair starts by name, and in lists. */
#ifndef NK_FAIR_H
#define NK_FAIR_H

#include "common/table/lookup.h"

/* Whether a text is `fair`, or begins with `fair:`. */
bool nk_fair_is_name(const char *text);

/* Finds the fair start that a name means: `fair:N` number N, `fair` a random one, for which *random is the
 * state of nk_random; otherwise `random` may be NULL. *number is its number. NK_E_SYNTAX if the text is not a name,
 * NK_E_POSITION if there is no such fair start, NK_E_UNSUPPORTED if the table has no trap values; NK_E_READ,
 * NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_fair_named(struct nk_table *table, const char *name, uint64_t *random,
                             struct nk_position *position, uint64_t *number, struct nk_error *error);

/* Sets *starts to all fair starts, of which there is at least one, in the order of their numbers, and *count to their
 * number. The caller frees *starts with free(). NK_E_POSITION if the board has none, NK_E_UNSUPPORTED if the table
 * has no trap values; NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_fair_list(struct nk_table *table, struct nk_position **starts, uint64_t *count,
                            struct nk_error *error);

#endif
