/* What the tests of the player share: an open table, and games. */
#ifndef PLAYER_SUPPORT_H
#define PLAYER_SUPPORT_H

#include "common/game/game.h"
#include "common/play/play.h"
#include "tests/support.h"

extern struct nk_table *table;

/* A directory of its own with the table of a board in "table.dat", which is open; the others serve as fixtures. */
void open_board(struct nk_board board);
void open_standard(void);
void open_4x4(void);
void close_board(void);

static const char standard_start[] = "1w1w1/2b2/5/2w2/1b1b1 b";

/* A game from a position, by the standard rules if there are no others, and with further moves such as "b1-c1
 * b5-c5". */
struct nk_game *begin_game(const struct nk_rules *rules, const char *position);
#define AUTO_GAME AUTO(release_game) struct nk_game
static inline void release_game(struct nk_game **game)
{
    nk_game_free(*game);
}
void play_moves(struct nk_game *game, const char *moves);

#define AUTO_TREE AUTO(release_tree) struct nk_tree
static inline void release_tree(struct nk_tree **tree)
{
    nk_tree_free(*tree);
}

struct nk_opponent opponent_of(const char *name);

/* The value of a move, for the side that makes it, after which the opponent has a value. */
struct nk_value value_before(struct nk_value after);

/* By the table. */
struct nk_value value_of(struct nk_position position);
struct nk_value value_of_move(struct nk_position position, struct nk_move move);

/* The number of moves with a result for the side to move. */
int moves_to(struct nk_position position, enum nk_result result);

/* Whether the side to move has several moves and only this one keeps its win or draw. */
bool is_only_move(struct nk_position position, struct nk_move move);

/* The moves among which nk_choose chooses, by its description and what nk_choices says before and after them. */
int best_choices(struct nk_game *game, struct nk_move best[NK_MAX_MOVES]);

/* A position of the table in which the game goes on. */
struct nk_position random_position(uint64_t *random);

#endif
