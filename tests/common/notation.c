/* Texts of positions and moves: all of them there and back, and what is wrong with the others. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void raise(char *text)
{
    for (; *text; text++)
        *text = (char)toupper(*text);
}

static char letter_at(uint64_t black, uint64_t white, int square)
{
    return black >> square & 1 ? 'b' : white >> square & 1 ? 'w' : '.';
}

/* "B:.B.B...": in the order of the squares. */
static void print_squares(const struct nk_rules *rules, uint64_t black, uint64_t white, char side, char *text)
{
    *text++ = side;
    *text++ = ':';
    for (int s = 0; s < rules->squares; s++)
        *text++ = letter_at(black, white, s);
    *text = '\0';
}

/* "1w1w1/2b2/5/2w2/1b1b1 b": each empty square as a 1 first, then neighbouring numbers added. */
static void print_ranks(const struct nk_rules *rules, uint64_t black, uint64_t white, char side, char *text)
{
    char *const begin = text;
    for (int rank = rules->height - 1; rank >= 0; rank--) {
        for (int file = 0; file < rules->width; file++) {
            const char letter = letter_at(black, white, file + rules->width * rank);
            if (letter != '.')
                *text++ = letter;
            else if (text > begin && isdigit(text[-1]))
                text[-1]++;
            else
                *text++ = '1';
        }
        *text++ = rank ? '/' : ' ';
    }
    *text++ = side;
    *text = '\0';
}

static void read_back(const struct nk_rules *rules, const char *text, struct nk_position position,
                      enum nk_colour to_move)
{
    struct nk_position read = {0};
    struct nk_error error;
    enum nk_colour colour = nk_colour_other(to_move);
    cr_assert(!nk_position_parse(rules, text, &read, &colour, &error), "%s: %s", text, error.text);
    cr_assert(read.mover == position.mover && read.other == position.other && colour == to_move, "%s", text);
}

static void check_position(const struct nk_rules *rules, struct nk_position position, enum nk_colour to_move)
{
    char expected[NK_POSITION_TEXT], text[NK_POSITION_TEXT];
    const uint64_t black = to_move == NK_BLACK ? position.mover : position.other;
    const uint64_t white = to_move == NK_BLACK ? position.other : position.mover;
    const char side = to_move == NK_BLACK ? 'b' : 'w';
    print_ranks(rules, black, white, side, expected);
    nk_position_print(rules, position, to_move, text);
    cr_assert_str_eq(text, expected);
    read_back(rules, text, position, to_move);
    *strchr(text, ' ') = '_';
    raise(text);
    read_back(rules, text, position, to_move);
    print_squares(rules, black, white, side, text);
    read_back(rules, text, position, to_move);
    raise(text);
    read_back(rules, text, position, to_move);
}

Test(notation, positions, .timeout = 600)
{
    /* Of large boards some positions, unless there is time for all. */
    static const struct {
        struct board board;
        uint64_t step;
    } cases[] = {{{3, 4, 3, 3, NK_WIN_LINE}, 1},
                 {{4, 3, 5, 3, NK_WIN_ORTHOGONAL}, 1},
                 {{8, 3, 2, 2, NK_WIN_LINE}, 1},
                 {{5, 5, 3, 3, NK_WIN_LINE}, 101},
                 {{8, 8, 2, 2, NK_WIN_LINE}, 101}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_rules rules = rules_of(cases[i].board);
        uint64_t number = 0;
        for (struct nk_position p = {0}; next_placement(&rules, &p);)
            if (!nk_rules_won(&rules, p.mover) && number++ % (is_thorough() ? 1 : cases[i].step) == 0) {
                check_position(&rules, p, NK_BLACK);
                check_position(&rules, p, NK_WHITE);
            }
    }
}

Test(notation, numbers_of_empty_squares_may_be_split)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position start;
    cr_assert(nk_rules_start(&rules, &start));
    read_back(&rules, "1w1w1/11b11/32/2w2/1b1b1_B", start, NK_BLACK);
}

/* ---- moves ---- */

static void check_move(const struct nk_rules *rules, struct nk_move move)
{
    const char from_file = (char)('a' + move.from % rules->width);
    const char to_file = (char)('a' + move.to % rules->width);
    const char from_rank = (char)('1' + move.from / rules->width);
    const char to_rank = (char)('1' + move.to / rules->width);
    char forms[3][NK_MOVE_TEXT] = {{from_file, from_rank, '-', to_file, to_rank, 0},
                                   {from_file, from_rank, to_file, to_rank, 0},
                                   {from_rank, from_file, to_rank, to_file, 0}};
    char text[NK_MOVE_TEXT], square[NK_SQUARE_TEXT];
    nk_move_print(rules, move, text);
    cr_assert_str_eq(text, forms[0]);
    nk_square_print(rules, move.to, square);
    cr_assert_str_eq(square, forms[0] + 3);
    for (size_t n = 0; n < 2 * COUNT(forms); n++) {
        struct nk_move read;
        char *form = forms[n / 2];
        if (n % 2)
            raise(form);
        cr_assert(!nk_move_parse(rules, form, &read, NULL) && nk_move_equal(read, move), "%s", form);
    }
}

Test(notation, moves)
{
    static const struct board boards[] = {{5, 5, 3, 3, NK_WIN_LINE},
                                          {3, 3, 2, 2, NK_WIN_LINE},
                                          {8, 3, 2, 2, NK_WIN_LINE},
                                          {8, 8, 2, 2, NK_WIN_LINE}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        const struct nk_rules rules = rules_of(boards[i]);
        for (uint8_t from = 0; from < rules.squares; from++)
            for (uint8_t to = 0; to < rules.squares; to++)
                if (from != to)
                    check_move(&rules, (struct nk_move){from, to});
    }
}

/* ---- what is malformed ---- */

/* A text, with a ^ before what is wrong, and the message. */
struct malformed {
    const char *marked, *message;
};

/* The text of a malformed one. Returns the number of the character that is wrong, from 1. */
static size_t unmark(const struct malformed *m, char text[64])
{
    const size_t at = strcspn(m->marked, "^");
    snprintf(text, 64, "%.*s%s", (int)at, m->marked, m->marked + at + 1);
    return at + 1;
}

static void refuse_position(const char *text, size_t at, const char *message)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position position = {1, 2};
    enum nk_colour colour = (enum nk_colour)77;
    struct nk_error error;
    cr_assert_eq(nk_position_parse(&rules, text, &position, &colour, &error), NK_E_SYNTAX, "\"%.40s\"", text);
    cr_assert(error.status == NK_E_SYNTAX && error.at == at, "\"%.40s\": at %zu, not %zu", text, error.at,
              at);
    cr_assert_str_eq(error.text, message, "\"%.40s\"", text);
    cr_assert(position.mover == 1 && position.other == 2 && (int)colour == 77, "written before it is read");
}

Test(notation, malformed_positions)
{
    static const struct malformed cases[] = {
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
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        const size_t at = unmark(&cases[i], text);
        refuse_position(text, at, cases[i].message);
    }
}

Test(notation, illegal_positions)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position position = {1, 2};
    enum nk_colour colour = (enum nk_colour)77;
    struct nk_error error;
    cr_assert_eq(nk_position_parse(&rules, "1w1w1/2b2/5/2w2/1b3 w", &position, &colour, &error),
                 NK_E_POSITION);
    cr_assert_str_eq(error.text, "Black has 2 pieces, expected 3");
    cr_assert(error.at == 0 && position.mover == 1 && position.other == 2 && (int)colour == 77);
}

static void refuse_move(const char *text, size_t at, const char *message)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_move move = {98, 99};
    struct nk_error error;
    cr_assert_eq(nk_move_parse(&rules, text, &move, &error), NK_E_SYNTAX, "\"%.40s\"", text);
    cr_assert(error.status == NK_E_SYNTAX && error.at == at, "\"%.40s\": at %zu, not %zu", text, error.at,
              at);
    cr_assert_str_eq(error.text, message, "\"%.40s\"", text);
    cr_assert(move.from == 98 && move.to == 99, "written before it is read");
}

Test(notation, malformed_moves)
{
    static const struct malformed cases[] = {
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
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        const size_t at = unmark(&cases[i], text);
        refuse_move(text, at, cases[i].message);
    }
    refuse_move("b1-b1", 0, "a move from a square to itself");
}

Test(notation, very_long_texts)
{
    static char digits[1 << 20], letters[1 << 20];
    memset(digits, '1', sizeof digits - 1);
    memset(letters, 'b', sizeof letters - 1);
    refuse_position(digits, 6, "found '1', expected / before the next rank");
    refuse_position(letters, 6, "found 'b', expected / before the next rank");
    refuse_move(digits, 2, "found '1', expected a file, a-e");
    memcpy(letters, "b1-c1", 5);
    refuse_move(letters, 6, "found 'b', expected the end of the text");
}
