#include "common/game/link.h"

#include "common/base/chars.h"
#include "common/base/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* ---- the link in a text ---- */

size_t nk_link_length(const char *text)
{
    static const char *const schemes[] = {"https:", "http:", "file:"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strncmp(text, schemes[i], strlen(schemes[i])) == 0 &&
            text[strcspn(text, NK_BLANKS NK_LINE_ENDS "<>\"#")] == '#')
            return strcspn(text, NK_BLANKS NK_LINE_ENDS "<>\"");
    return 0;
}

/* The length of a fragment without the characters after it that chats, Markdown and sentences take for a part of it. */
static size_t length_without_rest(const char *fragment, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length; i++)
        depth += (fragment[i] == '(') - (fragment[i] == ')');
    while (length && (strchr(".,;:'*]", fragment[length - 1]) || (fragment[length - 1] == ')' && depth < 0)))
        depth += fragment[--length] == ')';
    return length;
}

/* ---- its fields ---- */

enum field { BOARD, VIEW, START, MOVES, AT, FRIEND, END, NOTES, STUDY, FIELDS };

static const char *const field_names[FIELDS] = {"board",  "view", "start", "moves", "at",
                                                "friend", "end",  "notes", "study"};

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, nk_lower(c)) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Decodes a name or a value in its place: %20 or + for a space. */
static void decode(char *text)
{
    char *out = text;
    for (; *text; text++) {
        const int high = *text == '%' ? hex_digit(text[1]) : -1;
        const int low = high < 0 ? -1 : hex_digit(text[2]);
        const bool is_encoded = low >= 0 && high + low > 0; /* byte 0 would end the text */
        *out++ = is_encoded ? (char)(16 * high + low) : *text == '+' ? ' ' : *text;
        text += is_encoded ? 2 : 0;
    }
    *out = '\0';
}

/* Splits a fragment, "view=explore&moves=b1c1", in its place, as URLSearchParams does: parts may be empty, and the last
 * one with a name counts. There is at least one. fields[] are NULL, as one that is missing stays. `at` is the place of
 * the fragment in the text. */
static enum nk_status split(char *fragment, size_t at, char *fields[FIELDS], struct nk_error *error)
{
    char *part = fragment + strspn(fragment, "&");
    do {
        char *const end = part + strcspn(part, "&"), *const next = end + strspn(end, "&");
        const size_t place = at + (size_t)(part - fragment) + 1;
        *end = '\0';
        char *value = part + strcspn(part, "=");
        if (*value)
            *value++ = '\0';
        decode(part);
        decode(value);
        int f = 0;
        while (f < FIELDS && strcmp(part, field_names[f]) != 0)
            f++;
        if (f == FIELDS)
            return nk_fail(error, NK_E_SYNTAX, place, "expected a field of a link, such as 'moves='");
        fields[f] = value;
        part = next;
    } while (*part);
    return NK_OK;
}

/* ---- the way to the position ---- */

static const char between_moves[] = ".()vz";

static bool begins_variation(char c)
{
    return c == 'v' || c == '(';
}

static bool ends_variation(char c)
{
    return c == 'z' || c == ')';
}

/* The length of the move at the beginning of a text, or of what is in its place; 0 if nothing is. */
static size_t move_length(const char *text)
{
    return strcspn(text, between_moves);
}

static const char no_move[] = "the link has a variation without a move before it";

/* Finds the end of move number `number` in a text such as "b1c1.b5c5vc2c3.d1e1z.c4e2", or of the last move that is not
 * in a variation, for -1. */
static enum nk_status find_move(const char *moves, long number, size_t *end, struct nk_error *error)
{
    long count = 0;
    int depth = 0;
    *end = 0;
    for (size_t i = 0; moves[i];) {
        const size_t length = move_length(moves + i);
        if (begins_variation(moves[i]) && !count)
            return nk_fail(error, NK_E_SYNTAX, 0, no_move);
        if (moves[i] == '.' && moves[i + 1] == '.')
            return nk_fail(error, NK_E_SYNTAX, 0, "the link has two points without a move between them");
        depth += begins_variation(moves[i]) - ends_variation(moves[i]);
        if (depth < 0)
            return nk_fail(error, NK_E_SYNTAX, 0, "the link ends a variation that does not begin");
        i += length ? length : 1;
        if (length && (++count == number || (number < 0 && !depth)))
            *end = i;
    }
    if (depth)
        return nk_fail(error, NK_E_SYNTAX, 0, "the link has a variation that does not end");
    return number > count ? nk_fail(error, NK_E_SYNTAX, 0, "the link has no move %ld", number) : NK_OK;
}

/* Replaces by dots all that is not on the way to the end of the text: variations that end before, and the moves to
 * which those that do not are alternatives. Returns false if a variation is an alternative to nothing. */
static bool keep_way(char *moves)
{
    int depth = 0, replaced = 0; /* variations that are left out, moves that are to be left out */
    for (size_t end = strlen(moves); end;) {
        size_t begin = end - 1;
        if (ends_variation(moves[begin])) {
            depth++;
        } else if (begins_variation(moves[begin])) {
            if (depth)
                depth--;
            else
                replaced++;
        } else if (moves[begin] != '.') {
            while (begin && !strchr(between_moves, moves[begin - 1]))
                begin--;
            const bool is_kept = !depth && !replaced;
            replaced -= !depth && replaced;
            end = is_kept ? begin : end;
        }
        memset(moves + begin, '.', end - begin);
        end = begin;
    }
    return !replaced;
}

/* Plays the moves of a text, which has dots between them and is written to. */
static enum nk_status play(const struct nk_rules *rules, char *moves, struct nk_position *position,
                           enum nk_colour *to_move, struct nk_error *error)
{
    int number = 0;
    while (*(moves += strspn(moves, "."))) {
        struct nk_move move;
        struct nk_error why;
        char *const text = moves;
        moves += move_length(moves);
        if (*moves)
            *moves++ = '\0';
        number++;
        enum nk_status status = nk_move_parse(rules, text, &move, &why);
        if (!status)
            status = nk_move_check(rules, *position, *to_move, move, &why);
        if (status)
            return nk_fail(error, NK_E_SYNTAX, 0, "move %d of the link: %s", number, why.text);
        *position = nk_position_after(*position, move);
        *to_move = nk_colour_other(*to_move);
    }
    return NK_OK;
}

/* ---- the position ---- */

/* The name of a board as links have it: "5x5/3", "6x6/4/row3/orthogonal"; on request with what is usual. */
static struct nk_text board_name(const struct nk_board *board, bool has_row, bool has_win)
{
    struct nk_text name = {.s = ""};
    struct nk_strbuf text = {name.s, sizeof name.s, 0};
    nk_strbuf_add(&text, "%dx%d/%d", board->width, board->height, board->pieces);
    if (has_row || board->row_length != nk_win_usual_row_length(board->win, board->pieces))
        nk_strbuf_add(&text, "/row%d", board->row_length);
    if (has_win || board->win != NK_WIN_LINE)
        nk_strbuf_add(&text, "/%s", nk_win_name(board->win));
    return name;
}

static bool is_name_of(const char *name, const struct nk_board *board)
{
    for (int parts = 0; parts < 4; parts++)
        if (strcmp(name, board_name(board, parts & 1, parts & 2).s) == 0)
            return true;
    return false;
}

/* Reads where the game of the link begins, in which `_` is a space; start[] is written to. */
static enum nk_status read_start(const struct nk_rules *rules, char *start, struct nk_position *position,
                                 enum nk_colour *to_move, struct nk_error *error)
{
    struct nk_error why;
    *to_move = NK_BLACK;
    if (!start)
        return nk_rules_start(rules, position)
                   ? NK_OK
                   : nk_fail(error, NK_E_POSITION, 0,
                             "the link has no start position, which this board needs");
    for (char *c = start; (c = strchr(c, '_'));)
        *c = ' ';
    if (strchr(start, '#'))
        return nk_fail(error, NK_E_SYNTAX, 0, "the start position of the link is another link");
    const enum nk_status status = nk_position_parse(rules, start, position, to_move, &why);
    return status ? nk_fail(error, status, 0, "the start position of the link: %s", why.text) : NK_OK;
}

/* Whether a view is one of these. */
static bool is_among(const char *view, const char *const views[], size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(view, views[i]) != 0)
        i++;
    return i < count;
}

enum { MAX_DIGITS = 9 }; /* of the number of a move */

/* Reads the number of a move. Returns whether it is one. */
static bool read_number(const char *text, long *number)
{
    const size_t digits = strspn(text, "0123456789");
    *number = digits && digits <= MAX_DIGITS && !text[digits] ? strtol(text, NULL, 10) : -1;
    return *number >= 0;
}

/* Reads the position that these fields show. The start and moves[], a copy of the field, are written to. */
static enum nk_status read_fields(const struct nk_rules *rules, char *const fields[FIELDS], char *moves,
                                  struct nk_position *position, enum nk_colour *to_move,
                                  struct nk_error *error)
{
    static const char *const of_game[] = {"play", "review", "explore", "board"};
    static const char *const of_position[] = {"puzzle", "editor", "lessons"};
    const char *const view = fields[VIEW] ? fields[VIEW] : "play";
    const bool is_game = is_among(view, of_game, sizeof of_game / sizeof of_game[0]);
    const bool is_position =
        fields[START] && is_among(view, of_position, sizeof of_position / sizeof of_position[0]);
    enum nk_status status;
    size_t end;
    long at = -1;
    if (!is_name_of(fields[BOARD] ? fields[BOARD] : "5x5/3", &rules->board))
        return nk_fail(error, NK_E_SYNTAX, 0, "the link shows another board than %s",
                       board_name(&rules->board, false, false).s);
    if (!is_game && !is_position)
        return nk_fail(error, NK_E_SYNTAX, 0, "the link shows neither a game nor a position");
    if (is_game && fields[AT] && !read_number(fields[AT], &at))
        return nk_fail(error, NK_E_SYNTAX, 0, "at=, the number of a move in the link, is invalid");
    if ((status = read_start(rules, fields[START], position, to_move, error)) || is_position)
        return status;
    if ((status = find_move(moves, at, &end, error)))
        return status;
    moves[end] = '\0';
    if (!keep_way(moves))
        return nk_fail(error, NK_E_SYNTAX, 0, no_move);
    return play(rules, moves, position, to_move, error);
}

enum nk_status nk_link_read(const struct nk_rules *rules, const char *text, size_t length,
                            struct nk_position *position, enum nk_colour *to_move, struct nk_error *error)
{
    const char *const fragment = (const char *)memchr(text, '#', length) + 1;
    const size_t begin = (size_t)(fragment - text), size = length_without_rest(fragment, length - begin);
    char *fields[FIELDS] = {NULL};
    char *const copy = calloc(size + 1, 2);
    if (!copy)
        return nk_fail_memory(error);
    char *const moves = copy + size + 1;
    memcpy(copy, fragment, size);
    enum nk_status status = split(copy, begin, fields, error);
    if (!status) {
        if (fields[MOVES])
            memcpy(moves, fields[MOVES], strlen(fields[MOVES]));
        status = read_fields(rules, fields, moves, position, to_move, error);
    }
    free(copy);
    return status;
}
