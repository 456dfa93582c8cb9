/* Positions and moves as text. */

#include "common/game/game.h"

#include <assert.h>
#include <string.h>

/* ---- writing ---- */

struct nk_text nk_move_text(const struct nk_rules *rules, struct nk_move move)
{
    assert(rules);
    const struct nk_text from = nk_square_text(rules, move.from), to = nk_square_text(rules, move.to);
    return (struct nk_text){{from.s[0], from.s[1], '-', to.s[0], to.s[1]}};
}

struct nk_text nk_position_text(const struct nk_rules *rules, struct nk_position position,
                                enum nk_colour to_move)
{
    assert(rules);
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

/* ---- characters ---- */

static const struct {
    char bytes[4], c;
} stand_ins[] = {
    {"\xc2\xa0", ' '},                                                          /* no-break space */
    {"\xe3\x80\x80", ' '},                                                      /* ideographic space */
    {"\xe2\x80\x89", ' '},  {"\xe2\x80\xaf", ' '},                              /* thin spaces */
    {"\xe2\x80\x8b", '\0'}, {"\xe2\x81\xa0", '\0'}, {NK_BYTE_ORDER_MARK, '\0'}, /* joiners */
    {"\xe2\x80\x90", '-'},  {"\xe2\x80\x91", '-'},  {"\xe2\x80\x92", '-'},      /* dashes */
    {"\xe2\x80\x93", '-'},  {"\xe2\x80\x94", '-'},  {"\xe2\x80\x95", '-'},
    {"\xe2\x88\x92", '-'},                         /* minus */
    {"\xe2\x86\x92", '-'},                         /* arrow */
    {"\xe3\x83\xbc", '-'},                         /* the long vowel, on the key of the hyphen in Japan */
    {"\xe3\x80\x9c", '~'},                         /* wave dash */
    {"\xe3\x80\x81", ','},  {"\xe3\x80\x82", '.'}, /* ideographic comma and full stop */
    {"\xe2\x97\x8f", 'b'},  {"\xe2\x97\x8b", 'w'}, /* the circles of a board */
};

/* Whether a byte is a character by itself. Those of longer characters in UTF-8 have their highest bit set; so have all
 * that are looked for in stand_ins. Nearly all texts are ASCII, which this makes fast to read. */
static bool is_ascii(char c)
{
    return !((unsigned char)c & 0x80);
}

struct nk_character nk_character_at(const char *text, const char *end)
{
    if (is_ascii(*text))
        return (struct nk_character){1, *text};
    for (size_t i = 0; i < sizeof stand_ins / sizeof stand_ins[0]; i++) {
        if (*stand_ins[i].bytes != *text)
            continue;
        const size_t bytes = strlen(stand_ins[i].bytes);
        if ((size_t)(end - text) >= bytes && memcmp(text, stand_ins[i].bytes, bytes) == 0)
            return (struct nk_character){bytes, stand_ins[i].c};
    }
    /* The full-width forms U+FF01 to U+FF5E are in the order of ASCII. */
    if ((unsigned char)*text == 0xef && end - text >= 3 && nk_utf8_length(text) == 3) {
        const int form = ((unsigned char)text[1] & 0x3f) << 6 | ((unsigned char)text[2] & 0x3f);
        if (form >= 0xf01 && form <= 0xf5e)
            return (struct nk_character){3, (char)(form - 0xf01 + '!')};
    }
    return (struct nk_character){1, *text};
}

size_t nk_fold_unicode_to_ascii(const char *text, size_t length, char *folded)
{
    const char *const end = text + length;
    char *out = folded;
    while (text < end) {
        const struct nk_character read = nk_character_at(text, end);
        text += read.bytes;
        if (read.c || read.bytes == 1) /* byte 0 stands for itself */
            *out++ = read.c;
    }
    return (size_t)(out - folded);
}

size_t nk_move_number_length(const char *text, size_t length)
{
    enum { MAX_DIGITS = 7 }; /* of a number without a period: a longer one is not a number of a move */
    static const char dots[] = "\xe2\x80\xa6"; /* three in one character, after which no other */
    size_t at = 0, digits = 0;
    struct nk_character read = {0, '\0'};
    for (; at < length && nk_is_digit((read = nk_character_at(text + at, text + length)).c); digits++)
        at += read.bytes;
    const size_t number = at;
    while (at < length && ((read = nk_character_at(text + at, text + length)).c == '.' ||
                           (digits && (read.c == ')' || read.c == ':'))))
        at += read.bytes;
    if (length - at >= sizeof dots - 1 && memcmp(text + at, dots, sizeof dots - 1) == 0)
        at += sizeof dots - 1;
    return at > number || (number == length && digits <= MAX_DIGITS) ? at : 0;
}

/* ---- reading ---- */

struct cursor {
    const char *text, *end;
    size_t at; /* the next character, in bytes */
    struct nk_error *error;
};

static struct cursor cursor_of(const char *text, struct nk_error *error)
{
    return (struct cursor){text, text + strlen(text), 0, error};
}

/* The number of the character at an offset, from 1. */
static size_t number_at(const struct cursor *cursor, size_t at)
{
    return nk_characters(cursor->text, at) + 1;
}

/* Skips the characters that stand for nothing, and returns what the next one stands for; '\0' at the end. */
static struct nk_character next_character(struct cursor *cursor)
{
    struct nk_character read = {0, '\0'};
    while (cursor->text + cursor->at < cursor->end &&
           !(read = nk_character_at(cursor->text + cursor->at, cursor->end)).c) {
        cursor->at += read.bytes;
        read.bytes = 0;
    }
    return read;
}

static char peek(struct cursor *cursor)
{
    const char c = cursor->text[cursor->at];
    return is_ascii(c) ? c : next_character(cursor).c;
}

static void skip(struct cursor *cursor)
{
    const char c = cursor->text[cursor->at];
    cursor->at += c && is_ascii(c) ? 1 : next_character(cursor).bytes;
}

/* Reports the next character as an error. */
static enum nk_status unexpected(struct cursor *cursor, const char *expected)
{
    const char c = peek(cursor);
    const size_t bytes = c ? nk_utf8_length(cursor->text + cursor->at) : 0;
    const size_t number = number_at(cursor, cursor->at);
    if (!c)
        return nk_fail(cursor->error, NK_E_SYNTAX, number, "found the end, expected %s", expected);
    if (bytes) {
        unsigned code = (unsigned char)cursor->text[cursor->at] & (0x7fU >> bytes);
        for (size_t i = 1; i < bytes; i++)
            code = code << 6 | ((unsigned char)cursor->text[cursor->at + i] & 0x3fU);
        return nk_fail(cursor->error, NK_E_SYNTAX, number, "found U+%04X, expected %s", code, expected);
    }
    if (c < ' ' || c > '~')
        return nk_fail(cursor->error, NK_E_SYNTAX, number, "found byte %d, expected %s",
                       (int)(unsigned char)c, expected);
    return nk_fail(cursor->error, NK_E_SYNTAX, number, "found '%c', expected %s", c, expected);
}

static enum nk_status read_end(struct cursor *cursor)
{
    return peek(cursor) ? unexpected(cursor, "the end of the text") : NK_OK;
}

/* Skips blanks and line ends. Returns whether there are any. */
static bool skip_blanks(struct cursor *cursor)
{
    bool any = false;
    for (char c = peek(cursor); nk_is_blank(c) || nk_is_line_end(c); c = peek(cursor), any = true)
        skip(cursor);
    return any;
}

/* Skips a name, in upper or lower case. Returns whether it is there. */
static bool skip_name(struct cursor *cursor, const char *name)
{
    struct cursor ahead = *cursor;
    for (; *name; name++, skip(&ahead))
        if (nk_lower(peek(&ahead)) != *name)
            return false;
    *cursor = ahead;
    return true;
}

static bool is_link(struct cursor cursor)
{
    return skip_name(&cursor, "https:") || skip_name(&cursor, "http:") || skip_name(&cursor, "file:");
}

bool nk_is_link(const char *text)
{
    return is_link(cursor_of(text, NULL));
}

/* ---- moves ---- */

static void skip_between_squares(struct cursor *cursor)
{
    (void)skip_blanks(cursor);
    while (peek(cursor) && strchr(NK_BETWEEN_SQUARES, peek(cursor))) {
        skip(cursor);
        (void)skip_blanks(cursor);
    }
    if (skip_name(cursor, NK_TO))
        (void)skip_blanks(cursor);
}

/* Reads a file or a rank: one of the `count` characters from `first` on. */
static enum nk_status read_coordinate(struct cursor *cursor, const char *name, char first, int count,
                                      int *number)
{
    *number = nk_lower(peek(cursor)) - first;
    if (*number < 0 || *number >= count)
        return unexpected(cursor, nk_text_of("a %s, %c-%c", name, first, first + count - 1).s);
    skip(cursor);
    return NK_OK;
}

static enum nk_status read_square(struct cursor *cursor, const struct nk_rules *rules, bool rank_first,
                                  uint8_t *square)
{
    int file = 0, rank = 0;
    enum nk_status status = NK_OK;
    if (rank_first)
        status = read_coordinate(cursor, "rank", '1', rules->board.height, &rank);
    if (!status)
        status = read_coordinate(cursor, "file", 'a', rules->board.width, &file);
    if (!status && !rank_first)
        status = read_coordinate(cursor, "rank", '1', rules->board.height, &rank);
    if (!status)
        *square = (uint8_t)(file + rules->board.width * rank);
    return status;
}

enum nk_status nk_move_parse(const struct nk_rules *rules, const char *text, struct nk_move *move,
                             struct nk_error *error)
{
    assert(rules && text && move);
    struct cursor cursor = cursor_of(text, error);
    struct nk_move read;
    const bool rank_first = nk_is_digit(peek(&cursor));
    enum nk_status status = read_square(&cursor, rules, rank_first, &read.from);
    if (status && nk_is_link(text))
        return nk_fail(error, NK_E_SYNTAX, 1, NK_LINK_ERROR);
    if (status)
        return status;
    if (!rank_first)
        skip_between_squares(&cursor);
    const size_t second = cursor.at;
    if ((status = read_square(&cursor, rules, rank_first, &read.to)) || (status = read_end(&cursor)))
        return status;
    if (read.from == read.to)
        return nk_fail(error, NK_E_SYNTAX, number_at(&cursor, second), "a move from a square to itself");
    *move = read;
    return NK_OK;
}

/* ---- positions ---- */

static bool has_prefix(const struct cursor *cursor, const char *prefix)
{
    return nk_has_prefix(cursor->text + cursor->at, prefix, strlen(prefix));
}

/* Skips a value as the programs print it, " wins in 3 moves.", with the rest of its line. */
static void skip_value(struct cursor *cursor)
{
    if (has_prefix(cursor, " wins") || has_prefix(cursor, " draws") || has_prefix(cursor, " loses"))
        while (peek(cursor) && !nk_is_line_end(peek(cursor)))
            skip(cursor);
}

/* Reads b or w, or as the programs print it, "Black" or "Black to move", with the value behind it. */
static enum nk_status read_colour(struct cursor *cursor, enum nk_colour *colour)
{
    static const char *const rests[] = {[NK_BLACK] = "lack", [NK_WHITE] = "hite"}, to_move[] = " to move";
    const char c = nk_lower(peek(cursor));
    if (c != 'b' && c != 'w')
        return unexpected(cursor, "the side to move, b or w");
    skip(cursor);
    *colour = c == 'b' ? NK_BLACK : NK_WHITE;
    if (has_prefix(cursor, rests[*colour])) {
        cursor->at += strlen(rests[*colour]);
        if (has_prefix(cursor, to_move)) {
            cursor->at += strlen(to_move);
            skip_value(cursor);
        }
    }
    return NK_OK;
}

/* "B:.B.B...": sides[] are the squares of Black and of White. */
static enum nk_status read_squares_in_order(struct cursor *cursor, const struct nk_rules *rules,
                                            uint64_t sides[2])
{
    for (int square = 0; square < rules->squares; square++, skip(cursor)) {
        const char c = nk_lower(peek(cursor));
        if (c == 'b' || c == 'w')
            sides[c == 'w'] |= nk_bit(square);
        else if (c != '.')
            return unexpected(cursor, "b, w or . for each square");
    }
    return NK_OK;
}

/* Skips what the programs print around the squares of a board: blanks, and the marks of the last move. */
static void skip_marks(struct cursor *cursor)
{
    while (skip_blanks(cursor) || peek(cursor) == '[' || peek(cursor) == ']')
        if (peek(cursor) == '[' || peek(cursor) == ']')
            skip(cursor);
}

/* Skips the number of a rank in front of its squares, which a blank follows. Returns whether it is there. */
static bool skip_rank_number(struct cursor *cursor, int rank)
{
    struct cursor ahead = *cursor;
    if (peek(&ahead) != '1' + rank)
        return false;
    skip(&ahead);
    if (!skip_blanks(&ahead))
        return false;
    *cursor = ahead;
    return true;
}

/* Skips the letters of the files below a board. */
static void skip_files(struct cursor *cursor, const struct nk_rules *rules, bool flip)
{
    struct cursor ahead = *cursor;
    for (int file = 0; file < rules->board.width; file++) {
        skip_blanks(&ahead);
        if (nk_lower(peek(&ahead)) != 'a' + (flip ? rules->board.width - 1 - file : file))
            return;
        skip(&ahead);
    }
    *cursor = ahead;
}

/* Reads the squares of a rank, from the last file on if `flip`. *runs is set to whether there is a number of empty
 * ones; only squares without may have blanks between them. */
static enum nk_status read_rank(struct cursor *cursor, const struct nk_rules *rules, int rank, bool flip,
                                uint64_t sides[2], bool *runs)
{
    const size_t begin = cursor->at;
    const int first = rules->board.width * rank, last = first + rules->board.width - 1;
    int file = 0;
    *runs = false;
    while (file < rules->board.width) {
        const char c = nk_lower(peek(cursor));
        if (c == 'b' || c == 'w') {
            sides[c == 'w'] |= nk_bit(flip ? last - file : first + file);
            file++;
        } else if (c == '.' || c == '+')
            file++;
        else if (c >= '1' && c <= '9')
            file += c - '0';
        else
            return unexpected(cursor, "b, w or a number of empty squares");
        *runs |= nk_is_digit(c);
        skip(cursor);
        if (file < rules->board.width && !*runs)
            skip_marks(cursor);
    }
    return file == rules->board.width
               ? NK_OK
               : nk_fail(cursor->error, NK_E_SYNTAX, number_at(cursor, begin),
                         "rank %d has %d squares, expected %d", rank + 1, file, rules->board.width);
}

/* "1w1w1/2b2/5/2w2/1b1b1", or with dots for empty squares; these may stand without slashes, or in lines as the programs
 * print them: those that are seen from White's side begin with rank 1. */
static enum nk_status read_ranks(struct cursor *cursor, const struct nk_rules *rules, uint64_t sides[2])
{
    bool slashes = false;
    skip_marks(cursor);
    struct cursor ahead = *cursor;
    const bool flip = skip_rank_number(&ahead, 0);
    for (int read = 1; read <= rules->board.height; read++) {
        const int rank = flip ? read - 1 : rules->board.height - read;
        bool runs;
        (void)skip_rank_number(cursor, rank);
        skip_marks(cursor);
        const enum nk_status status = read_rank(cursor, rules, rank, flip, sides, &runs);
        if (status)
            return status;
        if (read == rules->board.height)
            break;
        skip_marks(cursor);
        const bool slash = peek(cursor) == '/';
        if (!slash && (slashes || runs))
            return unexpected(cursor, "/ before the next rank");
        slashes |= slash;
        if (slash)
            skip(cursor);
    }
    if (peek(cursor) == ']')
        skip(cursor);
    skip_files(cursor, rules, flip);
    return NK_OK;
}

/* Skips what follows the side to move in positions of chess: "- - 0 1". */
static void skip_chess_fields(struct cursor *cursor)
{
    for (;;) {
        struct cursor ahead = *cursor;
        bool any = false;
        if (!skip_blanks(&ahead))
            return;
        for (char c = peek(&ahead); c == '-' || nk_is_digit(c); c = peek(&ahead), any = true)
            skip(&ahead);
        const char c = peek(&ahead);
        if (!any || (c && !nk_is_blank(c) && !nk_is_line_end(c)))
            return;
        *cursor = ahead;
    }
}

/* Whether the next character, or the end, may follow a position. */
static bool is_end(struct cursor *cursor)
{
    const char c = peek(cursor);
    return !c || c == '#' || c == ',' || nk_is_blank(c) || nk_is_line_end(c);
}

/* Reads the fair start that a number means, behind `fair`. */
static enum nk_status read_fair(struct cursor *cursor, const struct nk_rules *rules,
                                struct nk_read_position *read)
{
    uint64_t number = 0;
    if (peek(cursor) != ':')
        return unexpected(cursor, ":N, the number of a fair start");
    skip(cursor);
    if (!nk_is_digit(peek(cursor)))
        return unexpected(cursor, "the number of a fair start");
    for (; nk_is_digit(peek(cursor)); skip(cursor)) {
        const uint64_t digit = (uint64_t)(peek(cursor) - '0');
        number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * number + digit;
    }
    return rules->fair_start ? rules->fair_start(rules->table, number, &read->position, cursor->error)
                             : nk_fail(cursor->error, NK_E_SYNTAX, number_at(cursor, cursor->at - 1),
                                       "fair starts need the rules of a table");
}

/* Reads the side to move and all squares, or the ranks and the side to move. */
static enum nk_status read_squares(struct cursor *cursor, const struct nk_rules *rules,
                                   struct nk_read_position *read)
{
    uint64_t sides[2] = {0, 0};
    enum nk_colour colour = NK_BLACK;
    enum nk_status status;
    struct cursor ahead = *cursor;
    skip(&ahead);
    if (peek(&ahead) == ':') {
        if ((status = read_colour(cursor, &colour)))
            return status;
        skip(cursor);
        if ((status = read_squares_in_order(cursor, rules, sides)))
            return status;
    } else {
        if ((status = read_ranks(cursor, rules, sides)))
            return status;
        if (peek(cursor) == '_')
            skip(cursor);
        else if (!skip_blanks(cursor))
            return unexpected(cursor, "a space and the side to move");
        if ((status = read_colour(cursor, &colour)))
            return status;
        skip_chess_fields(cursor);
    }
    read->position = (struct nk_position){sides[colour], sides[nk_colour_other(colour)]};
    read->to_move = colour;
    return NK_OK;
}

/* Shows what a position looks like, after the error of a text that is far from one. */
static void add_example(const struct nk_rules *rules, const char *text, struct nk_error *error)
{
    struct nk_position start;
    if (!error || strpbrk(text, "/.") || !nk_rules_start(rules, &start))
        return;
    nk_strbuf_add(&(struct nk_strbuf){error->text, sizeof error->text, strlen(error->text)}, ", as in %s",
                  nk_position_text(rules, start, NK_BLACK).s);
}

enum nk_status nk_position_read(const struct nk_rules *rules, const char *text, struct nk_read_position *read,
                                struct nk_error *error)
{
    struct cursor cursor = cursor_of(text, error);
    struct nk_read_position found = {.to_move = NK_BLACK};
    enum nk_status status = NK_OK;
    skip_blanks(&cursor);
    if (is_link(cursor))
        return nk_fail(error, NK_E_SYNTAX, 0, NK_LINK_ERROR);
    if (skip_name(&cursor, "standard"))
        found.is_missing_start = !nk_rules_start(rules, &found.position);
    else if (skip_name(&cursor, "fair"))
        status = read_fair(&cursor, rules, &found);
    else if ((status = read_squares(&cursor, rules, &found)) == NK_E_SYNTAX)
        add_example(rules, text, error);
    if (!status && !is_end(&cursor))
        status = read_end(&cursor);
    if (status)
        return status;
    found.length = cursor.at;
    *read = found;
    return NK_OK;
}

enum nk_status nk_position_parse_unchecked(const struct nk_rules *rules, const char *text,
                                           struct nk_position *position, enum nk_colour *to_move,
                                           struct nk_error *error)
{
    struct cursor cursor = cursor_of(text, error);
    struct nk_read_position read;
    enum nk_status status = nk_position_read(rules, text, &read, error);
    if (status)
        return status;
    cursor.at = read.length;
    if (read.is_missing_start)
        return nk_fail(error, NK_E_POSITION, 0, "this board has no start position: specify a position");
    skip_blanks(&cursor);
    if ((status = read_end(&cursor)))
        return status;
    *position = read.position;
    *to_move = read.to_move;
    return NK_OK;
}

enum nk_status nk_position_parse(const struct nk_rules *rules, const char *text, struct nk_position *position,
                                 enum nk_colour *to_move, struct nk_error *error)
{
    assert(rules && text && position && to_move);
    struct nk_position read;
    enum nk_colour colour = NK_BLACK;
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
    assert(rules && done && ((texts && positions && to_move) || !count));
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
    assert(rules && done && ((positions && to_move && texts) || !count));
    for (*done = 0; *done < count; ++*done) {
        const enum nk_colour colour = to_move[*done] ? NK_WHITE : NK_BLACK;
        const enum nk_status status = nk_position_check(rules, positions[*done], colour, error);
        if (status)
            return status;
        texts[*done] = nk_position_text(rules, positions[*done], colour);
    }
    return NK_OK;
}
