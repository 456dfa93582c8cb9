/* Values, sides and games as text and in JSON. */

#include "common/play/play.h"

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
    const bool won = end == NK_END_WON || end == NK_END_RESIGNED;
    nk_json_string(json, "reason", nk_end_name(end));
    nk_json_string(json, "winner", won ? nk_colour_key(winner) : NULL);
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

void nk_json_tree(struct nk_json *json, const char *key, const struct nk_rules *rules,
                  const struct nk_tree *tree)
{
    nk_json_begin(json, key, '[');
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
