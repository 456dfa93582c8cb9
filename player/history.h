/* What positions are worth in a game whose history counts.
 *
 * The third occurrence of a position is a draw. So after some moves the game has the value of another game:
 * the one in which every position that has already occurred twice is a drawn end. That is exact. A winner
 * whose distance falls with every move never repeats a position, so none that occurred less often gets in the
 * way; a defender who can avoid losing for ever reaches a third occurrence.
 *
 * Compared with the table, a drawn position stays drawn, and a decided one takes longer or becomes a draw:
 * new drawn ends take positions away from the winner and give the loser nothing but draws. So only decided
 * positions that occurred twice matter, and each matters only to the side that wins there. What they change
 * is worked out ply by ply, as far as the positions asked for need it. */
#ifndef NK_HISTORY_H
#define NK_HISTORY_H

#include "common/table.h"
#include "player/game.h"

struct nk_repair;

/* The history of a game up to some ply. One thread at a time may use it; it stays where it was initialised.
 */
struct nk_history {
    struct nk_table *table;
    uint32_t work;                /* codes of the table that may still be read */
    struct nk_repair *repairs[2]; /* by the colour that wins; NULL where the table holds as it is */
};

/* Most codes of the table that are read for one decision to find out what changes. There is no bound for tables of at
 * most NK_HISTORY_SMALL entries, such as that of the standard board; NK_HISTORY_WORK up to NK_HISTORY_LARGE entries; and
 * NK_HISTORY_WORK_LARGE in larger tables, where nearly every code is in another block of the file. Beyond the bound, a
 * position counts as drawn if its value has been found to change and not yet what to, and has the value of the table
 * otherwise. */
enum {
    NK_HISTORY_SMALL = 1 << 20,
    NK_HISTORY_LARGE = 1 << 26,
    NK_HISTORY_WORK = 1 << 20,
    NK_HISTORY_WORK_LARGE = 1 << 16,
};

/* Takes in the positions of the plies 0 to `ply`, 0 <= ply <= nk_game_known(game), and the one after `next`
 * where that is not NULL: a legal move at that ply. Reads the table only where a position has occurred twice.
 * Errors as nk_table_value. The caller hands it to nk_history_clear, also after an error. */
enum nk_status nk_history_init(struct nk_history *history, struct nk_table *table, const struct nk_game *game,
                               int ply, const struct nk_move *next, struct nk_error *error);
void nk_history_clear(struct nk_history *history);

/* What a position is worth once it is reached by a move. Errors as nk_table_value. */
enum nk_status nk_history_value(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_value *value, struct nk_error *error);

/* What the position at a ply of the game is worth to the side to move, 0 <= ply <= nk_game_known(game).
 * Errors as nk_table_value. */
enum nk_status nk_history_value_at(struct nk_table *table, const struct nk_game *game, int ply,
                                   struct nk_value *value, struct nk_error *error);

/* Every move of a position and what it is worth, ordered as nk_table_moves orders them. Errors as
 * nk_table_value.
 */
enum nk_status nk_history_moves(struct nk_history *history, struct nk_position position,
                                enum nk_colour to_move, struct nk_move_value moves[NK_MAX_MOVES], int *count,
                                struct nk_error *error);

#endif
