/* Games that JavaScript holds, what their moves are worth, and records (see wasm_api.c). JavaScript knows a game as the
 * number that answer_game answers with. */

#include "web/engine/wasm.h"

#include "common/play/play.h"

#include <stdlib.h>
#include <string.h>

/* ---- games ---- */

static void answer_game(const struct nk_game *game)
{
    nk_json_integer(&nk_web_answer, NULL, (int64_t)(uintptr_t)game);
}

/* Adds the moves of a game between two plies. */
static void add_played(const char *key, const struct nk_game *game, int from, int to)
{
    nk_json_begin(&nk_web_answer, key, '[');
    for (int ply = from; ply < to; ply++)
        nk_web_add_move(NULL, nk_game_move_at(game, ply));
    nk_json_end(&nk_web_answer, ']');
}

void WEB(web_game_new)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_game *game;
    if (nk_web_read_position(&position, &to_move) &&
        nk_web_good(nk_game_new(&nk_web_rules, position, to_move, &game, &nk_web_error)))
        answer_game(game);
}

/* Another game with the same moves, played and undone. */
void WEB(web_game_clone)(const struct nk_game *game)
{
    struct nk_game *copy;
    const int plies = nk_game_plies(game);
    if (!nk_web_good(nk_game_prefix(game, nk_game_plies_with_undone(game), &copy, &nk_web_error)))
        return;
    while (nk_game_plies(copy) > plies)
        nk_game_undo(copy);
    /* It fails for a game that goes on or that the board has ended. */
    (void)nk_game_finish(copy, nk_game_end(game, NULL), nk_outcome_of(game, NK_OUTCOME_OPEN), NULL);
    answer_game(copy);
}

void WEB(web_game_free)(struct nk_game *game)
{
    nk_game_free(game);
    nk_web_answer_bool(true);
}

static void add_end(const struct nk_game *game)
{
    if (nk_game_end(game, NULL) == NK_END_NONE) {
        nk_json_null(&nk_web_answer, "end");
        return;
    }
    nk_json_begin(&nk_web_answer, "end", '{');
    nk_json_end_members(&nk_web_answer, game);
    nk_json_end(&nk_web_answer, '}');
}

static void add_legal(const struct nk_game *game)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_game_end(game, NULL) == NK_END_NONE
                          ? nk_position_moves(nk_game_rules(game), nk_game_position(game), moves)
                          : 0;
    nk_json_begin(&nk_web_answer, "legal", '[');
    for (int m = 0; m < count; m++) {
        nk_json_begin(&nk_web_answer, NULL, '{');
        nk_web_add_move_members(moves[m]);
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

void WEB(web_game_state)(const struct nk_game *game)
{
    const struct nk_position position = nk_game_position(game);
    const enum nk_colour to_move = nk_game_to_move(game);
    const int plies = nk_game_plies(game);
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_web_add_position("start", nk_game_position_at(game, 0), nk_game_to_move_at(game, 0));
    nk_web_add_position("position", position, to_move);
    nk_json_string(&nk_web_answer, "to_move", nk_colour_key(to_move));
    nk_json_integer(&nk_web_answer, "plies", plies);
    add_played("moves", game, 0, plies);
    add_played("undone", game, plies, nk_game_plies_with_undone(game));
    add_end(game);
    nk_json_integer(&nk_web_answer, "repetitions", nk_game_occurrences_at(game, plies));
    add_legal(game);
    nk_json_end(&nk_web_answer, '}');
}

/* Returns false after answering with an error if the game is over. */
static bool is_going_on(const struct nk_game *game)
{
    return !nk_game_check_open(game, &nk_web_error) || nk_web_fail("over", NULL);
}

void WEB(web_game_play)(struct nk_game *game)
{
    struct nk_move move;
    const enum nk_colour side = nk_game_to_move(game);
    if (!is_going_on(game) ||
        !nk_web_good(nk_move_parse(nk_game_rules(game), nk_web_input, &move, &nk_web_error)) ||
        !nk_web_good(nk_game_play(game, move, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_web_add_move_members(move);
    nk_json_string(&nk_web_answer, "side", nk_colour_key(side));
    nk_web_add_position("position", nk_game_position(game), nk_game_to_move(game));
    add_end(game);
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_game_undo)(struct nk_game *game)
{
    nk_web_answer_bool(nk_game_undo(game));
}

void WEB(web_game_redo)(struct nk_game *game)
{
    nk_web_answer_bool(nk_game_redo(game));
}

void WEB(web_game_goto)(struct nk_game *game, int ply)
{
    const bool exists = ply >= 0 && ply <= nk_game_plies_with_undone(game);
    while (exists && nk_game_plies(game) > ply)
        nk_game_undo(game);
    while (exists && nk_game_plies(game) < ply && nk_game_redo(game))
        ;
    nk_web_answer_bool(exists && nk_game_plies(game) == ply);
}

void WEB(web_game_resign)(struct nk_game *game)
{
    nk_game_resign(game);
    nk_web_answer_bool(true);
}

/* ---- what moves are worth ---- */

/* Adds the best line of a game, to its end unless it is a draw or the table is too large to stay in memory. Frees the
 * game. */
static bool add_line(const char *key, struct nk_game *game)
{
    const int begin = nk_game_plies(game);
    struct nk_value value;
    uint64_t random = 0;
    enum nk_status status = nk_game_value(nk_web_table, game, &value, &nk_web_error);
    if (!status)
        status = nk_play_best_line(nk_web_table, game, nk_shown_plies(value, nk_table_is_large(nk_web_table)),
                                   &random, &nk_web_error);
    add_played(key, game, begin, nk_game_plies(game));
    nk_game_free(game);
    return nk_web_good(status);
}

void WEB(web_game_choices)(const struct nk_game *game)
{
    struct nk_choice choices[NK_MAX_MOVES];
    int count;
    if (!nk_web_has_values() || !nk_web_good(nk_choices(nk_web_table, game, choices, &count, &nk_web_error)))
        return;
    nk_json_begin(&nk_web_answer, NULL, '[');
    for (int m = 0; m < count; m++) {
        nk_json_begin(&nk_web_answer, NULL, '{');
        nk_web_add_choice_members(nk_game_position(game), nk_game_to_move(game), choices[m].move,
                                  choices[m].value);
        nk_json_integer(&nk_web_answer, "repeats", choices[m].repeats);
        if (choices[m].value.result == NK_DRAW)
            nk_json_integer(&nk_web_answer, "trap", choices[m].trap);
        else
            nk_json_null(&nk_web_answer, "trap");
        nk_json_end(&nk_web_answer, '}');
    }
    nk_json_end(&nk_web_answer, ']');
}

void WEB(web_game_opponent_move)(const struct nk_game *game, uint64_t random)
{
    struct nk_opponent opponent;
    struct nk_move move;
    if (!nk_web_has_values() || !is_going_on(game))
        return;
    if (nk_opponent_parse_program(nk_web_input, &opponent, &nk_web_error))
        nk_web_fail(nk_opponent_parse(nk_web_input, &opponent, NULL) ? "syntax" : "human", NULL);
    else if (nk_web_good(
                 nk_opponent_choose(opponent, nk_web_table, game, &random, NULL, &move, &nk_web_error)))
        nk_web_add_move(NULL, move);
}

static void add_reviewed(const struct nk_game *game, int ply, const struct nk_reviewed *reviewed)
{
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_integer(&nk_web_answer, "ply", ply + 1);
    nk_web_add_position("position", nk_game_position_at(game, ply), reviewed->side);
    nk_json_reviewed_members(&nk_web_answer, &nk_web_rules, reviewed);
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_game_review)(const struct nk_game *game)
{
    if (!nk_web_has_values())
        return;
    const int plies = nk_game_plies(game);
    struct nk_reviewed *reviewed = calloc((size_t)plies + 1, sizeof *reviewed);
    if (!reviewed) {
        (void)nk_web_good(nk_fail_memory(&nk_web_error));
    } else if (nk_web_good(nk_review(nk_web_table, game, reviewed, &nk_web_error))) {
        nk_json_begin(&nk_web_answer, NULL, '[');
        for (int ply = 0; ply < plies; ply++)
            add_reviewed(game, ply, &reviewed[ply]);
        nk_json_end(&nk_web_answer, ']');
    }
    free(reviewed);
}

/* Adds the win that the side to move has in some plies, or null for 0 plies. Its moves do not depend on its colour. */
static bool add_threat(const char *key, struct nk_position position, int plies)
{
    struct nk_game *game;
    if (!plies) {
        nk_json_null(&nk_web_answer, key);
        return true;
    }
    nk_json_begin(&nk_web_answer, key, '{');
    nk_json_integer(&nk_web_answer, "plies", plies);
    if (!nk_web_good(nk_game_new(&nk_web_rules, position, NK_BLACK, &game, &nk_web_error)) ||
        !add_line("line", game))
        return false;
    nk_json_end(&nk_web_answer, '}');
    return true;
}

static void answer_why(const struct nk_game *game, int ply, struct nk_move move, struct nk_game *after_move,
                       const struct nk_explanation *why)
{
    const struct nk_position position = nk_game_position_at(game, ply);
    const struct nk_position after = nk_position_after(position, move);
    const bool gives = why->value.result < why->before.result;
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_web_add_choice_members(position, nk_game_to_move_at(game, ply), move, why->value);
    nk_json_value(&nk_web_answer, "before", why->before);
    nk_json_string(&nk_web_answer, "gives", gives ? nk_result_name(why->before.result) : NULL);
    nk_web_add_move("best", why->best);
    nk_json_bool(&nk_web_answer, "only", why->only);
    nk_json_bool(&nk_web_answer, "repeats", why->repeats);
    if (!add_line("line", after_move) || !add_threat("threat", nk_position_after_pass(after), why->threat) ||
        !add_threat("prevented", nk_position_after_pass(position), why->prevented))
        return;
    nk_json_begin(&nk_web_answer, "replies", '{');
    nk_json_integer(&nk_web_answer, "total", why->replies);
    nk_json_integer(&nk_web_answer, "losing", why->losing);
    nk_json_integer(&nk_web_answer, "holding", why->holding);
    nk_json_integer(&nk_web_answer, "winning", why->winning);
    nk_json_end(&nk_web_answer, '}');
    if (why->has_only_reply)
        nk_web_add_move("only_reply", why->only_reply);
    else
        nk_json_null(&nk_web_answer, "only_reply");
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_game_why)(const struct nk_game *game, int ply)
{
    struct nk_move move;
    struct nk_explanation why;
    struct nk_game *copy = NULL;
    if (!nk_web_has_values())
        return;
    if (ply < 0 || ply > nk_game_plies_with_undone(game)) {
        (void)nk_fail(&nk_web_error, NK_E_MOVE, 0, "the game has no ply %d", ply);
        nk_web_fail("argument", NULL);
        return;
    }
    if (nk_web_good(nk_move_parse(nk_game_rules(game), nk_web_input, &move, &nk_web_error)) &&
        nk_web_good(nk_game_prefix(game, ply, &copy, &nk_web_error)) &&
        nk_web_good(nk_game_play(copy, move, &nk_web_error)) &&
        nk_web_good(nk_explain(nk_web_table, game, ply, move, &why, &nk_web_error)))
        answer_why(game, ply, move, copy, &why);
    else
        nk_game_free(copy);
}

void WEB(web_game_best_line)(const struct nk_game *game)
{
    struct nk_game *copy;
    if (nk_web_has_values() && nk_web_good(nk_game_prefix(game, nk_game_plies(game), &copy, &nk_web_error)))
        add_line(NULL, copy);
}

/* ---- records ---- */

/* A member for each header that is not empty, which is all that web/engine/engine.ts writes. */
static const struct {
    const char *key;
    size_t offset;
} header_texts[] = {
    {"event", offsetof(struct nk_headers, event)},
    {"date", offsetof(struct nk_headers, date)},
    {"round", offsetof(struct nk_headers, round)},
    {"black", offsetof(struct nk_headers, players[NK_BLACK])},
    {"white", offsetof(struct nk_headers, players[NK_WHITE])},
};
enum { HEADER_TEXTS = sizeof header_texts / sizeof header_texts[0] };

static void add_headers(const struct nk_headers *headers)
{
    nk_json_begin(&nk_web_answer, "headers", '{');
    for (int n = 0; n < HEADER_TEXTS; n++) {
        const char *text = (const char *)headers + header_texts[n].offset;
        if (*text)
            nk_json_string(&nk_web_answer, header_texts[n].key, text);
    }
    nk_json_string(&nk_web_answer, "result", nk_outcome_text(headers->outcome));
    nk_json_end(&nk_web_answer, '}');
}

static void add_warning(const struct nk_headers *headers)
{
    nk_json_string(&nk_web_answer, "warning", *headers->warning ? headers->warning : NULL);
}

/* Reads the record in the input. Returns false after answering with an error. */
static bool read_record(struct nk_headers *headers, struct nk_game **game, struct nk_tree **tree)
{
    const struct nk_record_part part = {nk_web_input, strlen(nk_web_input), 1, 0};
    return nk_web_good(nk_record_read_part(&part, &nk_web_rules, headers, game, tree, &nk_web_error));
}

void WEB(web_game_read)(void)
{
    struct nk_headers headers;
    struct nk_game *game;
    if (!read_record(&headers, &game, NULL))
        return;
    nk_json_begin(&nk_web_answer, NULL, '{');
    nk_json_integer(&nk_web_answer, "game", (int64_t)(uintptr_t)game);
    add_headers(&headers);
    add_warning(&headers);
    nk_json_end(&nk_web_answer, '}');
}

void WEB(web_record_read)(void)
{
    struct nk_headers headers;
    struct nk_game *game;
    struct nk_tree *tree;
    if (!read_record(&headers, &game, &tree))
        return;
    nk_json_begin(&nk_web_answer, NULL, '{');
    add_headers(&headers);
    nk_web_add_position("start", nk_game_position_at(game, 0), nk_game_to_move_at(game, 0));
    nk_json_tree(&nk_web_answer, nk_game_rules(game), tree);
    add_end(game);
    add_warning(&headers);
    nk_json_end(&nk_web_answer, '}');
    nk_game_free(game);
    nk_tree_free(tree);
}

/* Returns the next of several texts in the input. */
static const char *next_text(const char **texts)
{
    const char *text = *texts;
    *texts += strlen(text) + 1;
    return text;
}

static void read_headers(const char **texts, struct nk_headers *headers)
{
    for (int n = 0; n < HEADER_TEXTS; n++)
        nk_header_set((char *)headers + header_texts[n].offset, next_text(texts));
    const char *result = next_text(texts);
    for (int outcome = NK_OUTCOME_OPEN; outcome <= NK_OUTCOME_DRAW; outcome++)
        if (strcmp(result, nk_outcome_text((enum nk_outcome)outcome)) == 0)
            headers->outcome = (enum nk_outcome)outcome;
}

/* Adds the marks, words with spaces between them, and whether a side resigns. */
static enum nk_status read_marks(struct nk_tree *tree, int number, const char *marks, const char *resigned)
{
    enum nk_status status = *resigned ? nk_tree_resign(tree, number, &nk_web_error) : NK_OK;
    while (*marks && !status) {
        char mark[8] = "";
        const size_t length = strcspn(marks, " ");
        memcpy(mark, marks, length < sizeof mark ? length : sizeof mark - 1);
        if (length)
            status = nk_tree_mark(tree, number, mark, &nk_web_error);
        marks += length + (marks[length] == ' ');
    }
    return status;
}

/* Adds a node from five texts: the number of the parent (less than its own, as engine.ts has checked), the move, marks,
 * a comment, and whether a side resigns. */
static enum nk_status read_node(const char **texts, struct nk_tree *tree, int number)
{
    const int parent = (int)strtol(next_text(texts), NULL, 10);
    const char *text = next_text(texts);
    struct nk_move move;
    enum nk_status status = NK_OK;
    if (number && ((status = nk_move_parse(&nk_web_rules, text, &move, &nk_web_error)) ||
                   (status = nk_tree_go_on(tree, parent, move, &number, &nk_web_error)))) {
        const struct nk_error fault = nk_web_error;
        return status == NK_E_MEMORY ? status
                                     : nk_fail(&nk_web_error, status, 0, "%s move '%s': %s",
                                               status == NK_E_MOVE ? "illegal" : "invalid", text, fault.text);
    }
    text = next_text(texts);
    const char *comment = next_text(texts);
    if ((status = read_marks(tree, number, text, next_text(texts))))
        return status;
    return nk_tree_comment(tree, number, comment, &nk_web_error);
}

/* Ends the game of a tree as its record says, unless its moves have; `end` is the name of a reason, or "". */
static enum nk_status finish_tree(struct nk_tree *tree, const char *end, enum nk_outcome outcome)
{
    const struct nk_game *game;
    const enum nk_status status = nk_tree_at(tree, nk_tree_last(tree), &game, &nk_web_error);
    if (status || nk_game_end(game, NULL) != NK_END_NONE)
        return status;
    for (int reason = NK_END_RESIGNED; reason <= NK_END_STATED; reason++)
        if (strcmp(end, nk_end_name((enum nk_end)reason)) == 0)
            return nk_tree_finish(tree, (enum nk_end)reason, outcome, &nk_web_error);
    return NK_OK;
}

/* Answers with a record. The input: the start position, the headers and the result, why the game ended if its moves do
 * not show it, and `count` nodes. */
void WEB(web_record_write)(int count)
{
    const char *texts = nk_web_input;
    struct nk_headers headers = {.outcome = NK_OUTCOME_OPEN};
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_tree *tree;
    if (!nk_web_read_position(&position, &to_move) ||
        !nk_web_good(nk_tree_new(&nk_web_rules, position, to_move, &tree, &nk_web_error)))
        return;
    (void)next_text(&texts);
    read_headers(&texts, &headers);
    const char *end = next_text(&texts);
    enum nk_status status = NK_OK;
    for (int number = 0; number < count && !status; number++)
        if ((status = read_node(&texts, tree, number))) {
            const struct nk_error fault = nk_web_error;
            (void)nk_fail(&nk_web_error, status, 0, "tree[%d]: %s", number, fault.text);
        }
    if (!status)
        status = finish_tree(tree, end, headers.outcome);
    char *record = status ? NULL : nk_record_tree_text(tree, &headers);
    if (nk_web_good(status || record ? status : nk_fail_memory(&nk_web_error)))
        nk_json_string(&nk_web_answer, NULL, record);
    free(record);
    nk_tree_free(tree);
}

/* The input: the headers and the result. */
void WEB(web_game_record)(const struct nk_game *game)
{
    const char *texts = nk_web_input;
    struct nk_headers headers = {.outcome = NK_OUTCOME_OPEN};
    read_headers(&texts, &headers);
    char *record = nk_record_text(game, &headers);
    if (nk_web_good(record ? NK_OK : nk_fail_memory(&nk_web_error)))
        nk_json_string(&nk_web_answer, NULL, record);
    free(record);
}
