/* Texts of positions and moves, and what is wrong with others. tests/fuzz/notation.c reads what has been printed. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Every form of a position; the square of a piece is its bit. */
Test(notation, forms_of_positions)
{
    static const struct {
        struct board board;
        struct nk_position position;
        enum nk_colour to_move;
        const char *printed, *others[3];
    } cases[] = {
        {{5, 5, 3, 3, NK_WIN_LINE},
         {0x2000a, 0xa00080},
         NK_BLACK,
         "1w1w1/2b2/5/2w2/1b1b1 b",
         {"1W1W1/11b11/32/2w2/1b1b1_B", "B:.B.B...W.........B...W.W.", "b:.b.b...w.........b...w.w."}},
        {{8, 3, 2, 2, NK_WIN_LINE},
         {0x800080, 0x10001},
         NK_WHITE,
         "b6w/8/b6w w",
         {"B1311W/71/b6w W", "W:B......W........B......W", "w:b......w........b......w"}},
        {{3, 8, 2, 2, NK_WIN_LINE},
         {0x804000, 0x21},
         NK_BLACK,
         "2b/3/3/2b/3/3/2w/w2 b",
         {"2b/21/12/2b/111/3/2w/w2_b", "B:W....W........B........B", "b:w....w........b........b"}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_rules rules = rules_of(cases[i].board);
        char text[NK_POSITION_TEXT];
        nk_position_print(&rules, cases[i].position, cases[i].to_move, text);
        cr_assert_str_eq(text, cases[i].printed);
        for (size_t n = 0; n < COUNT(cases[i].others); n++) {
            struct nk_position read = {0};
            enum nk_colour colour = nk_colour_other(cases[i].to_move);
            cr_assert(!nk_position_parse(&rules, cases[i].others[n], &read, &colour, NULL));
            cr_assert(same_position(read, cases[i].position) && colour == cases[i].to_move, "%s",
                      cases[i].others[n]);
        }
    }
}

static void check_move(const struct nk_rules *rules, struct nk_move move)
{
    for (int first = 'A'; first <= 'a'; first += 'a' - 'A') {
        const int file = first + move.from % rules->width, rank = '1' + move.from / rules->width,
                  to_file = first + move.to % rules->width, to_rank = '1' + move.to / rules->width;
        char forms[3][NK_MOVE_TEXT], text[NK_MOVE_TEXT];
        snprintf(forms[0], NK_MOVE_TEXT, "%c%c-%c%c", file, rank, to_file, to_rank);
        snprintf(forms[1], NK_MOVE_TEXT, "%c%c%c%c", file, rank, to_file, to_rank);
        snprintf(forms[2], NK_MOVE_TEXT, "%c%c%c%c", rank, file, to_rank, to_file);
        for (size_t n = 0; n < COUNT(forms); n++) {
            struct nk_move read;
            cr_assert(!nk_move_parse(rules, forms[n], &read, NULL) && nk_move_equal(read, move), "%s",
                      forms[n]);
        }
        nk_move_print(rules, move, text);
        cr_assert(first == 'A' || !strcmp(text, forms[0]), "%s", text);
    }
}

Test(notation, moves)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {8, 3, 2, 2, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        const struct nk_rules rules = rules_of(boards[i]);
        for (uint8_t from = 0; from < rules.squares; from++)
            for (uint8_t to = 0; to < rules.squares; to++)
                if (from != to)
                    check_move(&rules, (struct nk_move){from, to});
    }
}

/* ---- what is wrong ---- */

static void refuse(bool is_move, const char *text, enum nk_status status, size_t at, const char *message)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position position = {1, 2};
    enum nk_colour colour = (enum nk_colour)77;
    struct nk_move move = {98, 99};
    struct nk_error error;
    cr_assert_eq(is_move ? nk_move_parse(&rules, text, &move, &error)
                         : nk_position_parse(&rules, text, &position, &colour, &error),
                 status, "\"%.40s\"", text);
    cr_assert(error.status == status && error.at == at, "\"%.40s\": at %zu, not %zu", text, error.at, at);
    cr_assert_str_eq(error.text, message, "\"%.40s\"", text);
    cr_assert(position.mover == 1 && position.other == 2 && (int)colour == 77 && move.from == 98 &&
                  move.to == 99,
              "written before it is read");
}

Test(notation, wrong_texts)
{
    /* With a ^ before what is wrong, except in positions that are illegal as a whole. */
    static const char *const positions[][2] =
        {
            {"^", "the text ends, expected b, w or a number of empty squares"},
            {"1w1w^/2b2/5/2w2/1b1b1 b", "found '/', expected b, w or a number of empty squares"},
            {"1w1w1/2^x2/5/2w2/1b1b1 b", "found 'x', expected b, w or a number of empty squares"},
            {"^0w1w1/2b2/5/2w2/1b1b1 b", "found '0', expected b, w or a number of empty squares"},
            {"^\xc3\xa9", "found byte 195, expected b, w or a number of empty squares"},
            {"1w1w1^b/2b2/5/2w2/1b1b1 b", "found 'b', expected / before the next rank"},
            {"1w1w1/2b2/5/2w2^ b", "found ' ', expected / before the next rank"},
            {"1w1w1/2b2/5/2w2/^1b1b2 b", "rank 1 has 6 squares, expected 5"},
            {"1w1w1/2b2/5/2w2/1b1b1^/5 b", "found '/', expected a space and the side to move"},
            {"1w1w1/2b2/5/2w2/1b1b1^", "the text ends, expected a space and the side to move"},
            {"1w1w1/2b2/5/2w2/1b1b1 ^", "the text ends, expected the side to move, b or w"},
            {"1w1w1/2b2/5/2w2/1b1b1 ^ b", "found ' ', expected the side to move, b or w"},
            {"1w1w1/2b2/5/2w2/1b1b1 ^\xff", "found byte 255, expected the side to move, b or w"},
            {"1w1w1/2b2/5/2w2/1b1b1 b^\n", "found byte 10, expected the end of the text"},
            {"B:.B.B...W.........B...W.W^", "the text ends, expected b, w or . for each square"},
            {"B:.B.B..^1W.........B...W.W.", "found '1', expected b, w or . for each square"},
            {"B:.B.B...W.........B...W.W.^.", "found '.', expected the end of the text"},
            {"^X:.B.B...W.........B...W.W.", "found 'X', expected the side to move, b or w"},
            {"1w1w1/2b2/5/5/1b1b1 b", "White has 2 pieces, expected 3"},
            {"1w1w1/2b2/5/2w2/bb1b1 w", "Black has 4 pieces, expected 3"},
            {"1w1w1/5/5/2w2/b4 b", "Black has 1 piece, expected 3"},
            {"5/5/5/5/5 b", "Black has 0 pieces, expected 3"},
            {"1w1w1/5/5/2w2/1bbb1 b", "Black has already won and cannot be the one to move"},
            {"1b1b1/5/5/2b2/1www1 w", "White has already won and cannot be the one to move"},
        },
                             *const moves[][2] = {
                                 {"^", "the text ends, expected a file, a-e"},
                                 {"b^", "the text ends, expected a rank, 1-5"},
                                 {"b1^", "the text ends, expected a file, a-e"},
                                 {"b1-c1^ ", "found ' ', expected the end of the text"},
                                 {"^f1-c1", "found 'f', expected a file, a-e"},
                                 {"b^6-c1", "found '6', expected a rank, 1-5"},
                                 {"b1-^-c1", "found '-', expected a file, a-e"},
                                 {"1b^-1c", "found '-', expected a rank, 1-5"},
                                 {"b1^1c", "found '1', expected a file, a-e"},
                                 {"1b^c1", "found 'c', expected a rank, 1-5"},
                                 {"^6b1c", "found '6', expected a rank, 1-5"},
                                 {"1b1c^1", "found '1', expected the end of the text"},
                                 {"^\xe2\x99\x9e", "found byte 226, expected a file, a-e"},
                                 {"b1-b1", "a move from a square to itself"},
                             };
    for (size_t i = 0; i < COUNT(positions) + COUNT(moves); i++) {
        const bool is_move = i >= COUNT(positions);
        const char *const *wrong = is_move ? moves[i - COUNT(positions)] : positions[i];
        const char *mark = strchr(wrong[0], '^');
        const size_t before = strcspn(wrong[0], "^");
        char text[64];
        snprintf(text, sizeof text, "%.*s%s", (int)before, wrong[0], mark ? mark + 1 : "");
        refuse(is_move, text, mark || is_move ? NK_E_SYNTAX : NK_E_POSITION, mark ? before + 1 : 0, wrong[1]);
    }
}

/* What no text can be. */
Test(notation, impossible_positions)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_error error;
    cr_assert_eq(nk_position_check(&rules, (struct nk_position){0x2000a, 0xa20000}, NK_BLACK, &error),
                 NK_E_POSITION);
    cr_assert_str_eq(error.text, "two pieces are on one square");
    cr_assert_eq(nk_position_check(&rules, (struct nk_position){0x200000a, 0xa00080}, NK_BLACK, &error),
                 NK_E_POSITION);
    cr_assert_str_eq(error.text, "a piece is outside the board of 5x5");
    cr_assert_eq(nk_position_check(&rules, (struct nk_position){0}, NK_BLACK, NULL), NK_E_POSITION);
}

Test(notation, very_long_texts)
{
    static char digits[1 << 20], letters[1 << 20];
    memset(digits, '1', sizeof digits - 1);
    memset(letters, 'b', sizeof letters - 1);
    refuse(false, digits, NK_E_SYNTAX, 6, "found '1', expected / before the next rank");
    refuse(false, letters, NK_E_SYNTAX, 6, "found 'b', expected / before the next rank");
    refuse(true, digits, NK_E_SYNTAX, 2, "found '1', expected a file, a-e");
    memcpy(letters, "b1-c1", 5);
    refuse(true, letters, NK_E_SYNTAX, 6, "found 'b', expected the end of the text");
}
