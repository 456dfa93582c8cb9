/* Reading the records of games from their tokens (record_scan.c), in the format that include/neutreeko.h describes. */

#include "common/game/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A variation that is being read. */
struct variation {
    struct nk_place begin;
    int node; /* after which the line goes on whose move it replaces */
};

struct record_reader {
    struct nk_scanner scanner;
    const struct nk_rules *rules;
    struct nk_headers *headers;
    size_t line; /* of the last token */
    bool found;  /* anything but what is skipped */
    bool begun;  /* an entry after the headers has been read */
    bool ended;  /* after a result: nothing may follow */
    int warnings;
    struct nk_place warned; /* the first place, or where the text begins */

    /* The start. */
    bool needs_start;         /* the header SetUp promises a start position */
    const char *start_header; /* the name of the header with the start position, or NULL */
    struct nk_position start; /* with `first` to move, once there is a tree */
    enum nk_colour first;

    /* The moves. */
    struct nk_tree *tree; /* NULL until the start position is known */
    int node;             /* of the tree: the last one that was read, or after which a variation begins */
    bool begins;          /* a variation has begun, and has no move so far */
    struct variation *open;
    size_t depth, room; /* of open[] */
    char *pending;      /* the comments on a node that does not exist yet */
    size_t pending_length, pending_room;

    /* The result. */
    bool has_outcome;       /* headers->outcome has been read, in the header or after the moves */
    struct nk_place stated; /* where, if it has */
    enum nk_outcome said;   /* by words after the last move, or NK_OUTCOME_OPEN */
    struct nk_place said_at;
};

/* ---- errors ---- */

/* A place in the current line. */
static struct nk_place place_at(const struct record_reader *reader, size_t at)
{
    struct nk_place place = reader->scanner.place;
    place.at = at;
    return place;
}

/* Fails at the character with offset `at` of the current line. `what` names what is being read, or is "". */
static enum nk_status fail_at(const struct record_reader *reader, enum nk_status status, size_t at,
                              const char *what, const char *why)
{
    return nk_scan_fail(&reader->scanner, status, place_at(reader, at), what, why);
}

/* Warns of a place. The headers have room for the first warning, and count_warnings adds how many more there are. */
static void warn(struct record_reader *reader, struct nk_place place, const char *what, const char *why)
{
    struct nk_scanner quiet = reader->scanner;
    struct nk_error found;
    if (reader->warnings++)
        return;
    quiet.error = &found;
    (void)nk_scan_fail(&quiet, NK_E_SYNTAX, place, what, why);
    reader->warned = place;
    (void)nk_put_text(reader->headers->warning, found.text);
}

static void count_warnings(struct record_reader *reader)
{
    char *const warning = reader->headers->warning;
    struct nk_strbuf text = {warning, sizeof reader->headers->warning, strlen(warning)};
    if (reader->warnings > 1)
        nk_strbuf_add(&text, " (and %d more)", reader->warnings - 1);
}

/* Makes a text as errors quote it: in ASCII, and cut. */
static void quote(char *text)
{
    enum { MOST = 63 };
    if (strlen(text) > MOST)
        text[MOST] = '\0';
    for (; *text; text++)
        *text = (unsigned char)*text < 0x80 ? *text : '?';
}

static enum nk_status fail_at_move(const struct record_reader *reader, struct nk_span word, const char *text,
                                   const struct nk_error *why)
{
    enum { PART_OF_SQUARE = 2 };
    char what[2 * NK_HEADER_TEXT], quoted[NK_HEADER_TEXT];
    struct nk_error reason = *why;
    const int ply = nk_tree_node(reader->tree, reader->node).ply;
    const size_t offset = why->at ? nk_characters_length(text, why->at - 1) : 0;
    const bool is_foreign =
        !reader->node && why->status == NK_E_SYNTAX && offset < PART_OF_SQUARE && !nk_is_link(text);
    nk_header_set(quoted, text); /* without control characters */
    quote(quoted);
    nk_strbuf_add(&(struct nk_strbuf){what, sizeof what, 0}, "move %d (%s)%s: %s move '%s': ", ply + 1,
                  nk_colour_name(ply % 2 ? nk_colour_other(reader->first) : reader->first),
                  reader->depth ? " in a variation" : "", why->status == NK_E_MOVE ? "illegal" : "invalid",
                  quoted);
    if (is_foreign)
        nk_strbuf_add(&(struct nk_strbuf){reason.text, sizeof reason.text, strlen(reason.text)},
                      "; a game begins with moves, such as b1-c1, or with 'start POSITION'");
    return fail_at(reader, why->status, word.begin + offset, what, reason.text);
}

/* ---- comments ---- */

static enum nk_status add_pending(struct record_reader *reader, struct nk_span span)
{
    const size_t length = span.end - span.begin;
    if (!nk_grow(&reader->pending, &reader->pending_room, reader->pending_length + length + 1, 1))
        return nk_fail_memory(reader->scanner.error);
    memcpy(reader->pending + reader->pending_length, reader->scanner.text + span.begin, length);
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
    return nk_tree_comment_bytes(reader->tree, reader->node, reader->pending, length, reader->scanner.error);
}

static enum nk_status keep_comment(struct record_reader *reader, struct nk_span span)
{
    if (!reader->tree || reader->begins)
        return add_pending(reader, span);
    return nk_tree_comment_bytes(reader->tree, reader->node, reader->scanner.text + span.begin,
                                 span.end - span.begin, reader->scanner.error);
}

/* Room for the text of a position or a move as people write it. */
enum { POSITION_TEXT = 512 };

/* Copies a span as a zero-terminated string. A span longer than any position is truncated: the rest is invalid at the
 * same character. Returns false after failing if the span contains byte 0. */
static bool copy(const struct record_reader *reader, struct nk_span span, char text[POSITION_TEXT])
{
    size_t length = span.end - span.begin;
    if (length > POSITION_TEXT - 1)
        length = POSITION_TEXT - 1;
    memcpy(text, reader->scanner.text + span.begin, length);
    text[length] = '\0';
    const size_t zero = strlen(text);
    if (zero == length)
        return true;
    (void)fail_at(reader, NK_E_SYNTAX, span.begin + zero, "", "unexpected byte 0");
    return false;
}

/* ---- the start, moves and marks ---- */

static enum nk_status start_at(struct record_reader *reader, struct nk_position position,
                               enum nk_colour to_move)
{
    const enum nk_status status =
        nk_tree_new(reader->rules, position, to_move, &reader->tree, reader->scanner.error);
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
        return fail_at(reader, NK_E_SYNTAX, reader->scanner.place.line_begin, "",
                       "the header SetUp promises a start position: expected [FEN \"POSITION\"]");
    if (!nk_rules_start(reader->rules, &start))
        return fail_at(reader, NK_E_POSITION, reader->scanner.place.line_begin, "",
                       "this board has no start position: expected a line 'start POSITION'");
    return start_at(reader, start, NK_BLACK);
}

/* Reads a start position; one that was read before has to be the same. */
static enum nk_status read_start_position(struct record_reader *reader, struct nk_span span)
{
    char text[POSITION_TEXT];
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error why;
    reader->found = true;
    while (span.begin < span.end && nk_is_blank(reader->scanner.text[span.begin]))
        span.begin++;
    while (span.end > span.begin && nk_is_blank(reader->scanner.text[span.end - 1]))
        span.end--;
    if (!copy(reader, span, text))
        return NK_E_SYNTAX;
    const enum nk_status status = nk_position_parse(reader->rules, text, &position, &to_move, &why);
    if (status)
        return fail_at(reader, status, span.begin + (why.at ? nk_characters_length(text, why.at - 1) : 0),
                       "start position: ", why.text);
    if (!reader->tree)
        return start_at(reader, position, to_move);
    return nk_position_equal(position, reader->start) && to_move == reader->first
               ? NK_OK
               : fail_at(reader, NK_E_SYNTAX, span.begin, "", "the headers have different start positions");
}

static enum nk_status read_resignation(struct record_reader *reader, struct nk_span word)
{
    const struct nk_game *game;
    enum nk_status status = nk_tree_resign(reader->tree, reader->node, reader->scanner.error);
    if (status || nk_tree_node(reader->tree, reader->node).resigned ||
        (status = nk_tree_at(reader->tree, reader->node, &game, reader->scanner.error)))
        return status;
    if (nk_game_end(game, NULL) != NK_END_REPETITION)
        return fail_at(reader, NK_E_MOVE, word.begin, "", "unexpected 'resign': the game is over");
    warn(reader, place_at(reader, word.begin), "'resign' is ignored: ", "Draw by threefold repetition");
    return NK_OK;
}

/* Adds a move. Many people and programs know no repetition, and go on. */
static enum nk_status add_move(struct record_reader *reader, struct nk_span word, struct nk_move move,
                               struct nk_error *why)
{
    const struct nk_game *game;
    enum nk_status status = nk_tree_at(reader->tree, reader->node, &game, why);
    if (status)
        return status;
    if (nk_game_end(game, NULL) != NK_END_REPETITION)
        return nk_tree_add(reader->tree, reader->node, move, &reader->node, why);
    status = nk_tree_go_on(reader->tree, reader->node, move, &reader->node, why);
    if (!status)
        warn(reader, place_at(reader, word.begin),
             "the game goes on after the third occurrence of a position, ", "which is a draw");
    return status;
}

/* Reads the text of a move, if need be without the signs around it. */
static enum nk_status parse_move(struct record_reader *reader, struct nk_span word, const char *text,
                                 struct nk_move *move, struct nk_error *why)
{
    char stripped[POSITION_TEXT];
    const enum nk_status status = nk_move_parse(reader->rules, text, move, why);
    if (status && copy(reader, nk_span_without_signs(&reader->scanner, word), stripped) &&
        !nk_move_parse(reader->rules, stripped, move, NULL)) {
        warn(reader, place_at(reader, word.begin), "", "the signs around this move are skipped");
        return NK_OK;
    }
    return status;
}

static enum nk_status read_move(struct record_reader *reader, struct nk_span word)
{
    char text[POSITION_TEXT];
    struct nk_move move;
    struct nk_error why;
    if (!copy(reader, word, text))
        return NK_E_SYNTAX;
    enum nk_status status = parse_move(reader, word, text, &move, &why);
    if (!status && !reader->begins && nk_tree_node(reader->tree, reader->node).resigned)
        status = nk_fail(&why, NK_E_MOVE, 0, "the game is over");
    if (!status)
        status = add_move(reader, word, move, &why);
    if (status)
        return fail_at_move(reader, word, text, &why);
    reader->begins = false;
    if (!reader->depth)
        reader->said = NK_OUTCOME_OPEN;
    return take_pending(reader);
}

/* Reads the marks of a move: "?!" behind it or as a word, "$4" as a word. Others, such as "???" and "$1000", are cut or
 * skipped. */
static enum nk_status read_marks(struct record_reader *reader, struct nk_span marks)
{
    enum { MARK = 4 };
    char text[MARK + 1] = "";
    const size_t length = marks.end - marks.begin;
    const bool is_number = length && reader->scanner.text[marks.begin] == '$';
    if (!length || (is_number && length > MARK) || reader->begins)
        return NK_OK;
    memcpy(text, reader->scanner.text + marks.begin, is_number ? length : length > 2 ? 2 : length);
    const enum nk_status status = nk_tree_mark(reader->tree, reader->node, text, reader->scanner.error);
    return status == NK_E_SYNTAX ? NK_OK : status; /* $256 to $999 */
}

/* Reads a word that is a move or `resign`, a mark, or the number of a move. */
static enum nk_status read_entry_word(struct record_reader *reader, struct nk_span word)
{
    const struct nk_span entry = nk_span_entry(&reader->scanner, word);
    struct nk_span marks = {entry.end, word.end};
    enum nk_status status = NK_OK;
    if (nk_span_is_sign(&reader->scanner, entry)) {
        warn(reader, place_at(reader, entry.begin), "", "this is not a move: it is skipped");
        return NK_OK;
    }
    reader->found |= entry.begin < entry.end;
    if (entry.begin < entry.end)
        status = nk_span_is(&reader->scanner, entry, "resign") ? read_resignation(reader, entry)
                                                               : read_move(reader, entry);
    else if (word.begin < word.end && reader->scanner.text[word.begin] == '$')
        marks = word;
    return status ? status : read_marks(reader, marks);
}

/* ---- variations ---- */

/* Whether the parentheses that have begun are a variation: after a move, and with one. */
static bool is_variation(const struct record_reader *reader)
{
    struct nk_scanner ahead = reader->scanner;
    struct nk_token token;
    struct nk_span entry = {0, 0};
    char text[POSITION_TEXT];
    struct nk_move move;
    const bool after_move = reader->node && !reader->begins;
    if (!after_move && (!reader->tree || !nk_tree_node(reader->tree, reader->node).resigned))
        return false;
    ahead.error = NULL;
    do {
        if (nk_scan_next(&ahead, &token) || (token.kind != NK_TOKEN_WORD && token.kind != NK_TOKEN_COMMENT))
            return false;
        if (token.kind == NK_TOKEN_WORD)
            entry = nk_span_entry(&reader->scanner, token.span);
    } while (entry.begin == entry.end);
    return copy(reader, entry, text) && !nk_move_parse(reader->rules, text, &move, NULL);
}

/* A variation is an alternative to the last move or, after a resignation, to that. */
static enum nk_status begin_variation(struct record_reader *reader, struct nk_place begin)
{
    const struct nk_node node = nk_tree_node(reader->tree, reader->node);
    if (!nk_grow(&reader->open, &reader->room, reader->depth + 1, sizeof *reader->open))
        return nk_fail_memory(reader->scanner.error);
    reader->open[reader->depth++] = (struct variation){begin, reader->node};
    reader->node = node.resigned ? reader->node : node.parent;
    reader->begins = true;
    return NK_OK;
}

static enum nk_status end_variation(struct record_reader *reader, struct nk_place end)
{
    if (!reader->depth)
        return nk_scan_fail(&reader->scanner, NK_E_SYNTAX, end, "", "unexpected ')': no variation is open");
    reader->node = reader->open[--reader->depth].node;
    reader->begins = false;
    return NK_OK;
}

/* Reads parentheses: a variation or, as a comment, all others. */
static enum nk_status read_parentheses(struct record_reader *reader, struct nk_place begin)
{
    if (is_variation(reader))
        return begin_variation(reader, begin);
    const enum nk_status status = nk_scan_to_close(&reader->scanner, begin);
    return status ? status : keep_comment(reader, (struct nk_span){begin.at, reader->scanner.place.at});
}

/* ---- headers and results ---- */

/* The result after the moves counts more than the one in the header; * in either says nothing. */
static void set_outcome(struct record_reader *reader, struct nk_place place, enum nk_outcome outcome)
{
    if (outcome == NK_OUTCOME_OPEN && reader->has_outcome)
        return;
    if (reader->has_outcome && reader->headers->outcome != NK_OUTCOME_OPEN &&
        reader->headers->outcome != outcome)
        warn(reader, place, "the result differs from the one before, ", "which is ignored");
    reader->headers->outcome = outcome;
    reader->has_outcome = true;
    reader->stated = place;
}

/* Takes the result that the words after the last move say. */
static void take_said(struct record_reader *reader)
{
    if (reader->said != NK_OUTCOME_OPEN)
        set_outcome(reader, reader->said_at, reader->said);
    reader->said = NK_OUTCOME_OPEN;
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
    take_said(reader);
    enum nk_outcome stated = reader->headers->outcome;
    const struct nk_game *game;
    const int last = nk_tree_last(reader->tree);
    enum nk_status status = nk_tree_at(reader->tree, last, &game, reader->scanner.error);
    if (status)
        return status;
    if (nk_game_end(game, NULL) == NK_END_NONE) {
        if (!reader->has_outcome)
            stated = outcome_of_comment(reader);
        if (stated != NK_OUTCOME_OPEN)
            status = nk_tree_finish(reader->tree, stated_end(reader, stated), stated, reader->scanner.error);
    } else if (stated != NK_OUTCOME_OPEN && stated != nk_outcome_of(game, NK_OUTCOME_OPEN)) {
        struct nk_text end = nk_end_text(game);
        end.s[strlen(end.s) - 1] = '\0'; /* without the period */
        warn(reader, reader->stated, nk_text_of("the result %s is ignored: ", nk_outcome_text(stated)).s,
             end.s);
    }
    if (status || (status = nk_tree_at(reader->tree, last, &game, reader->scanner.error)))
        return status;
    reader->headers->outcome = nk_outcome_of(game, NK_OUTCOME_OPEN);
    nk_tree_cut_comment(reader->tree, last, nk_end_text(game).s);
    return NK_OK;
}

/* Copies the value of a header as far as it fits. */
static void copy_value(const struct record_reader *reader, struct nk_span value, char text[NK_HEADER_TEXT])
{
    char raw[NK_HEADER_TEXT + 4]; /* without backslashes; the longest character begins within the text */
    size_t length = 0;
    for (size_t at = value.begin; at < value.end && length < sizeof raw - 1; at++) {
        at += reader->scanner.text[at] == '\\'; /* what it precedes belongs to the value: see nk_scan_next */
        raw[length++] =
            reader->scanner.text[at] ? reader->scanner.text[at] : '\1'; /* neither is safe to print */
    }
    raw[length] = '\0';
    nk_header_set(text, raw);
}

/* A number or "?" is that of a board in a match, as in PGN. */
static enum nk_status read_board(const struct record_reader *reader, struct nk_span value)
{
    char board[NK_HEADER_TEXT], why[2 * NK_HEADER_TEXT + 40];
    const struct nk_text expected = nk_board_name(&reader->rules->board);
    copy_value(reader, value, board);
    if (!board[strspn(board, "0123456789?-")] || strcmp(board, expected.s) == 0)
        return NK_OK;
    quote(board);
    nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "'%s', expected '%s', the board of the table",
                  board, expected.s);
    return fail_at(reader, NK_E_RULES, value.begin, "the game is on another board: ", why);
}

/* A header of programs for chess and its variants that names the game. */
static enum nk_status read_variant(const struct record_reader *reader, struct nk_span value)
{
    char variant[NK_HEADER_TEXT], why[2 * NK_HEADER_TEXT];
    if (nk_span_is(&reader->scanner, value, NK_EVENT))
        return NK_OK;
    copy_value(reader, value, variant);
    quote(variant);
    nk_strbuf_add(&(struct nk_strbuf){why, sizeof why, 0}, "'%s', expected '" NK_EVENT "'", variant);
    return fail_at(reader, NK_E_RULES, value.begin, "another game: ", why);
}

static enum nk_status read_start_header(struct record_reader *reader, struct nk_span name,
                                        struct nk_span value)
{
    const char *const header = nk_span_is(&reader->scanner, name, "FEN") ? "FEN" : "Start";
    if (reader->start_header == header)
        return fail_at(reader, NK_E_SYNTAX, name.begin, "", nk_text_of("repeated header %s", header).s);
    reader->start_header = header;
    return read_start_position(reader, value);
}

static enum nk_status read_header(struct record_reader *reader, const struct nk_token *token)
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
    const struct nk_span name = token->name, value = token->span;
    enum nk_outcome outcome;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (nk_span_is(&reader->scanner, name, texts[i].name))
            copy_value(reader, value, texts[i].text);
    if (nk_span_is(&reader->scanner, name, "Board"))
        return read_board(reader, value);
    if (nk_span_is(&reader->scanner, name, "Variant"))
        return read_variant(reader, value);
    if (nk_span_is(&reader->scanner, name, "Start") || nk_span_is(&reader->scanner, name, "FEN"))
        return read_start_header(reader, name, value);
    reader->needs_start |=
        nk_span_is(&reader->scanner, name, "SetUp") && nk_span_is(&reader->scanner, value, "1");
    if (!nk_span_is(&reader->scanner, name, "Result"))
        return NK_OK;
    if (nk_span_outcome(&reader->scanner, value, &outcome))
        set_outcome(reader, place_at(reader, value.begin), outcome);
    else
        warn(reader, place_at(reader, value.begin), "",
             "the header Result is ignored: expected 1-0, 0-1, 1/2-1/2 or *");
    return NK_OK;
}

/* ---- records ---- */

/* Reads how the game ended, after which it may go on all the same. All but that the side to move resigns is kept as a
 * comment, for finish(). */
static enum nk_status read_ending(struct record_reader *reader, const struct nk_token *token)
{
    if (!reader->ended && nk_lower(reader->scanner.text[token->span.begin]) == 'r')
        return read_resignation(reader, token->span);
    const enum nk_status status = keep_comment(reader, token->span);
    if (!reader->depth) {
        reader->said = token->outcome;
        reader->said_at = token->place;
    }
    return status;
}

static enum nk_status read_outcome(struct record_reader *reader, const struct nk_token *token)
{
    if (reader->depth)
        return NK_OK; /* the result of a variation */
    take_said(reader);
    set_outcome(reader, token->place, token->outcome);
    reader->ended = true;
    return NK_OK;
}

/* Reads a token that is neither a comment, a header nor a parenthesis. */
static enum nk_status read_word(struct record_reader *reader, const struct nk_token *token)
{
    reader->begun = true;
    if (nk_span_is(&reader->scanner, token->span, "start"))
        return reader->tree ? fail_at(reader, NK_E_SYNTAX, token->place.at, "",
                                      "unexpected 'start': it must be the first entry")
                            : read_start_position(reader, nk_scan_rest_of_line(&reader->scanner));
    const enum nk_status status = ensure_started(reader);
    if (status)
        return status;
    if (token->kind == NK_TOKEN_ENDING)
        return read_ending(reader, token);
    if (token->kind == NK_TOKEN_WORD)
        return read_entry_word(reader, token->span);
    return read_outcome(reader, token);
}

/* Reads what follows the result: what is said of it again, and comments. */
static enum nk_status read_after_end(struct record_reader *reader, const struct nk_token *token)
{
    if (token->kind == NK_TOKEN_OUTCOME)
        return read_outcome(reader, token);
    if (token->kind == NK_TOKEN_ENDING)
        return read_ending(reader, token);
    if (token->kind == NK_TOKEN_OPEN && !is_variation(reader))
        return read_parentheses(reader, token->place);
    return fail_at(reader, NK_E_SYNTAX, token->place.at, "", "unexpected text after the result of the game");
}

static enum nk_status read_entry(struct record_reader *reader, const struct nk_token *token)
{
    const bool is_list = token->kind == NK_TOKEN_WORD && !token->stop;
    const bool begins_game =
        reader->scanner.text[token->place.at] == '[' && (!is_list || token->place.line != reader->line);
    reader->line = token->place.line;
    reader->found |=
        token->kind == NK_TOKEN_HEADER || token->kind == NK_TOKEN_OUTCOME || token->kind == NK_TOKEN_ENDING;
    if (token->kind == NK_TOKEN_COMMENT) {
        if (!token->in_braces && nk_span_has_only_moves(&reader->scanner, token->span))
            warn(reader, token->place, "", "these moves are skipped: a comment begins here");
        return keep_comment(reader, token->span);
    }
    if (token->kind == NK_TOKEN_PROSE) {
        if (token->outcome != NK_OUTCOME_OPEN && !reader->depth)
            set_outcome(reader, token->place, token->outcome);
        else
            warn(reader, token->place, "", "this line is not a part of a game: it is skipped");
        return NK_OK;
    }
    if (begins_game && reader->begun)
        return fail_at(reader, NK_E_SYNTAX, token->place.at, "",
                       "another game begins here, expected one game");
    if (token->kind == NK_TOKEN_HEADER)
        return read_header(reader, token);
    if (begins_game && token->stop)
        return fail_at(reader, NK_E_SYNTAX, token->stop, "", "expected a header such as [White \"perfect\"]");
    if (reader->ended)
        return read_after_end(reader, token);
    if (token->kind == NK_TOKEN_OPEN)
        return read_parentheses(reader, token->place);
    if (token->kind == NK_TOKEN_CLOSE)
        return end_variation(reader, token->place);
    return token->kind == NK_TOKEN_BRACKETED ? keep_comment(reader, token->span) : read_word(reader, token);
}

static enum nk_status read_all(struct record_reader *reader)
{
    enum nk_status status;
    struct nk_token token;
    while (!(status = nk_scan_next(&reader->scanner, &token)) && token.kind != NK_TOKEN_END)
        if ((status = read_entry(reader, &token)))
            return status;
    if (!status && reader->depth)
        return nk_scan_fail(&reader->scanner, NK_E_SYNTAX, reader->open[reader->depth - 1].begin, "",
                            "unterminated variation: expected ')'");
    if (!status && !reader->found)
        status = nk_scan_fail(&reader->scanner, NK_E_SYNTAX, reader->warned, "",
                              "there is no game: expected moves, such as b1-c1");
    if (!status)
        status = ensure_started(reader);
    if (!status)
        status = finish(reader);
    count_warnings(reader);
    return status;
}

enum nk_status nk_record_read_part(const struct nk_record_part *part, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_game **game, struct nk_tree **tree,
                                   struct nk_error *error)
{
    struct nk_headers found = {.outcome = NK_OUTCOME_OPEN};
    struct record_reader reader = {
        .scanner = nk_scanner_of(part->text, part->length), .rules = rules, .headers = &found};
    reader.scanner.place.line = part->line;
    reader.scanner.before = part->before;
    reader.scanner.error = error;
    reader.warned = reader.scanner.place;
    if (nk_is_utf16(part->text, part->length))
        return nk_fail(error, NK_E_SYNTAX, 1, NK_UTF16_ERROR);
    if (nk_record_is_empty(part->text, part->length))
        return nk_fail(error, NK_E_SYNTAX, 0, NK_NO_GAME);
    enum nk_status status = read_all(&reader);
    if (!status && game)
        status = nk_tree_game(reader.tree, nk_tree_last(reader.tree), game, error);
    free(reader.open);
    free(reader.pending);
    if (!status && headers)
        *headers = found;
    if (!status && tree)
        *tree = reader.tree;
    else
        nk_tree_free(reader.tree);
    return status;
}

enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                              struct nk_headers *headers, struct nk_game **game, struct nk_error *error)
{
    assert((text || !length) && rules && game);
    return nk_record_read_part(&(struct nk_record_part){text, length, 1, 0}, rules, headers, game, NULL,
                               error);
}

enum nk_status nk_record_read_tree(const char *text, size_t length, const struct nk_rules *rules,
                                   struct nk_headers *headers, struct nk_tree **tree, struct nk_error *error)
{
    assert((text || !length) && rules && tree);
    return nk_record_read_part(&(struct nk_record_part){text, length, 1, 0}, rules, headers, NULL, tree,
                               error);
}
