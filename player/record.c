#include "player/record.h"

#include "common/notation.h"
#include "common/strbuf.h"
#include "player/describe.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *text;
    size_t length;
    size_t at;
    size_t line, line_begin; /* the line we are in, counted from 1, and where it begins */
    const struct nk_rules *rules;
    struct nk_game *game; /* NULL until we know where it starts */
    struct nk_error *error;
};

/* Part of a line. */
struct span {
    size_t begin, end;
};

/* ---- complaints ---- */

/* Complains about the character at `at`, in the line we are in. `what` names what is being read. */
static enum nk_status complain(const struct reader *r, enum nk_status status, size_t at, const char *what,
                               const char *why)
{
    return nk_fail(r->error, status, at + 1, "line %llu, character %llu: %s%s", (unsigned long long)r->line,
                   (unsigned long long)(at - r->line_begin + 1), what, why);
}

static enum nk_status complain_of_move(const struct reader *r, struct span word, const struct nk_error *why)
{
    char what[32];
    const size_t inside = why->at ? why->at - 1 : 0;
    nk_strbuf_add(&(struct nk_strbuf){what, sizeof what, 0}, "move %d (%s): ", nk_game_plies(r->game) + 1,
                  nk_colour_name(nk_game_to_move(r->game)));
    return complain(r, why->status, word.begin + inside, what, why->text);
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

/* Goes to the end of what is written in this line before a comment. */
static void skip_words(struct reader *r)
{
    while (r->at < r->length && r->text[r->at] != '#' && !is_line_end(r->text[r->at]))
        r->at++;
}

/* Goes to the next word over blanks, comments and line ends. False at the end of the text. */
static bool find_word(struct reader *r)
{
    for (; r->at < r->length; r->at++) {
        if (r->text[r->at] == '#')
            while (r->at < r->length && !is_line_end(r->text[r->at]))
                r->at++;
        if (r->at == r->length)
            return false;
        const char c = r->text[r->at];
        if (is_line_end(c)) {
            const bool half = c == '\r' && r->at + 1 < r->length && r->text[r->at + 1] == '\n';
            r->line += !half;
            r->line_begin = r->at + 1;
        } else if (!is_blank(c)) {
            return true;
        }
    }
    return false;
}

static struct span read_word(struct reader *r)
{
    struct span word = {r->at, r->at};
    while (word.end < r->length && !is_blank(r->text[word.end]) && !is_line_end(r->text[word.end]) &&
           r->text[word.end] != '#')
        word.end++;
    r->at = word.end;
    return word;
}

static bool word_is(const struct reader *r, struct span word, const char *name)
{
    return word.end - word.begin == strlen(name) &&
           strncasecmp(r->text + word.begin, name, word.end - word.begin) == 0;
}

/* The word without a move number, "1." or "1...", at its beginning. */
static struct span without_number(const struct reader *r, struct span word)
{
    size_t at = word.begin;
    while (at < word.end && r->text[at] >= '0' && r->text[at] <= '9')
        at++;
    if (at == word.end || r->text[at] != '.')
        return word;
    while (at < word.end && r->text[at] == '.')
        at++;
    return (struct span){at, word.end};
}

/* Copies a span for those who read texts that end with a zero. A longer span than any position is cut: what
 * remains is wrong in the same place. False, after a complaint, for a zero inside. */
static bool copy(const struct reader *r, struct span span, char text[NK_POSITION_TEXT + 1])
{
    size_t length = span.end - span.begin;
    if (length > NK_POSITION_TEXT)
        length = NK_POSITION_TEXT;
    memcpy(text, r->text + span.begin, length);
    text[length] = '\0';
    const size_t zero = strlen(text);
    if (zero == length)
        return true;
    (void)complain(r, NK_E_SYNTAX, span.begin + zero, "", "found byte 0: this is no text");
    return false;
}

/* ---- what the words say ---- */

static enum nk_status begin(struct reader *r, struct nk_position position, enum nk_colour to_move)
{
    return nk_game_new(r->rules, position, to_move, &r->game, r->error);
}

static enum nk_status begin_at_start(struct reader *r)
{
    struct nk_position start;
    if (r->game)
        return NK_OK;
    if (!nk_rules_start(r->rules, &start))
        return complain(r, NK_E_POSITION, r->line_begin, "",
                        "this board has no start position of its own: a line 'start POSITION' is missing");
    return begin(r, start, NK_BLACK);
}

static enum nk_status take_start(struct reader *r, struct span word)
{
    char text[NK_POSITION_TEXT + 1];
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_error why;
    if (r->game)
        return complain(r, NK_E_SYNTAX, word.begin, "", "'start' can only be said once and before all moves");
    while (r->at < r->length && is_blank(r->text[r->at]))
        r->at++;
    struct span span = {r->at, r->at};
    skip_words(r);
    for (span.end = r->at; span.end > span.begin && is_blank(r->text[span.end - 1]);)
        span.end--;
    if (!copy(r, span, text))
        return NK_E_SYNTAX;
    const enum nk_status status = nk_position_parse(r->rules, text, &position, &to_move, &why);
    if (status)
        return complain(r, status, span.begin + (why.at ? why.at - 1 : 0), "start position: ", why.text);
    return begin(r, position, to_move);
}

static enum nk_status take_resignation(struct reader *r, struct span word)
{
    if (nk_game_end(r->game, NULL) != NK_END_NONE)
        return complain(r, NK_E_MOVE, word.begin, "", "nobody can resign: the game is over");
    nk_game_resign(r->game);
    return NK_OK;
}

static enum nk_status take_move(struct reader *r, struct span word)
{
    char text[NK_POSITION_TEXT + 1];
    struct nk_move move;
    struct nk_error why;
    if (!copy(r, word, text))
        return NK_E_SYNTAX;
    if (nk_move_parse(r->rules, text, &move, &why) || nk_game_play(r->game, move, &why))
        return complain_of_move(r, word, &why);
    return NK_OK;
}

static enum nk_status take_word(struct reader *r)
{
    struct span word = read_word(r);
    if (word_is(r, word, "start"))
        return take_start(r, word);
    const enum nk_status status = begin_at_start(r);
    if (status)
        return status;
    word = without_number(r, word);
    if (word.begin == word.end)
        return NK_OK;
    return word_is(r, word, "resign") ? take_resignation(r, word) : take_move(r, word);
}

enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                              struct nk_game **game, struct nk_error *error)
{
    struct reader r = {.text = text, .length = length, .line = 1, .rules = rules, .error = error};
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin every UTF-8 text with it */
    if (length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        r.at = r.line_begin = sizeof mark - 1;
    enum nk_status status = NK_OK;
    while (!status && find_word(&r))
        status = take_word(&r);
    if (!status)
        status = begin_at_start(&r);
    if (status) {
        nk_game_free(r.game);
        return status;
    }
    *game = r.game;
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
    if (nk_rules_start(rules, &start) && start.mover == first.mover && start.other == first.other &&
        to_move == NK_BLACK)
        return;
    nk_position_print(rules, first, to_move, text);
    nk_strbuf_add(record, "start %s\n", text);
}

/* Two moves a line, Black's and White's; a game that White begins leaves out the first of Black's. */
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
    char words[NK_END_TEXT];
    add_start(game, record);
    add_moves(game, record);
    if (nk_game_end(game, NULL) == NK_END_NONE)
        return;
    nk_end_format(game, words);
    nk_strbuf_add(record, "# %s\n", words);
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
