/* Links of the page as positions. tests/web/tree.mjs compares them with what the page shows. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PAGE "https://example.org/n.html#"
#define PLAYED "2ww1/2b2/5/2w2/2bb1 b" /* after b1-c1 and b5-c5 */

Test(link, shows_a_position)
{
    static const char *const links[][2] = {
        {PAGE "moves=b1c1.b5c5", PLAYED},
        {"http://localhost:8000/#moves=b1c1.b5c5", PLAYED},
        {"file:///home/me/neutreeko.html#moves=b1c1.b5c5", PLAYED},
        {" " PAGE "moves=b1-c1.b5-c5\n", PLAYED},
        {PAGE "moves=b1c1.b5c5.c4a2&at=2&view=review&end=resigned-black&notes=1+c3", PLAYED},
        {PAGE "moves=b1c1.b5c5).", PLAYED},
        {PAGE "view=explore&moves=d1c1vb1c1.b5c5z&at=3", PLAYED},
        {PAGE "view=explore&moves=b1c1(d1c1.b5a5)(d1d4).b5c5(c2c3)&at=5", PLAYED},
        {PAGE "view=explore&moves=b1c1vd1c1z.b5c5vc2c3vc2a4zz", PLAYED},
        {PAGE "moves=b1c1%2eb5%635", PLAYED},
        {PAGE "moves=&start=2ww1%2F2b2/5/2w2/2bb1+b", PLAYED},
        {PAGE "view=puzzle&start=2ww1/2b2/5/2w2/2bb1_b&at=9", PLAYED},
        {PAGE "moves=b1c1.b5c5&at=0", "1w1w1/2b2/5/2w2/1b1b1 b"},
        {PAGE "view=play", "1w1w1/2b2/5/2w2/1b1b1 b"},
        {PAGE "&moves=b1c1.b5c5&&view=review&", PLAYED},
        {PAGE "m%6Fves=b1c1.b5c5", PLAYED},
        {PAGE "moves=x&moves=b1c1.b5c5", PLAYED},
        {PAGE "moves=b1%E2%80%93c1.b5%E2%80%93c5", PLAYED}, /* with dashes */
        {PAGE "start=2ww1/2b2/5/2w2/2bb1__b_", PLAYED},
        {PAGE "board=5x5/3/row3&moves=b1c1.b5c5", PLAYED},
        {PAGE "board=5x5/3/line&moves=b1c1.b5c5", PLAYED},
        {PAGE "board=5x5/3/row3/line&moves=b1c1.b5c5", PLAYED},
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(links); i++) {
        struct nk_position position = {0, 0};
        enum nk_colour colour = NK_BLACK;
        struct nk_error error = {.text = ""};
        cr_assert(!nk_position_parse(&rules, links[i][0], &position, &colour, &error), "%s: %s", links[i][0],
                  error.text);
        cr_assert_str_eq(nk_position_text(&rules, position, colour).s, links[i][1], "%s", links[i][0]);
    }
}

Test(link, shows_a_position_of_another_board)
{
    const struct nk_rules rules = rules_of((struct nk_board){4, 4, 3, 2, NK_WIN_ORTHOGONAL});
    struct nk_position position;
    enum nk_colour colour;
    cr_assert(!nk_position_parse(&rules, PAGE "board=4x4/3/row2/orthogonal&start=b1b1/b3/1w2/w2w_w",
                                 &position, &colour, NULL));
    cr_assert_str_eq(nk_position_text(&rules, position, colour).s, "b1b1/b3/1w2/w2w w");
}

Test(link, what_is_wrong)
{
    static const struct {
        const char *text;
        enum nk_status status;
        size_t at;
        const char *error;
    } wrong[] = {
        {PAGE, NK_E_SYNTAX, 28, "expected a field of a link, such as 'moves='"},
        {PAGE "&", NK_E_SYNTAX, 29, "expected a field of a link, such as 'moves='"},
        {" \n" PAGE "moves=b1c1&move=2", NK_E_SYNTAX, 41, "expected a field of a link, such as 'moves='"},
        {PAGE "moves=b1c1&&move=2", NK_E_SYNTAX, 40, "expected a field of a link, such as 'moves='"},
        {PAGE "moves=b1c1&move=2", NK_E_SYNTAX, 39, "expected a field of a link, such as 'moves='"},
        {PAGE "moves=b1c9", NK_E_SYNTAX, 0, "move 1 of the link: found '9', expected a rank, 1-5"},
        {PAGE "moves=b1c1.b5c5c4a2", NK_E_SYNTAX, 0,
         "move 2 of the link: found 'c', expected the end of the text"},
        {PAGE "moves=b1c1%00", NK_E_SYNTAX, 0, "move 1 of the link: found '%', expected the end of the text"},
        {PAGE "moves=b1c1.b1c1", NK_E_SYNTAX, 0, "move 2 of the link: there is no piece on b1"},
        {PAGE "moves=b1c1&at=2147483648", NK_E_SYNTAX, 0,
         "at=, the number of a move in the link, is invalid"},
        {PAGE "moves=b1c1&at=2", NK_E_SYNTAX, 0, "the link has no move 2"},
        {PAGE "moves=b1c1&at=x", NK_E_SYNTAX, 0, "at=, the number of a move in the link, is invalid"},
        {PAGE "moves=b1c1&at=", NK_E_SYNTAX, 0, "at=, the number of a move in the link, is invalid"},
        {PAGE "moves=b1c1&at=0000000001", NK_E_SYNTAX, 0,
         "at=, the number of a move in the link, is invalid"},
        {PAGE "moves=b1c1..b5c5", NK_E_SYNTAX, 0, "the link has two points without a move between them"},
        {PAGE "moves=vd1c1z", NK_E_SYNTAX, 0, "the link has a variation without a move before it"},
        {PAGE "moves=b1c1vvd1c1zz&at=2", NK_E_SYNTAX, 0, "the link has a variation without a move before it"},
        {PAGE "moves=b1c1vd1c1", NK_E_SYNTAX, 0, "the link has a variation that does not end"},
        {PAGE "moves=b1c1z", NK_E_SYNTAX, 0, "the link ends a variation that does not begin"},
        {PAGE "board=&moves=b1c1", NK_E_SYNTAX, 0, "the link shows another board than 5x5/3"},
        {PAGE "board=5x5/3/row2", NK_E_SYNTAX, 0, "the link shows another board than 5x5/3"},
        {PAGE "board=6x6/3&start=x", NK_E_SYNTAX, 0, "the link shows another board than 5x5/3"},
        {PAGE "view=&moves=b1c1", NK_E_SYNTAX, 0, "the link shows neither a game nor a position"},
        {PAGE "start=", NK_E_SYNTAX, 0,
         "the start position of the link: found the end, expected b, w or a number of empty squares"},
        {PAGE "view=study&study=a", NK_E_SYNTAX, 0, "the link shows neither a game nor a position"},
        {PAGE "view=puzzle", NK_E_SYNTAX, 0, "the link shows neither a game nor a position"},
        {PAGE "start=x", NK_E_SYNTAX, 0,
         "the start position of the link: found 'x', expected b, w or a number of empty squares"},
        {PAGE "start=+" PAGE "moves=b1c1", NK_E_SYNTAX, 0, "the start position of the link is another link"},
        {PAGE "start=" PAGE "moves=b1c1", NK_E_SYNTAX, 0, "the start position of the link is another link"},
        {PAGE "view=editor&start=5/5/5/5/5_b", NK_E_POSITION, 0,
         "the start position of the link: Black has 0 pieces, expected 3"},
        {"https://example.org/", NK_E_SYNTAX, 1, "found 'h', expected b, w or a number of empty squares"},
        {PAGE "moves=b1c1>", NK_E_SYNTAX, 38, "found '>', expected the end of the text"},
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct nk_position position = {1, 2};
        enum nk_colour colour;
        struct nk_error error = {.text = ""};
        cr_assert_eq(nk_position_parse(&rules, wrong[i].text, &position, &colour, &error), wrong[i].status,
                     "%s: %s", wrong[i].text, error.text);
        cr_assert_str_eq(error.text, wrong[i].error, "%s", wrong[i].text);
        cr_assert_eq(error.at, wrong[i].at, "%s: %zu", wrong[i].text, error.at);
        cr_assert(same_position(position, (struct nk_position){1, 2}), "written before it is read");
    }
}

/* As URLSearchParams decodes a value: what is not a code stays, and so does a zero, which would end the text. */
Test(link, what_is_encoded)
{
    static const struct {
        const char *moves, *error;
    } encoded[] = {
        {"%62%31c%31", ""},   {"%", "found '%'"},       {"%6", "found '%'"},
        {"%6g", "found '%'"}, {"%00b1c1", "found '%'"},
    };
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(encoded); i++) {
        char text[100];
        struct nk_position position;
        enum nk_colour colour;
        struct nk_error error = {.text = ""};
        snprintf(text, sizeof text, PAGE "moves=%s", encoded[i].moves);
        const enum nk_status status = nk_position_parse(&rules, text, &position, &colour, &error);
        cr_assert_eq(status == NK_OK, !*encoded[i].error, "%s: %s", text, error.text);
        cr_assert(strstr(error.text, encoded[i].error), "%s: %s", text, error.text);
    }
}

Test(link, a_board_without_a_start_position_needs_one)
{
    const struct nk_rules rules = rules_of((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    struct nk_position position;
    enum nk_colour colour;
    struct nk_error error;
    cr_assert_eq(nk_position_parse(&rules, PAGE "board=4x4/3", &position, &colour, &error), NK_E_POSITION);
    cr_assert_str_eq(error.text, "the link has no start position, which this board needs");
}
