/* Reading the records of games, in the format that include/neutreeko.h describes. */

#include "common/game/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A place in the text that was read, for an error that is noticed later: the offset of the character, the number of its
 * line, and the offset of the first character of the line. */
struct place {
    size_t at, line, line_begin;
};

/* A variation that is being read. */
struct variation {
    struct place begin;
    int node; /* after which the line goes on whose move it replaces */
};

struct record_reader {
    const char *text;
    size_t length;
    size_t at;
    size_t line, line_begin; /* the current line, from 1, and the offset of its first character in the text */
    size_t before;           /* characters of the first line before the text */
    size_t comment_end;      /* of the last comment */
    const struct nk_rules *rules;
    struct nk_position start; /* with `first` to move */
    enum nk_colour first;
    struct nk_tree *tree; /* NULL until the start position is known */
    int node;             /* of the tree: the last one that was read, or after which a variation begins */
    bool begins;          /* a variation has begun, and has no move so far */
    bool keeps;           /* comments are kept, not only skipped */
    struct variation *open;
    size_t depth, room; /* of open[] */
    char *pending;      /* the comments on a node that does not exist yet */
    size_t pending_length, pending_room;
    struct nk_headers *headers;
    bool is_strict;           /* a game may not go on after threefold repetition */
    bool begun;               /* an entry after the headers has been read */
    bool has_outcome;         /* headers->outcome has been read, in the header or after the moves */
    struct place stated;      /* where, if it has */
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
static enum nk_status fail_at(const struct record_reader *reader, enum nk_status status, size_t at,
                              const char *what, const char *why)
{
    const size_t before = reader->line_begin ? 0 : reader->before;
    return nk_fail(reader->error, status, at + 1, "line %zu, character %zu: %s%s", reader->line,
                   before + at - reader->line_begin + 1, what, why);
}

/* Fails at a place that was passed. */
static enum nk_status fail_at_place(const struct record_reader *reader, struct place place, const char *what,
                                    const char *why)
{
    struct record_reader passed = *reader;
    passed.line = place.line;
    passed.line_begin = place.line_begin;
    return fail_at(&passed, NK_E_SYNTAX, place.at, what, why);
}

/* Warns of a character of the current line, unless there is a warning. */
static void warn(const struct record_reader *reader, size_t at, const char *what, const char *why)
{
    struct record_reader quiet = *reader;
    struct nk_error found;
    quiet.error = &found;
    (void)fail_at(&quiet, NK_E_SYNTAX, at, what, why);
    if (reader->headers && !*reader->headers->warning)
        (void)nk_put_text(reader->headers->warning, found.text);
}

/* Replaces all other characters: errors are ASCII. */
static void make_ascii(char *text)
{
    for (; *text; text++)
        *text = (unsigned char)*text < 0x80 ? *text : '?';
}

static enum nk_status fail_at_move(const struct record_reader *reader, struct span word, const char *text,
                                   const struct nk_error *why)
{
    char what[2 * NK_HEADER_TEXT], quoted[NK_HEADER_TEXT];
    const int ply = nk_tree_node(reader->tree, reader->node).ply;
    const size_t offset = why->at ? why->at - 1 : 0;
    nk_header_set(quoted, text); /* without control characters */
    make_ascii(quoted);
    nk_strbuf_add(&(struct nk_strbuf){what, sizeof what, 0}, "move %d (%s)%s: %s move '%s': ", ply + 1,
                  nk_colour_name(ply % 2 ? nk_colour_other(reader->first) : reader->first),
                  reader->depth ? " in a variation" : "", why->status == NK_E_MOVE ? "illegal" : "invalid",
                  quoted);
    return fail_at(reader, why->status, word.begin + offset, what, why->text);
}

/* ---- words ---- */

/* Whether a character begins a comment, to the end of the line or in braces, so that it ends a word. */
static bool begins_comment(char c)
{
    return c == '#' || c == ';' || c == '{';
}

/* Goes to the next character. */
static void advance(struct record_reader *reader)
{
    const char *c = &reader->text[reader->at++];
    if (!nk_is_line_end(*c))
        return;
    reader->line += !(*c == '\r' && reader->at < reader->length && c[1] == '\n');
    reader->line_begin = reader->at;
}

static bool word_is(const struct record_reader *reader, struct span word, const char *name)
{
    return word.end - word.begin == strlen(name) &&
           nk_has_prefix(reader->text + word.begin, name, word.end - word.begin);
}

/* ---- comments ---- */

static enum nk_status add_pending(struct record_reader *reader, struct span span)
{
    const size_t length = span.end - span.begin;
    if (!nk_grow(&reader->pending, &reader->pending_room, reader->pending_length + length + 1, 1))
        return nk_fail_memory(reader->error);
    memcpy(reader->pending + reader->pending_length, reader->text + span.begin, length);
    reader->pending_length += length;
    reader->pending[reader->pending_length++] = '\n';
    return NK_OK;
}

/* Adds the comments before the move, or before the game, to it. */
static enum nk_status take_pending(struct record_reader *reader)
{
    const size_t length = reader->pending_length;
    reader->pending_length = 0;
    if (!length)
        return NK_OK;
    return nk_tree_comment_bytes(reader->tree, reader->node, reader->pending, length, reader->error);
}

static enum nk_status keep_comment(struct record_reader *reader, struct span span)
{
    if (!reader->tree || reader->begins)
        return add_pending(reader, span);
    return nk_tree_comment_bytes(reader->tree, reader->node, reader->text + span.begin, span.end - span.begin,
                                 reader->error);
}

/* Reads a comment, or a line that begins with a percent sign. */
static enum nk_status read_comment(struct record_reader *reader)
{
    const struct record_reader begin = *reader;
    const char first = reader->text[reader->at];
    const bool in_braces = first == '{';
    while (reader->at < reader->length &&
           (in_braces ? reader->text[reader->at] != '}' : !nk_is_line_end(reader->text[reader->at])))
        advance(reader);
    const struct span span = {begin.at + 1, reader->at};
    if (in_braces && reader->at == reader->length)
        return fail_at(&begin, NK_E_SYNTAX, begin.at, "", "unterminated comment: expected '}'");
    if (in_braces)
        advance(reader);
    reader->comment_end = reader->at;
    return !reader->keeps || first == '%' || first == '`' ? NK_OK : keep_comment(reader, span);
}

/* What the next character, which exists, stands for. */
static struct nk_character character_at(const struct record_reader *reader)
{
    return nk_character_at(reader->text + reader->at, reader->text + reader->length);
}

/* Whether what is not for players begins at the beginning of a line: a line with a percent sign, or one of three
 * backquotes, between which people put texts. */
static bool begins_skipped_line(const struct record_reader *reader)
{
    static const char fence[] = "```";
    const size_t left = reader->length - reader->at, length = sizeof fence - 1;
    return reader->at == reader->line_begin &&
           (reader->text[reader->at] == '%' ||
            (left >= length && memcmp(reader->text + reader->at, fence, length) == 0));
}

/* Whether nothing follows but zeros and the mark with which DOS ended texts. */
static bool is_padding(const struct record_reader *reader)
{
    size_t at = reader->at;
    while (at < reader->length && (reader->text[at] == '\x1a' || !reader->text[at]))
        at++;
    return at == reader->length && reader->at > 0;
}

/* Skips the signs with which mail quotes a line. Returns whether there are any. */
static bool skip_quotes(struct record_reader *reader)
{
    size_t at = reader->line_begin;
    while (at < reader->length && (reader->text[at] == '>' || nk_is_blank(reader->text[at])))
        at++;
    if (reader->text[reader->at] != '>' || at <= reader->at)
        return false;
    reader->at = at;
    return true;
}

static bool is_between_words(char c)
{
    return nk_is_blank(c) || c == ',';
}

/* Skips what is between words: blanks, commas, comments, lines that begin with a percent sign, and line ends. At the
 * end of the text, reader->at is its length. */
static enum nk_status find_word(struct record_reader *reader)
{
    while (reader->at < reader->length) {
        const char c = reader->text[reader->at];
        const struct nk_character read = character_at(reader);
        if (begins_comment(c) || begins_skipped_line(reader)) {
            const enum nk_status status = read_comment(reader);
            if (status)
                return status;
        } else if (nk_is_line_end(c)) {
            advance(reader);
        } else if (is_between_words(read.c) || (!read.c && read.bytes > 1)) {
            reader->at += read.bytes;
        } else if (is_padding(reader)) {
            reader->at = reader->length;
        } else if (!skip_quotes(reader)) {
            break;
        }
    }
    return NK_OK;
}

/* Reads a word, or the rest of the line without a comment. */
static struct span read_span(struct record_reader *reader, bool rest_of_line)
{
    const size_t begin = reader->at;
    if (!rest_of_line)
        reader->at += nk_move_number_length(reader->text + begin, reader->length - begin);
    while (reader->at < reader->length) {
        const char c = reader->text[reader->at];
        const struct nk_character read = character_at(reader);
        if (nk_is_line_end(c) || begins_comment(c) ||
            (!rest_of_line && (is_between_words(read.c) || c == '(' || c == ')')))
            break;
        reader->at += read.bytes;
    }
    return (struct span){begin, reader->at};
}

/* Skips parentheses, with all that are nested in them. */
static enum nk_status skip_parentheses(struct record_reader *reader)
{
    const struct record_reader begin = *reader;
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

/* Removes from the end of a word the marks of PGN, such as "!?", and from its beginning the number of a move. A word
 * that is a mark, also as "$4", becomes empty. */
static struct span trim(const struct record_reader *reader, struct span word)
{
    while (word.end > word.begin && strchr("!?", reader->text[word.end - 1]))
        word.end--;
    word.begin += nk_move_number_length(reader->text + word.begin, word.end - word.begin);
    const size_t mark = word.begin + (word.begin < word.end && reader->text[word.begin] == '$');
    if (mark > word.begin && nk_move_number_length(reader->text + mark, word.end - mark) == word.end - mark)
        word.begin = word.end;
    return word;
}

/* Room for the text of a position or a move as people write it. */
enum { POSITION_TEXT = 512 };

/* Copies a span as a zero-terminated string. A span longer than any position is truncated: the rest is invalid at the
 * same character. Returns false after failing if the span contains byte 0. */
static bool copy(const struct record_reader *reader, struct span span, char text[POSITION_TEXT])
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

/* Whether a word is a mark such as <12>, which is a comment. */
static bool is_bracketed(const struct record_reader *reader, struct span word)
{
    return word.end - word.begin > 1 && reader->text[word.begin] == '<' && reader->text[word.end - 1] == '>';
}

/* ---- the start, moves and marks ---- */

static enum nk_status start_at(struct record_reader *reader, struct nk_position position,
                               enum nk_colour to_move)
{
    const enum nk_status status = nk_tree_new(reader->rules, position, to_move, &reader->tree, reader->error);
    reader->start = position;
    reader->first = to_move;
    return status ? status : take_pending(reader);
}

/* Starts the game at the start position of the board unless a start position was read. */
static enum nk_status ensure_started(struct record_reader *reader)
{
    struct nk_position start;
    if (reader->tree)
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
static enum nk_status read_start_position(struct record_reader *reader, struct span span)
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
    if (!reader->tree)
        return start_at(reader, position, to_move);
    return nk_position_equal(position, reader->start) && to_move == reader->first
               ? NK_OK
               : fail_at(reader, NK_E_SYNTAX, span.begin, "", "the headers have different start positions");
}

static enum nk_status read_resignation(struct record_reader *reader, struct span word)
{
    const enum nk_status status = nk_tree_resign(reader->tree, reader->node, reader->error);
    if (!status && !nk_tree_node(reader->tree, reader->node).resigned)
        return fail_at(reader, NK_E_MOVE, word.begin, "", "unexpected 'resign': the game is over");
    return status;
}

/* Adds a move. Many people and programs know no repetition, and go on. */
static enum nk_status add_move(struct record_reader *reader, struct span word, struct nk_move move,
                               struct nk_error *why)
{
    const struct nk_game *game;
    enum nk_status status = nk_tree_at(reader->tree, reader->node, &game, why);
    if (status)
        return status;
    if (reader->is_strict || nk_game_end(game, NULL) != NK_END_REPETITION)
        return nk_tree_add(reader->tree, reader->node, move, &reader->node, why);
    status = nk_tree_go_on(reader->tree, reader->node, move, &reader->node, why);
    if (!status)
        warn(reader, word.begin, "the game goes on after the third occurrence of a position, ",
             "which is a draw");
    return status;
}

static enum nk_status read_move(struct record_reader *reader, struct span word)
{
    char text[POSITION_TEXT];
    struct nk_move move;
    struct nk_error why;
    if (!copy(reader, word, text))
        return NK_E_SYNTAX;
    enum nk_status status = nk_move_parse(reader->rules, text, &move, &why);
    if (!status && !reader->begins && nk_tree_node(reader->tree, reader->node).resigned)
        status = nk_fail(&why, NK_E_MOVE, 0, "the game is over");
    if (!status)
        status = add_move(reader, word, move, &why);
    if (status)
        return fail_at_move(reader, word, text, &why);
    reader->begins = false;
    return take_pending(reader);
}

/* Reads the marks of a move: "?!" behind it or as a word, "$4" as a word. Others, such as "???" and "$1000", are cut or
 * skipped. */
static enum nk_status read_marks(struct record_reader *reader, struct span marks)
{
    enum { MARK = 4 };
    char text[MARK + 1] = "";
    const size_t length = marks.end - marks.begin;
    const bool is_number = length && reader->text[marks.begin] == '$';
    if (!length || (is_number && length > MARK) || reader->begins)
        return NK_OK;
    memcpy(text, reader->text + marks.begin, is_number ? length : length > 2 ? 2 : length);
    const enum nk_status status = nk_tree_mark(reader->tree, reader->node, text, reader->error);
    return status == NK_E_SYNTAX ? NK_OK : status; /* $256 to $999 */
}

/* Whether a word is a sign of other programs about a move or a position: who is better, or what is new. */
static bool is_sign(const struct record_reader *reader, struct span word)
{
    static const char *const signs[] = {
        "\u00b1", "\u2213", "\u221e", "\u2a72", "\u2a71", "=", "=/\u221e", "+-", "-+", "+/-",
        "-/+",    "+=",     "=+",     "+/=",    "=/+",    "N", "D",        "--", "-"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (word_is(reader, word, signs[i]))
            return true;
    return false;
}

/* Reads a word that is a move or `resign`, a mark, or the number of a move. */
static enum nk_status read_entry_word(struct record_reader *reader, struct span word)
{
    const struct span entry = trim(reader, word);
    struct span marks = {entry.end, word.end};
    enum nk_status status = NK_OK;
    if (is_sign(reader, entry)) {
        warn(reader, entry.begin, "", "this is not a move: it is skipped");
        return NK_OK;
    }
    if (entry.begin < entry.end)
        status =
            word_is(reader, entry, "resign") ? read_resignation(reader, entry) : read_move(reader, entry);
    else if (word.begin < word.end && reader->text[word.begin] == '$')
        marks = word;
    return status ? status : read_marks(reader, marks);
}

/* ---- variations ---- */

/* Whether the parentheses that begin here are a variation: after a move, and with one. */
static enum nk_status is_variation(const struct record_reader *reader, bool *is)
{
    struct record_reader ahead = *reader;
    struct span word = {0, 0};
    char text[POSITION_TEXT];
    struct nk_move move;
    ahead.keeps = false;
    ahead.at++;
    do {
        const enum nk_status status = find_word(&ahead);
        const char c = ahead.at < ahead.length ? ahead.text[ahead.at] : '(';
        *is = false;
        if (status || c == '(' || c == ')' || c == '[')
            return status;
        word = trim(&ahead, read_span(&ahead, false));
    } while (word.begin == word.end);
    const bool after_move = reader->node && !reader->begins;
    *is = (after_move || (reader->tree && nk_tree_node(reader->tree, reader->node).resigned)) &&
          copy(&ahead, word, text) && !nk_move_parse(reader->rules, text, &move, NULL);
    return NK_OK;
}

/* A variation is an alternative to the last move or, after a resignation, to that. */
static enum nk_status begin_variation(struct record_reader *reader)
{
    const struct nk_node node = nk_tree_node(reader->tree, reader->node);
    if (!nk_grow(&reader->open, &reader->room, reader->depth + 1, sizeof *reader->open))
        return nk_fail_memory(reader->error);
    reader->open[reader->depth++] =
        (struct variation){{reader->at, reader->line, reader->line_begin}, reader->node};
    reader->at++;
    reader->node = node.resigned ? reader->node : node.parent;
    reader->begins = true;
    return NK_OK;
}

static enum nk_status end_variation(struct record_reader *reader)
{
    if (!reader->depth)
        return fail_at(reader, NK_E_SYNTAX, reader->at, "", "unexpected ')': no variation is open");
    reader->at++;
    reader->node = reader->open[--reader->depth].node;
    reader->begins = false;
    return NK_OK;
}

/* Reads parentheses: a variation or, as a comment, all others. */
static enum nk_status read_parentheses(struct record_reader *reader)
{
    struct record_reader ahead = *reader;
    bool is;
    enum nk_status status = is_variation(reader, &is);
    if (status)
        return status;
    if (is)
        return begin_variation(reader);
    ahead.keeps = false;
    if ((status = skip_parentheses(&ahead)))
        return status;
    const struct span span = {reader->at, ahead.at};
    reader->at = ahead.at;
    reader->line = ahead.line;
    reader->line_begin = ahead.line_begin;
    return keep_comment(reader, span);
}

/* ---- headers and results ---- */

static bool find_outcome(const struct record_reader *reader, struct span word, enum nk_outcome *outcome)
{
    static const char *const others[] = {"*", "0:1", "1:0", "1/2"}, *const draws[] = {"\u00bd-\u00bd",
                                                                                      "\u00bd", "0.5-0.5",
                                                                                      "1/2:1/2"};
    char folded[24]; /* three bytes for each dash of "1/2-1/2", and joiners */
    if (word.end - word.begin > sizeof folded)
        return false;
    const struct record_reader result = {.text = folded};
    const struct span all = {
        0, nk_fold_unicode_to_ascii(reader->text + word.begin, word.end - word.begin, folded)};
    for (int o = NK_OUTCOME_OPEN; o <= NK_OUTCOME_DRAW; o++)
        if (word_is(&result, all, nk_outcome_text((enum nk_outcome)o)) || word_is(&result, all, others[o])) {
            *outcome = (enum nk_outcome)o;
            return true;
        }
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++)
        if (word_is(&result, all, draws[i])) {
            *outcome = NK_OUTCOME_DRAW;
            return true;
        }
    return false;
}

/* The result after the moves counts more than the one in the header; * in either says nothing. */
static void set_outcome(struct record_reader *reader, struct span word, enum nk_outcome outcome)
{
    if (outcome == NK_OUTCOME_OPEN && reader->has_outcome)
        return;
    if (reader->has_outcome && reader->headers->outcome != NK_OUTCOME_OPEN &&
        reader->headers->outcome != outcome)
        warn(reader, word.begin, "the result differs from that of the header, ", "which is ignored");
    reader->headers->outcome = outcome;
    reader->has_outcome = true;
    reader->stated = (struct place){word.begin, reader->line, reader->line_begin};
}

/* Whether a text contains another one, in upper or lower case. */
static bool says(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (; *text; text++)
        if (nk_has_prefix(text, name, length))
            return true;
    return false;
}

/* The result by the last comment of a game, or NK_OUTCOME_OPEN. */
static enum nk_outcome outcome_of_comment(const struct record_reader *reader)
{
    static const char black[] = "Black resign", white[] = "White resign";
    const char *const comment = nk_tree_node(reader->tree, nk_tree_last(reader->tree)).comment;
    if (nk_has_prefix(comment, black, sizeof black - 1))
        return NK_OUTCOME_WHITE;
    return nk_has_prefix(comment, white, sizeof white - 1) ? NK_OUTCOME_BLACK : NK_OUTCOME_OPEN;
}

/* How a game with this result ended that the board does not show: as the header Termination or the last comment says,
 * such as "Black resigns" or "White wins on time". */
static enum nk_end stated_end(const struct record_reader *reader, enum nk_outcome outcome)
{
    const char *const header = reader->headers->termination,
                      *const comment = nk_tree_node(reader->tree, nk_tree_last(reader->tree)).comment;
    if (outcome == NK_OUTCOME_DRAW)
        return says(header, "agree") || says(comment, "agree") ? NK_END_AGREED : NK_END_STATED;
    if (says(header, "time") || says(comment, "on time") || says(comment, "time forfeit"))
        return NK_END_TIME;
    const enum nk_outcome named = outcome_of_comment(reader);
    return (named == NK_OUTCOME_OPEN || named == outcome) &&
                   (says(header, "resign") || says(comment, "resign"))
               ? NK_END_RESIGNED
               : NK_END_STATED;
}

/* Ends the game as the record says. A result that contradicts the end on the board is ignored. Removes the comment with
 * which nk_record_text says how it ended. */
static enum nk_status finish(struct record_reader *reader)
{
    enum nk_outcome stated = reader->headers->outcome;
    const struct nk_game *game;
    const int last = nk_tree_last(reader->tree);
    enum nk_status status = nk_tree_at(reader->tree, last, &game, reader->error);
    if (status)
        return status;
    if (nk_game_end(game, NULL) == NK_END_NONE) {
        if (!reader->has_outcome)
            stated = outcome_of_comment(reader);
        if (stated != NK_OUTCOME_OPEN)
            status = nk_tree_finish(reader->tree, stated_end(reader, stated), stated, reader->error);
    } else if (stated != NK_OUTCOME_OPEN && stated != nk_outcome_of(game, NK_OUTCOME_OPEN)) {
        char what[40];
        struct nk_text end = nk_end_text(game);
        struct record_reader passed = *reader;
        end.s[strlen(end.s) - 1] = '\0'; /* without the period */
        passed.line = reader->stated.line;
        passed.line_begin = reader->stated.line_begin;
        nk_strbuf_add(&(struct nk_strbuf){what, sizeof what, 0},
                      "the result %s is ignored: ", nk_outcome_text(stated));
        warn(&passed, reader->stated.at, what, end.s);
    }
    if (status || (status = nk_tree_at(reader->tree, last, &game, reader->error)))
        return status;
    reader->headers->outcome = nk_outcome_of(game, NK_OUTCOME_OPEN);
    nk_tree_cut_comment(reader->tree, last, nk_end_text(game).s);
    return NK_OK;
}

/* Copies the value of a header as far as it fits. */
static void copy_value(const struct record_reader *reader, struct span value, char text[NK_HEADER_TEXT])
{
    char raw[NK_HEADER_TEXT + 4]; /* without backslashes; the longest character begins within the text */
    size_t length = 0;
    for (size_t at = value.begin; at < value.end && length < sizeof raw - 1; at++) {
        at += reader->text[at] == '\\'; /* what it precedes belongs to the value: see scan_header */
        raw[length++] = reader->text[at] ? reader->text[at] : '\1'; /* neither is safe to print */
    }
    raw[length] = '\0';
    nk_header_set(text, raw);
}

/* The end of a header, after its closing bracket, or the place where something else was expected; *complete is set to
 * whether it is a header. *name and *value (within the quotation marks) are the parts of a complete one. */
static size_t scan_header(const char *text, size_t length, size_t at, struct span *name, struct span *value,
                          bool *complete)
{
    *complete = false;
    name->begin = ++at;
    while (at < length &&
           ((nk_lower(text[at]) >= 'a' && nk_lower(text[at]) <= 'z') ||
            (at > name->begin && (nk_is_digit(text[at]) || text[at] == '-' || text[at] == '_'))))
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

/* A number or "?" is that of a board in a match, as in PGN. */
static enum nk_status read_board(const struct record_reader *reader, struct span value)
{
    size_t digits = value.begin;
    while (digits < value.end && (nk_is_digit(reader->text[digits]) || strchr("?-", reader->text[digits])))
        digits++;
    if (digits == value.end)
        return NK_OK;
    char board[NK_HEADER_TEXT], why[2 * NK_HEADER_TEXT + 40];
    const struct nk_text expected = nk_board_name(&reader->rules->board);
    copy_value(reader, value, board);
    if (strcmp(board, expected.s) == 0)
        return NK_OK;
    make_ascii(board);
    nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "'%s', expected '%s', the board of the table",
                  board, expected.s);
    return fail_at(reader, NK_E_RULES, value.begin, "the game is on another board: ", why);
}

/* A header of programs for chess and its variants that names the game. */
static enum nk_status read_variant(const struct record_reader *reader, struct span value)
{
    char variant[NK_HEADER_TEXT], why[2 * NK_HEADER_TEXT];
    if (word_is(reader, value, NK_EVENT))
        return NK_OK;
    copy_value(reader, value, variant);
    make_ascii(variant);
    nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "'%s', expected '" NK_EVENT "'", variant);
    return fail_at(reader, NK_E_RULES, value.begin, "another game: ", why);
}

static enum nk_status read_start_header(struct record_reader *reader, struct span name, struct span value)
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

static enum nk_status read_header(struct record_reader *reader)
{
    struct nk_headers *headers = reader->headers;
    const struct {
        const char *name;
        char *text;
    } texts[] = {{"Event", headers->event},
                 {"Date", headers->date},
                 {"Round", headers->round},
                 {"Termination", headers->termination},
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
    if (find_outcome(reader, value, &outcome))
        set_outcome(reader, value, outcome);
    else
        warn(reader, value.begin, "", "the header Result is ignored: expected 1-0, 0-1, 1/2-1/2 or *");
    return NK_OK;
}

/* ---- records ---- */

/* Skips a result after the result, if it is there. */
static bool skip_repeated_result(struct record_reader *reader)
{
    enum nk_outcome outcome;
    struct record_reader ahead = *reader;
    const struct span word = read_span(&ahead, false);
    if (!find_outcome(reader, word, &outcome))
        return false;
    reader->at = ahead.at;
    return true;
}

static enum nk_status read_entry(struct record_reader *reader)
{
    if (reader->text[reader->at] == '[')
        return read_header(reader);
    if (reader->ended && skip_repeated_result(reader))
        return NK_OK;
    if (reader->ended)
        return fail_at(reader, NK_E_SYNTAX, reader->at, "", "unexpected text after the result of the game");
    const char c = reader->text[reader->at];
    if (c == '(')
        return read_parentheses(reader);
    if (c == ')')
        return end_variation(reader);
    struct span word = read_span(reader, false);
    if (is_bracketed(reader, word))
        return keep_comment(reader, word);
    reader->begun = true;
    if (word_is(reader, word, "start"))
        return reader->tree ? fail_at(reader, NK_E_SYNTAX, word.begin, "",
                                      "unexpected 'start': it must be the first entry")
                            : read_start_position(reader, read_span(reader, true));
    enum nk_outcome outcome;
    const enum nk_status status = ensure_started(reader);
    if (status)
        return status;
    if (!find_outcome(reader, word, &outcome))
        return read_entry_word(reader, word);
    if (reader->depth)
        return NK_OK; /* the result of a variation */
    reader->ended = true;
    set_outcome(reader, word, outcome);
    return NK_OK;
}

/* Skips a byte order mark. Characters of the first line count after it. */
static void skip_byte_order_mark(struct record_reader *reader)
{
    reader->at = reader->line_begin = nk_byte_order_mark_length(reader->text, reader->length);
}

static enum nk_status read_all(struct record_reader *reader)
{
    enum nk_status status;
    skip_byte_order_mark(reader);
    while (!(status = find_word(reader)) && reader->at < reader->length)
        if ((status = read_entry(reader)))
            return status;
    if (!status && reader->depth)
        return fail_at_place(reader, reader->open[reader->depth - 1].begin, "",
                             "unterminated variation: expected ')'");
    if (!status)
        status = ensure_started(reader);
    return status ? status : finish(reader);
}

bool nk_record_is_empty(const char *text, size_t length)
{
    struct record_reader reader = {.text = text, .length = length, .line = 1};
    skip_byte_order_mark(&reader);
    while (!find_word(&reader)) {
        if (reader.at == length)
            return true;
        if (text[reader.at] == '(' ? skip_parentheses(&reader) != NK_OK
                                   : !is_bracketed(&reader, read_span(&reader, false)))
            break;
    }
    return false;
}

enum nk_status nk_record_read_part(const struct nk_record_part *part, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_game **game, struct nk_tree **tree,
                                   struct nk_error *error)
{
    struct nk_headers found = {.outcome = NK_OUTCOME_OPEN};
    struct nk_game *line = NULL;
    struct record_reader reader = {.text = part->text,
                                   .length = part->length,
                                   .line = part->line,
                                   .before = part->before,
                                   .rules = rules,
                                   .keeps = true,
                                   .is_strict = part->is_strict,
                                   .headers = &found,
                                   .error = error};
    if (nk_is_utf16(part->text, part->length))
        return nk_fail(error, NK_E_SYNTAX, 1, NK_UTF16_ERROR);
    if (nk_record_is_empty(part->text, part->length))
        return nk_fail(error, NK_E_SYNTAX, 0, "there is no game");
    enum nk_status status = read_all(&reader);
    if (!status)
        status = nk_tree_game(reader.tree, nk_tree_last(reader.tree), &line, error);
    free(reader.open);
    free(reader.pending);
    if (!status) {
        if (headers)
            *headers = found;
        if (game)
            *game = line;
        if (tree)
            *tree = reader.tree;
    }
    if (status || !game)
        nk_game_free(line);
    if (status || !tree)
        nk_tree_free(reader.tree);
    return status;
}

enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                              struct nk_headers *headers, struct nk_game **game, struct nk_error *error)
{
    assert((text || !length) && rules && game);
    return nk_record_read_part(&(struct nk_record_part){text, length, 1, 0, false}, rules, headers, game,
                               NULL, error);
}

enum nk_status nk_record_read_tree(const char *text, size_t length, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_tree **tree, struct nk_error *error)
{
    assert((text || !length) && rules && tree);
    return nk_record_read_part(&(struct nk_record_part){text, length, 1, 0, false}, rules, headers, NULL,
                               tree, error);
}

size_t nk_record_length(const char *text, size_t length)
{
    struct record_reader reader = {.text = text, .length = length, .line = 1};
    size_t last_line = 0; /* of the last word that is not a header */
    size_t result_line = 0;
    skip_byte_order_mark(&reader);
    while (!find_word(&reader) && reader.at < length) {
        struct span name, value;
        enum nk_outcome outcome;
        const bool begins_line = reader.line != last_line;
        bool header = begins_line && text[reader.at] == '[';
        const size_t end = header ? scan_header(text, length, reader.at, &name, &value, &header) : 0;
        if (!header && reader.ended && reader.line == result_line && skip_repeated_result(&reader))
            continue;
        if (reader.ended || (header && reader.begun))
            return begins_line && reader.line_begin >= reader.comment_end ? reader.line_begin : reader.at;
        if (header) {
            reader.at = end;
            continue;
        }
        last_line = reader.line;
        if (text[reader.at] == '(') {
            if (skip_parentheses(&reader))
                break;
        } else if (text[reader.at] == ')') {
            reader.at++;
        } else {
            const struct span word = read_span(&reader, false);
            reader.begun |= !is_bracketed(&reader, word);
            reader.ended = find_outcome(&reader, word, &outcome);
            result_line = reader.line;
        }
    }
    return length;
}
