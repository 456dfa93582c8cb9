/* What many games come to: their players, and the opening moves. */
#ifndef NK_REVIEW_SUMMARY_H
#define NK_REVIEW_SUMMARY_H

#include "common/game/record.h"
#include "player/commands/review_game.h"

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
