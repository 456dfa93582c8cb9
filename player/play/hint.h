/* The command 'hint' of neutreeko play, and what it shares with that of neutreeko puzzle. */
#ifndef NK_HINT_H
#define NK_HINT_H

#include "player/play/session.h"

/* Gives a hint for a move: number 0 is which piece to move, number 1 which move to play. Returns false, without a hint,
 * for a later one. */
bool hint_give(const struct nk_rules *rules, int number, struct nk_move move);

/* Explains the best move of a game that is not over, the first of its choices. */
enum after_turn hint_explain(struct nk_table *table, const struct nk_game *game,
                             const struct nk_choice choices[], int count);

/* Gives the next hint for a position: which piece to move, which move to play, why, and then all moves. With the
 * argument 'all', lists the moves at once. The context is a struct session. */
enum after_turn do_hint(void *context);

#endif
