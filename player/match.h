/* Matches: many games between two opponents, in several threads. The result does not depend on their number. */
#ifndef NK_MATCH_H
#define NK_MATCH_H

#include "common/base/base.h"
#include "common/play/play.h"

#include <stdatomic.h>

/* Where games begin. */
enum nk_match_start {
    NK_START_GIVEN,  /* all games at the same position */
    NK_START_DRAWN,  /* each pair of games at a random drawn position */
    NK_START_RANDOM, /* each pair of games at a random position */
    NK_START_LISTED  /* each pair of games at a random position of a list */
};

enum { NK_SIDE_A, NK_SIDE_B, NK_SIDES };

struct nk_match {
    struct nk_opponent opponents[NK_SIDES]; /* not human; A is Black in games 0, 2, ..., B in the others */

    enum nk_match_start start;
    struct nk_position position; /* for NK_START_GIVEN: a legal position that is not over */
    enum nk_colour to_move;      /* for NK_START_GIVEN; otherwise Black moves first */
    struct nk_position *starts;  /* for NK_START_LISTED: [start_count] legal positions that are not over */
    uint64_t start_count;        /* for NK_START_LISTED: 1 or more */
    uint64_t seed;               /* the same seed gives the same games */
    uint32_t games;              /* 1 or more */
    int threads;                 /* 1 or more */
    int max_plies;               /* a longer game is stopped and counted as a draw; 1 or more */

    /* Called with each game when it has ended, unless it is NULL, by several threads at the same time. An error ends
     * the match. */
    enum nk_status (*finished)(void *context, uint32_t number, const struct nk_game *game,
                               struct nk_error *error);
    void *context;
};

struct nk_score {
    uint64_t wins[NK_SIDES];
    uint64_t draws;
    uint64_t plies;              /* the sum over all games */
    uint64_t mistakes[NK_SIDES]; /* moves after which the result is one step worse, by nk_game_value */
    uint64_t blunders[NK_SIDES]; /* moves that turn a win into a loss */
};

/* Plays all games, or until *stop is true: then those that are being played do not count. Random start positions are
 * legal and not over, each with the same probability. Reports to `progress` (may be NULL) every 0.1 to 0.2 s, as far
 * as games do not take longer. Adds the results to *score, which begins with zeros. NK_E_READ, NK_E_CORRUPT,
 * NK_E_MEMORY, NK_E_POSITION if no start position is found, and the errors of match->finished; *score then has the
 * games that were reported to `progress`. */
enum nk_status nk_match_play(struct nk_table *table, const struct nk_match *match, const atomic_bool *stop,
                             const struct nk_progress_sink *progress, struct nk_score *score,
                             struct nk_error *error);

/* The games that were played. */
static inline uint64_t nk_score_games(const struct nk_score *score)
{
    return score->wins[NK_SIDE_A] + score->draws + score->wins[NK_SIDE_B];
}

/* Writing the games of matches to a file. */

struct match_record;

/* Creates the file, which gets its name in match_record_close, and sets the `finished` and the context of the
 * match. `force`: the file may be replaced. `event`: the header of the games, which must outlive the
 * record. NK_E_MEMORY, NK_E_WRITE, NK_E_EXISTS. */
enum nk_status match_record_open(const char *path, bool force, const char *event, struct nk_match *match,
                                 struct match_record **record, struct nk_error *error);

/* Ends the file and frees the record. `complete`: the match was played to their end or interrupted; otherwise the
 * old file, if there is one, stays as it is. NULL is allowed. NK_E_WRITE,
 * NK_E_MEMORY, NK_E_EXISTS if another program has created or changed the file meanwhile. */
enum nk_status match_record_close(struct match_record *record, bool complete, struct nk_error *error);

#endif
