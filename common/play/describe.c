/* Values, sides and games as text and in JSON, all names that the library has, its version and its layout. */

#include "common/play/play.h"

#include <assert.h>
#include <stdlib.h>

/* ---- text ---- */

const char *nk_colour_key(enum nk_colour colour)
{
    return colour == NK_BLACK ? "black" : "white";
}

const char *nk_result_name(enum nk_result result)
{
    return result == NK_WIN ? "win" : result == NK_LOSS ? "loss" : "draw";
}

const char *nk_end_name(enum nk_end end)
{
    static const char *const names[] = {
        [NK_END_NONE] = NULL,
        [NK_END_WON] = "won",
        [NK_END_REPETITION] = "repetition",
        [NK_END_STALEMATE] = "stalemate",
        [NK_END_RESIGNED] = "resigned",
        [NK_END_TIME] = "time",
        [NK_END_AGREED] = "agreed",
        [NK_END_STATED] = "stated",
    };
    return names[end];
}

const char *nk_mark_text(enum nk_mark mark)
{
    return mark == NK_MARK_NONE ? "" : mark == NK_MARK_MISTAKE ? "?" : "??";
}

/* "wins in" a distance, or "draws". */
static struct nk_text value_text(enum nk_result result, const char *distance)
{
    struct nk_text text;
    if (result == NK_DRAW)
        (void)nk_put_text(text.s, "draws");
    else
        (void)nk_put_text(nk_put_text(text.s, result == NK_WIN ? "wins in " : "loses in "), distance);
    return text;
}

struct nk_text nk_value_text(struct nk_value value)
{
    return value_text(value.result, nk_moves_text(value.plies).s);
}

struct nk_text nk_precise_value_text(struct nk_value value)
{
    return value_text(value.result, nk_distance_text(value.plies).s);
}

/* ---- JSON ---- */

void nk_json_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                      struct nk_position position, enum nk_colour to_move)
{
    nk_json_string(json, key, nk_position_text(rules, position, to_move).s);
}

void nk_json_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move)
{
    nk_json_string(json, key, nk_move_text(rules, move).s);
}

void nk_json_value_members(struct nk_json *json, struct nk_value value)
{
    nk_json_string(json, "result", nk_result_name(value.result));
    if (value.result == NK_DRAW)
        nk_json_null(json, "plies");
    else
        nk_json_integer(json, "plies", value.plies);
}

void nk_json_value(struct nk_json *json, const char *key, struct nk_value value)
{
    nk_json_begin(json, key, '{');
    nk_json_value_members(json, value);
    nk_json_end(json, '}');
}

void nk_json_end_members(struct nk_json *json, const struct nk_game *game)
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const enum nk_outcome outcome = nk_outcome_of(game, NK_OUTCOME_OPEN);
    nk_json_string(json, "reason", nk_end_name(end));
    nk_json_string(json, "winner", nk_outcome_is_win(outcome) ? nk_colour_key(winner) : NULL);
}

void nk_json_reviewed_members(struct nk_json *json, const struct nk_rules *rules,
                              const struct nk_reviewed *reviewed)
{
    nk_json_string(json, "side", nk_colour_key(reviewed->side));
    nk_json_move(json, "move", rules, reviewed->move);
    nk_json_value(json, "before", reviewed->before);
    nk_json_value(json, "after", reviewed->after);
    nk_json_string(json, "mark", reviewed->mark == NK_MARK_NONE ? NULL : nk_mark_text(reviewed->mark));
    if (nk_has_better(reviewed))
        nk_json_move(json, "better", rules, reviewed->better);
    else
        nk_json_null(json, "better");
    nk_json_integer(json, "plies_lost", reviewed->plies_lost);
}

void nk_json_tree(struct nk_json *json, const struct nk_rules *rules, const struct nk_tree *tree)
{
    nk_json_begin(json, "tree", '[');
    for (int number = 0; number < nk_tree_count(tree); number++) {
        const struct nk_node node = nk_tree_node(tree, number);
        nk_json_begin(json, NULL, '{');
        if (number) {
            nk_json_integer(json, "parent", node.parent);
            nk_json_move(json, "move", rules, node.move);
        } else {
            nk_json_null(json, "parent");
            nk_json_null(json, "move");
        }
        nk_json_string(json, "marks", *node.marks ? node.marks : NULL);
        nk_json_string(json, "comment", *node.comment ? node.comment : NULL);
        nk_json_bool(json, "resigned", node.resigned);
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
}

/* ---- the library ---- */

/* Programs were compiled with these sizes: another one is another interface, with another `version` in
 * meson.build. */
static_assert(sizeof(struct nk_error) == 2 * sizeof(size_t) + 240, "nk_error");
static_assert(sizeof(struct nk_board) == 20, "nk_board");
static_assert(sizeof(struct nk_position) == 16, "nk_position");
static_assert(sizeof(struct nk_move) == 2, "nk_move");
static_assert(sizeof(struct nk_text) == 80, "nk_text");
static_assert(sizeof(struct nk_value) == 8, "nk_value");
static_assert(sizeof(struct nk_move_value) == 12, "nk_move_value");
static_assert(offsetof(struct nk_summary, longest) == 48, "nk_summary");
static_assert(sizeof(struct nk_listed_position) == 32, "nk_listed_position");
static_assert(sizeof(struct nk_headers) == 2068, "nk_headers");
static_assert(sizeof(struct nk_choice) == 20, "nk_choice");
static_assert(sizeof(struct nk_reviewed) == 36, "nk_reviewed");
static_assert(sizeof(struct nk_explanation) == 48, "nk_explanation");
static_assert(sizeof(struct nk_puzzle) == 24, "nk_puzzle");
static_assert(offsetof(struct nk_node, marks) == 24, "nk_node");
static_assert(sizeof(struct nk_solve_state) == offsetof(struct nk_solve_state, decided) + 16,
              "nk_solve_state");

const char *nk_version(void)
{
    return NK_VERSION;
}

static void add_bounds(struct nk_json *json, const char *key, int min, int max)
{
    nk_json_begin(json, key, '{');
    nk_json_integer(json, "min", min);
    nk_json_integer(json, "max", max);
    nk_json_end(json, '}');
}

static void add_wins(struct nk_json *json)
{
    nk_json_begin(json, "wins", '[');
    for (int win = 0; win < NK_WIN_RULES; win++) {
        nk_json_begin(json, NULL, '{');
        nk_json_string(json, "name", nk_win_name((enum nk_win)win));
        nk_json_bool(json, "lines", nk_win_has_lines((enum nk_win)win));
        nk_json_end(json, '}');
    }
    nk_json_end(json, ']');
}

void nk_json_names(struct nk_json *json)
{
    nk_json_string(json, "engine", NK_VERSION);
    nk_json_begin(json, "board", '{');
    add_bounds(json, "side", NK_MIN_SIDE, NK_MAX_SIDE);
    add_bounds(json, "pieces", NK_MIN_PIECES, NK_MAX_PIECES);
    add_bounds(json, "row_length", NK_MIN_ROW_LENGTH, NK_MAX_PIECES);
    nk_json_integer(json, "usual_row_length", NK_USUAL_ROW_LENGTH);
    nk_json_end(json, '}');
    add_wins(json);
    nk_json_begin(json, "statuses", '[');
    for (int status = NK_OK; nk_status_name((enum nk_status)status); status++)
        nk_json_string(json, NULL, nk_status_name((enum nk_status)status));
    nk_json_end(json, ']');
    nk_json_begin(json, "sides", '[');
    nk_json_string(json, NULL, nk_colour_key(NK_BLACK));
    nk_json_string(json, NULL, nk_colour_key(NK_WHITE));
    nk_json_end(json, ']');
    nk_json_begin(json, "ends", '[');
    for (int end = NK_END_WON; end <= NK_END_STATED; end++)
        nk_json_string(json, NULL, nk_end_name((enum nk_end)end));
    nk_json_end(json, ']');
    nk_json_begin(json, "marks", '[');
    for (int mark = NK_MARK_MISTAKE; mark <= NK_MARK_BLUNDER; mark++)
        nk_json_string(json, NULL, nk_mark_text((enum nk_mark)mark));
    nk_json_end(json, ']');
    nk_json_opponents(json);
}

/* The JSON text that is being made; `json` is its first member. */
struct growing {
    struct nk_json json;
    bool out_of_memory;
};

/* Without memory, what was written is overwritten: it is not needed any more. */
static void enlarge(struct nk_json *json)
{
    struct growing *growing = (struct growing *)json;
    if (!nk_grow(&json->bytes, &json->size, json->size + 1, 1)) {
        growing->out_of_memory = true;
        json->length = 0;
    }
}

char *nk_names(void)
{
    enum { FIRST = 1024 };
    struct growing growing = {{.bytes = malloc(FIRST), .size = FIRST, .make_room = enlarge}, false};
    struct nk_json *json = &growing.json;
    if (!json->bytes)
        return NULL;
    nk_json_begin(json, NULL, '{');
    nk_json_names(json);
    nk_json_end(json, '}');
    if (json->length == json->size)
        enlarge(json);
    json->bytes[json->length] = '\0';
    if (!growing.out_of_memory)
        return json->bytes;
    free(json->bytes);
    return NULL;
}
