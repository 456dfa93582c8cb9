/* Playing with a table: random numbers, texts and JSON, the best line, a search without the table, opponents, puzzles.
 * This is what include/neutreeko.h does not declare.
 *
 * Whatever has a table as a parameter and returns a status can fail with NK_E_READ and NK_E_CORRUPT, if the file of
 * the table cannot be read or is damaged, and with NK_E_MEMORY; the arrays that it fills may have been written to by
 * then. The comments below name only other errors. */
#ifndef NK_PLAY_H
#define NK_PLAY_H

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/table/table.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- random numbers ---- */

/* A pseudorandom generator whose state the caller holds: the same seed gives the same games on every machine.
 * Source: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014). */
static inline uint64_t nk_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A number below `bound`, which is at least 1. Deviations from the uniform distribution are below bound / 2^32. */
static inline uint32_t nk_random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((nk_random(state) >> 32) * bound >> 32);
}

/* The initial state of the n-th of many independent sequences of a seed. */
static inline uint64_t nk_random_split(uint64_t seed, uint64_t n)
{
    uint64_t state = seed + n * UINT64_C(0xd1342543de82ef95);
    return nk_random(&state);
}

/* A choice among candidates, all zero at first. */
struct nk_selection {
    int highest;
    uint32_t ties; /* candidates with this score so far */
};

/* Whether the next candidate is to be kept in the place of the one kept before. The one that is kept in the end is
 * one of those with the highest score, each with the same probability. */
static inline bool nk_keep_best_at_random(struct nk_selection *selection, int score, uint64_t *random)
{
    if (selection->ties && score < selection->highest)
        return false;
    selection->ties = selection->ties && score == selection->highest ? selection->ties + 1 : 1;
    selection->highest = score;
    /* Reservoir sampling: the n-th tied candidate replaces the one before with probability 1/n. */
    return nk_random_below(random, selection->ties) == 0;
}

/* ---- values, sides and ends of games as text and in JSON ---- */

/* "black" or "white", as in JSON output. */
const char *nk_colour_key(enum nk_colour colour);

/* "win", "draw" or "loss". */
const char *nk_result_name(enum nk_result result);

/* "won", "repetition", "stalemate", "resigned", "time", "agreed" or "stated", the names in JSON output; NULL for a game
 * that is not over. */
const char *nk_end_name(enum nk_end end);

/* The mark of a move after which the result for its side is `after`, where the best one would keep `before`. */
enum nk_mark nk_mark_of(enum nk_result before, enum nk_result after);

/* "", "?" or "??". */
const char *nk_mark_text(enum nk_mark mark);

/* Whether a reviewed move was worse than the best one, which `better` then is. */
static inline bool nk_has_better(const struct nk_reviewed *reviewed)
{
    return reviewed->mark != NK_MARK_NONE || reviewed->plies_lost;
}

/* "wins in 10 moves (19 plies)" or "draws": nk_value_text with the plies. */
struct nk_text nk_precise_value_text(struct nk_value value);

/* Add a position or a move as a string to an object, or to an array with NULL for the key. */
void nk_json_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                      struct nk_position position, enum nk_colour to_move);
void nk_json_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move);

/* Add the members of a value to an object: "result", and "plies", which is null for a draw. */
void nk_json_value_members(struct nk_json *json, struct nk_value value);

/* Adds an object with these members, under a key, or to an array with NULL for the key. */
void nk_json_value(struct nk_json *json, const char *key, struct nk_value value);

/* Adds the members of the end of a game to an object: "reason", and "winner", which is null unless a side has won. */
void nk_json_end_members(struct nk_json *json, const struct nk_game *game);

/* Adds the members of a reviewed move to an object: "side", "move", "before", "after", "mark" and "better", which are
 * null if there is none, and "plies_lost". */
void nk_json_reviewed_members(struct nk_json *json, const struct nk_rules *rules,
                              const struct nk_reviewed *reviewed);

/* Adds "tree" to an object: the nodes of a tree, with the members "parent", the number of an item, and "move", which
 * are null for the start, "marks" and "comment", which are null if there are none, and "resigned". */
void nk_json_tree(struct nk_json *json, const struct nk_rules *rules, const struct nk_tree *tree);

/* Adds the members of the object of nk_names, which docs/schema/names.json describes, to an object. */
void nk_json_names(struct nk_json *json);

/* ---- games and tables ---- */

/* NK_E_RULES if a game has another board than a table. */
enum nk_status nk_check_board(const struct nk_table *table, const struct nk_game *game,
                              struct nk_error *error);

/* ---- the best line ---- */

enum { NK_SHORT_LINE = 8 }; /* plies */

/* How many plies of the best line from a position of this value are shown: those to its end, but NK_SHORT_LINE for a
 * draw, which may not end for long, and at most so many if the line is to be brief. */
int nk_shown_plies(struct nk_value value, bool is_brief);

/* Plays the best line from the current position of a game, up to so many plies or to the end of the game. Of several
 * equally good moves, it plays those that nk_choose chooses with *random. NK_E_RULES as nk_choose. */
enum nk_status nk_play_best_line(struct nk_table *table, struct nk_game *game, int plies, uint64_t *random,
                                 struct nk_error *error);

/* Adds the best line from a node to a tree, up to so many plies. */
enum nk_status nk_tree_add_best_line(struct nk_table *table, struct nk_tree *tree, int number, int plies,
                                     uint64_t *random, struct nk_error *error);

/* ---- minimax search of the game tree, without the table: outside of opponents.c, only tests use it ---- */

enum {
    NK_MAX_SEARCH = 20,    /* plies */
    NK_SCORE_WIN = 1000000 /* a win after n plies scores NK_SCORE_WIN - n; every evaluation is smaller */
};

/* A question to the caller of a search, which may take long: whether to stop. */
struct nk_stop {
    bool (*is_wanted)(void *context); /* called by the thread that searches */
    void *context;
};

/* The static evaluation of a position for the side to move: the number of winning lines with pieces of that side
 * only, minus those with pieces of the opponent only. The standard board has 48 lines. The score is 0 under rules
 * that do not win by lines. */
int nk_evaluate(const struct nk_rules *rules, struct nk_position position);

/* Computes the minimax score of every move of a position that is not over, for the side that moves and in the order of
 * nk_position_moves, with a search of `plies` (1..NK_MAX_SEARCH). `prune` selects alpha-beta pruning, which visits
 * fewer positions and gives the same scores. Returns the number of moves. *visited (may be NULL) is increased by the
 * number of positions visited.
 *
 * With `stop` (may be NULL), it searches 1 ply, then 2, and so on up to `plies`, and asks after every 65,536 positions
 * whether to stop. The scores are then those of the last search that was completed, of 1 ply at least. */
int nk_search(const struct nk_rules *rules, struct nk_position position, int plies, bool prune,
              const struct nk_stop *stop, int scores[NK_MAX_MOVES], uint64_t *visited);

/* ---- opponents ----
 *
 * Each has a name. CONTRIBUTING.md describes how to add one. */

struct nk_decision; /* what an opponent needs to choose a move (opponents.c) */

/* A kind of opponents. All of it is constant. */
struct nk_opponent_kind {
    const char *name;  /* what their names begin with: "perfect", "level" */
    const char *form;  /* of their names: "perfect", or with a number "level:N" */
    const char *about; /* in a few words */
    int min, max;      /* bounds of N; 0 if there is none */
    /* Chooses a move; NULL if a person does, or for another name. */
    enum nk_status (*choose)(struct nk_decision *decision, struct nk_move *move);
    const char *same_as; /* what this is another name of: "level:1" for "beginner"; otherwise NULL */
};

/* The n-th kind of opponents, from 0; NULL if there is none. */
const struct nk_opponent_kind *nk_opponent_kind_at(int n);

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

/* The opponent that is a person, for which nk_opponent_choose must not be called. */
extern const struct nk_opponent nk_opponent_human;

/* Whether an opponent is a person. */
bool nk_opponent_is_human(struct nk_opponent opponent);

/* The name in a form that nk_opponent_parse reads: "level:1" also for "beginner", so that records mean the same when
 * another level gets that name. */
struct nk_text nk_opponent_name(struct nk_opponent opponent);

/* The name under which people are offered this opponent, one of a few of all strengths: "beginner", "perfect". NULL if
 * it is none of these. */
const char *nk_opponent_offered_as(struct nk_opponent opponent);

/* Adds "opponents", all kinds, and "ranking", the names of nk_opponent_ranked, to an object. */
void nk_json_opponents(struct nk_json *json);

/* Chooses a move in a game that is not over. *random is the state of nk_random. The same game, opponent and random
 * state give the same move. The opponents that search ask `stop` (may be NULL) after every 65,536 positions, and choose
 * by the last search that they have completed. The others, which look up few positions, do not ask. NK_E_RULES if the
 * game has another board than the table. Threads may call this at the same time, each with its own game and random
 * state. */
enum nk_status nk_opponent_choose(struct nk_opponent opponent, struct nk_table *table,
                                  const struct nk_game *game, uint64_t *random, const struct nk_stop *stop,
                                  struct nk_move *move, struct nk_error *error);

/* ---- puzzles: positions in which only one of several moves keeps the win or the draw ---- */

/* The number of puzzles, if there are fewer than were wanted; otherwise not all are looked at. Positions that differ
 * only by colours or symmetry are counted once. */
struct nk_puzzle_count {
    uint64_t total; /* with the requested plies; not less than wanted if there are as many */
    int longest;    /* the largest number of plies of a puzzle */
};

/* Finds all puzzles: sets survey[entry], of the whole table, to nk_puzzle_survey_code of the plies of the puzzle, or to
 * 0 if the entry is not a puzzle. */
enum nk_status nk_puzzle_survey(struct nk_table *table, uint8_t *survey, struct nk_error *error);

/* 1 for NK_PUZZLE_DRAW, 2 for a win in 1 ply, 3 for a win in 3 plies, ... */
static inline uint8_t nk_puzzle_survey_code(int plies)
{
    return (uint8_t)(1 + (plies + 1) / 2);
}

/* Takes a random sample of the puzzles with `plies`, which is odd for a win or NK_PUZZLE_DRAW: writes `wanted`
 * different ones to puzzles[], or all if there are fewer, each in a random symmetry and with a random side to move.
 * *random is the state of nk_random; fewer with the same one are the first of more. `survey` is that of the whole
 * table, or NULL, and saves time where there are few; with one, count->longest is at most `plies`. */
enum nk_status nk_puzzle_take(struct nk_table *table, const uint8_t *survey, int plies, uint64_t *random,
                              struct nk_puzzle *puzzles, size_t wanted, struct nk_puzzle_count *count,
                              struct nk_error *error);

/* Looks for a puzzle with `from` to `to` plies, both odd for wins or both NK_PUZZLE_DRAW, near some random entries:
 * it reads few blocks, of a table of any size, and may find none although there are some. *found: there is one in
 * *puzzle. *random is the state of nk_random. Not every puzzle has the same probability. */
enum nk_status nk_puzzle_sample(struct nk_table *table, int from, int to, uint64_t *random,
                                struct nk_puzzle *puzzle, bool *found, struct nk_error *error);

#endif
