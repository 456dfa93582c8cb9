/* neutreeko engine: playing for another program, in the protocol that docs/FORMATS.md specifies. A line is split into a
 * command and its arguments, whose names are matched with those of the command; then the command answers. */

#include "player/player.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/play/play.h"
#include "common/system/system.h"
#include "player/terminal/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char about[] = "Play for another program: it writes commands to standard input, one per line,\n"
                            "and reads the replies from standard output. docs/FORMATS.md describes them.\n"
                            "The values take repetitions in the moves of 'pos' into account.\n"
                            "\n"
                            "Examples:\n"
                            "  printf 'go think\\n' | neutreeko engine\n"
                            "  printf 'pos moves=\"b1-c1 b5-c5\"\\ngo analyze\\n' | neutreeko engine\n"
                            "  printf 'set-param name=opponent value=level:4\\ngo think\\n' |\n"
                            "    neutreeko engine --seed 7\n";

static const char notes[] = "\n"
                            "Exit status: 0 after 'quit' or at the end of the input, 1 for a failure, 2 for\n"
                            "incorrect usage.\n";

static const struct nk_program_option options[] = {
    GAME_OPTIONS, SEED_OPTION, GENERAL_OPTIONS, TABLE_OPTION, NK_LAST_OPTION,
};

/* ---- the state ---- */

enum {
    MAX_ARGUMENTS = 16, /* of a command */
    ARGUMENT_NAMES = 2, /* of a command that takes arguments with values */
    QUOTED = 40         /* characters of the input that an error message quotes */
};

/* `name=value`, or a flag `name`, whose value is NULL. */
struct argument {
    char *name, *value;
};

struct engine {
    struct line_input *in;
    FILE *out;
    struct nk_table *table;
    const struct nk_rules *rules;
    struct nk_opponent opponent;
    struct nk_text opponent_name; /* as it was set */
    struct nk_game *game;         /* the current position and its history; NULL if none was set */
    uint64_t random;              /* the state of nk_random */
    bool quit;

    /* The command line that is being answered. */
    char *command;
    struct argument arguments[MAX_ARGUMENTS];
    int count;                          /* of arguments */
    const char *values[ARGUMENT_NAMES]; /* see match_arguments */
};

/* ---- answers ---- */

/* Answers with an error and returns false. The message may quote any bytes: it is made one line of printable ASCII
 * characters without double quotes. */
__attribute__((format(printf, 2, 3))) static bool fail(const struct engine *engine, const char *format, ...)
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

/* ---- parsing a line ---- */

/* Reads the value at `at`, after a `=`. Returns its end, or NULL after answering with an error. */
static char *parse_value(const struct engine *engine, char *at, struct argument *argument)
{
    const bool quoted = *at == '"';
    if (quoted)
        at++;
    argument->value = at;
    at += strcspn(at, quoted ? "\"" : NK_BLANKS "\"=");
    if (quoted) {
        if (!*at) {
            fail(engine, "invalid value of '%.*s': missing closing quote", QUOTED, argument->name);
            return NULL;
        }
        *at++ = '\0';
    }
    if (*at && !nk_is_blank(*at)) {
        fail(engine, "invalid value of '%.*s': expected a space after it, found '%c'", QUOTED, argument->name,
             *at);
        return NULL;
    }
    if (!quoted && at == argument->value) {
        fail(engine, "missing value after '%.*s='", QUOTED, argument->name);
        return NULL;
    }
    return at;
}

/* Splits a line in place into a command and its arguments. The command of an empty line is empty. Returns false after
 * answering with an error. */
static bool parse_line(struct engine *engine, char *at)
{
    engine->count = 0;
    at += strspn(at, NK_BLANKS);
    engine->command = at;
    at += strcspn(at, NK_BLANKS);
    while (*at) {
        *at++ = '\0';
        at += strspn(at, NK_BLANKS);
        if (!*at)
            break;
        if (engine->count == MAX_ARGUMENTS)
            return fail(engine, "too many arguments: expected at most %d", MAX_ARGUMENTS);
        struct argument *argument = &engine->arguments[engine->count++];
        *argument = (struct argument){.name = at};
        at += strcspn(at, NK_BLANKS "\"=");
        if (at == argument->name || *at == '"')
            return fail(engine, "invalid argument '%.*s': expected name or name=value", QUOTED,
                        argument->name);
        if (*at == '=') {
            *at++ = '\0';
            if (!(at = parse_value(engine, at, argument)))
                return false;
        }
    }
    return true;
}

/* Sets engine->values[i] to the value of the argument names[i], or to NULL if it is missing. Returns false after
 * answering with an error. */
static bool match_arguments(struct engine *engine, const char *const names[ARGUMENT_NAMES])
{
    memset(engine->values, 0, sizeof engine->values);
    for (int i = 0; i < engine->count; i++) {
        const struct argument *argument = &engine->arguments[i];
        int n = 0;
        while (n < ARGUMENT_NAMES && strcmp(names[n], argument->name) != 0)
            n++;
        if (n == ARGUMENT_NAMES)
            return fail(engine, "unknown argument '%.*s' of '%s'", QUOTED, argument->name, engine->command);
        if (!argument->value)
            return fail(engine, "missing value of '%s': expected %s=...", names[n], names[n]);
        if (engine->values[n])
            return fail(engine, "repeated argument '%s'", names[n]);
        engine->values[n] = argument->value;
    }
    return true;
}

/* ---- commands ---- */

static void run_hub(struct engine *engine)
{
    fprintf(engine->out, "id name=Neutreeko version=" NK_VERSION "\n");
    fprintf(engine->out, "param name=opponent value=%s type=string\n", engine->opponent_name.s);
    fprintf(engine->out, "wait\n");
}

static void run_set_param(struct engine *engine)
{
    const char *name = engine->values[0], *value = engine->values[1];
    struct nk_error error;
    if (!name || !value)
        fail(engine, "'set-param' requires name=... and value=...");
    else if (strcmp(name, "opponent") != 0)
        fail(engine, "unknown parameter '%.*s': expected opponent", QUOTED, name);
    else if (nk_opponent_parse_program(value, &engine->opponent, &error))
        fail(engine, "%s", error.text);
    else
        engine->opponent_name = nk_text_of("%s", value);
}

/* Returns a new game from a position, or from the start position if `text` is NULL; NULL after answering with an
 * error. */
static struct nk_game *new_game(const struct engine *engine, const char *text)
{
    struct nk_position position;
    enum nk_colour to_move = NK_BLACK;
    struct nk_error error;
    struct nk_game *game = NULL;
    if (!text && !nk_rules_start(engine->rules, &position))
        fail(engine, "this board has no start position: set a position with pos=");
    else if (text && nk_position_parse(engine->rules, text, &position, &to_move, &error)) {
        if (error.status == NK_E_POSITION)
            fail(engine, "illegal position: %s", error.text);
        else if (error.at)
            fail(engine, "invalid position: character %zu: %s", error.at, error.text);
        else
            fail(engine, "invalid position: %s", error.text);
    } else if (nk_game_new(engine->rules, position, to_move, &game, &error))
        fail(engine, "%s", error.text);
    return game;
}

/* Plays moves separated by blanks. Returns false after answering with an error. */
static bool play_moves(const struct engine *engine, struct nk_game *game, const char *moves)
{
    for (moves += strspn(moves, NK_BLANKS); *moves; moves += strspn(moves, NK_BLANKS)) {
        const int length = (int)strcspn(moves, NK_BLANKS);
        const int counted = (int)nk_move_number_length(moves, (size_t)length); /* as in records */
        if (counted) {
            moves += counted;
            continue;
        }
        const int number = nk_game_plies(game) + 1;
        char text[QUOTED];
        struct nk_move move;
        struct nk_error error;
        snprintf(text, sizeof text, "%.*s", length, moves);
        if (nk_move_parse(engine->rules, text, &move, &error))
            return fail(engine, "move %d: invalid move '%s': character %zu: %s", number, text, error.at,
                        error.text);
        if (nk_game_play(game, move, &error))
            return fail(engine, "move %d: illegal move '%s': %s", number, text, error.text);
        moves += length;
    }
    return true;
}

/* Takes ownership of the game, which may be NULL. */
static void set_game(struct engine *engine, struct nk_game *game)
{
    nk_game_free(engine->game);
    engine->game = game;
}

static void run_pos(struct engine *engine)
{
    const char *position = engine->values[0], *moves = engine->values[1];
    struct nk_game *game = new_game(engine, position);
    if (game && (!moves || play_moves(engine, game, moves)))
        set_game(engine, game);
    else
        nk_game_free(game);
}

static void run_new_game(struct engine *engine)
{
    struct nk_game *game = NULL;
    struct nk_position start;
    if (!nk_rules_start(engine->rules, &start) || (game = new_game(engine, NULL)))
        set_game(engine, game);
}

static void print_choice(const struct engine *engine, const char *keyword, const struct nk_choice *choice)
{
    const struct nk_value value = choice->value;
    fprintf(engine->out, "%s move=%s result=%s", keyword, nk_move_text(engine->rules, choice->move).s,
            nk_result_name(value.result));
    if (value.result != NK_DRAW)
        fprintf(engine->out, " plies=%d", value.plies);
    fputc('\n', engine->out);
}

/* Whether a search, which may take years, has to end: because it is stopped, or because nobody waits for its result any
 * more. The end of the input alone does not stop it: the answer would depend on when that is noticed. */
static bool is_search_unwanted(void *context)
{
    const struct engine *engine = context;
    line_read_ahead(engine->in);
    if (engine->in->ended && !nk_system_has_reader(fileno(engine->out)))
        return true;
    return line_is_ahead(engine->in, "stop") || line_is_ahead(engine->in, "quit");
}

static void choose_move(struct engine *engine, bool analyze)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_move move;
    struct nk_error error;
    const struct nk_stop stop = {is_search_unwanted, engine};
    int count;
    if (nk_choices(engine->table, engine->game, choices, &count, &error) ||
        nk_opponent_choose(engine->opponent, engine->table, engine->game, &engine->random, &stop, &move,
                           &error)) {
        fail(engine, "%s", error.text);
        return;
    }
    for (int i = 0; analyze && i < count; i++)
        print_choice(engine, "info", &choices[i]);
    print_choice(engine, "done", &choices[nk_move_find(choices, sizeof *choices, count, move)]);
}

static const char no_position[] = "the position is not set: use 'pos'";

static void run_go(struct engine *engine)
{
    const char *const mode = engine->count ? engine->arguments[0].name : "think";
    struct nk_error error;
    const bool known =
        strcmp(mode, "think") == 0 || strcmp(mode, "ponder") == 0 || strcmp(mode, "analyze") == 0;
    if (!known || engine->count > 1 || (engine->count && engine->arguments[0].value))
        fail(engine, "invalid arguments of 'go': expected think, ponder or analyze");
    else if (!engine->game)
        fail(engine, "%s", no_position);
    else if (nk_game_check_open(engine->game, &error))
        fail(engine, "%s", error.text);
    else
        choose_move(engine, strcmp(mode, "analyze") == 0);
}

/* Answers with what a referee has to know: the position, the side to move, the end and the legal moves. */
static void run_state(struct engine *engine)
{
    struct nk_move moves[NK_MAX_MOVES];
    enum nk_colour winner = NK_BLACK;
    const struct nk_game *game = engine->game;
    if (!game) {
        fail(engine, "%s", no_position);
        return;
    }
    const enum nk_colour to_move = nk_game_to_move(game);
    const enum nk_end end = nk_game_end(game, &winner);
    const int count =
        end == NK_END_NONE ? nk_position_moves(engine->rules, nk_game_position(game), moves) : 0;
    fprintf(engine->out, "state pos=\"%s\" to_move=%s",
            nk_position_text(engine->rules, nk_game_position(game), to_move).s, nk_colour_key(to_move));
    if (end != NK_END_NONE)
        fprintf(engine->out, " reason=%s", nk_end_name(end));
    if (end == NK_END_WON)
        fprintf(engine->out, " winner=%s", nk_colour_key(winner));
    fputs(" moves=\"", engine->out);
    for (int m = 0; m < count; m++)
        fprintf(engine->out, "%s%s", m ? " " : "", nk_move_text(engine->rules, moves[m]).s);
    fputs("\"\n", engine->out);
}

static void run_quit(struct engine *engine)
{
    engine->quit = true;
}

/* A command has a constant answer, or a function that answers. level and ponder-hit have no effect. stop ends a search,
 * because is_search_unwanted looks for it among the lines that have not been read; when it is read as a command, no
 * search is running. */
static const struct {
    const char *name, *answer;
    void (*run)(struct engine *engine);
    bool takes_any; /* arguments, which `run` checks */
    const char *arguments[ARGUMENT_NAMES];
} commands[] = {
    {"hub", .run = run_hub},
    {"set-param", .run = run_set_param, .arguments = {"name", "value"}},
    {"init", .answer = "ready\n"},
    {"new-game", .run = run_new_game},
    {"pos", .run = run_pos, .arguments = {"pos", "moves"}},
    {"level", .answer = "", .takes_any = true},
    {"go", .run = run_go, .takes_any = true},
    {"state", .run = run_state},
    {"stop", .answer = ""},
    {"ponder-hit", .answer = ""},
    {"ping", .answer = "pong\n"},
    {"quit", .run = run_quit},
};

/* ---- the session ---- */

/* Answers a line, which is overwritten. */
static void run_line(struct engine *engine, char *text)
{
    if (!parse_line(engine, text) || !*engine->command)
        return;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, engine->command) != 0)
            continue;
        if (engine->count && !commands[i].takes_any && !commands[i].arguments[0])
            fail(engine, "'%s' takes no arguments", engine->command);
        else if (commands[i].answer)
            fputs(commands[i].answer, engine->out);
        else if (commands[i].takes_any || match_arguments(engine, commands[i].arguments))
            commands[i].run(engine);
        return;
    }
    fail(engine, "unknown command '%.*s'", QUOTED, engine->command);
}

enum nk_status engine_run(struct nk_table *table, uint64_t seed, int in, FILE *out, struct nk_error *error)
{
    struct engine engine = {.in = calloc(1, sizeof *engine.in),
                            .out = out,
                            .table = table,
                            .rules = nk_table_rules(table),
                            .opponent_name = {"perfect"},
                            .random = nk_random_split(seed, 0)};
    enum nk_status status = NK_OK;
    struct line_input *input = engine.in;
    if (!input)
        return nk_fail_memory(error);
    input->file = in;
    (void)nk_opponent_parse(engine.opponent_name.s, &engine.opponent, NULL);
    run_new_game(&engine);
    while (!status && !engine.quit && line_read(input)) {
        if (input->length > LINE_BYTES)
            fail(&engine, "line too long: expected at most %d KiB", LINE_BYTES >> 10);
        else if (nk_is_utf16(input->text, input->length))
            fail(&engine, NK_UTF16_ERROR);
        else if (strlen(input->text) < input->length)
            fail(&engine, "unexpected byte 0 at character %zu",
                 nk_characters(input->text, strlen(input->text)) + 1);
        else {
            input->text[nk_fold_unicode_to_ascii(input->text, input->length, input->text)] = '\0';
            run_line(&engine, input->text);
        }
        if (fflush(out) || ferror(out))
            status =
                nk_fail(error, NK_E_WRITE, 0, "cannot write standard output: %s", nk_system_error(errno).s);
    }
    if (!status && input->failed)
        status =
            nk_fail(error, NK_E_READ, 0, "cannot read standard input: %s", nk_system_error(input->failed).s);
    nk_game_free(engine.game);
    free(input);
    return status;
}

/* ---- the command ---- */

static int run(struct nk_table *table, int argc, char **argv)
{
    struct nk_error error;
    (void)argc, (void)argv;
    const enum nk_status status = engine_run(table, common_options.seed, STDIN_FILENO, stdout, &error);
    if (status && status != NK_E_WRITE) /* which the caller reports for all commands */
        report_error(&error);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}

const struct command engine_command = {
    .line = {"neutreeko engine", " [OPTION]...", about, options, .notes = notes},
    .reads_input = ALWAYS,
    .run = run};
