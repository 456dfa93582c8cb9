/* The version and the names of the library, and the layout of what include/neutreeko.h declares. */

#include "common/play/play.h"

#include <assert.h>
#include <stdlib.h>

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
static_assert(sizeof(struct nk_headers) == 324, "nk_headers");
static_assert(sizeof(struct nk_choice) == 20, "nk_choice");
static_assert(sizeof(struct nk_reviewed) == 36, "nk_reviewed");
static_assert(sizeof(struct nk_explanation) == 48, "nk_explanation");
static_assert(sizeof(struct nk_puzzle) == 24, "nk_puzzle");

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
    for (int end = NK_END_WON; end <= NK_END_RESIGNED; end++)
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
    if (!nk_grow(&json->bytes, &json->size, json->size + 1)) {
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
