/* The choice of the perfect move, with a question whether to stop. */
#ifndef NK_CHOOSE_H
#define NK_CHOOSE_H

#include "common/table/lookup.h"
#include "common/play/stop.h"

/* As nk_choices and nk_choose, but `stop` (may be NULL) is asked after every 256 table lookups. When they are to stop,
 * they use what is known, as beyond the bound on the lookups. */
enum nk_status nk_choices_until(struct nk_table *table, const struct nk_game *game,
                                const struct nk_stop *stop, struct nk_choice choices[NK_MAX_MOVES],
                                int *count, struct nk_error *error);
enum nk_status nk_choose_until(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                               const struct nk_stop *stop, struct nk_move *move, struct nk_error *error);

#endif
