/* Reading and writing the record of a game; include/neutreeko.h describes the format. */

#include "common/strbuf.h"
#include "player/describe.h"

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

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Skips blanks, comments and line ends. Returns false at the end of the text. */
static bool find_word(struct reader *reader)
{
    bool comment = false;
    for (; reader->at < reader->length; reader->at++) {
        const char *c = &reader->text[reader->at];
        if (is_line_end(*c)) {
            comment = false;
            reader->line += !(*c == '\r' && reader->at + 1 < reader->length && c[1] == '\n');
            reader->line_begin = reader->at + 1;
        } else if (!comment && !is_blank(*c)) {
            if (*c != '#')
                return true;
            comment = true;
        }
    }
    return false;
}

/* Reads a word, or the rest of the line without a comment. */
static struct span read_span(struct reader *reader, bool rest_of_line)
{
    const size_t begin = reader->at;
    while (reader->at < reader->length && !is_line_end(reader->text[reader->at]) &&
           reader->text[reader->at] != '#' && (rest_of_line || !is_blank(reader->text[reader->at])))
        reader->at++;
    return (struct span){begin, reader->at};
}

static bool word_is(const struct reader *reader, struct span word, const char *name)
{
    return word.end - word.begin == strlen(name) &&
           strncasecmp(reader->text + word.begin, name, word.end - word.begin) == 0;
}

/* Removes a move number, "1." or "1...", from the beginning of a word. */
static struct span skip_number(const struct reader *reader, struct span word)
{
    size_t at = word.begin;
    while (at < word.end && reader->text[at] >= '0' && reader->text[at] <= '9')
        at++;
    if (at == word.end || reader->text[at] != '.')
        return word;
    while (at < word.end && reader->text[at] == '.')
        at++;
    return (struct span){at, word.end};
}

/* Copies a span as a zero-terminated string. A span longer than any position is truncated: the rest is invalid at the
 * same character. Returns false after failing if the span contains byte 0. */
static bool copy(const struct reader *reader, struct span span, char text[NK_POSITION_TEXT + 1])
{
    size_t length = span.end - span.begin;
    if (length > NK_POSITION_TEXT)
        length = NK_POSITION_TEXT;
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
    if (!nk_rules_start(reader->rules, &start))
        return fail_at(reader, NK_E_POSITION, reader->line_begin, "",
                       "this board has no start position: expected a line 'start POSITION'");
    return start_at(reader, start, NK_BLACK);
}

static enum nk_status read_start(struct reader *reader, struct span word)
{
    char text[NK_POSITION_TEXT + 1];
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error why;
    if (reader->game)
        return fail_at(reader, NK_E_SYNTAX, word.begin, "", "unexpected 'start': it must be the first entry");
    struct span span = read_span(reader, true);
    while (span.begin < span.end && is_blank(reader->text[span.begin]))
        span.begin++;
    while (span.end > span.begin && is_blank(reader->text[span.end - 1]))
        span.end--;
    if (!copy(reader, span, text))
        return NK_E_SYNTAX;
    const enum nk_status status = nk_position_parse(reader->rules, text, &position, &to_move, &why);
    if (status)
        return fail_at(reader, status, span.begin + (why.at ? why.at - 1 : 0), "start position: ", why.text);
    return start_at(reader, position, to_move);
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
    char text[NK_POSITION_TEXT + 1];
    struct nk_move move;
    struct nk_error why;
    if (!copy(reader, word, text))
        return NK_E_SYNTAX;
    if (nk_move_parse(reader->rules, text, &move, &why) || nk_game_play(reader->game, move, &why))
        return fail_at_move(reader, word, &why);
    return NK_OK;
}

static enum nk_status read_entry(struct reader *reader)
{
    struct span word = read_span(reader, false);
    if (word_is(reader, word, "start"))
        return read_start(reader, word);
    const enum nk_status status = ensure_started(reader);
    if (status)
        return status;
    word = skip_number(reader, word);
    if (word.begin == word.end)
        return NK_OK;
    return word_is(reader, word, "resign") ? read_resignation(reader, word) : read_move(reader, word);
}

enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                              struct nk_game **game, struct nk_error *error)
{
    struct reader reader = {.text = text, .length = length, .line = 1, .rules = rules, .error = error};
    static const char mark[] =
        "\xef\xbb\xbf"; /* the byte order mark with which some editors begin UTF-8 texts */
    if (length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        reader.at = reader.line_begin = sizeof mark - 1;
    enum nk_status status = NK_OK;
    while (!status && find_word(&reader))
        status = read_entry(&reader);
    if (!status)
        status = ensure_started(&reader);
    if (status) {
        nk_game_free(reader.game);
        return status;
    }
    *game = reader.game;
    return NK_OK;
}

/* ---- writing ---- */

static void add_start(const struct nk_game *game, struct nk_strbuf *record)
{
    const struct nk_rules *rules = nk_game_rules(game);
    const struct nk_position first = nk_game_position_at(game, 0);
    const enum nk_colour to_move = nk_game_to_move_at(game, 0);
    struct nk_position start;
    char text[NK_POSITION_TEXT];
    if (nk_rules_start(rules, &start) && nk_position_equal(start, first) && to_move == NK_BLACK)
        return;
    nk_position_print(rules, first, to_move, text);
    nk_strbuf_add(record, "start %s\n", text);
}

/* Writes two moves per line, Black's and White's. If White moves first, the first line has no move of Black. */
static void add_moves(const struct nk_game *game, struct nk_strbuf *record)
{
    const int plies = nk_game_plies(game);
    const int skipped = nk_game_to_move_at(game, 0) == NK_WHITE;
    const bool resigned = nk_game_end(game, NULL) == NK_END_RESIGNED;
    char text[NK_MOVE_TEXT];
    for (int ply = 0; ply < plies + resigned; ply++) {
        const int half = ply + skipped;
        if (half % 2 == 0)
            nk_strbuf_add(record, "%s%d. ", ply ? "\n" : "", half / 2 + 1);
        else
            nk_strbuf_add(record, "%s", ply ? " " : "1... ");
        if (ply < plies)
            nk_move_print(nk_game_rules(game), nk_game_move_at(game, ply), text);
        nk_strbuf_add(record, "%s", ply < plies ? text : "resign");
    }
    if (plies + resigned)
        nk_strbuf_add(record, "\n");
}

static void add_record(const struct nk_game *game, struct nk_strbuf *record)
{
    char end[NK_END_TEXT];
    add_start(game, record);
    add_moves(game, record);
    if (nk_game_end(game, NULL) == NK_END_NONE)
        return;
    nk_end_format(game, end);
    nk_strbuf_add(record, "# %s\n", end);
}

char *nk_record_text(const struct nk_game *game)
{
    struct nk_strbuf measured = {0};
    add_record(game, &measured);
    char *text = calloc(measured.length + 1, 1);
    if (text)
        add_record(game, &(struct nk_strbuf){text, measured.length + 1, 0});
    return text;
}
