/* Sides, results and ends of games as text and in JSON. nk_value_text is declared in neutreeko.h. */
#ifndef NK_DESCRIBE_H
#define NK_DESCRIBE_H

#include "common/base/json_writer.h"
#include "common/game/game.h"

/* Plies of a printed line that leads to a draw, which may not end for long, or whose moves need many blocks. */
enum { NK_SHORT_LINE = 8 };

/* "black" or "white", as in JSON output. */
const char *nk_colour_key(enum nk_colour colour);

/* "win", "draw" or "loss". */
const char *nk_result_name(enum nk_result result);

/* "won", "repetition", "stalemate" or "resigned", the names in JSON output; NULL for a game that is not over. */
const char *nk_end_name(enum nk_end end);

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

/* Adds the nodes of a tree as an array, with the members "parent", the number of an item, and "move", which are null
 * for the start, "marks" and "comment", which are null if there are none, and "resigned". */
void nk_json_tree(struct nk_json *json, const char *key, const struct nk_rules *rules,
                  const struct nk_tree *tree);

#endif
