/* The choice of a move from the table. Every part of the program that plays perfectly asks here. */
#ifndef NK_CHOOSE_H
#define NK_CHOOSE_H

#include "common/table.h"
#include "player/game.h"

/* What a move is worth in this game: as in the table, but a draw where repetition makes it one. */
struct nk_option {
    struct nk_move move;
    struct nk_value value; /* to the mover, counted from the position now */
    int repeats;           /* how often the position after it has occurred; 2: it ends the game as a draw */
    uint8_t trap;          /* of a draw: chance that the opponent errs, 0..255 (see nk_table_trap) */
};

/* Every move of a game that is not over, best first by value. A move is a draw when it completes a third
 * occurrence; also when it would win but a reply completes one, or would lose but every reply does. Errors as
 * nk_table_code. */
enum nk_status nk_options(struct nk_table *table, const struct nk_game *game,
                          struct nk_option options[NK_MAX_MOVES], int *count, struct nk_error *error);

/* Chooses the perfect move of a game that is not over. The guarantee: the move never lowers the result.
 *   won    a shortest win; of those, the one that leaves the fewest replies that prolong the game to the full
 *   drawn  a draw; rather a position that has not occurred; of those, the most likely to make the opponent
 * err lost   the longest delay; of those, the one with the most replies that throw the win away and where
 * several are alike, one of them by chance. *random is the state of nk_random. Errors as nk_table_code. */
enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                         struct nk_move *move, struct nk_error *error);

#endif
