/* The opponents, each identified by a name. CONTRIBUTING.md describes how to add one. */
#ifndef NK_OPPONENTS_H
#define NK_OPPONENTS_H

#include "common/base/json_writer.h"
#include "common/game/game.h"
#include "common/play/search.h"
#include "common/table/lookup.h"

struct nk_opponent_kind;

/* An opponent such as "perfect" or "level:3". It owns nothing and can be copied. */
struct nk_opponent {
    const struct nk_opponent_kind *kind;
    int level; /* the number after the colon; 0 if there is none */
};

/* Reads a name of one of the forms that nk_opponent_kind_at lists. A level from 4 on always sees what is decided
 * within N - 2 plies. NK_E_SYNTAX if the name is invalid; *error (may be NULL) then lists the forms or the bounds. */
enum nk_status nk_opponent_parse(const char *name, struct nk_opponent *opponent, struct nk_error *error);

/* Reads a name of one of the forms that nk_opponent_kind_at lists, except "human": of an opponent that chooses its own
 * moves. NK_E_SYNTAX if the name is invalid; *error (may be NULL) then lists the forms or the bounds. */
enum nk_status nk_opponent_parse_program(const char *name, struct nk_opponent *opponent,
                                         struct nk_error *error);

/* Whether a person chooses the moves. nk_opponent_choose must not be called for such an opponent. */
bool nk_opponent_is_human(struct nk_opponent opponent);

/* The name in a form that nk_opponent_parse reads: "level:1" also for "beginner", so that records mean the same when
 * another level gets that name. */
struct nk_text nk_opponent_name(struct nk_opponent opponent);

/* The name under which people are offered this opponent, one of a few of all strengths: "beginner", "perfect". NULL if
 * it is none of these. */
const char *nk_opponent_offered_as(struct nk_opponent opponent);

/* A kind of opponents. Its texts are constant. */
struct nk_opponent_description {
    const char *form;  /* of their names: "perfect", or with a number "level:N" */
    const char *about; /* in a few words */
    const char
        *same_as; /* the opponent that this is another name of: "level:1" for "beginner"; otherwise NULL */
    int min, max; /* bounds of N; 0 if there is none */
};

/* Sets *description to the n-th kind of opponent, from 0. Returns false if there is none. */
bool nk_opponent_kind_at(int n, struct nk_opponent_description *description);

/* Adds "opponents", all kinds, and "ranking", the names of nk_opponent_ranked, to an object. */
void nk_json_opponents(struct nk_json *json);

/* Chooses a move in a game that is not over. *random is the state of nk_random; *visited (may be NULL) is increased
 * by the number of positions that a search visited. The same game, opponent and random state give the same move.
 * The opponents that search ask `stop` (may be NULL) after every 65,536 positions, and choose by the last search that
 * they have completed. The others, which look up few positions, do not ask. NK_E_RULES if the game has another board
 * than the table, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. Threads may call this at the same time, each with its own game
 * and random state. */
enum nk_status nk_opponent_choose(struct nk_opponent opponent, struct nk_table *table,
                                  const struct nk_game *game, uint64_t *random, const struct nk_stop *stop,
                                  struct nk_move *move, uint64_t *visited, struct nk_error *error);

#endif
