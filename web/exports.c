/* What the page may ask; web/engine.js is the only one that does, and says there what each answer means.
 *
 * Texts and bytes are put where web_input says, texts one after the other, each with its zero. Every function
 * leaves its answer in JSON: see web_answer. An answer {"error", "code", "at"} says what went wrong. */

#include "common/notation.h"
#include "common/strbuf.h"
#include "player/describe.h"
#include "player/opponents.h"
#include "player/puzzle.h"
#include "player/record.h"
#include "player/explain.h"
#include "common/blocks.h"
#include "web/blocks.h"

#include <stdlib.h>
#include <string.h>

#define WEB(name) __attribute__((export_name(#name))) name

static struct nk_table *table; /* NULL until web_finish */
static struct nk_table *unfinished;
static uint8_t *kinds; /* the survey of puzzles, as far as `surveyed` entries */
static uint64_t surveyed;
static char *input;
static struct nk_strbuf answer;

/* ---- in and out ---- */

char *WEB(web_input)(size_t size)
{
    free(input);
    return input = malloc(size);
}

const char *WEB(web_answer)(void)
{
    return answer.bytes;
}

size_t WEB(web_answer_length)(void)
{
    return answer.length;
}

/* Adds to the answer, which grows as it must. Without memory the module stops, which the page sees. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    const size_t before = answer.length;
    for (;;) {
        va_list arguments;
        va_start(arguments, format);
        nk_strbuf_add_list(&answer, format, arguments);
        va_end(arguments);
        if (answer.length < answer.size)
            return;
        answer.size = 2 * answer.length + 1024;
        answer.length = before;
        answer.bytes = realloc(answer.bytes, answer.size);
        if (!answer.bytes)
            __builtin_trap();
    }
}

static void say_string(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    say("\"");
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            say("\\u00%c%c", digits[*text >> 4], digits[*text & 15]);
        else
            say(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    say("\"");
}

static void begin_answer(void)
{
    answer.length = 0;
}

static void fail(const struct nk_error *error, const char *code)
{
    static const char *const codes[] = {
        [NK_E_MEMORY] = "memory",     [NK_E_RULES] = "rules",     [NK_E_SYNTAX] = "syntax",
        [NK_E_POSITION] = "position", [NK_E_MOVE] = "move",       [NK_E_READ] = "read",
        [NK_E_WRITE] = "write",       [NK_E_NOT_TABLE] = "table", [NK_E_CORRUPT] = "damaged",
        [NK_E_LIMIT] = "limit",
    };
    begin_answer();
    say("{\"error\":");
    say_string(error->text);
    say(",\"code\":\"%s\",\"at\":%llu}", code ? code : codes[error->status], (unsigned long long)error->at);
}

static void fail_memory(void)
{
    struct nk_error error;
    (void)nk_fail(&error, NK_E_MEMORY, 0, "out of memory");
    fail(&error, NULL);
}

static void answer_bool(bool yes)
{
    begin_answer();
    say(yes ? "true" : "false");
}

/* True when all went well, else after an answer that says what did not. */
static bool good(enum nk_status status, const struct nk_error *error)
{
    if (status)
        fail(error, NULL);
    return !status;
}

/* ---- pieces of answers ---- */

static const char *side_name(enum nk_colour colour)
{
    return colour == NK_BLACK ? "black" : "white";
}

static const char *comma(int n)
{
    return n ? "," : "";
}

static void say_position(struct nk_position position, enum nk_colour to_move)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(nk_table_rules(table), position, to_move, text);
    say("\"%s\"", text);
}

static void say_move(struct nk_move move)
{
    char text[NK_MOVE_TEXT];
    nk_move_print(nk_table_rules(table), move, text);
    say("\"%s\"", text);
}

/* "move":"b1-c1","from":"b1","to":"c1" */
static void say_move_members(struct nk_move move)
{
    char from[NK_SQUARE_TEXT], to[NK_SQUARE_TEXT];
    nk_square_print(nk_table_rules(table), move.from, from);
    nk_square_print(nk_table_rules(table), move.to, to);
    say("\"move\":");
    say_move(move);
    say(",\"from\":\"%s\",\"to\":\"%s\"", from, to);
}

static void say_value(struct nk_value value)
{
    say("{\"result\":\"%s\",\"plies\":%d}", nk_result_name(value.result), value.plies);
}

/* A move with what it leads to, the object left open. */
static void say_choice(struct nk_position position, enum nk_colour to_move, struct nk_move move,
                       struct nk_value value)
{
    say("{");
    say_move_members(move);
    say(",\"value\":");
    say_value(value);
    say(",\"next\":");
    say_position(nk_position_after(position, move), nk_colour_other(to_move));
}

enum { DRAWN_LINE = 8 }; /* plies of a line that leads to a draw, which may not end for long */

/* Plays the best line in a game, to its end unless it is a draw. */
static bool say_best_line(struct nk_game *game)
{
    struct nk_error error;
    struct nk_move move = {0, 0};
    struct nk_value value = {NK_DRAW, 0};
    uint64_t random = 0;
    enum nk_status status = nk_game_value(table, game, &value, &error);
    const int most = value.result == NK_DRAW ? DRAWN_LINE : value.plies;
    say("[");
    for (int n = 0; !status && n < most && nk_game_end(game, NULL) == NK_END_NONE; n++) {
        if ((status = nk_choose(table, game, &random, &move, &error)) ||
            (status = nk_game_play(game, move, &error)))
            break;
        say("%s", comma(n));
        say_move(move);
    }
    say("]");
    return good(status, &error);
}

/* The best line from a position without a history. */
static bool say_line(struct nk_position position, enum nk_colour to_move)
{
    struct nk_error error;
    struct nk_game *game;
    if (!good(nk_game_new(nk_table_rules(table), position, to_move, &game, &error), &error))
        return false;
    const bool said = say_best_line(game);
    nk_game_free(game);
    return said;
}

/* The best line in a game after the first `ply` moves, and after `next` if it is not NULL. */
static bool say_line_in_game(const struct nk_game *game, int ply, const struct nk_move *next)
{
    struct nk_error error;
    struct nk_game *copy = NULL;
    const bool copied = good(nk_game_copy(game, ply, &copy, &error), &error) &&
                        (!next || good(nk_game_play(copy, *next, &error), &error));
    const bool said = copied && say_best_line(copy);
    nk_game_free(copy);
    return said;
}

/* Reads the first text of the input, or answers why it is no position. */
static bool read_position(struct nk_position *position, enum nk_colour *to_move)
{
    struct nk_error error;
    const struct nk_rules *rules = nk_table_rules(table);
    if (!good(nk_position_read(rules, input, position, to_move, &error), &error))
        return false;
    if (!nk_position_check(rules, *position, *to_move, &error))
        return true;
    const bool is_black = *to_move == NK_BLACK;
    const uint64_t black = is_black ? position->mover : position->other;
    const uint64_t white = is_black ? position->other : position->mover;
    fail(&error, __builtin_popcountll(black) != rules->pieces   ? "black-count"
                 : __builtin_popcountll(white) != rules->pieces ? "white-count"
                                                                : "won");
    return false;
}

/* ---- the table ---- */

/* Answers where the blocks lie: [[begin, length], ...]. The page hands all of them to web_take, unpacked. */
void WEB(web_open)(size_t size)
{
    struct nk_error error;
    struct nk_position start;
    if (!good(web_table_begin((const uint8_t *)input, size, &unfinished, &error), &error))
        return;
    if (!nk_rules_start(nk_table_rules(unfinished), &start)) {
        (void)nk_fail(&error, NK_E_NOT_TABLE, 0, "the board of this table has no start position");
        fail(&error, NULL);
        return;
    }
    begin_answer();
    say("[");
    for (uint32_t b = 0; b < 2 * nk_table_head(unfinished)->blocks; b++) {
        size_t length;
        const uint64_t begin = nk_head_block(nk_table_head(unfinished), b, &length);
        say("%s[%llu,%llu]", comma((int)b), (unsigned long long)begin, (unsigned long long)length);
    }
    say("]");
}

void WEB(web_take)(uint32_t block, size_t length)
{
    struct nk_error error;
    if (good(web_table_take(unfinished, block, (const uint8_t *)input, length, &error), &error))
        answer_bool(true);
}

void WEB(web_finish)(void)
{
    struct nk_error error;
    if (!good(web_table_finish(unfinished, &error), &error))
        return;
    table = unfinished;
    answer_bool(true);
}

void WEB(web_about)(void)
{
    const struct nk_rules *rules = nk_table_rules(table);
    const struct nk_summary *summary = nk_table_summary(table);
    struct nk_position start;
    (void)nk_rules_start(rules, &start);
    begin_answer();
    say("{\"board\":{\"width\":%d,\"height\":%d,\"pieces\":%d,\"row\":%d},\"start\":", rules->width,
        rules->height, rules->pieces, rules->row_length);
    say_position(start, NK_BLACK);
    say(",\"summary\":{\"legal\":%llu,\"wins\":%llu,\"losses\":%llu,\"draws\":%llu,\"longest\":%llu}}",
        (unsigned long long)summary->legal, (unsigned long long)summary->wins,
        (unsigned long long)summary->losses, (unsigned long long)summary->draws,
        (unsigned long long)summary->longest);
}

/* ---- positions ---- */

void WEB(web_check_position)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    if (!read_position(&position, &to_move))
        return;
    begin_answer();
    say("{\"text\":");
    say_position(position, to_move);
    say("}");
}

void WEB(web_value)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_error error;
    if (!read_position(&position, &to_move) || !good(nk_table_value(table, position, &value, &error), &error))
        return;
    begin_answer();
    say_value(value);
}

void WEB(web_moves)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_error error;
    int count;
    if (!read_position(&position, &to_move) ||
        !good(nk_table_moves(table, position, moves, &count, &error), &error))
        return;
    begin_answer();
    say("[");
    for (int m = 0; m < count; m++) {
        say("%s", comma(m));
        say_choice(position, to_move, moves[m].move, moves[m].value);
        say("}");
    }
    say("]");
}

/* ---- opponents and puzzles ---- */

/* Strongest first. */
void WEB(web_opponents)(void)
{
    const char *name, *about;
    begin_answer();
    say("[");
    for (int n = 0; nk_opponent_ranked(n, &name, &about); n++) {
        say("%s{\"name\":\"%s\",\"about\":", comma(n), name);
        say_string(about);
        say("}");
    }
    say("]");
}

/* Looks at some more entries for puzzles. Answers whether all have been looked at. */
static bool survey(uint64_t more)
{
    struct nk_error error;
    const uint64_t entries = nk_table_index(table)->entries, left = entries - surveyed;
    if (!kinds && !(kinds = malloc((size_t)entries))) {
        fail_memory();
        return false;
    }
    const uint64_t end = surveyed + (more < left ? more : left);
    if (!good(nk_puzzle_survey(table, surveyed, end, kinds, &error), &error))
        return false;
    surveyed = end;
    return true;
}

void WEB(web_puzzle_survey)(uint32_t more)
{
    if (survey(more))
        answer_bool(surveyed == nk_table_index(table)->entries);
}

void WEB(web_puzzle_kinds)(void)
{
    uint64_t totals[UINT8_MAX + 1] = {0};
    if (!survey(UINT64_MAX))
        return;
    for (uint64_t entry = 0; entry < surveyed; entry++)
        totals[kinds[entry]]++;
    begin_answer();
    say("[");
    for (int plies = 1; plies <= NK_MAX_PLIES; plies += 2)
        if (totals[nk_puzzle_kind(plies)])
            say("{\"plies\":%d,\"total\":%llu},", plies, (unsigned long long)totals[nk_puzzle_kind(plies)]);
    say("{\"save\":true,\"total\":%llu}]", (unsigned long long)totals[nk_puzzle_kind(NK_PUZZLE_SAVE)]);
}

void WEB(web_puzzles)(int plies, uint64_t random, uint32_t wanted)
{
    struct nk_error error;
    struct nk_puzzle_count count;
    if (!survey(UINT64_MAX))
        return;
    struct nk_puzzle *puzzles = calloc(wanted, sizeof *puzzles);
    if (!puzzles) {
        fail_memory();
        return;
    }
    if (good(nk_puzzle_take(table, kinds, plies, &random, puzzles, wanted, &count, &error), &error)) {
        begin_answer();
        say("[");
        for (uint32_t i = 0; i < wanted && i < count.total; i++) {
            say("%s{\"position\":", comma((int)i));
            say_position(puzzles[i].position, puzzles[i].to_move);
            say(",\"answer\":");
            say_move(puzzles[i].answer);
            say("}");
        }
        say("]");
    }
    free(puzzles);
}

/* ---- games ---- */

static void answer_game(const struct nk_game *game)
{
    begin_answer();
    say("{\"game\":%llu}", (unsigned long long)(uintptr_t)game);
}

void WEB(web_game_new)(void)
{
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_game *game;
    struct nk_error error;
    if (read_position(&position, &to_move) &&
        good(nk_game_new(nk_table_rules(table), position, to_move, &game, &error), &error))
        answer_game(game);
}

void WEB(web_game_read)(void)
{
    struct nk_game *game;
    struct nk_error error;
    if (good(nk_record_read(input, strlen(input), nk_table_rules(table), &game, &error), &error))
        answer_game(game);
}

void WEB(web_game_free)(struct nk_game *game)
{
    nk_game_free(game);
    answer_bool(true);
}

static void say_end(const struct nk_game *game)
{
    enum nk_colour winner;
    const enum nk_end end = nk_game_end(game, &winner);
    if (end == NK_END_NONE)
        say("null");
    else if (end == NK_END_WON || end == NK_END_RESIGNED)
        say("{\"end\":\"%s\",\"winner\":\"%s\"}", nk_end_name(end), side_name(winner));
    else
        say("{\"end\":\"%s\",\"winner\":null}", nk_end_name(end));
}

static void say_played(const struct nk_game *game, int from, int to)
{
    say("[");
    for (int ply = from; ply < to; ply++) {
        say("%s", comma(ply > from));
        say_move(nk_game_move_at(game, ply));
    }
    say("]");
}

static void say_legal(const struct nk_game *game)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_game_end(game, NULL) == NK_END_NONE
                          ? nk_position_moves(nk_game_rules(game), nk_game_position(game), moves)
                          : 0;
    say("[");
    for (int m = 0; m < count; m++) {
        say("%s{", comma(m));
        say_move_members(moves[m]);
        say("}");
    }
    say("]");
}

void WEB(web_game_state)(const struct nk_game *game)
{
    const struct nk_position position = nk_game_position(game);
    const enum nk_colour to_move = nk_game_to_move(game);
    const int plies = nk_game_plies(game), known = nk_game_known(game);
    const bool resigned = nk_game_end(game, NULL) == NK_END_RESIGNED;
    begin_answer();
    say("{\"start\":");
    say_position(nk_game_position_at(game, 0), nk_game_to_move_at(game, 0));
    say(",\"position\":");
    say_position(position, to_move);
    say(",\"toMove\":\"%s\",\"plies\":%d,\"moves\":", side_name(to_move), plies);
    say_played(game, 0, plies);
    say(",\"undone\":");
    say_played(game, plies, known);
    say(",\"over\":");
    say_end(game);
    say(",\"repetitions\":%d,\"legal\":", nk_game_occurrences(game, position, to_move));
    say_legal(game);
    say(",\"canUndo\":%s,\"canRedo\":%s}", plies || resigned ? "true" : "false",
        plies < known && !resigned ? "true" : "false");
}

void WEB(web_game_play)(struct nk_game *game)
{
    struct nk_move move;
    struct nk_error error;
    if (!good(nk_move_parse(nk_game_rules(game), input, &move, &error), &error) ||
        !good(nk_game_play(game, move, &error), &error))
        return;
    begin_answer();
    say("{}");
}

void WEB(web_game_undo)(struct nk_game *game)
{
    answer_bool(nk_game_undo(game));
}

void WEB(web_game_redo)(struct nk_game *game)
{
    answer_bool(nk_game_redo(game));
}

void WEB(web_game_goto)(struct nk_game *game, int ply)
{
    const bool exists = ply >= 0 && ply <= nk_game_known(game);
    while (exists && nk_game_plies(game) > ply)
        nk_game_undo(game);
    while (exists && nk_game_plies(game) < ply && nk_game_redo(game))
        ;
    answer_bool(exists && nk_game_plies(game) == ply);
}

void WEB(web_game_resign)(struct nk_game *game)
{
    nk_game_resign(game);
    answer_bool(true);
}

void WEB(web_game_options)(const struct nk_game *game)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_error error;
    int count = 0;
    if (nk_game_end(game, NULL) == NK_END_NONE &&
        !good(nk_options(table, game, options, &count, &error), &error))
        return;
    begin_answer();
    say("[");
    for (int m = 0; m < count; m++) {
        say("%s", comma(m));
        say_choice(nk_game_position(game), nk_game_to_move(game), options[m].move, options[m].value);
        say(",\"repeats\":%d,\"trap\":%d}", options[m].repeats, options[m].trap);
    }
    say("]");
}

void WEB(web_game_opponent_move)(const struct nk_game *game, uint64_t random)
{
    struct nk_opponent opponent;
    struct nk_move move;
    struct nk_error error;
    if (!good(nk_opponent_parse(input, &opponent, &error), &error))
        return;
    if (nk_opponent_is_human(opponent) || nk_game_end(game, NULL) != NK_END_NONE) {
        (void)nk_fail(&error, NK_E_MOVE, 0, "there is no move to choose");
        fail(&error, NULL);
        return;
    }
    if (!good(nk_opponent_move(opponent, table, game, &random, &move, NULL, &error), &error))
        return;
    begin_answer();
    say("{\"move\":");
    say_move(move);
    say("}");
}

static void say_reviewed(const struct nk_game *game, int ply, const struct nk_reviewed *reviewed)
{
    static const char *const marks[] = {[NK_MARK_NONE] = "", [NK_MARK_ERROR] = "?", [NK_MARK_BLUNDER] = "??"};
    say("{\"move\":");
    say_move(reviewed->move);
    say(",\"side\":\"%s\",\"position\":", side_name(reviewed->mover));
    say_position(nk_game_position_at(game, ply), reviewed->mover);
    say(",\"before\":");
    say_value(reviewed->before);
    say(",\"after\":");
    say_value(reviewed->after);
    say(",\"mark\":\"%s\",\"better\":", marks[reviewed->mark]);
    say_move(reviewed->better);
    say(",\"pliesLost\":%d}", reviewed->plies_lost);
}

void WEB(web_game_review)(const struct nk_game *game)
{
    struct nk_reviewed reviewed;
    struct nk_error error;
    begin_answer();
    say("[");
    for (int ply = 0; ply < nk_game_plies(game); ply++) {
        if (!good(nk_review(table, game, ply, &reviewed, &error), &error))
            return;
        say("%s", comma(ply));
        say_reviewed(game, ply, &reviewed);
    }
    say("]");
}

/* A win of the side to move. */
static bool say_threat(const char *name, struct nk_position position, enum nk_colour to_move, int plies)
{
    say(",\"%s\":", name);
    if (!plies) {
        say("null");
        return true;
    }
    say("{\"plies\":%d,\"line\":", plies);
    if (!say_line(position, to_move))
        return false;
    say("}");
    return true;
}

static void say_why(const struct nk_game *game, int ply, struct nk_move move,
                    const struct nk_explanation *why)
{
    const struct nk_position position = nk_game_position_at(game, ply);
    const struct nk_position after = nk_position_after(position, move);
    const enum nk_colour to_move = nk_game_to_move_at(game, ply), opponent = nk_colour_other(to_move);
    const bool gives = why->value.result < why->before.result;
    begin_answer();
    say_choice(position, to_move, move, why->value);
    say(",\"before\":");
    say_value(why->before);
    say(",\"gives\":\"%s\",\"best\":", gives ? nk_result_name(why->before.result) : "nothing");
    say_move(why->best);
    say(",\"only\":%s,\"repeats\":%s", why->only ? "true" : "false", why->repeats ? "true" : "false");
    if (!say_threat("threat", nk_position_after_pass(after), to_move, why->threat) ||
        !say_threat("stops", nk_position_after_pass(position), opponent, why->stopped))
        return;
    say(",\"line\":");
    if (!say_line_in_game(game, ply, &move))
        return;
    say(",\"replies\":{\"total\":%d,\"losing\":%d,\"holding\":%d,\"winning\":%d},\"onlyReply\":",
        why->replies, why->losing, why->holding, why->winning);
    if (why->has_only_reply)
        say_move(why->only_reply);
    else
        say("null");
    say("}");
}

/* False, with an answer, for a ply that the game has not got. */
static bool has_ply(const struct nk_game *game, int ply)
{
    struct nk_error error;
    if (ply >= 0 && ply <= nk_game_known(game))
        return true;
    (void)nk_fail(&error, NK_E_MOVE, 0, "the game has no ply %d", ply);
    fail(&error, NULL);
    return false;
}

void WEB(web_game_why)(const struct nk_game *game, int ply)
{
    struct nk_move move;
    struct nk_explanation why;
    struct nk_error error;
    const struct nk_rules *rules = nk_table_rules(table);
    if (has_ply(game, ply) && good(nk_move_parse(rules, input, &move, &error), &error) &&
        good(
            nk_move_check(rules, nk_game_position_at(game, ply), nk_game_to_move_at(game, ply), move, &error),
            &error) &&
        good(nk_explain(table, game, ply, move, &why, &error), &error))
        say_why(game, ply, move, &why);
}

void WEB(web_game_best_line)(const struct nk_game *game)
{
    begin_answer();
    say_line_in_game(game, nk_game_plies(game), NULL);
}

void WEB(web_game_record)(const struct nk_game *game)
{
    char *record = nk_record_text(game);
    if (!record) {
        fail_memory();
        return;
    }
    begin_answer();
    say_string(record);
    free(record);
}
