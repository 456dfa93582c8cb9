#include "common/game/notation.h"

#include "common/base/strbuf.h"

#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct nk_text nk_move_text(const struct nk_rules *rules, struct nk_move move)
{
    const struct nk_text from = nk_square_text(rules, move.from), to = nk_square_text(rules, move.to);
    return (struct nk_text){{from.s[0], from.s[1], '-', to.s[0], to.s[1]}};
}

struct nk_text nk_position_text(const struct nk_rules *rules, struct nk_position position,
                                enum nk_colour to_move)
{
    struct nk_text text = {""};
    const uint64_t black = nk_pieces_of(position, to_move, NK_BLACK);
    const uint64_t white = nk_pieces_of(position, to_move, NK_WHITE);
    char *out = text.s;
    for (int rank = rules->board.height - 1; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < rules->board.width; file++) {
            const uint64_t bit = nk_bit(file + rules->board.width * rank);
            if (!((black | white) & bit)) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = black & bit ? 'b' : 'w';
        }
        if (empty)
            *out++ = (char)('0' + empty);
        *out++ = rank ? '/' : ' ';
    }
    *out = to_move == NK_BLACK ? 'b' : 'w';
    return text;
}

/* ---- parsing; a rank is a rank of the board ---- */

struct reader {
    const char *text;
    size_t at; /* the next character, which error messages count from 1 */
    struct nk_error *error;
};

/* Reports the next character as an error. */
static enum nk_status unexpected(const struct reader *r, const char *expected)
{
    const char c = r->text[r->at];
    if (!c)
        return nk_fail(r->error, NK_E_SYNTAX, r->at + 1, "the text ends, expected %s", expected);
    if (c < ' ' || c > '~')
        return nk_fail(r->error, NK_E_SYNTAX, r->at + 1, "found byte %d, expected %s", (int)(unsigned char)c,
                       expected);
    return nk_fail(r->error, NK_E_SYNTAX, r->at + 1, "found '%c', expected %s", c, expected);
}

static enum nk_status read_end(const struct reader *r)
{
    return r->text[r->at] ? unexpected(r, "the end of the text") : NK_OK;
}

/* Reads a file or a rank: one of the `count` characters from `first` on. */
static enum nk_status read_coordinate(struct reader *r, const char *name, char first, int count, int *number)
{
    const char c = lower(r->text[r->at]);
    char expected[16];
    *number = c - first;
    if (*number < 0 || *number >= count) {
        nk_strbuf_add(&(struct nk_strbuf){expected, sizeof expected, 0}, "a %s, %c-%c", name, first,
                      first + count - 1);
        return unexpected(r, expected);
    }
    r->at++;
    return NK_OK;
}

static enum nk_status read_square(struct reader *r, const struct nk_rules *rules, bool rank_first,
                                  uint8_t *square)
{
    int file = 0, rank = 0;
    enum nk_status status = NK_OK;
    if (rank_first)
        status = read_coordinate(r, "rank", '1', rules->board.height, &rank);
    if (!status)
        status = read_coordinate(r, "file", 'a', rules->board.width, &file);
    if (!status && !rank_first)
        status = read_coordinate(r, "rank", '1', rules->board.height, &rank);
    if (!status)
        *square = (uint8_t)(file + rules->board.width * rank);
    return status;
}

enum nk_status nk_move_parse(const struct nk_rules *rules, const char *text, struct nk_move *move,
                             struct nk_error *error)
{
    struct reader r = {text, 0, error};
    struct nk_move read;
    const bool rank_first = text[0] >= '0' && text[0] <= '9';
    enum nk_status status = read_square(&r, rules, rank_first, &read.from);
    if (status)
        return status;
    if (text[r.at] == '-' && !rank_first)
        r.at++;
    if ((status = read_square(&r, rules, rank_first, &read.to)) || (status = read_end(&r)))
        return status;
    if (read.from == read.to)
        return nk_fail(error, NK_E_SYNTAX, 0, "a move from a square to itself");
    *move = read;
    return NK_OK;
}

static enum nk_status read_colour(struct reader *r, enum nk_colour *colour)
{
    const char c = lower(r->text[r->at]);
    if (c != 'b' && c != 'w')
        return unexpected(r, "the side to move, b or w");
    r->at++;
    *colour = c == 'b' ? NK_BLACK : NK_WHITE;
    return NK_OK;
}

/* "B:.B.B...": sides[] are the squares of Black and of White. */
static enum nk_status read_squares_in_order(struct reader *r, const struct nk_rules *rules, uint64_t sides[2])
{
    for (int square = 0; square < rules->squares; square++, r->at++) {
        const char c = lower(r->text[r->at]);
        if (c == 'b' || c == 'w')
            sides[c == 'w'] |= nk_bit(square);
        else if (c != '.')
            return unexpected(r, "b, w or . for each square");
    }
    return NK_OK;
}

/* "1w1w1/2b2/5/2w2/1b1b1" */
static enum nk_status read_ranks(struct reader *r, const struct nk_rules *rules, uint64_t sides[2])
{
    for (int rank = rules->board.height - 1; rank >= 0; rank--) {
        const size_t begin = r->at;
        int file = 0;
        while (file < rules->board.width) {
            const char c = lower(r->text[r->at]);
            if (c == 'b' || c == 'w')
                sides[c == 'w'] |= nk_bit(file++ + rules->board.width * rank);
            else if (c >= '1' && c <= '9')
                file += c - '0';
            else
                return unexpected(r, "b, w or a number of empty squares");
            r->at++;
        }
        if (file > rules->board.width)
            return nk_fail(r->error, NK_E_SYNTAX, begin + 1, "rank %d has %d squares, expected %d", rank + 1,
                           file, rules->board.width);
        if (rank && r->text[r->at] != '/')
            return unexpected(r, "/ before the next rank");
        r->at += rank != 0;
    }
    return NK_OK;
}

enum nk_status nk_position_parse_unchecked(const struct nk_rules *rules, const char *text,
                                           struct nk_position *position, enum nk_colour *to_move,
                                           struct nk_error *error)
{
    struct reader r = {text, 0, error};
    uint64_t sides[2] = {0, 0};
    enum nk_colour colour = NK_BLACK;
    enum nk_status status;
    if (text[0] && text[1] == ':') {
        if ((status = read_colour(&r, &colour)))
            return status;
        r.at++;
        if ((status = read_squares_in_order(&r, rules, sides)))
            return status;
    } else {
        if ((status = read_ranks(&r, rules, sides)))
            return status;
        if (text[r.at] != ' ' && text[r.at] != '_')
            return unexpected(&r, "a space and the side to move");
        r.at++;
        if ((status = read_colour(&r, &colour)))
            return status;
    }
    if ((status = read_end(&r)))
        return status;
    *position = (struct nk_position){sides[colour], sides[nk_colour_other(colour)]};
    *to_move = colour;
    return NK_OK;
}

enum nk_status nk_position_parse(const struct nk_rules *rules, const char *text, struct nk_position *position,
                                 enum nk_colour *to_move, struct nk_error *error)
{
    struct nk_position read;
    enum nk_colour colour;
    enum nk_status status;
    if ((status = nk_position_parse_unchecked(rules, text, &read, &colour, error)) ||
        (status = nk_position_check(rules, read, colour, error)))
        return status;
    *position = read;
    *to_move = colour;
    return NK_OK;
}

enum nk_status nk_positions_parse(const struct nk_rules *rules, const char *texts, size_t size, size_t count,
                                  struct nk_position positions[], uint8_t to_move[], size_t *done,
                                  struct nk_error *error)
{
    for (*done = 0; *done < count; ++*done) {
        enum nk_colour colour;
        const enum nk_status status =
            nk_position_parse(rules, texts + *done * size, &positions[*done], &colour, error);
        if (status)
            return status;
        to_move[*done] = (uint8_t)colour;
    }
    return NK_OK;
}

enum nk_status nk_positions_text(const struct nk_rules *rules, const struct nk_position positions[],
                                 const uint8_t to_move[], size_t count, struct nk_text texts[], size_t *done,
                                 struct nk_error *error)
{
    for (*done = 0; *done < count; ++*done) {
        const enum nk_colour colour = to_move[*done] ? NK_WHITE : NK_BLACK;
        const enum nk_status status = nk_position_check(rules, positions[*done], colour, error);
        if (status)
            return status;
        texts[*done] = nk_position_text(rules, positions[*done], colour);
    }
    return NK_OK;
}
