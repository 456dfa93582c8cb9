/* The review of one game: the result of each move, and the mistakes. */
#ifndef NK_REVIEW_H
#define NK_REVIEW_H

#include "common/game/game.h"
#include "include/neutreeko.h"

struct nk_json;

/* What a side did in a game. */
struct side_summary {
    int moves, mistakes, blunders, plies_lost;
    int chances; /* moves in positions that were not lost: only these can be mistakes */
};

struct game_review {
    const struct nk_rules *rules;
    const struct nk_game *game;
    struct nk_reviewed *moves; /* [plies of the game] */
    int count;
    struct side_summary sides[2]; /* by colour */
    struct nk_value value;        /* of the position at the end, to the side to move */
};

/* Reviews a game, which must outlive the review. Unless it fails, the caller frees the review with
 * review_clear. NK_E_RULES if the game has another board than the table, NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status review_evaluate(struct game_review *review, struct nk_table *table, const struct nk_game *game,
                               struct nk_error *error);
void review_clear(struct game_review *review);

/* Prints the review as text. */
void review_print(const struct game_review *review);

/* Begins the JSON object of reviews, and in it the list of games. */
struct nk_json *review_begin_json(void);

/* Adds a game, and the tree of its record, to the list. */
void review_add_json(struct nk_json *json, const struct nk_headers *headers, const struct game_review *review,
                     const struct nk_tree *tree);

/* Adds the review to the tree of the game: the values of the moves as comments, marks, and the lines that better moves
 * begin as variations, unless the tree has them. NK_E_READ, NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status review_annotate(const struct game_review *review, struct nk_table *table, struct nk_tree *tree,
                               struct nk_error *error);

/* What many games come to: their players, and the opening moves. */

struct review_summary;

/* NULL if memory runs out. The caller frees the summary with summary_free. */
struct review_summary *summary_new(void);
void summary_free(struct review_summary *summary);

/* Adds a game. NK_E_MEMORY. */
enum nk_status summary_add(struct review_summary *summary, const struct nk_headers *headers,
                           const struct game_review *review, struct nk_error *error);

/* Prints the summary as text, or adds it to a JSON object. `invalid` is the number of games that could not be read. */
void summary_print(struct review_summary *summary, uint64_t invalid);
void summary_add_json(struct nk_json *json, struct review_summary *summary, uint64_t invalid);

#endif
