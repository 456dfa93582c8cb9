/* The review of a game, move by move. */
#ifndef NK_REVIEW_H
#define NK_REVIEW_H

#include "common/play/history.h"

/* A review in progress. One thread at a time may use it. It must not be moved or copied. */
struct nk_reviewer {
    struct nk_history history;
    const struct nk_game *game;
    int added; /* plies that the history has */
    int ply;   /* of the next move */
};

/* Begins the review of a game, which must not change meanwhile; `stop` (may be NULL) as in nk_history_begin. NK_E_RULES
 * if it has another board than the table. The caller calls nk_reviewer_clear, also after an error. */
enum nk_status nk_reviewer_begin(struct nk_reviewer *reviewer, struct nk_table *table,
                                 const struct nk_game *game, const struct nk_stop *stop,
                                 struct nk_error *error);
void nk_reviewer_clear(struct nk_reviewer *reviewer);

/* Reviews the next move, reviewer->ply < nk_game_known(game). Errors as nk_table_value; the call can be repeated after
 * NK_E_READ. */
enum nk_status nk_reviewer_next(struct nk_reviewer *reviewer, struct nk_reviewed *reviewed,
                                struct nk_error *error);

/* Sets *value to the value of the position after the moves that have been reviewed, as nk_game_value. */
enum nk_status nk_reviewer_value(struct nk_reviewer *reviewer, struct nk_value *value, bool *exact,
                                 struct nk_error *error);

/* As nk_game_value, but `stop` (may be NULL) as in nk_history_begin. */
enum nk_status nk_game_value_until(struct nk_table *table, const struct nk_game *game,
                                   const struct nk_stop *stop, struct nk_value *value, bool *exact,
                                   struct nk_error *error);

#endif
