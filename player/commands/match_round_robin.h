/* neutreeko match: the players, the matches between each two of them, and what reports on them. */
#ifndef NK_MATCH_ROUND_ROBIN_H
#define NK_MATCH_ROUND_ROBIN_H

#include "player/matches.h"
#include "player/rating.h"

enum { MAX_PAIRS = NK_MAX_PLAYERS * (NK_MAX_PLAYERS - 1) / 2 };

/* Each of the players plays a match against each other. */
extern struct round_robin {
    int players, pairs;
    int anchor;                           /* the number of a player, or -1 */
    struct nk_text names[NK_MAX_PLAYERS]; /* as they were given */
    struct nk_opponent opponents[NK_MAX_PLAYERS];

    /* The matches: 0 against 1, 0 against 2, 1 against 2, 0 against 3, ... */
    struct nk_opponent sides[MAX_PAIRS][NK_SIDES];
    struct nk_score scores[MAX_PAIRS];

    double began; /* monotonic time */

    /* Set by the first Ctrl-C, after which the games so far are the result: see nk_program_catch_interrupt. */
    atomic_bool interrupted;
} round_robin;

uint64_t round_robin_games(void);   /* that were played */
uint64_t round_robin_planned(void); /* that were requested */

/* With three or more players: the ratings, shown on a terminal while the games are played, and the report. NK_E_MEMORY
 * if they cannot be computed. */
void ratings_begin(void);
void ratings_show(void *context, double done);
void ratings_clear(void);
enum nk_status ratings_print(double seconds, struct nk_error *error);

/* With two or more players: the results and ratings as JSON, or as a line for each player. NK_E_MEMORY. */
enum nk_status ratings_print_json(double seconds, struct nk_error *error);
enum nk_status ratings_print_csv(struct nk_error *error);

#endif
