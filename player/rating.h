/* Elo ratings from the results of a tournament.
 *
 * The model is that of E. Zermelo (1929) and of R. A. Bradley and M. E. Terry (1952): a player who is rated D points
 * above another is expected to score 1 / (1 + 10^(-D/400)) points per game, where a draw is half a point. The ratings
 * are those of maximum likelihood, for which every player has scored as many points as expected. A draw counts as half
 * a win and half a loss, as in chess; no probability of a draw is estimated, because it differs from pair to pair.
 * Draws narrow the intervals: they make the points of a game vary less. */
#ifndef NK_RATING_H
#define NK_RATING_H

#include "common/base/status.h"

#include <stdint.h>

enum { NK_MAX_PLAYERS = 64 };

struct nk_results {
    int count;                                      /* of players, 1..NK_MAX_PLAYERS */
    uint32_t wins[NK_MAX_PLAYERS][NK_MAX_PLAYERS];  /* [a][b]: games that a has won against b */
    uint32_t draws[NK_MAX_PLAYERS][NK_MAX_PLAYERS]; /* [a][b] and [b][a] */
};

/* The interval contains the true rating with a probability of 95 %. Results such as 10:0 set no upper bound to the
 * difference of two ratings. Where they set none, low is -INFINITY or high is INFINITY, and the ratings are those with
 * one more game, a draw, between the players concerned. */
struct nk_rating {
    double elo, low, high;
};

/* Computes the ratings. The player `anchor` has the rating 0; if it is negative, the mean of all ratings is 0.
 * NK_E_MEMORY. */
enum nk_status nk_rate(const struct nk_results *results, int anchor, struct nk_rating ratings[],
                       struct nk_error *error);

#endif
