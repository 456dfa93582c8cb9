/* The review of one game: the result of each move, and the mistakes. */

#include "player/commands/review_game.h"

#include "common/base/distance.h"
#include "common/base/strbuf.h"
#include "common/game/game.h"
#include "common/play/describe.h"
#include "player/commands/common.h"
#include "player/terminal/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- evaluation ---- */

static void count_move(struct side_summary *side, const struct nk_reviewed *move)
{
    side->moves++;
    side->mistakes += move->mark == NK_MARK_MISTAKE;
    side->blunders += move->mark == NK_MARK_BLUNDER;
    side->plies_lost += move->plies_lost;
    side->chances += move->before.result != NK_LOSS;
}

enum nk_status review_evaluate(struct game_review *review, struct nk_table *table, const struct nk_game *game,
                               struct nk_error *error)
{
    *review = (struct game_review){.rules = nk_game_rules(game), .game = game};
    review->count = nk_game_plies(review->game);
    review->moves = calloc((size_t)review->count + 1, sizeof *review->moves);
    if (!review->moves)
        return nk_fail_memory(error);
    enum nk_status status = nk_review(table, game, review->moves, error);
    for (int ply = 0; ply < review->count && !status; ply++)
        count_move(&review->sides[review->moves[ply].side], &review->moves[ply]);
    if (!status)
        status = nk_game_value(table, game, &review->value, error);
    if (status)
        review_clear(review);
    return status;
}

void review_clear(struct game_review *review)
{
    free(review->moves);
    review->moves = NULL;
}

/* ---- text ---- */

enum { SHORT_WIDTH = 11 };

/* "win in 13" or "draw", padded to a width. */
static struct nk_text short_value(struct nk_value value, int width)
{
    const struct nk_text decided =
        nk_text_of("%s in %d", nk_result_name(value.result), nk_moves_in(value.plies));
    const struct nk_text padded = nk_text_of("%-*s", width, value.result == NK_DRAW ? "draw" : decided.s);
    return nk_paint(value.result, use_colour(), padded.s);
}

enum { LINE = 200, INDENT = 21 }; /* bytes of a line; where the values begin */

/* Adds the better move to a line. */
static void add_better(const struct game_review *review, const struct nk_reviewed *move, char line[LINE])
{
    const size_t used = strlen(line);
    const struct nk_text better = nk_move_text(review->rules, move->better);
    if (move->mark != NK_MARK_NONE)
        snprintf(line + used, LINE - used, "%s %s", better.s, nk_value_text(move->before).s);
    else
        snprintf(line + used, LINE - used, "%s %s %s %s", better.s,
                 move->before.result == NK_WIN ? "wins" : "loses", nk_moves_text(move->plies_lost).s,
                 move->before.result == NK_WIN ? "sooner" : "later");
}

static void print_moves(const struct game_review *review)
{
    terminal_print(stdout, INDENT, "  ply  side   move   before       after\n");
    for (int ply = 0; ply < review->count; ply++) {
        const struct nk_reviewed *move = &review->moves[ply];
        const struct nk_text before = short_value(move->before, SHORT_WIDTH),
                             after = short_value(move->after, nk_has_better(move) ? SHORT_WIDTH : 0);
        char line[LINE];
        const int used = snprintf(line, sizeof line, "%5d  %s  %s  %s  ", ply + 1, nk_colour_name(move->side),
                                  nk_move_text(review->rules, move->move).s, before.s);
        if (nk_has_better(move)) {
            snprintf(line + used, sizeof line - (size_t)used, "%s  %-2s  ", after.s,
                     nk_mark_text(move->mark));
            add_better(review, move, line);
        } else {
            snprintf(line + used, sizeof line - (size_t)used, "%s", after.s);
        }
        terminal_print(stdout, INDENT, line);
        putchar('\n');
    }
}

static void print_end(const struct game_review *review)
{
    char text[3 * sizeof(struct nk_text) + 32];
    const char *mover = nk_colour_name(nk_game_to_move(review->game));
    const enum nk_end end = nk_game_end(review->game, NULL);
    const struct nk_text end_text = nk_end_text(review->game);
    const struct nk_text value = nk_value_text(review->value);
    if (end == NK_END_NONE)
        snprintf(text, sizeof text, "\n%s\n%s %s with optimal play.\n", end_text.s, mover, value.s);
    else if (end == NK_END_RESIGNED)
        snprintf(text, sizeof text, "\n%s\n%s resigned a position that %s with optimal play.\n", end_text.s,
                 mover, value.s);
    else
        snprintf(text, sizeof text, "\n%s\n", end_text.s);
    terminal_print(stdout, 0, text);
}

void review_print(const struct game_review *review)
{
    printf("%s\n\n", nk_position_text(review->rules, nk_game_position_at(review->game, 0),
                                      nk_game_to_move_at(review->game, 0))
                         .s);
    if (review->count)
        print_moves(review);
    else
        puts("No moves.");
    print_end(review);
    terminal_printf(8, "\n        moves    ?   ??  moves lost\n");
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++) {
        const struct side_summary *side = &review->sides[colour];
        terminal_printf(8, "%s   %5d %4d %4d  %10d\n", nk_colour_name((enum nk_colour)colour), side->moves,
                        side->mistakes, side->blunders, nk_moves_in(side->plies_lost));
    }
}

/* ---- JSON ---- */

static void add_moves(struct nk_json *json, const struct game_review *review)
{
    nk_json_begin(json, "moves", '[');
    for (int ply = 0; ply < review->count; ply++) {
        nk_json_begin(json, NULL, '{');
        nk_json_integer(json, "ply", ply + 1);
        nk_json_reviewed_members(json, review->rules, &review->moves[ply]);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
}

static void add_side(struct nk_json *json, const char *key, const struct side_summary *side)
{
    nk_json_begin(json, key, '{');
    nk_json_integer(json, "moves", side->moves);
    nk_json_integer(json, "mistakes", side->mistakes);
    nk_json_integer(json, "blunders", side->blunders);
    nk_json_integer(json, "plies_lost", side->plies_lost);
    nk_json_end(json, '}');
}

struct nk_json *review_begin_json(void)
{
    struct nk_json *json = nk_json_begin_line();
    nk_json_begin(json, "games", '[');
    return json;
}

static void add_name(struct nk_json *json, const char *key, const char *name)
{
    nk_json_string(json, key, *name ? name : NULL);
}

/* Whether a tree has more than the moves of its game. */
static bool has_more(const struct nk_tree *tree)
{
    for (int number = 0; number < nk_tree_count(tree); number++) {
        const struct nk_node node = nk_tree_node(tree, number);
        if (node.sibling >= 0 || *node.marks || *node.comment || (node.resigned && node.child >= 0))
            return true;
    }
    return false;
}

void review_add_json(struct nk_json *json, const struct nk_headers *headers, const struct game_review *review,
                     const struct nk_tree *tree)
{
    nk_json_begin(json, NULL, '{');
    add_name(json, "black", headers->players[NK_BLACK]);
    add_name(json, "white", headers->players[NK_WHITE]);
    nk_json_position(json, "start", review->rules, nk_game_position_at(review->game, 0),
                     nk_game_to_move_at(review->game, 0));
    add_moves(json, review);
    nk_json_begin(json, "summary", '{');
    add_side(json, "black", &review->sides[NK_BLACK]);
    add_side(json, "white", &review->sides[NK_WHITE]);
    nk_json_end(json, '}');
    nk_json_begin(json, "end", '{');
    nk_json_end_members(json, review->game);
    nk_json_position(json, "position", nk_game_rules(review->game), nk_game_position(review->game),
                     nk_game_to_move(review->game));
    nk_json_value_members(json, review->value);
    nk_json_end(json, '}');
    if (has_more(tree))
        nk_json_tree(json, "tree", review->rules, tree);
    else
        nk_json_null(json, "tree");
    nk_json_end(json, '}');
}
