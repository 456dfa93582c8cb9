/* Divides the text of a record into tokens: comments, headers, parentheses, results and words. record_read.c reads a
 * game from them. */

#include "common/game/game.h"

#include <string.h>

enum nk_status nk_scan_fail(const struct nk_scanner *scanner, enum nk_status status, struct nk_place place,
                            const char *what, const char *why)
{
    const size_t before = place.line_begin ? 0 : scanner->before;
    const size_t in_line = nk_characters(scanner->text + place.line_begin, place.at - place.line_begin);
    return nk_fail(scanner->error, status, nk_characters(scanner->text, place.at) + 1,
                   "line %zu, character %zu: %s%s", place.line, before + in_line + 1, what, why);
}

bool nk_span_is(const struct nk_scanner *scanner, struct nk_span span, const char *name)
{
    return span.end - span.begin == strlen(name) &&
           nk_has_prefix(scanner->text + span.begin, name, span.end - span.begin);
}

/* ---- what is between tokens ---- */

/* Whether a character begins a comment, to the end of the line or in braces, so that it ends a word. */
static bool begins_comment(char c)
{
    return c == '#' || c == ';' || c == '{';
}

/* Also the lines of a table in Markdown. */
static bool is_between_words(char c)
{
    return nk_is_blank(c) || c == ',' || c == '|';
}

/* What the character at an offset, which is in the text, stands for. Mail has "=20" for a blank that ends a line. */
static struct nk_character character_at(const struct nk_scanner *scanner, size_t at)
{
    static const char blank[] = "=20";
    const char *const text = scanner->text + at;
    const size_t left = scanner->length - at, length = sizeof blank - 1;
    if (*text == *blank && left >= length && memcmp(text, blank, length) == 0 &&
        (left == length || nk_is_line_end(text[length])))
        return (struct nk_character){length, ' '};
    return nk_character_at(text, text + left);
}

/* Skips what is between words in a line. */
static void skip_between_words(struct nk_scanner *scanner)
{
    struct nk_character read;
    while (scanner->place.at < scanner->length &&
           is_between_words((read = character_at(scanner, scanner->place.at)).c))
        scanner->place.at += read.bytes;
}

/* Goes to the next character. */
static void advance(struct nk_scanner *scanner)
{
    const char *c = &scanner->text[scanner->place.at++];
    if (!nk_is_line_end(*c))
        return;
    scanner->place.line += !(*c == '\r' && scanner->place.at < scanner->length && c[1] == '\n');
    scanner->place.line_begin = scanner->place.at;
}

/* Whether what is not for players begins at the beginning of a line: a line with a percent sign, one with two slashes,
 * or one of three backquotes, between which people put texts. */
static bool begins_skipped_line(const struct nk_scanner *scanner)
{
    static const char fence[] = "```", slashes[] = "//";
    const char *const text = scanner->text + scanner->place.at;
    const size_t left = scanner->length - scanner->place.at, length = sizeof fence - 1;
    return scanner->place.at == scanner->place.line_begin &&
           (*text == '%' || (left >= length && memcmp(text, fence, length) == 0) ||
            (left >= length - 1 && memcmp(text, slashes, length - 1) == 0));
}

/* Whether a byte belongs to a letter. In other alphabets all do, but those of signs, most of which begin with one of
 * these two. */
static bool is_letter(char c)
{
    const unsigned char byte = (unsigned char)nk_lower(c);
    return (byte >= 'a' && byte <= 'z') || (byte >= 0x80 && byte != 0xc2 && byte != 0xe2);
}

/* Where blanks that begin at an offset, which need not be any, end. */
static size_t blanks_end(const struct nk_scanner *scanner, size_t at)
{
    while (at < scanner->length && nk_is_blank(scanner->text[at]))
        at++;
    return at;
}

/* Skips the signs with which mail quotes a line, and the asterisk of a list in Markdown: behind one that is the result
 * of a game, nothing follows. Returns whether there are any. */
static bool skip_line_signs(struct nk_scanner *scanner)
{
    const char *const text = scanner->text;
    size_t at = scanner->place.line_begin;
    while (at < scanner->length && (text[at] == '>' || nk_is_blank(text[at])))
        at++;
    const size_t entry = at < scanner->length && text[at] == '*' ? blanks_end(scanner, at + 1) : at;
    if (entry > at && entry < scanner->length && (nk_is_digit(text[entry]) || is_letter(text[entry])))
        at = entry;
    if (at <= scanner->place.at)
        return false;
    scanner->place.at = at;
    return true;
}

/* Skips blanks, commas, line ends, and lines that are not for players. At the end of the text, place.at is its
 * length. */
static void skip_to_word(struct nk_scanner *scanner)
{
    while (scanner->place.at < scanner->length) {
        const char c = scanner->text[scanner->place.at];
        const struct nk_character read = character_at(scanner, scanner->place.at);
        if (begins_skipped_line(scanner))
            while (scanner->place.at < scanner->length && !nk_is_line_end(scanner->text[scanner->place.at]))
                advance(scanner);
        else if (nk_is_line_end(c))
            advance(scanner);
        else if (is_between_words(read.c) || (!read.c && read.bytes > 1))
            scanner->place.at += read.bytes;
        else if (scanner->word_line == scanner->place.line || !skip_line_signs(scanner))
            break;
    }
}

/* ---- tokens ---- */

/* Whether the rest of the text begins with a name, in upper or lower case. */
static bool begins_with(const struct nk_scanner *scanner, const char *name)
{
    const size_t length = strlen(name);
    return scanner->length - scanner->place.at >= length &&
           nk_has_prefix(scanner->text + scanner->place.at, name, length);
}

/* Reads a comment to the end of its line, or in braces. */
static enum nk_status scan_comment(struct nk_scanner *scanner, struct nk_token *token)
{
    const bool in_braces = token->in_braces = scanner->text[scanner->place.at] == '{';
    token->kind = NK_TOKEN_COMMENT;
    token->span.begin = scanner->place.at + 1;
    while (scanner->place.at < scanner->length &&
           (in_braces ? scanner->text[scanner->place.at] != '}'
                      : !nk_is_line_end(scanner->text[scanner->place.at])))
        advance(scanner);
    token->span.end = scanner->place.at;
    if (in_braces && scanner->place.at == scanner->length)
        return nk_scan_fail(scanner, NK_E_SYNTAX, token->place, "", "unterminated comment: expected '}'");
    if (in_braces)
        advance(scanner);
    scanner->comment_end = scanner->place.at;
    return NK_OK;
}

/* Room for a move or a result as people write them, with blanks and characters of three bytes. */
enum { SHORT_WORD = 40 };

/* Copies a span as a string without blanks and with what stands for other characters. Returns the length; 0 if it is
 * too long. */
static size_t make_compact(const struct nk_scanner *scanner, struct nk_span span,
                           char compact[SHORT_WORD + 1])
{
    size_t length = 0;
    *compact = '\0';
    if (span.end - span.begin > SHORT_WORD)
        return 0;
    const size_t folded =
        nk_fold_unicode_to_ascii(scanner->text + span.begin, span.end - span.begin, compact);
    for (size_t at = 0; at < folded; at++)
        if (!nk_is_blank(compact[at]))
            compact[length++] = compact[at];
    compact[length] = '\0';
    return length;
}

/* The length of a square with which a text begins, or 0. */
static size_t square_length(const char *text, size_t length)
{
    const bool is = length > 1 && nk_lower(text[0]) >= 'a' && nk_lower(text[0]) < 'a' + NK_MAX_SIDE &&
                    text[1] >= '1' && text[1] < '1' + NK_MAX_SIDE;
    return is ? 2 : 0;
}

/* Whether a span is a move, perhaps with its number and marks, or only the beginning of one, "1.b1 -". */
static bool is_move(const struct nk_scanner *scanner, struct nk_span span, bool only_begins)
{
    char compact[SHORT_WORD + 1];
    const size_t length = make_compact(scanner, span, compact);
    size_t at = nk_move_number_length(compact, length);
    const size_t first = square_length(compact + at, length - at);
    at += first;
    at += strspn(compact + at, NK_BETWEEN_SQUARES);
    at += nk_has_prefix(compact + at, NK_TO, sizeof NK_TO - 1) ? sizeof NK_TO - 1 : 0;
    if (!first || only_begins)
        return first && at == length;
    const size_t second = square_length(compact + at, length - at);
    at += second;
    while (at < length && (compact[at] == '!' || compact[at] == '?'))
        at++;
    return second && at == length;
}

/* Reads a header, if it is one. Many programs write no backslash before a quotation mark in a value. If it is none,
 * token->stop is the place where something else was expected; 0 if a list begins, as in ["b1-c1", "c2-c3"]. */
static bool scan_header(struct nk_scanner *scanner, struct nk_token *token)
{
    const char *const text = scanner->text;
    const size_t length = scanner->length;
    size_t at = token->name.begin = blanks_end(scanner, scanner->place.at + 1);
    while (at < length &&
           ((nk_lower(text[at]) >= 'a' && nk_lower(text[at]) <= 'z') ||
            (at > token->name.begin && (nk_is_digit(text[at]) || text[at] == '-' || text[at] == '_'))))
        at++;
    token->name.end = at;
    at = blanks_end(scanner, at);
    token->stop = token->name.begin == token->name.end || is_move(scanner, token->name, false) ? 0 : at;
    if (token->name.begin == token->name.end || at == length || text[at] != '"')
        return false;
    token->span.begin = ++at;
    token->stop = 0;
    while (at < length && !nk_is_line_end(text[at])) {
        const size_t end = text[at] == '"' ? blanks_end(scanner, at + 1) : 0;
        if (end && end < length && text[end] == ']') {
            token->kind = NK_TOKEN_HEADER;
            token->span.end = at;
            scanner->place.at = end + 1;
            return true;
        }
        if (end && !token->stop)
            token->stop = end;
        if (token->stop && text[at] == '[') /* the next one */
            return false;
        at += text[at] == '\\' && at + 1 < length && !nk_is_line_end(text[at + 1]) ? 2 : 1;
    }
    if (!token->stop)
        token->stop = at;
    return false;
}

bool nk_span_outcome(const struct nk_scanner *scanner, struct nk_span span, enum nk_outcome *outcome)
{
    static const struct {
        const char *text;
        enum nk_outcome outcome;
    } names[] = {
        {"1-0", NK_OUTCOME_WHITE},    {"1:0", NK_OUTCOME_WHITE},
        {"0-1", NK_OUTCOME_BLACK},    {"0:1", NK_OUTCOME_BLACK},
        {"*", NK_OUTCOME_OPEN},       {"1/2-1/2", NK_OUTCOME_DRAW},
        {"1/2", NK_OUTCOME_DRAW},     {"\u00bd-\u00bd", NK_OUTCOME_DRAW},
        {"\u00bd", NK_OUTCOME_DRAW},  {"0.5-0.5", NK_OUTCOME_DRAW},
        {"1/2:1/2", NK_OUTCOME_DRAW}, {"draw", NK_OUTCOME_DRAW},
    };
    char compact[SHORT_WORD + 1];
    const struct nk_scanner read = {.text = compact};
    const char first = span.begin < span.end ? nk_lower(scanner->text[span.begin]) : '\0';
    if (first >= 'a' && first <= 'z' && !nk_span_is(scanner, span, "draw")) /* nearly all words are moves */
        return false;
    const struct nk_span all = {0, make_compact(scanner, span, compact)};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (nk_span_is(&read, all, names[i].text)) {
            *outcome = names[i].outcome;
            return true;
        }
    return false;
}

/* Reads to the end of the line or to what ends a word, but blanks and parentheses do not if `rest_of_line`. A mark such
 * as "$4" or "<12>" is a word of its own, also directly behind a move. */
static void read_to_end(struct nk_scanner *scanner, bool rest_of_line)
{
    const size_t begin = scanner->place.at;
    while (scanner->place.at < scanner->length) {
        const char c = scanner->text[scanner->place.at];
        const struct nk_character read = character_at(scanner, scanner->place.at);
        const bool begins_mark = (c == '$' || c == '<') && scanner->place.at > begin;
        if (nk_is_line_end(c) || begins_comment(c) ||
            (!rest_of_line && (is_between_words(read.c) || c == '(' || c == ')' || begins_mark)))
            break;
        scanner->place.at += read.bytes;
        if (!rest_of_line && c == '>' && scanner->text[begin] == '<')
            break;
    }
}

/* Whether a word may be a part of a move or of a result, and not one of the whole moves of which most texts consist: a
 * square with a dash, "1/2", or a character that is not ASCII at either end. */
static bool may_be_part(const struct nk_scanner *scanner, struct nk_span span)
{
    enum { LONGEST = 3 };
    const char *const text = scanner->text;
    if (text[span.end - 1] == '.' || text[span.begin] == '*')
        return false;
    const size_t begin = span.begin + nk_move_number_length(text + span.begin, span.end - span.begin);
    return span.end - begin <= LONGEST || ((unsigned char)(text[begin] | text[span.end - 1]) & 0x80);
}

/* Extends a word over the blanks that people put into moves and results, as in "b1 c1", "b1 - c1" and "1 - 0", or over
 * the comma of "b1,c1". */
static void join(struct nk_scanner *scanner, struct nk_token *token)
{
    enum { MORE_PARTS = 2 };
    struct nk_scanner ahead = *scanner;
    struct nk_span joined = token->span;
    enum nk_outcome outcome;
    if (!may_be_part(scanner, token->span))
        return;
    const bool begins_move = is_move(scanner, token->span, true);
    for (int part = 0; part < MORE_PARTS; part++) {
        skip_between_words(&ahead);
        const size_t begin = ahead.place.at;
        read_to_end(&ahead, false);
        joined.end = ahead.place.at;
        if (joined.end == begin)
            return;
        if ((begins_move && is_move(&ahead, joined, false)) || nk_span_outcome(&ahead, joined, &outcome)) {
            *scanner = ahead;
            token->span = joined;
        }
    }
}

static void scan_word(struct nk_scanner *scanner, struct nk_token *token)
{
    const size_t begin = scanner->place.at;
    const char *const text = scanner->text + begin;
    if (!begin || text[-1] != '(') /* which the parenthesis of "(1)" closes */
        scanner->place.at += nk_move_number_length(text, scanner->length - begin);
    read_to_end(scanner, false);
    token->span = (struct nk_span){begin, scanner->place.at};
    join(scanner, token);
    const size_t length = scanner->place.at - begin;
    if (length > 1 && text[0] == '<' && text[length - 1] == '>')
        token->kind = NK_TOKEN_BRACKETED;
    else
        token->kind =
            nk_span_outcome(scanner, token->span, &token->outcome) ? NK_TOKEN_OUTCOME : NK_TOKEN_WORD;
}

/* Reads how the game ended as people write it, "White resigns." or "Black wins on time", if this begins here: up to a
 * result or a move. "Black wins in 3 moves" is a value. */
static bool scan_ending(struct nk_scanner *scanner, struct nk_token *token)
{
    static const struct {
        const char *text;
        enum nk_outcome outcome;
    } endings[] = {
        {"Black resign", NK_OUTCOME_WHITE},  {"White resign", NK_OUTCOME_BLACK},
        {"Black wins in ", NK_OUTCOME_OPEN}, {"White wins in ", NK_OUTCOME_OPEN},
        {"Black wins", NK_OUTCOME_BLACK},    {"White wins", NK_OUTCOME_WHITE},
        {"Black won", NK_OUTCOME_BLACK},     {"White won", NK_OUTCOME_WHITE},
        {"Black lost", NK_OUTCOME_WHITE},    {"White lost", NK_OUTCOME_BLACK},
        {"draw agreed", NK_OUTCOME_DRAW},    {"draw by ", NK_OUTCOME_DRAW},
        {"drawn", NK_OUTCOME_DRAW},          {"resigns", NK_OUTCOME_OPEN},
        {"resigned", NK_OUTCOME_OPEN},       {"by resignation", NK_OUTCOME_OPEN},
        {"by agreement", NK_OUTCOME_OPEN},   {"on time", NK_OUTCOME_OPEN},
    };
    const size_t count = sizeof endings / sizeof endings[0], begin = scanner->place.at;
    enum nk_outcome outcome;
    size_t i = 0;
    while (i < count && !begins_with(scanner, endings[i].text))
        i++;
    if (i == count)
        return false;
    token->kind = NK_TOKEN_ENDING;
    token->outcome = endings[i].outcome;
    token->span = (struct nk_span){begin, begin};
    struct nk_scanner ahead = *scanner;
    struct nk_span word;
    ahead.place.at += strlen(endings[i].text);
    do {
        read_to_end(&ahead, false);
        scanner->place.at = token->span.end = ahead.place.at;
        skip_between_words(&ahead);
        struct nk_scanner next = ahead;
        read_to_end(&next, false);
        word = (struct nk_span){ahead.place.at, next.place.at};
    } while (word.begin < word.end && !nk_span_outcome(scanner, word, &outcome) &&
             !is_move(scanner, word, false) && !is_move(scanner, word, true));
    return true;
}

/* Reads a line of prose, such as the title of a game or a greeting: it begins with a letter, and has a word of three
 * letters and nothing that may be a part of a game, also not of the drawing of a position. It may be a result, as in
 * "Draw" and "Result: 1-0". */
static bool scan_prose(struct nk_scanner *scanner, struct nk_token *token)
{
    enum { WORD = 3 };
    static const char *const names[] = {"start", "resign", "standard", "fair"};
    size_t letters = 0, at = scanner->place.at, value = at, signs = at;
    bool has_word = false, is_drawing = true;
    char last = '\0';
    if (!is_letter(character_at(scanner, at).c))
        return false;
    while (signs > scanner->place.line_begin &&
           (nk_is_blank(scanner->text[signs - 1]) || scanner->text[signs - 1] == '>' ||
            scanner->text[signs - 1] == '*'))
        signs--;
    if (signs > scanner->place.line_begin)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (begins_with(scanner, names[i]))
            return false;
    while (at < scanner->length && !nk_is_line_end(scanner->text[at]) && !begins_comment(scanner->text[at])) {
        const struct nk_character read = character_at(scanner, at);
        const char c = nk_lower(read.c);
        if ((c && strchr("/()[]<>}$", c)) || (last >= 'a' && last <= 'h' && c >= '1' && c <= '8'))
            return false;
        letters = is_letter(c) ? letters + 1 : 0;
        is_drawing = letters ? is_drawing && (c == 'b' || c == 'w') : true;
        has_word |= letters >= WORD && !is_drawing;
        last = c;
        at += read.bytes;
    }
    while (value < at && is_letter(scanner->text[value]))
        value++;
    value = value < at && scanner->text[value] == ':' ? value + 1 : scanner->place.at;
    if (!has_word)
        return false;
    (void)nk_span_outcome(scanner, (struct nk_span){value, at}, &token->outcome);
    token->kind = NK_TOKEN_PROSE;
    token->span = (struct nk_span){scanner->place.at, at};
    scanner->place.at = at;
    return true;
}

struct nk_span nk_scan_rest_of_line(struct nk_scanner *scanner)
{
    const size_t begin = scanner->place.at;
    read_to_end(scanner, true);
    return (struct nk_span){begin, scanner->place.at};
}

enum nk_status nk_scan_next(struct nk_scanner *scanner, struct nk_token *token)
{
    skip_to_word(scanner);
    scanner->word_line = scanner->place.line;
    *token = (struct nk_token){.kind = NK_TOKEN_END, .place = scanner->place};
    if (scanner->place.at == scanner->length)
        return NK_OK;
    const char c = scanner->text[scanner->place.at];
    if (begins_comment(c))
        return scan_comment(scanner, token);
    if (c == '(' || c == ')') {
        token->kind = c == '(' ? NK_TOKEN_OPEN : NK_TOKEN_CLOSE;
        scanner->place.at++;
    } else if (c == '[' ? !scan_header(scanner, token)
                        : !scan_ending(scanner, token) && !scan_prose(scanner, token)) {
        scan_word(scanner, token);
    }
    return NK_OK;
}

enum nk_status nk_scan_to_close(struct nk_scanner *scanner, struct nk_place begin)
{
    struct nk_token token;
    for (size_t depth = 1; depth;
         depth += token.kind == NK_TOKEN_OPEN, depth -= token.kind == NK_TOKEN_CLOSE) {
        const enum nk_status status = nk_scan_next(scanner, &token);
        if (status)
            return status;
        if (token.kind == NK_TOKEN_END)
            return nk_scan_fail(scanner, NK_E_SYNTAX, begin, "", "unterminated variation: expected ')'");
    }
    return NK_OK;
}

/* ---- records in a text ---- */

struct nk_scanner nk_scanner_of(const char *text, size_t length)
{
    const size_t begin = nk_byte_order_mark_length(text, length);
    while (length > begin &&
           (text[length - 1] == '\x1a' || !text[length - 1])) /* with which DOS ended texts */
        length--;
    return (struct nk_scanner){.text = text, .length = length, .place = {begin, 1, begin}};
}

bool nk_span_has_only_moves(const struct nk_scanner *scanner, struct nk_span span)
{
    bool any = false;
    while (span.begin < span.end) {
        struct nk_span word = span;
        while (span.begin < span.end && !is_between_words(scanner->text[span.begin]) &&
               !begins_comment(scanner->text[span.begin]))
            span.begin++;
        word.end = span.begin++;
        const size_t length = word.end - word.begin;
        if (nk_move_number_length(scanner->text + word.begin, length) == length)
            continue;
        if (!is_move(scanner, word, false))
            return false;
        any = true;
    }
    return any;
}

/* Whether a token says nothing by itself: a comment, or the number of a move. */
static bool is_empty(const struct nk_scanner *scanner, const struct nk_token *token)
{
    const size_t length = token->span.end - token->span.begin;
    return token->kind == NK_TOKEN_COMMENT || token->kind == NK_TOKEN_BRACKETED ||
           (token->kind == NK_TOKEN_WORD &&
            nk_move_number_length(scanner->text + token->span.begin, length) == length);
}

bool nk_record_is_empty(const char *text, size_t length)
{
    struct nk_scanner scanner = nk_scanner_of(text, length);
    struct nk_token token;
    while (!nk_scan_next(&scanner, &token))
        if (token.kind == NK_TOKEN_END)
            return true;
        else if (token.kind == NK_TOKEN_OPEN ? nk_scan_to_close(&scanner, token.place) != NK_OK
                                             : !is_empty(&scanner, &token))
            break;
    return false;
}

size_t nk_record_length(const char *text, size_t length)
{
    struct nk_scanner scanner = nk_scanner_of(text, length);
    struct nk_token token;
    size_t last_line = 0, result_line = 0; /* of the last token that is not a header, of the result */
    bool begun = false, ended = false;
    while (!nk_scan_next(&scanner, &token) && token.kind != NK_TOKEN_END) {
        const bool begins_line = token.place.line != last_line;
        const bool begins_game = begins_line && text[token.place.at] == '[';
        if (token.kind == NK_TOKEN_COMMENT || token.kind == NK_TOKEN_PROSE ||
            (ended && (token.kind == NK_TOKEN_ENDING ||
                       (token.kind == NK_TOKEN_OUTCOME && token.place.line == result_line) ||
                       (token.kind == NK_TOKEN_OPEN && !nk_scan_to_close(&scanner, token.place)))))
            continue;
        if (ended || (begins_game && begun))
            return begins_line && token.place.line_begin >= scanner.comment_end ? token.place.line_begin
                                                                                : token.place.at;
        if (begins_game && token.kind == NK_TOKEN_HEADER)
            continue;
        last_line = token.place.line;
        if (token.kind == NK_TOKEN_OPEN && nk_scan_to_close(&scanner, token.place))
            break;
        if (token.kind == NK_TOKEN_OUTCOME) {
            ended = true;
            result_line = token.place.line;
        }
        begun |= token.kind == NK_TOKEN_OUTCOME || token.kind == NK_TOKEN_ENDING ||
                 token.kind == NK_TOKEN_WORD || token.kind == NK_TOKEN_HEADER;
    }
    return length;
}

/* ---- words ---- */

/* Whether a character is one of a text; byte 0 is not. */
static bool is_one_of(const char *characters, char c)
{
    return c && strchr(characters, c);
}

struct nk_span nk_span_entry(const struct nk_scanner *scanner, struct nk_span word)
{
    while (word.end > word.begin && is_one_of("!?", scanner->text[word.end - 1]))
        word.end--;
    word.begin += nk_move_number_length(scanner->text + word.begin, word.end - word.begin);
    const size_t mark = word.begin + (word.begin < word.end && scanner->text[word.begin] == '$');
    if (mark > word.begin && nk_move_number_length(scanner->text + mark, word.end - mark) == word.end - mark)
        word.begin = word.end;
    return word;
}

static bool is_letter_or_digit(const struct nk_scanner *scanner, size_t at)
{
    const char *const text = scanner->text;
    const char c = nk_lower(nk_character_at(text + at, text + scanner->length).c);
    return nk_is_digit(c) || (c >= 'a' && c <= 'z');
}

struct nk_span nk_span_without_signs(const struct nk_scanner *scanner, struct nk_span word)
{
    while (word.begin < word.end && !is_letter_or_digit(scanner, word.begin))
        word.begin++;
    while (word.begin < word.end) {
        size_t last = word.end - 1;
        while (last > word.begin && (scanner->text[last] & 0xc0) == 0x80) /* a character of UTF-8 goes on */
            last--;
        if (is_letter_or_digit(scanner, last))
            break;
        word.end = last;
    }
    return word;
}

/* Whether a byte belongs to a sign. Those of pictures such as faces begin with 0xf0; a brace closes no comment here. */
static bool is_sign(char c)
{
    const unsigned char byte = (unsigned char)c;
    const bool goes_on = (byte & 0xc0) == 0x80;
    return byte > ' ' && c != '}' && !nk_is_digit(c) && (goes_on || byte == 0xf0 || !is_letter(c));
}

bool nk_span_is_sign(const struct nk_scanner *scanner, struct nk_span word)
{
    const char *const text = scanner->text;
    size_t signs = word.begin, letters = word.begin;
    while (signs < word.end && is_sign(text[signs]))
        signs++;
    while (letters < word.end && nk_lower(text[letters]) >= 'a' && nk_lower(text[letters]) <= 'z')
        letters++;
    const bool is_label = letters > word.begin && letters + 1 == word.end && text[letters] == ':';
    return (word.begin < word.end && signs == word.end) || is_label || nk_span_is(scanner, word, "N") ||
           nk_span_is(scanner, word, "D");
}
