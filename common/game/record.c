/* Reading and writing the record of a game; include/neutreeko.h and record.h describe the format. */

#include "common/game/record.h"

#include "common/base/chars.h"
#include "common/base/strbuf.h"
#include "common/game/notation.h"
#include "common/game/game.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *text;
    size_t length;
    size_t at;
    size_t line, line_begin; /* the current line, from 1, and the offset of its first character */
    const struct nk_rules *rules;
    struct nk_game *game; /* NULL until the start position is known */
    struct nk_headers *headers;
    bool begun;               /* an entry after the headers has been read */
    bool has_outcome;         /* headers->outcome has been read, in the header or after the moves */
    bool ended;               /* after a result: nothing may follow */
    bool needs_start;         /* the header SetUp promises a start position */
    const char *start_header; /* the name of the header with the start position, or NULL */
    struct nk_error *error;
};

/* Part of a line: offsets in the text, `end` exclusive. */
struct span {
    size_t begin, end;
};

/* ---- errors ---- */

/* Fails at the character with offset `at` of the current line. `what` names what is being read, or is "". */
static enum nk_status fail_at(const struct reader *reader, enum nk_status status, size_t at, const char *what,
                              const char *why)
{
    return nk_fail(reader->error, status, at + 1, "line %zu, character %zu: %s%s", reader->line,
                   at - reader->line_begin + 1, what, why);
}

static enum nk_status fail_at_move(const struct reader *reader, struct span word, const struct nk_error *why)
{
    char what[32];
    const size_t offset = why->at ? why->at - 1 : 0;
    nk_strbuf_add(&(struct nk_strbuf){what, sizeof what, 0},
                  "move %d (%s): ", nk_game_plies(reader->game) + 1,
                  nk_colour_name(nk_game_to_move(reader->game)));
    return fail_at(reader, why->status, word.begin + offset, what, why->text);
}

/* ---- words ---- */

/* Whether a character begins a comment that extends to the end of the line. */
static bool begins_line_comment(char c)
{
    return c == '#' || c == ';';
}

/* Whether a character begins a comment, also one in braces, so that it ends a word. */
static bool begins_comment(char c)
{
    return begins_line_comment(c) || c == '{';
}

/* Goes to the next character. */
static void advance(struct reader *reader)
{
    const char *c = &reader->text[reader->at++];
    if (!nk_is_line_end(*c))
        return;
    reader->line += !(*c == '\r' && reader->at < reader->length && c[1] == '\n');
    reader->line_begin = reader->at;
}

/* Skips a comment. */
static enum nk_status skip_comment(struct reader *reader)
{
    const struct reader begin = *reader;
    const bool in_braces = reader->text[reader->at] == '{';
    while (reader->at < reader->length &&
           (in_braces ? reader->text[reader->at] != '}' : !nk_is_line_end(reader->text[reader->at])))
        advance(reader);
    if (!in_braces)
        return NK_OK;
    if (reader->at == reader->length)
        return fail_at(&begin, NK_E_SYNTAX, begin.at, "", "unterminated comment: expected '}'");
    advance(reader);
    return NK_OK;
}

/* What the next character, which exists, stands for. */
static struct nk_character next(const struct reader *reader)
{
    return nk_character_at(reader->text + reader->at, reader->text + reader->length);
}

static bool is_between_words(char c)
{
    return nk_is_blank(c) || c == ',';
}

/* Skips what is between words: blanks, commas, comments, lines that begin with a percent sign, and line ends. At the
 * end of the text, reader->at is its length. */
static enum nk_status find_word(struct reader *reader)
{
    while (reader->at < reader->length) {
        const char c = reader->text[reader->at];
        const struct nk_character read = next(reader);
        if (begins_comment(c) || (c == '%' && reader->at == reader->line_begin)) {
            const enum nk_status status = skip_comment(reader);
            if (status)
                return status;
        } else if (nk_is_line_end(c)) {
            advance(reader);
        } else if (is_between_words(read.c) || (!read.c && read.bytes > 1)) {
            reader->at += read.bytes;
        } else {
            break;
        }
    }
    return NK_OK;
}

/* Reads a word, or the rest of the line without a comment. */
static struct span read_span(struct reader *reader, bool rest_of_line)
{
    const size_t begin = reader->at;
    if (!rest_of_line)
        reader->at += nk_move_number_length(reader->text + begin, reader->length - begin);
    while (reader->at < reader->length) {
        const char c = reader->text[reader->at];
        const struct nk_character read = next(reader);
        if (nk_is_line_end(c) || begins_comment(c) ||
            (!rest_of_line && (is_between_words(read.c) || c == '(' || c == ')')))
            break;
        reader->at += read.bytes;
    }
    return (struct span){begin, reader->at};
}

/* Skips a variation, "(...)", with all that are nested in it. */
static enum nk_status skip_variation(struct reader *reader)
{
    const struct reader begin = *reader;
    size_t depth = 0;
    do {
        const enum nk_status status = find_word(reader);
        if (status)
            return status;
        if (reader->at == reader->length)
            return fail_at(&begin, NK_E_SYNTAX, begin.at, "", "unterminated variation: expected ')'");
        const char c = reader->text[reader->at];
        depth += c == '(';
        depth -= c == ')';
        if (c == '(' || c == ')')
            reader->at++;
        else
            (void)read_span(reader, false);
    } while (depth);
    return NK_OK;
}

static bool word_is(const struct reader *reader, struct span word, const char *name)
{
    return word.end - word.begin == strlen(name) &&
           strncasecmp(reader->text + word.begin, name, word.end - word.begin) == 0;
}

enum { MAX_DIGITS = 7 }; /* of a number without a period: a longer one is not a number of a move */

/* Removes the number of a move, such as "1.", "1)", "..." or "1", from the beginning of a word, and from its end the
 * marks of PGN, such as "!?". A word that is a mark, also as "$4", becomes empty. */
static struct span trim(const struct reader *reader, struct span word)
{
    size_t at = word.begin + nk_move_number_length(reader->text + word.begin, word.end - word.begin);
    while (at < word.end && reader->text[at] == '.')
        at++;
    while (word.end > at && (reader->text[word.end - 1] == '!' || reader->text[word.end - 1] == '?'))
        word.end--;
    const size_t first = at + (at < word.end && reader->text[at] == '$');
    size_t digits = first;
    while (digits < word.end && digits < first + MAX_DIGITS && nk_is_digit(reader->text[digits]))
        digits++;
    return (struct span){digits == word.end ? digits : at, word.end};
}

/* Room for the text of a position or a move as people write it. */
enum { POSITION_TEXT = 512 };

/* Copies a span as a zero-terminated string. A span longer than any position is truncated: the rest is invalid at the
 * same character. Returns false after failing if the span contains byte 0. */
static bool copy(const struct reader *reader, struct span span, char text[POSITION_TEXT])
{
    size_t length = span.end - span.begin;
    if (length > POSITION_TEXT - 1)
        length = POSITION_TEXT - 1;
    memcpy(text, reader->text + span.begin, length);
    text[length] = '\0';
    const size_t zero = strlen(text);
    if (zero == length)
        return true;
    (void)fail_at(reader, NK_E_SYNTAX, span.begin + zero, "", "unexpected byte 0");
    return false;
}

/* ---- reading ---- */

static enum nk_status start_at(struct reader *reader, struct nk_position position, enum nk_colour to_move)
{
    return nk_game_new(reader->rules, position, to_move, &reader->game, reader->error);
}

/* Starts the game at the start position of the board unless a start position was read. */
static enum nk_status ensure_started(struct reader *reader)
{
    struct nk_position start;
    if (reader->game)
        return NK_OK;
    if (reader->needs_start)
        return fail_at(reader, NK_E_SYNTAX, reader->line_begin, "",
                       "the header SetUp promises a start position: expected [FEN \"POSITION\"]");
    if (!nk_rules_start(reader->rules, &start))
        return fail_at(reader, NK_E_POSITION, reader->line_begin, "",
                       "this board has no start position: expected a line 'start POSITION'");
    return start_at(reader, start, NK_BLACK);
}

/* Reads a start position; one that was read before has to be the same. */
static enum nk_status read_start_position(struct reader *reader, struct span span)
{
    char text[POSITION_TEXT];
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error why;
    while (span.begin < span.end && nk_is_blank(reader->text[span.begin]))
        span.begin++;
    while (span.end > span.begin && nk_is_blank(reader->text[span.end - 1]))
        span.end--;
    if (!copy(reader, span, text))
        return NK_E_SYNTAX;
    const enum nk_status status = nk_position_parse(reader->rules, text, &position, &to_move, &why);
    if (status)
        return fail_at(reader, status, span.begin + (why.at ? why.at - 1 : 0), "start position: ", why.text);
    if (!reader->game)
        return start_at(reader, position, to_move);
    return nk_position_equal(position, nk_game_position(reader->game)) &&
                   to_move == nk_game_to_move(reader->game)
               ? NK_OK
               : fail_at(reader, NK_E_SYNTAX, span.begin, "", "the headers have different start positions");
}

static enum nk_status read_start(struct reader *reader, struct span word)
{
    if (reader->game)
        return fail_at(reader, NK_E_SYNTAX, word.begin, "", "unexpected 'start': it must be the first entry");
    return read_start_position(reader, read_span(reader, true));
}

static enum nk_status read_resignation(struct reader *reader, struct span word)
{
    if (nk_game_end(reader->game, NULL) != NK_END_NONE)
        return fail_at(reader, NK_E_MOVE, word.begin, "", "unexpected 'resign': the game is over");
    nk_game_resign(reader->game);
    return NK_OK;
}

static enum nk_status read_move(struct reader *reader, struct span word)
{
    char text[POSITION_TEXT];
    struct nk_move move;
    struct nk_error why;
    if (!copy(reader, word, text))
        return NK_E_SYNTAX;
    if (nk_move_parse(reader->rules, text, &move, &why) || nk_game_play(reader->game, move, &why))
        return fail_at_move(reader, word, &why);
    return NK_OK;
}

/* ---- headers and results ---- */

static const char *const outcome_texts[] = {
    [NK_OUTCOME_OPEN] = "*",
    [NK_OUTCOME_BLACK] = "0-1",
    [NK_OUTCOME_WHITE] = "1-0",
    [NK_OUTCOME_DRAW] = "1/2-1/2",
};

static bool find_outcome(const struct reader *reader, struct span word, enum nk_outcome *outcome)
{
    char folded[24]; /* three bytes for each dash of "1/2-1/2", and joiners */
    if (word.end - word.begin > sizeof folded)
        return false;
    const struct reader result = {.text = folded};
    const struct span all = {0, nk_fold(reader->text + word.begin, word.end - word.begin, folded)};
    for (int o = NK_OUTCOME_OPEN; o <= NK_OUTCOME_DRAW; o++)
        if (word_is(&result, all, outcome_texts[o]) ||
            (o == NK_OUTCOME_DRAW && word_is(&result, all, "\u00bd-\u00bd"))) {
            *outcome = (enum nk_outcome)o;
            return true;
        }
    return false;
}

static enum nk_status set_outcome(struct reader *reader, struct span word, enum nk_outcome outcome)
{
    if (reader->has_outcome && reader->headers->outcome != outcome)
        return fail_at(reader, NK_E_SYNTAX, word.begin, "", "the result differs from that of the header");
    reader->headers->outcome = outcome;
    reader->has_outcome = true;
    return NK_OK;
}

enum nk_outcome nk_outcome_of(const struct nk_game *game, enum nk_outcome otherwise)
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    if (end == NK_END_NONE)
        return otherwise;
    if (end != NK_END_WON && end != NK_END_RESIGNED)
        return NK_OUTCOME_DRAW;
    return winner == NK_BLACK ? NK_OUTCOME_BLACK : NK_OUTCOME_WHITE;
}

/* A result that the record states must not contradict the moves. A game that is not over may be drawn, by agreement or
 * because a match ended it. */
static enum nk_status check_outcome(const struct reader *reader)
{
    const enum nk_outcome stated = reader->headers->outcome, found = nk_outcome_of(reader->game, stated);
    char what[16];
    reader->headers->outcome = found;
    const bool is_over = nk_game_end(reader->game, NULL) != NK_END_NONE;
    if (stated == NK_OUTCOME_OPEN || (stated == found && (is_over || stated == NK_OUTCOME_DRAW)))
        return NK_OK;
    if (!is_over)
        return fail_at(reader, NK_E_SYNTAX, reader->at, outcome_texts[stated],
                       ", but the game is not over: expected *, or 'resign' after the moves");
    struct nk_text end = nk_end_text(reader->game);
    end.s[strlen(end.s) - 1] = '\0'; /* without the period */
    nk_strbuf_add(&(struct nk_strbuf){what, sizeof what, 0}, "%s, but ", outcome_texts[stated]);
    return fail_at(reader, NK_E_SYNTAX, reader->at, what, end.s);
}

/* Copies the value of a header as far as it fits, with a question mark for each byte that is not safe to print. */
static void copy_value(const struct reader *reader, struct span value, char text[NK_HEADER_TEXT])
{
    char raw[NK_HEADER_TEXT + 4]; /* without backslashes; the longest character begins within the text */
    size_t length = 0, used = 0;
    for (size_t at = value.begin; at < value.end && length < sizeof raw - 1; at++) {
        at += reader->text[at] == '\\'; /* what it precedes belongs to the value: see scan_header */
        raw[length++] = reader->text[at];
    }
    raw[length] = '\0';
    for (const char *c = raw; c < raw + length;) {
        const size_t bytes = nk_visible_length(c);
        if (used + bytes + !bytes >= NK_HEADER_TEXT)
            break;
        memcpy(text + used, bytes ? c : "?", bytes + !bytes);
        used += bytes + !bytes;
        c += bytes + !bytes;
    }
    text[used] = '\0';
}

/* The end of a header, after its closing bracket, or the place where something else was expected; *complete is set to
 * whether it is a header. *name and *value (within the quotation marks) are the parts of a complete one. */
static size_t scan_header(const char *text, size_t length, size_t at, struct span *name, struct span *value,
                          bool *complete)
{
    *complete = false;
    name->begin = ++at;
    while (at < length && ((text[at] >= 'A' && text[at] <= 'Z') || (text[at] >= 'a' && text[at] <= 'z')))
        at++;
    name->end = at;
    while (at < length && nk_is_blank(text[at]))
        at++;
    if (name->begin == name->end || at == length || text[at] != '"')
        return at;
    value->begin = ++at;
    while (at < length && text[at] != '"' && !nk_is_line_end(text[at]))
        at += text[at] == '\\' && at + 1 < length && !nk_is_line_end(text[at + 1]) ? 2 : 1;
    value->end = at;
    if (at == length || text[at] != '"')
        return at;
    at++;
    while (at < length && nk_is_blank(text[at]))
        at++;
    *complete = at < length && text[at] == ']';
    return at + *complete;
}

static enum nk_status read_board(const struct reader *reader, struct span value)
{
    char board[NK_HEADER_TEXT], expected[NK_HEADER_TEXT], why[2 * NK_HEADER_TEXT + 40];
    copy_value(reader, value, board);
    nk_board_name(&reader->rules->board, expected);
    if (strcmp(board, expected) == 0)
        return NK_OK;
    for (char *c = board; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?'; /* errors are ASCII */
    nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "'%s', expected '%s', the board of the table",
                  board, expected);
    return fail_at(reader, NK_E_RULES, value.begin, "the game is on another board: ", why);
}

/* A header of programs for chess and its variants that names the game. */
static enum nk_status read_variant(const struct reader *reader, struct span value)
{
    char variant[NK_HEADER_TEXT], why[2 * NK_HEADER_TEXT];
    if (word_is(reader, value, NK_EVENT))
        return NK_OK;
    copy_value(reader, value, variant);
    for (char *c = variant; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?'; /* errors are ASCII */
    nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "'%s', expected '" NK_EVENT "'", variant);
    return fail_at(reader, NK_E_RULES, value.begin, "another game: ", why);
}

static enum nk_status read_start_header(struct reader *reader, struct span name, struct span value)
{
    const char *const header = word_is(reader, name, "FEN") ? "FEN" : "Start";
    char why[32];
    if (reader->start_header == header) {
        nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "repeated header %s", header);
        return fail_at(reader, NK_E_SYNTAX, name.begin, "", why);
    }
    reader->start_header = header;
    return read_start_position(reader, value);
}

static enum nk_status read_header(struct reader *reader)
{
    struct nk_headers *headers = reader->headers;
    const struct {
        const char *name;
        char *text;
    } texts[] = {{"Event", headers->event},
                 {"Date", headers->date},
                 {"Round", headers->round},
                 {"Black", headers->players[NK_BLACK]},
                 {"White", headers->players[NK_WHITE]}};
    struct span name, value;
    enum nk_outcome outcome;
    bool complete;
    if (reader->begun || reader->ended)
        return fail_at(reader, NK_E_SYNTAX, reader->at, "", "another game begins here, expected one game");
    reader->at = scan_header(reader->text, reader->length, reader->at, &name, &value, &complete);
    if (!complete)
        return fail_at(reader, NK_E_SYNTAX, reader->at, "", "expected a header such as [White \"perfect\"]");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (word_is(reader, name, texts[i].name))
            copy_value(reader, value, texts[i].text);
    if (word_is(reader, name, "Board"))
        return read_board(reader, value);
    if (word_is(reader, name, "Variant"))
        return read_variant(reader, value);
    if (word_is(reader, name, "Start") || word_is(reader, name, "FEN"))
        return read_start_header(reader, name, value);
    reader->needs_start |= word_is(reader, name, "SetUp") && word_is(reader, value, "1");
    if (!word_is(reader, name, "Result"))
        return NK_OK;
    return find_outcome(reader, value, &outcome)
               ? set_outcome(reader, value, outcome)
               : fail_at(reader, NK_E_SYNTAX, value.begin, "", "expected 1-0, 0-1, 1/2-1/2 or *");
}

static enum nk_status read_entry(struct reader *reader)
{
    if (reader->text[reader->at] == '[')
        return read_header(reader);
    if (reader->ended)
        return fail_at(reader, NK_E_SYNTAX, reader->at, "", "unexpected text after the result of the game");
    reader->begun = true;
    if (reader->text[reader->at] == '(')
        return skip_variation(reader);
    if (reader->text[reader->at] == ')')
        return fail_at(reader, NK_E_SYNTAX, reader->at, "", "unexpected ')': no variation is open");
    struct span word = read_span(reader, false);
    if (word_is(reader, word, "start"))
        return read_start(reader, word);
    enum nk_outcome outcome;
    const enum nk_status status = ensure_started(reader);
    if (status)
        return status;
    reader->ended = find_outcome(reader, word, &outcome);
    if (reader->ended)
        return set_outcome(reader, word, outcome);
    word = trim(reader, word);
    if (word.begin == word.end)
        return NK_OK;
    return word_is(reader, word, "resign") ? read_resignation(reader, word) : read_move(reader, word);
}

/* Skips a byte order mark, with which some editors begin UTF-8 texts. Characters of the first line count after it. */
static void skip_mark(struct reader *reader)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (reader->length >= sizeof mark - 1 && memcmp(reader->text, mark, sizeof mark - 1) == 0)
        reader->at = reader->line_begin = sizeof mark - 1;
}

enum nk_status nk_record_read_part(const struct nk_record_part *part, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_game **game, struct nk_error *error)
{
    struct nk_headers found = {.outcome = NK_OUTCOME_OPEN};
    struct reader reader = {.text = part->text,
                            .length = part->length,
                            .line = part->line,
                            .rules = rules,
                            .headers = &found,
                            .error = error};
    skip_mark(&reader);
    enum nk_status status;
    while (!(status = find_word(&reader)) && reader.at < reader.length)
        if ((status = read_entry(&reader)))
            break;
    if (!status && !(status = ensure_started(&reader)))
        status = check_outcome(&reader);
    if (status) {
        nk_game_free(reader.game);
        return status;
    }
    *headers = found;
    *game = reader.game;
    return NK_OK;
}

enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                              struct nk_game **game, struct nk_error *error)
{
    struct nk_headers headers;
    return nk_record_read_part(&(struct nk_record_part){text, length, 1}, rules, &headers, game, error);
}

size_t nk_record_length(const char *text, size_t length)
{
    struct reader reader = {.text = text, .length = length, .line = 1};
    size_t last_line = 0; /* of the last word that is not a header */
    skip_mark(&reader);
    while (!find_word(&reader) && reader.at < length) {
        struct span name, value;
        enum nk_outcome outcome;
        const bool begins_line = reader.line != last_line;
        bool header = begins_line && text[reader.at] == '[';
        const size_t end = header ? scan_header(text, length, reader.at, &name, &value, &header) : 0;
        if (reader.ended || (header && reader.begun))
            return begins_line ? reader.line_begin : reader.at;
        if (header) {
            reader.at = end;
            continue;
        }
        reader.begun = true;
        last_line = reader.line;
        if (text[reader.at] == '(') {
            if (skip_variation(&reader))
                break;
        } else if (text[reader.at] == ')') {
            reader.at++;
        } else {
            reader.ended = find_outcome(&reader, read_span(&reader, false), &outcome);
        }
    }
    return length;
}

/* ---- writing ---- */

static void add_header(struct nk_strbuf *record, const char *name, const char *value)
{
    if (!*value)
        return;
    nk_strbuf_add(record, "[%s \"", name);
    for (; *value; value++)
        nk_strbuf_add(record, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    nk_strbuf_add(record, "\"]\n");
}

/* `as_header`: in the form of a header. */
static void add_start(const struct nk_game *game, bool as_header, struct nk_strbuf *record)
{
    const struct nk_rules *rules = nk_game_rules(game);
    const struct nk_position first = nk_game_position_at(game, 0);
    const enum nk_colour to_move = nk_game_to_move_at(game, 0);
    struct nk_position start;
    if (nk_rules_start(rules, &start) && nk_position_equal(start, first) && to_move == NK_BLACK)
        return;
    const struct nk_text text = nk_position_text(rules, first, to_move);
    if (as_header)
        add_header(record, "Start", text.s);
    else
        nk_strbuf_add(record, "start %s\n", text.s);
}

static void add_headers(const struct nk_game *game, const struct nk_headers *headers,
                        struct nk_strbuf *record)
{
    char board[NK_HEADER_TEXT];
    nk_board_name(&nk_game_rules(game)->board, board);
    add_header(record, "Event", headers->event);
    add_header(record, "Date", headers->date);
    add_header(record, "Round", headers->round);
    add_header(record, "White", headers->players[NK_WHITE]);
    add_header(record, "Black", headers->players[NK_BLACK]);
    add_header(record, "Result", outcome_texts[nk_outcome_of(game, headers->outcome)]);
    add_header(record, "Board", board);
    add_start(game, true, record);
    nk_strbuf_add(record, "\n");
}

/* Writes two moves per line, Black's and White's. If White moves first, the first line has no move of Black. */
static void add_moves(const struct nk_game *game, struct nk_strbuf *record)
{
    const int plies = nk_game_plies(game);
    const int skipped = nk_game_to_move_at(game, 0) == NK_WHITE;
    const bool resigned = nk_game_end(game, NULL) == NK_END_RESIGNED;
    for (int ply = 0; ply < plies + resigned; ply++) {
        const int half = ply + skipped;
        if (half % 2 == 0)
            nk_strbuf_add(record, "%s%d. ", ply ? "\n" : "", half / 2 + 1);
        else
            nk_strbuf_add(record, "%s", ply ? " " : "1... ");
        if (ply < plies)
            nk_strbuf_add(record, "%s", nk_move_text(nk_game_rules(game), nk_game_move_at(game, ply)).s);
        else
            nk_strbuf_add(record, "resign");
    }
    if (plies + resigned)
        nk_strbuf_add(record, "\n");
}

/* `headers` may be NULL. */
static void add_record(const struct nk_game *game, const struct nk_headers *headers, struct nk_strbuf *record)
{
    if (headers)
        add_headers(game, headers, record);
    else
        add_start(game, false, record);
    add_moves(game, record);
    if (nk_game_end(game, NULL) != NK_END_NONE)
        nk_strbuf_add(record, "# %s\n", nk_end_text(game).s);
    if (headers)
        nk_strbuf_add(record, "%s\n", outcome_texts[nk_outcome_of(game, headers->outcome)]);
}

char *nk_record_text_with(const struct nk_game *game, const struct nk_headers *headers)
{
    struct nk_strbuf measured = {0};
    add_record(game, headers, &measured);
    char *text = calloc(measured.length + 1, 1);
    if (text)
        add_record(game, headers, &(struct nk_strbuf){text, measured.length + 1, 0});
    return text;
}

char *nk_record_text(const struct nk_game *game)
{
    return nk_record_text_with(game, NULL);
}
