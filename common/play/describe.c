#include "common/play/describe.h"

#include "common/base/strbuf.h"

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
        [NK_END_NONE] = "none",           [NK_END_WON] = "won",           [NK_END_REPETITION] = "repetition",
        [NK_END_STALEMATE] = "stalemate", [NK_END_RESIGNED] = "resigned",
    };
    return names[end];
}

const char *nk_mark_text(enum nk_mark mark)
{
    return mark == NK_MARK_NONE ? "" : mark == NK_MARK_MISTAKE ? "?" : "??";
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
    for (int end = NK_END_NONE; end <= NK_END_RESIGNED; end++)
        nk_json_string(json, NULL, nk_end_name((enum nk_end)end));
    nk_json_end(json, ']');
    nk_json_begin(json, "marks", '[');
    for (int mark = NK_MARK_NONE; mark <= NK_MARK_BLUNDER; mark++)
        nk_json_string(json, NULL, nk_mark_text((enum nk_mark)mark));
    nk_json_end(json, ']');
}

void nk_json_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                      struct nk_position position, enum nk_colour to_move)
{
    nk_json_string(json, key, nk_position_text(rules, position, to_move).s);
}

void nk_json_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move)
{
    nk_json_string(json, key, nk_move_text(rules, move).s);
}

struct nk_text nk_value_text(struct nk_value value)
{
    struct nk_text text = {""};
    struct nk_strbuf buffer = {text.s, sizeof text.s, 0};
    if (value.result == NK_DRAW)
        nk_strbuf_add(&buffer, "draws");
    else
        nk_strbuf_add(&buffer, "%s in %d %s", value.result == NK_WIN ? "wins" : "loses", value.plies,
                      value.plies == 1 ? "ply" : "plies");
    return text;
}

struct nk_text nk_end_text(const struct nk_game *game)
{
    struct nk_text text = {""};
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const char *to_move = nk_colour_name(nk_game_to_move(game));
    struct nk_strbuf buffer = {text.s, sizeof text.s, 0};
    switch (end) {
    case NK_END_WON:
        nk_strbuf_add(&buffer, "%s wins.", nk_colour_name(winner));
        break;
    case NK_END_RESIGNED:
        nk_strbuf_add(&buffer, "%s resigns: %s wins.", to_move, nk_colour_name(winner));
        break;
    case NK_END_REPETITION:
        nk_strbuf_add(&buffer, "Draw by threefold repetition.");
        break;
    case NK_END_STALEMATE:
        nk_strbuf_add(&buffer, "Draw: %s has no legal moves.", to_move);
        break;
    case NK_END_NONE:
        nk_strbuf_add(&buffer, "The game is not over: %s is to move.", to_move);
        break;
    }
    return text;
}
