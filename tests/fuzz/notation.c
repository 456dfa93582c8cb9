/* Positions and moves as text. The first byte chooses the board, the rest up to a byte 0 is the text. */

#include "tests/fuzz/fuzz.h"

#include "common/game/game.h"

static const struct nk_board boards[] = {
    {5, 5, 3, 3, NK_WIN_LINE}, {3, 3, 3, 3, NK_WIN_LINE}, {8, 8, 5, 5, NK_WIN_LINE},
    {8, 3, 2, 2, NK_WIN_LINE}, {3, 8, 4, 4, NK_WIN_LINE}, {7, 7, 3, 3, NK_WIN_LINE},
};

/* An error leaves the result alone. */
static bool is_wrong(enum nk_status status, const struct nk_error *error, const char *text)
{
    return has_failed(status, error, 1 << NK_E_SYNTAX | 1 << NK_E_POSITION, strlen(text));
}

static void try_move(const struct nk_rules *rules, const char *text)
{
    struct nk_move move = {77, 78}, again;
    struct nk_error error;
    const enum nk_status status = nk_move_parse(rules, text, &move, &error);
    CHECK(nk_move_parse(rules, text, &again, NULL) == status);
    if (is_wrong(status, &error, text)) {
        CHECK(move.from == 77);
        CHECK(move.to == 78);
        return;
    }
    CHECK(move.from < rules->squares);
    CHECK(move.to < rules->squares);
    CHECK(move.from != move.to);
    CHECK(!nk_move_parse(rules, nk_move_text(rules, move).s, &again, NULL));
    CHECK(nk_move_equal(again, move));
}

static void try_position(const struct nk_rules *rules, const char *text)
{
    static const struct nk_position untouched = {77, 78};
    struct nk_position read = untouched, position = untouched, again;
    enum nk_colour read_colour = NK_BLACK, colour = NK_BLACK, again_colour;
    struct nk_error error, why;
    const enum nk_status parsed = nk_position_parse(rules, text, &position, &colour, &why);
    if (is_wrong(parsed, &why, text))
        CHECK(same_position(position, untouched));
    if (is_wrong(nk_position_parse_unchecked(rules, text, &read, &read_colour, &error), &error, text)) {
        CHECK(same_position(read, untouched));
        CHECK(parsed == error.status);
        CHECK(strcmp(error.text, why.text) == 0);
        return;
    }
    CHECK(!((read.mover | read.other) & ~rules->all_squares));
    CHECK(!(read.mover & read.other));
    CHECK(nk_position_check(rules, read, read_colour, NULL) == parsed);
    CHECK(parsed || (same_position(position, read) && colour == read_colour));
    const struct nk_text printed = nk_position_text(rules, read, read_colour);
    CHECK(strlen(printed.s) < NK_POSITION_ROOM);
    CHECK(!nk_position_parse_unchecked(rules, printed.s, &again, &again_colour, NULL));
    CHECK(same_position(again, read));
    CHECK(again_colour == read_colour);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const struct nk_rules *rules = choose_rules(data[0], boards, COUNT(boards));
    char *text = calloc(size, 1);
    CHECK(text);
    memcpy(text, data + 1, size - 1);
    try_move(rules, text);
    try_position(rules, text);
    free(text);
    return 0;
}
