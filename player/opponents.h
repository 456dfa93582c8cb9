/* The opponents, each by a name. How to add one: a function and a row in the table of opponents.c. */
#ifndef NK_OPPONENTS_H
#define NK_OPPONENTS_H

#include "common/table.h"
#include "player/game.h"

struct nk_opponent_kind;

/* An opponent as named on a command line, such as "perfect" or "level:3". A value; copy it freely. */
struct nk_opponent {
    const struct nk_opponent_kind *kind;
    int level; /* what stands behind the colon */
};

/* Reads a name: "human", "random", "rules", "minimax:N", "alphabeta:N" (N 1..NK_MAX_SEARCH), "level:N"
 * (1..9), "weakest", "perfect". NK_E_SYNTAX with the names that there are in *error (may be NULL). */
enum nk_status nk_opponent_parse(const char *name, struct nk_opponent *opponent, struct nk_error *error);

/* True when its moves come from a person: nk_opponent_move must not be asked. */
bool nk_opponent_is_human(struct nk_opponent opponent);

/* Writes the name, as nk_opponent_parse takes it. */
enum { NK_OPPONENT_TEXT = 24 };
void nk_opponent_print(struct nk_opponent opponent, char text[NK_OPPONENT_TEXT]);

/* The n-th kind's form ("level:N") and a line about it, or false when there are no more. For helps and
 * completions. */
bool nk_opponent_describe(int n, const char **form, const char **about);

/* Chooses the opponent's move in a game that is not over. *random is the state of nk_random; *visited (may be
 * NULL) grows by the positions that a search visited. The same game, opponent and random state give the same
 * move. Errors as nk_table_code. Any number of threads may ask with their own game and state. */
enum nk_status nk_opponent_move(struct nk_opponent opponent, struct nk_table *table,
                                const struct nk_game *game, uint64_t *random, struct nk_move *move,
                                uint64_t *visited, struct nk_error *error);

#endif
