#include "player/engine.h"

#include "common/notation.h"
#include "player/describe.h"
#include "player/line_input.h"
#include "player/opponents.h"
#include "player/random.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ARGUMENTS = 16, /* of a command */
    QUOTED = 40          /* characters of the input to repeat in a complaint */
};

struct engine {
    FILE *out;
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_opponent opponent;
    struct nk_game
        *game; /* the position to answer about, with its history; NULL on a board without a start */
    uint64_t random;
    bool quit;
};

/* `name=value`, or a bare `name`: then the value is NULL. */
struct argument {
    char *name, *value;
};

struct line {
    char *command;
    struct argument arguments[MOST_ARGUMENTS];
    int count;
};

/* ---- answers ---- */

/* Answers with an error. Whatever the message quotes, it stays one line of plain characters. */
__attribute__((format(printf, 2, 3))) static bool complain(const struct engine *engine, const char *format,
                                                           ...)
{
    char text[400];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (char *c = text; *c; c++)
        if (*c == '"')
            *c = '\'';
        else if (*c < ' ' || *c > '~')
            *c = '?';
    fprintf(engine->out, "error message=\"%s\"\n", text);
    return false;
}

static void answer_value(const struct engine *engine, struct nk_value value)
{
    fprintf(engine->out, " result=%s", nk_result_name(value.result));
    if (value.result != NK_DRAW)
        fprintf(engine->out, " distance=%d", value.plies);
}

/* ---- the parts of a line ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads the value after a `=`, returning where it ends, or NULL after a complaint. */
static char *read_value(const struct engine *engine, char *at, struct argument *argument)
{
    const bool quoted = *at == '"';
    if (quoted)
        at++;
    argument->value = at;
    at += strcspn(at, quoted ? "\"" : " \t\"=");
    if (quoted) {
        if (!*at) {
            complain(engine, "the value of %.*s has no closing quotation mark", QUOTED, argument->name);
            return NULL;
        }
        *at++ = '\0';
    }
    if (*at && !is_blank(*at)) {
        complain(engine, "the value of %.*s goes on after its end with %c", QUOTED, argument->name, *at);
        return NULL;
    }
    if (!quoted && at == argument->value) {
        complain(engine, "%.*s= has no value", QUOTED, argument->name);
        return NULL;
    }
    return at;
}

/* Takes a line apart, in place. False after a complaint; an empty line has an empty command. */
static bool read_parts(const struct engine *engine, char *at, struct line *line)
{
    line->count = 0;
    at += strspn(at, " \t");
    line->command = at;
    at += strcspn(at, " \t");
    while (*at) {
        *at++ = '\0';
        at += strspn(at, " \t");
        if (!*at)
            break;
        if (line->count == MOST_ARGUMENTS)
            return complain(engine, "more than %d arguments", MOST_ARGUMENTS);
        struct argument *argument = &line->arguments[line->count++];
        *argument = (struct argument){.name = at};
        at += strcspn(at, " \t\"=");
        if (at == argument->name || *at == '"')
            return complain(engine, "a name or name=value was expected, found %.*s", QUOTED, argument->name);
        if (*at == '=') {
            *at++ = '\0';
            if (!(at = read_value(engine, at, argument)))
                return false;
        }
    }
    return true;
}

/* Sorts the arguments of a command by the names it knows, which end with NULL: values[i] is that of names[i],
 * or NULL when it is missing. False after a complaint. */
static bool read_values(const struct engine *engine, const struct line *line, const char *const names[],
                        const char *values[])
{
    for (int n = 0; names[n]; n++)
        values[n] = NULL;
    for (int i = 0; i < line->count; i++) {
        const struct argument *argument = &line->arguments[i];
        int n = 0;
        while (names[n] && strcmp(names[n], argument->name) != 0)
            n++;
        if (!names[n])
            return complain(engine, "%s takes no argument %.*s", line->command, QUOTED, argument->name);
        if (!argument->value)
            return complain(engine, "%s takes a value: %s=...", names[n], names[n]);
        if (values[n])
            return complain(engine, "%s is given twice", names[n]);
        values[n] = argument->value;
    }
    return true;
}

/* ---- commands ---- */

static void run_hub(struct engine *engine, const struct line *line)
{
    char opponent[NK_OPPONENT_TEXT];
    (void)line;
    nk_opponent_print(engine->opponent, opponent);
    fprintf(engine->out, "id name=Neutreeko version=" NK_VERSION "\n");
    fprintf(engine->out, "param name=opponent value=%s type=string\n", opponent);
    fprintf(engine->out, "wait\n");
}

static void run_set_param(struct engine *engine, const struct line *line)
{
    enum { NAME, VALUE, COUNT };
    static const char *const names[] = {[NAME] = "name", [VALUE] = "value", [COUNT] = NULL};
    const char *values[COUNT];
    struct nk_opponent opponent;
    struct nk_error error;
    if (!read_values(engine, line, names, values))
        return;
    if (!values[NAME] || !values[VALUE])
        complain(engine, "set-param needs name=... and value=...");
    else if (strcmp(values[NAME], "opponent") != 0)
        complain(engine, "there is no parameter %.*s", QUOTED, values[NAME]);
    else if (nk_opponent_parse(values[VALUE], &opponent, &error))
        complain(engine, "%s", error.text);
    else if (nk_opponent_is_human(opponent))
        complain(engine, "'%s' cannot play here: nobody is asked for a move", values[VALUE]);
    else
        engine->opponent = opponent;
}

static void run_init(struct engine *engine, const struct line *line)
{
    (void)line;
    fprintf(engine->out, "ready\n");
}

/* Begins a game at a position in words, or at the start of the board when `text` is NULL. */
static struct nk_game *begin_game(const struct engine *engine, const char *text)
{
    struct nk_position position;
    enum nk_colour to_move = NK_BLACK;
    struct nk_error error;
    struct nk_game *game = NULL;
    if (!text && !nk_rules_start(engine->rules, &position))
        complain(engine, "this board has no start position: name one with pos=");
    else if (text && nk_position_parse(engine->rules, text, &position, &to_move, &error)) {
        if (error.at)
            complain(engine, "pos, character %zu: %s", error.at, error.text);
        else
            complain(engine, "pos: %s", error.text);
    } else if (nk_game_new(engine->rules, position, to_move, &game, &error))
        complain(engine, "%s", error.text);
    return game;
}

/* Plays the moves, blanks between them. False after a complaint. */
static bool play_moves(const struct engine *engine, struct nk_game *game, const char *moves)
{
    for (moves += strspn(moves, " \t"); *moves; moves += strspn(moves, " \t")) {
        const int length = (int)strcspn(moves, " \t");
        const int number = nk_game_plies(game) + 1;
        char text[QUOTED];
        struct nk_move move;
        struct nk_error error;
        snprintf(text, sizeof text, "%.*s", length, moves);
        if (nk_move_parse(engine->rules, text, &move, &error) || nk_game_play(game, move, &error))
            return complain(engine, "move %d, %s: %s", number, text, error.text);
        moves += length;
    }
    return true;
}

static void take_game(struct engine *engine, struct nk_game *game)
{
    nk_game_free(engine->game);
    engine->game = game;
}

static void run_pos(struct engine *engine, const struct line *line)
{
    enum { POS, MOVES, COUNT };
    static const char *const names[] = {[POS] = "pos", [MOVES] = "moves", [COUNT] = NULL};
    const char *values[COUNT];
    if (!read_values(engine, line, names, values))
        return;
    struct nk_game *game = begin_game(engine, values[POS]);
    if (!game)
        return;
    if (!values[MOVES] || play_moves(engine, game, values[MOVES]))
        take_game(engine, game);
    else
        nk_game_free(game);
}

static void run_new_game(struct engine *engine, const struct line *line)
{
    struct nk_game *game = NULL;
    (void)line;
    struct nk_position start;
    if (!nk_rules_start(engine->rules, &start) || (game = begin_game(engine, NULL)))
        take_game(engine, game);
}

/* Nothing to limit, nothing to stop: the table answers at once. */
static void run_nothing(struct engine *engine, const struct line *line)
{
    (void)engine, (void)line;
}

static void answer_move(const struct engine *engine, const char *word, const struct nk_option *option)
{
    char text[NK_MOVE_TEXT];
    nk_move_print(engine->rules, option->move, text);
    fprintf(engine->out, "%s move=%s", word, text);
    answer_value(engine, option->value);
    fputc('\n', engine->out);
}

static void search(struct engine *engine, bool analyze)
{
    struct nk_option options[NK_MAX_MOVES];
    struct nk_move move;
    struct nk_error error;
    int count;
    if (nk_options(engine->table, engine->game, options, &count, &error) ||
        nk_opponent_move(engine->opponent, engine->table, engine->game, &engine->random, &move, NULL,
                         &error)) {
        complain(engine, "%s", error.text);
        return;
    }
    for (int i = 0; analyze && i < count; i++)
        answer_move(engine, "info", &options[i]);
    answer_move(engine, "done", &options[nk_options_find(options, count, move)]);
}

static void run_go(struct engine *engine, const struct line *line)
{
    const char *const mode = line->count ? line->arguments[0].name : "think";
    const bool known =
        strcmp(mode, "think") == 0 || strcmp(mode, "ponder") == 0 || strcmp(mode, "analyze") == 0;
    char end[NK_END_TEXT];
    if (!known || line->count > 1 || (line->count && line->arguments[0].value))
        complain(engine, "go takes one of think, ponder and analyze");
    else if (!engine->game)
        complain(engine, "there is no position yet: name one with pos");
    else if (nk_game_end(engine->game, NULL) != NK_END_NONE) {
        nk_end_format(engine->game, end);
        complain(engine, "the game is over. %s", end);
    } else
        search(engine, strcmp(mode, "analyze") == 0);
}

static void run_ping(struct engine *engine, const struct line *line)
{
    (void)line;
    fprintf(engine->out, "pong\n");
}

static void run_quit(struct engine *engine, const struct line *line)
{
    (void)line;
    engine->quit = true;
}

static const struct {
    const char *name;
    bool takes_arguments;
    void (*run)(struct engine *engine, const struct line *line);
} known_commands[] = {
    {"hub", false, run_hub},
    {"set-param", true, run_set_param},
    {"init", false, run_init},
    {"new-game", false, run_new_game},
    {"pos", true, run_pos},
    {"level", true, run_nothing},
    {"go", true, run_go},
    {"stop", false, run_nothing},
    {"ponder-hit", false, run_nothing},
    {"ping", false, run_ping},
    {"quit", false, run_quit},
};

/* ---- the conversation ---- */

/* Answers a line, which it takes apart. */
static void answer(struct engine *engine, char *text)
{
    struct line line;
    if (!read_parts(engine, text, &line) || !*line.command)
        return;
    for (size_t i = 0; i < sizeof known_commands / sizeof known_commands[0]; i++) {
        if (strcmp(known_commands[i].name, line.command) != 0)
            continue;
        if (line.count && !known_commands[i].takes_arguments)
            complain(engine, "%s takes no arguments", line.command);
        else
            known_commands[i].run(engine, &line);
        return;
    }
    complain(engine, "there is no command %.*s", QUOTED, line.command);
}

enum nk_status nk_engine_converse(struct nk_table *table, uint64_t seed, FILE *in, FILE *out,
                                  struct nk_error *error)
{
    struct engine engine = {
        .out = out, .table = table, .rules = nk_table_rules(table), .random = nk_random_split(seed, 0)};
    enum nk_status status = NK_OK;
    size_t length;
    char *text = malloc(NK_LINE_BYTES + 1);
    if (!text)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    (void)nk_opponent_parse("perfect", &engine.opponent, NULL);
    run_new_game(&engine, NULL);
    while (!status && !engine.quit && nk_line_read(in, text, &length)) {
        if (length > NK_LINE_BYTES)
            complain(&engine, "a line of more than %d bytes", (int)NK_LINE_BYTES);
        else if (strlen(text) < length)
            complain(&engine, "character %zu of the line is byte 0", strlen(text) + 1);
        else
            answer(&engine, text);
        if (fflush(out) || ferror(out))
            status = nk_fail(error, NK_E_WRITE, 0, "cannot write to standard output: %s", strerror(errno));
    }
    if (!status && ferror(in))
        status = nk_fail(error, NK_E_READ, 0, "cannot read standard input");
    nk_game_free(engine.game);
    free(text);
    return status;
}
