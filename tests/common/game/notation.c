/* Texts of positions, and what is wrong with others and moves. tests/fuzz/notation.c reads what has been printed. */

#include "common/game/game.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Every form of a position; the square of a piece is its bit. */
Test(notation, forms_of_positions)
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
          "1w1w1/2b2/5/2w2/1b1b1 b - - 0 1\n",
          "\xef\xbb\xbf 1w1w1/2b2/5/2w2/1b1b1\xc2\xa0\xe2\x81\xa0"
          "b",
          " 5  . w . w .\n 4  . . b . .\n 3  . . . . .\n 2  . . w . .\n 1  . b . b .\n    a b c d e\n"
          "\nBlack to move draws with optimal play.\n",
          " 5  . w . w .\r\n 4  .[.]b . .\n 3  . . . + .\n 2  . . w . .\n 1  . b . b[.]\n    a b c d e\n"
          "Black to move loses in 3 moves.",
          " \n\tstandard",
          ". \xe2\x97\x8b . \xe2\x97\x8b .\n. . \xe2\x97\x8f . .\n. . . . .\n. . \xe2\x97\x8b . .\n"
          ". \xe2\x97\x8f . \xe2\x97\x8f .\nb"}},
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

/* Each character that stands for another one, or for nothing, in a move. */
Test(notation, characters_of_moves)
{
    static const char *const texts[] = {"b1\xe2\x80\x90"
                                        "c1",
                                        "b1\xe2\x80\x91"
                                        "c1",
                                        "b1\xe2\x80\x92"
                                        "c1",
                                        "b1\xe2\x80\x93"
                                        "c1",
                                        "b1\xe2\x80\x94"
                                        "c1",
                                        "b1\xe2\x80\x95"
                                        "c1",
                                        "b1\xe2\x88\x92"
                                        "c1",
                                        "b\xe2\x81\xa0"
                                        "1-c1",
                                        "b1\xe2\x80\x8b-c1",
                                        "\xef\xbb\xbf"
                                        "b1-c1",
                                        "b1-c1\xe2\x80\x8b",
                                        "b1 c1",
                                        "B1\xe3\x80\x80-\tC1",
                                        "b1 => c1",
                                        "B1xC1",
                                        "b1:c1",
                                        "b1\xe3\x83\xbc"
                                        "c1",
                                        "1B1C"};
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct nk_move move;
        cr_assert(!nk_move_parse(&rules, texts[i], &move, NULL), "%zu", i);
        cr_assert_str_eq(nk_move_text(&rules, move).s, "b1-c1", "%zu", i);
    }
}

/* With a ^ before what is wrong, except in positions that are illegal as a whole. The first ones are moves. */
Test(notation, wrong_texts)
{
    enum { MOVES = 13 };
    static const char *const wrong[][2] = {
        {"^", "found the end, expected a file, a-e"},
        {"b^", "found the end, expected a rank, 1-5"},
        {"b1-c1^ ", "found ' ', expected the end of the text"},
        {"b^6-c1", "found '6', expected a rank, 1-5"},
        {"b1-^+c1", "found '+', expected a file, a-e"},
        {"b1^1c", "found '1', expected a file, a-e"},
        {"1b^c1", "found 'c', expected a rank, 1-5"},
        {"1b^-1c", "found '-', expected a rank, 1-5"},
        {"^\xe2\x99\x9e", "found U+265E, expected a file, a-e"},
        {"b1\xe2\x88\x92^\xe2\x80\xa6", "found U+2026, expected a file, a-e"},
        {"b1-c^\xe2\x80\x93", "found U+2013, expected a rank, 1-5"},
        {"b1-^b1", "a move from a square to itself"},
        {"^file:///n.html#moves=b1c1", NK_LINK_ERROR},
        {"^", "found the end, expected b, w or a number of empty squares, as in 1w1w1/2b2/5/2w2/1b1b1 b"},
        {"B^lack b1 d1 c4",
         "found 'l', expected b, w or a number of empty squares, as in 1w1w1/2b2/5/2w2/1b1b1 b"},
        {"1w1w^/2b2/5/2w2/1b1b1 b", "found '/', expected b, w or a number of empty squares"},
        {"^0w1w1/2b2/5/2w2/1b1b1 b", "found '0', expected b, w or a number of empty squares"},
        {"1w1w1^b/2b2/5/2w2/1b1b1 b", "found 'b', expected / before the next rank"},
        {"1w1w1/2b2/5/2w2/^1b1b2 b", "rank 1 has 6 squares, expected 5"},
        {"1w1w1/2b2/5/2w2/1b1b1^", "found the end, expected a space and the side to move"},
        {"1w1w1/2b2/5/2w2/1b1b1 ^\xff", "found byte 255, expected the side to move, b or w"},
        {"1w1w1/2b2/5/2w2/1b1b1 b\n^\x01", "found byte 1, expected the end of the text"},
        {"1w1w1/2b2/5/2w2/1b1b^ b", "found ' ', expected b, w or a number of empty squares"},
        {".w.w. ..b.. 5 ^..w.. .b.b. b", "found '.', expected / before the next rank"},
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
        const char *mark = strchr(wrong[i][0], '^');
        const size_t at = strcspn(wrong[i][0], "^");
        struct nk_position position = {1, 2};
        enum nk_colour colour = (enum nk_colour)77;
        struct nk_move move = {98, 99};
        struct nk_error error;
        char text[64];
        snprintf(text, sizeof text, "%.*s%s", (int)at, wrong[i][0], mark ? mark + 1 : "");
        const enum nk_status status = i < MOVES ? nk_move_parse(&rules, text, &move, &error)
                                                : nk_position_parse(&rules, text, &position, &colour, &error);
        cr_assert(status == (mark ? NK_E_SYNTAX : NK_E_POSITION), "\"%s\": %d at %zu", text, status,
                  error.at);
        cr_assert(error.status == status, "\"%s\": %d at %zu", text, status, error.at);
        cr_assert(error.at == (mark ? at + 1 : 0), "\"%s\": %d at %zu", text, status, error.at);
        cr_assert_str_eq(error.text, wrong[i][1], "\"%s\"", text);
        cr_assert(same_position(position, (struct nk_position){1, 2}), "written before it is read");
        cr_assert((int)colour == 77, "written before it is read");
        cr_assert(move.from == 98, "written before it is read");
        cr_assert(move.to == 99, "written before it is read");
    }
}

/* What no text can be. */
Test(notation, impossible_positions)
{
    static const struct nk_position impossible[] = {{0x2000a, 0xa20000}, {0x200000a, 0xa00080}, {0, 0}};
    static const char *const messages[] = {"two pieces are on one square",
                                           "a piece is outside the board of 5x5",
                                           "Black has 0 pieces, expected 3"};
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(impossible); i++) {
        struct nk_error error;
        cr_assert_eq(nk_position_check(&rules, impossible[i], NK_BLACK, &error), NK_E_POSITION);
        cr_assert_str_eq(error.text, messages[i]);
    }
}
