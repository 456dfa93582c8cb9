/* Texts of positions, and what is wrong with others and moves. tests/fuzz/notation.c reads what has been printed. */

#include "common/game/game.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The square of a piece is its bit. */
Test(notation, positions_are_read_in_every_form)
{
    static const struct {
        struct nk_board board;
        struct nk_position position;
        enum nk_colour to_move;
        const char *printed, *others[11];
    } cases[] = {
        {{5, 5, 3, 3, NK_WIN_LINE},
         {0x2000a, 0xa00080},
         NK_BLACK,
         "1w1w1/2b2/5/2w2/1b1b1 b",
         {"1W1W1/11b11/32/2w2/1b1b1_B", "B:.B.B...W.........B...W.W.", "b:.b.b...w.........b...w.w.",
          ".w.w./..b../...../..w../.b.b. Black", ".w.w...b.........w...b.b. b",
          "1w1w1/2b2/5/2w2/1b1b1 b - - 0 1\n", "\ufeff 1w1w1/2b2/5/2w2/1b1b1\u00a0\u2060b",
          " 5  . w . w .\n 4  . . b . .\n 3  . . . . .\n 2  . . w . .\n 1  . b . b .\n    a b c d e\n"
          "\nBlack to move draws with optimal play.\n",
          " 5  . w . w .\r\n 4  .[.]b . .\n 3  . . . + .\n 2  . . w . .\n 1  . b . b[.]\n    a b c d e\n"
          "Black to move loses in 3 moves.",
          " \n\tstandard",
          ". \u25cb . \u25cb .\n. . \u25cf . .\n. . . . .\n. . \u25cb . .\n"
          ". \u25cf . \u25cf .\nb"}},
        {{8, 3, 2, 2, NK_WIN_LINE},
         {0x800080, 0x10001},
         NK_WHITE,
         "b6w/8/b6w w",
         {"B1311W/71/b6w W", "W:B......W........B......W", " \nw:b......w........b......w",
          " 1 [w]. . . . . . b\n 2  . . . . . . . .\n 3  w . . . . . . b\n    h g f e d c b a\n"
          "White to move wins in 1 move."}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_rules rules = rules_of(cases[i].board);
        cr_assert_str_eq(nk_position_text(&rules, cases[i].position, cases[i].to_move).s, cases[i].printed);
        for (size_t n = 0; n < COUNT(cases[i].others) && cases[i].others[n]; n++) {
            struct nk_position read = {0};
            enum nk_colour colour = nk_colour_other(cases[i].to_move);
            cr_assert(!nk_position_parse(&rules, cases[i].others[n], &read, &colour, NULL));
            cr_assert(same_position(read, cases[i].position), "%s", cases[i].others[n]);
            cr_assert(colour == cases[i].to_move, "%s", cases[i].others[n]);
        }
    }
}

/* Each character that stands for another one, or for nothing. */
Test(notation, moves_are_read_with_other_dashes_and_blanks)
{
    static const char *const texts[] = {
        "b1\u2010c1",    "b1\u2011c1",  "b1\u2012c1",  "b1\u2013c1",  "b1\u2014c1",  "b1\u2015c1",
        "b1\u2212c1",    "b\u20601-c1", "b1\u200b-c1", "\ufeffb1-c1", "b1-c1\u200b", "b1 c1",
        "B1\u3000-\tC1", "b1 => c1",    "B1xC1",       "b1:c1",       "b1\u30fcc1",  "1B1C",
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct nk_move move;
        cr_assert(!nk_move_parse(&rules, texts[i], &move, NULL), "%zu", i);
        cr_assert_str_eq(nk_move_text(&rules, move).s, "b1-c1", "%zu", i);
    }
}

Test(notation, numbers_of_moves_without_a_period_have_at_most_seven_digits)
{
    cr_assert_eq(nk_move_number_length("1234567", 7), 7);
    cr_assert_eq(nk_move_number_length("12345678", 8), 0);
    cr_assert_eq(nk_move_number_length("12345678. b1-c1", 15), 9);
}

enum { MOST = 64 }; /* characters of a wrong text */

/* Copies a text without the ^ before what is wrong in it. Returns the place of that in characters, or 0 if there is
 * none. */
static size_t unmark(const char *marked, char text[MOST])
{
    const char *mark = strchr(marked, '^');
    const size_t at = strcspn(marked, "^");
    snprintf(text, MOST, "%.*s%s", (int)at, marked, mark ? mark + 1 : "");
    size_t place = 1;
    for (size_t i = 0; i < at; i++)
        place += ((unsigned char)marked[i] & 0xc0) != 0x80;
    return mark ? place : 0;
}

static void expect_error(const char *text, const struct nk_error *error, enum nk_status status, size_t at,
                         const char *message)
{
    cr_assert_eq(error->status, status, "\"%s\": %d at %zu", text, error->status, error->at);
    cr_assert_eq(error->at, at, "\"%s\": %d at %zu", text, error->status, error->at);
    cr_assert_str_eq(error->text, message, "\"%s\"", text);
}

Test(notation, wrong_moves_are_not_read)
{
    static const char *const wrong[][2] = {
        {"^", "found the end, expected a file, a-e"},
        {"b^", "found the end, expected a rank, 1-5"},
        {"b1-c1^ ", "found ' ', expected the end of the text"},
        {"b^6-c1", "found '6', expected a rank, 1-5"},
        {"b1-^+c1", "found '+', expected a file, a-e"},
        {"b1^1c", "found '1', expected a file, a-e"},
        {"1b^c1", "found 'c', expected a rank, 1-5"},
        {"1b^-1c", "found '-', expected a rank, 1-5"},
        {"^\u265e", "found U+265E, expected a file, a-e"},
        {"b1\u2212^\u2026", "found U+2026, expected a file, a-e"},
        {"b1-c^\u2013", "found U+2013, expected a rank, 1-5"},
        {"\uff421-^b1", "a move from a square to itself"},
        {"^file:///n.html#moves=b1c1", NK_LINK_ERROR},
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct nk_move move = {98, 99};
        struct nk_error error;
        char text[MOST];
        const size_t at = unmark(wrong[i][0], text);
        cr_assert_eq(nk_move_parse(&rules, text, &move, &error), NK_E_SYNTAX, "\"%s\"", text);
        expect_error(text, &error, NK_E_SYNTAX, at, wrong[i][1]);
        cr_assert(move.from == 98, "written before it is read");
        cr_assert(move.to == 99, "written before it is read");
    }
}

/* The last ones are illegal as a whole. */
Test(notation, wrong_positions_are_not_read)
{
    static const char *const wrong[][2] = {
        {"^", "found the end, expected b, w or a number of empty squares, as in 1w1w1/2b2/5/2w2/1b1b1 b"},
        {"B^lack b1 d1 c4",
         "found 'l', expected b, w or a number of empty squares, as in 1w1w1/2b2/5/2w2/1b1b1 b"},
        {"1w1w^/2b2/5/2w2/1b1b1 b", "found '/', expected b, w or a number of empty squares"},
        {"^0w1w1/2b2/5/2w2/1b1b1 b", "found '0', expected b, w or a number of empty squares"},
        {"1w1w1^b/2b2/5/2w2/1b1b1 b", "found 'b', expected / before the next rank"},
        {"\uff11w1w1/2b2/5/2w2/^1b1b2 b", "rank 1 has 6 squares, expected 5"},
        {"1w1w1/2b2/5/2w2/1b1b1^", "found the end, expected a space and the side to move"},
        {"1w1w1/2b2/5/2w2/1b1b1 ^\xff", "found byte 255, expected the side to move, b or w"},
        {"1w1w1/2b2/5/2w2/1b1b1 b\n^\x01", "found byte 1, expected the end of the text"},
        {"1w1w1/2b2/5/2w2/1b1b^ b", "found ' ', expected b, w or a number of empty squares"},
        {".w.w. ..b.. 5 ^..w.. .b.b. b", "found '.', expected / before the next rank"},
        {"1w1w1/2b2/5/2w2/1b1b1 ^~", "found '~', expected the side to move, b or w"},
        {"1w1w1/2b2/5/2w2/1b1b1 b ^x", "found 'x', expected the end of the text"},
        {".w.w.^", "found the end, expected b, w or a number of empty squares"},
        {"B:.B.B...W.........B...W.W^", "found the end, expected b, w or . for each square"},
        {"B:.B.B...W.........B...W.W.^.", "found '.', expected the end of the text"},
        {"^X:.B.B...W.........B...W.W.", "found 'X', expected the side to move, b or w"},
        {"1w1w1/2b2/5/5/1b1b1 b", "White has 2 pieces, expected 3"},
        {"1w1w1/5/5/2w2/b4 b", "Black has 1 piece, expected 3"},
        {"1b1b1/5/5/2b2/1www1 w", "White has already won and cannot be the one to move"},
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct nk_position position = {1, 2};
        enum nk_colour colour = (enum nk_colour)77;
        struct nk_error error;
        char text[MOST];
        const size_t at = unmark(wrong[i][0], text);
        const enum nk_status expected = at ? NK_E_SYNTAX : NK_E_POSITION;
        cr_assert_eq(nk_position_parse(&rules, text, &position, &colour, &error), expected, "\"%s\"", text);
        expect_error(text, &error, expected, at, wrong[i][1]);
        cr_assert(same_position(position, (struct nk_position){1, 2}), "written before it is read");
        cr_assert((int)colour == 77, "written before it is read");
    }
}

Test(notation, positions_that_no_text_can_describe_are_illegal)
{
    static const struct {
        struct nk_position position;
        const char *message;
    } cases[] = {{{0x2000a, 0xa20000}, "two pieces are on one square"},
                 {{0x200000a, 0xa00080}, "a piece is outside the board of 5x5"},
                 {{0, 0}, "Black has 0 pieces, expected 3"}};
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_error error;
        cr_assert_eq(nk_position_check(&rules, cases[i].position, NK_BLACK, &error), NK_E_POSITION);
        cr_assert_str_eq(error.text, cases[i].message);
    }
}
