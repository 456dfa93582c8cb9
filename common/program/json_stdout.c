#include "common/program/json_stdout.h"

#include <stdio.h>
#include <string.h>

static void write_out(struct nk_json *json)
{
    (void)fwrite(json->bytes, 1, json->length, stdout);
    json->length = 0;
}

struct nk_json *nk_json_begin_line(void)
{
    static char bytes[BUFSIZ];
    static struct nk_json json = {.bytes = bytes, .size = sizeof bytes, .make_room = write_out};
    json.follows = false;
    nk_json_begin(&json, NULL, '{');
    nk_json_integer(&json, "version", NK_JSON_VERSION);
    return &json;
}

void nk_json_end_line(struct nk_json *json)
{
    nk_json_end(json, '}');
    write_out(json);
    putchar('\n');
}

void nk_json_real(struct nk_json *json, const char *key, double value)
{
    char digits[24], text[32];
    snprintf(digits, sizeof digits, "%.6g", value);
    snprintf(text, sizeof text, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
    nk_json_literal(json, key, text);
}

void nk_json_board(struct nk_json *json, const struct nk_board *board)
{
    char size[8];
    snprintf(size, sizeof size, "%dx%d", board->width, board->height);
    nk_json_string(json, "board", size);
    nk_json_integer(json, "pieces", board->pieces);
    nk_json_integer(json, "row_length", board->row_length);
    nk_json_string(json, "win", nk_win_name(board->win));
}
