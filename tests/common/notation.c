/* Texts of positions and moves: all of them there and back, and what is wrong with the others. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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
    read_back(rules, text, position, to_move);
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

Test(notation, start_position)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position start;
    cr_assert(nk_rules_start(&rules, &start));
    read_back(&rules, "1w1w1/2b2/5/2w2/1b1b1 b", start, NK_BLACK);
    read_back(&rules, "B:.B.B...W.........B...W.W.", start, NK_BLACK);
    /* Numbers of empty squares may be split. */
    read_back(&rules, "1w1w1/11b11/32/2w2/1b1b1_B", start, NK_BLACK);
}

/* ---- moves ---- */

static void read_move(const struct nk_rules *rules, const char *text, struct nk_move move)
{
    struct nk_move read = {0};
    struct nk_error error;
    cr_assert(!nk_move_parse(rules, text, &read, &error), "%s: %s", text, error.text);
    cr_assert(read.from == move.from && read.to == move.to, "%s", text);
}

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
    for (size_t form = 0; form < COUNT(forms); form++) {
        read_move(rules, forms[form], move);
        raise(forms[form]);
        read_move(rules, forms[form], move);
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

/* ---- what is none ---- */

struct malformed {
    const char *text;
    size_t at;         /* 0 for a position that cannot be */
    const char *words; /* of the complaint, or NULL */
};

/* Texts separated by |, each with a ^ before what is wrong. */
static void refuse_marked(const struct nk_rules *rules,
                          void (*refuse)(const struct nk_rules *, const struct malformed *),
                          const char *texts)
{
    for (const char *end = texts; *end; texts = end + 1) {
        char text[64];
        const int at = (int)strcspn(texts, "^");
        end = texts + strcspn(texts, "|");
        snprintf(text, sizeof text, "%.*s%.*s", at, texts, (int)(end - texts) - at - 1, texts + at + 1);
        refuse(rules, &(struct malformed){text, (size_t)at + 1, NULL});
    }
}

static bool is_one_line(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

static void refuse_position(const struct nk_rules *rules, const struct malformed *m)
{
    struct nk_position position = {1, 2};
    enum nk_colour colour = (enum nk_colour)77;
    struct nk_error error;
    const enum nk_status expected = m->at ? NK_E_SYNTAX : NK_E_POSITION;
    cr_assert_eq(nk_position_parse(rules, m->text, &position, &colour, &error), expected, "\"%.40s\"",
                 m->text);
    cr_assert_eq(error.status, expected);
    cr_assert_eq(error.at, m->at, "\"%.40s\": at %zu, not %zu", m->text, error.at, m->at);
    cr_assert(is_one_line(error.text), "\"%.40s\"", m->text);
    if (m->words)
        cr_assert_str_eq(error.text, m->words);
    cr_assert(position.mover == 1 && position.other == 2 && (int)colour == 77, "written before it is read");
    cr_assert_eq(nk_position_parse(rules, m->text, &position, &colour, NULL), expected);
}

Test(notation, malformed_positions)
{
    static const struct malformed cases[] = {
        {"", 1, "the text ends, expected b, w or a number of empty squares"},
        {" ", 1, "found ' ', expected b, w or a number of empty squares"},
        {"1w1w/2b2/5/2w2/1b1b1 b", 5, "found '/', expected b, w or a number of empty squares"},
        {"1w1w1b/2b2/5/2w2/1b1b1 b", 6, "found 'b', expected / before the next rank"},
        {"1w1w1/2b2/5/2w2/1b1b2 b", 17, "rank 1 has 6 squares, expected 5"},
        {"1w1w1/2b2/5/2w2 b", 16, "found ' ', expected / before the next rank"},
        {"1w1w1/2b2/5/2w2/1b1b1/5 b", 22, "found '/', expected a space and the side to move"},
        {"0w1w1/2b2/5/2w2/1b1b1 b", 1, "found '0', expected b, w or a number of empty squares"},
        {"1w1w1/2b2/5/2w2/1b1b9 b", 17, "rank 1 has 13 squares, expected 5"},
        {"1w1w1/2b2/5/2w2/1b1b1", 22, "the text ends, expected a space and the side to move"},
        {"1w1w1/2b2/5/2w2/1b1b1 ", 23, "the text ends, expected the side to move, b or w"},
        {"1w1w1/2b2/5/2w2/1b1b1 x", 23, "found 'x', expected the side to move, b or w"},
        {"1w1w1/2b2/5/2w2/1b1b1 b\n", 24, "found byte 10, expected the end of the text"},
        {"B:.B.B...W.........B...W.W", 27, "the text ends, expected b, w or . for each square"},
        {"B:.B.B...W.........B...W.W..", 28, "found '.', expected the end of the text"},
        {"X:.B.B...W.........B...W.W.", 1, "found 'X', expected the side to move, b or w"},
        {"\xc3\xa9", 1, "found byte 195, expected b, w or a number of empty squares"},
        {"1w1w1/2b2/5/2w2/1b1b1 \xff", 23, "found byte 255, expected the side to move, b or w"},
        {"5/5/5/5/5 b", 0, "Black has 0 pieces, expected 3"},
        {"1w1w1/2b2/5/2w2/1b3 w", 0, "Black has 2 pieces, expected 3"},
        {"bbbbb/bbbbb/bbbbb/bbbbb/bbbbb w", 0, "Black has 25 pieces, expected 3"},
        {"B:.B.B...W.........BW..W.W.", 0, "White has 4 pieces, expected 3"},
        {"1w1w1/5/5/2w2/1bbb1 b", 0, "Black has already won and cannot be the one to move"},
        {"W:WWW...................BBB", 0, "White has already won and cannot be the one to move"}};
    static const char marked[] =
        "^start|1w1w1/2b2/5/2w2/1b1b^ b|1w1w1^2b2/5/2w2/1b1b1 b|1w1w1/2b2/5^0/2w2/1b1b1 b|"
        "1w1w1/2^x2/5/2w2/1b1b1 b|1w1w1/2^.2/5/2w2/1b1b1 b|1w1w1/2b2/5/2w2/1b1b1^b|"
        "1w1w1/2b2/5/2w2/1b1b1 ^ b|1w1w1/2b2/5/2w2/1b1b1 b^w|1w1w1/2b2/5/2w2/1b1b1 b^ - - 0 1|"
        "B:.B.B...W.........B...W.W.^B|B:^|^::.B.B...W.........B...W.W.|"
        "B:.B.B..^1W.........B...W.W.|B:.B.B.^/.W.........B...W.W.|BB^:.B.B...W.........B...W.W.|"
        "1w1w1/2b2/5/2w2/1b1b1^\xc2\xa0 b|B:.B.B^\x80..W.........B...W.W.";
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse_position(&rules, &cases[i]);
    refuse_marked(&rules, refuse_position, marked);
}

static void refuse_move(const struct nk_rules *rules, const struct malformed *m)
{
    struct nk_move move = {98, 99};
    struct nk_error error;
    cr_assert_eq(nk_move_parse(rules, m->text, &move, &error), NK_E_SYNTAX, "\"%.40s\"", m->text);
    cr_assert_eq(error.status, NK_E_SYNTAX);
    cr_assert_eq(error.at, m->at, "\"%.40s\": at %zu, not %zu", m->text, error.at, m->at);
    cr_assert(is_one_line(error.text), "\"%.40s\"", m->text);
    if (m->words)
        cr_assert_str_eq(error.text, m->words);
    cr_assert(move.from == 98 && move.to == 99, "written before it is read");
    cr_assert_eq(nk_move_parse(rules, m->text, &move, NULL), NK_E_SYNTAX);
}

Test(notation, malformed_moves)
{
    static const struct malformed cases[] = {{"", 1, "the text ends, expected a file, a-e"},
                                             {"b", 2, "the text ends, expected a rank, 1-5"},
                                             {"b1", 3, "the text ends, expected a file, a-e"},
                                             {"b1-c1 ", 6, "found ' ', expected the end of the text"},
                                             {"f1-c1", 1, "found 'f', expected a file, a-e"},
                                             {"b6-c1", 2, "found '6', expected a rank, 1-5"},
                                             {"1b-1c", 3, "found '-', expected a rank, 1-5"},
                                             {"b1-b1", 0, "a move from a square to itself"},
                                             {"\xe2\x99\x9e", 1, "found byte 226, expected a file, a-e"}};
    static const char marked[] =
        "b1-^|b1-c^|b1-c1^2|b1c1^c1|b1-^-c1|b1^ c1|b1^xc1|^ b1-c1|^-b1c1|b1-^f1|b^0-c1|b1-c^9|"
        "b^c11|b1^1c|1b^c1|1^1bc|^0b1c|^6b1c|1b1c^1|b1^\xe2\x80\x93"
        "c1";
    const struct nk_rules rules = rules_of(STANDARD);
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse_move(&rules, &cases[i]);
    refuse_marked(&rules, refuse_move, marked);
}

Test(notation, very_long_texts)
{
    static char digits[1 << 20], letters[1 << 20];
    const struct nk_rules rules = rules_of(STANDARD);
    memset(digits, '1', sizeof digits - 1);
    memset(letters, 'b', sizeof letters - 1);
    refuse_position(&rules, &(struct malformed){digits, 6, NULL});
    refuse_position(&rules, &(struct malformed){letters, 6, NULL});
    refuse_move(&rules, &(struct malformed){digits, 2, NULL});
    memcpy(letters, "b1-c1", 5);
    refuse_move(&rules, &(struct malformed){letters, 6, NULL});
}
