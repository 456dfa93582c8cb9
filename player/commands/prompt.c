#include "player/commands/prompt.h"

#include "common/file.h"
#include "player/commands/messages.h"
#include "player/display.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum outcome do_hint(struct session *session)
{
    enum { CELL = NK_MOVE_TEXT + NK_VALUE_TEXT + 16 };
    static const char *const occurrences[] = {"", " (2nd time)", " (3rd time)"};
    struct nk_option options[NK_MAX_MOVES];
    struct nk_error error;
    char cells[NK_MAX_MOVES][CELL], move[NK_MOVE_TEXT], value[NK_VALUE_TEXT];
    int count;
    if (session_is_over(session)) {
        say_error("The game is over.");
        return CONTINUE;
    }
    if (nk_options(session->play->table, session->game, options, &count, &error))
        return report_failure(&error);
    for (int m = 0; m < count; m++) {
        const int repeats = options[m].repeats < 2 ? options[m].repeats : 2;
        nk_move_print(session->rules, options[m].move, move);
        nk_value_format(options[m].value, value);
        snprintf(cells[m], CELL, "%s  %s%s", move, value, occurrences[repeats]);
    }
    terminal_print_columns(cells[0], CELL, count);
    return CONTINUE;
}

/* Prints the moves from one ply to another, at most two, as "Taken back: b1-c1 d5-e4." */
static void say_moves(const struct session *session, const char *what, int from, int to)
{
    char text[SENTENCE] = "", move[NK_MOVE_TEXT];
    for (int ply = from; ply < to; ply++) {
        nk_move_print(session->rules, nk_game_move_at(session->game, ply), move);
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s", move);
    }
    say("%s:%s.", what, text);
}

static enum outcome do_undo(struct session *session)
{
    const int plies = nk_game_plies(session->game);
    if (nk_game_end(session->game, NULL) == NK_END_RESIGNED) {
        nk_game_undo(session->game);
        say("Resignation taken back.");
    } else {
        int target = plies - 1;
        while (target >= 0 && !session_is_human(session, nk_game_to_move_at(session->game, target)))
            target--;
        if (target < 0) {
            say_error("No move of yours to take back.");
            return CONTINUE;
        }
        say_moves(session, "Taken back", target, plies);
        while (nk_game_plies(session->game) > target)
            nk_game_undo(session->game);
    }
    session->changed = true;
    return CONTINUE;
}

static enum outcome do_redo(struct session *session)
{
    const int plies = nk_game_plies(session->game);
    while (nk_game_redo(session->game) && !session_is_human(session, nk_game_to_move(session->game)))
        ;
    if (nk_game_plies(session->game) == plies) {
        say_error("No move to redo.");
        return CONTINUE;
    }
    say_moves(session, "Redone", plies, nk_game_plies(session->game));
    session->changed = true;
    return CONTINUE;
}

static enum outcome do_moves(struct session *session)
{
    enum { CELL = 32 };
    const int plies = nk_game_plies(session->game);
    if (!plies) {
        say("No moves yet.");
        return CONTINUE;
    }
    /* The list of a game in which White moves first begins with a gap. */
    const int gap = nk_game_to_move_at(session->game, 0) == NK_WHITE;
    const int rows = (plies + gap + 1) / 2;
    char(*cells)[CELL] = calloc((size_t)rows, sizeof *cells);
    if (!cells)
        return report_failure(&(struct nk_error){.status = NK_E_MEMORY, .text = "out of memory"});
    for (int row = 0; row < rows; row++) {
        char moves[2][NK_MOVE_TEXT] = {"...", ""};
        for (int half = 0; half < 2; half++) {
            const int ply = 2 * row + half - gap;
            if (ply >= 0 && ply < plies)
                nk_move_print(session->rules, nk_game_move_at(session->game, ply), moves[half]);
        }
        snprintf(cells[row], CELL, "%2d. %-5s %s", row + 1, moves[0], moves[1]);
    }
    terminal_print_columns(cells[0], CELL, rows);
    free(cells);
    return CONTINUE;
}

static enum outcome do_board(struct session *session)
{
    say_board(session);
    return CONTINUE;
}

static enum outcome do_flip(struct session *session)
{
    session->play->flip = !session->play->flip;
    return do_board(session);
}

static enum outcome do_resign(struct session *session)
{
    if (session_is_over(session)) {
        say_error("The game is over.");
        return CONTINUE;
    }
    nk_game_resign(session->game);
    say_end(session);
    return CONTINUE;
}

static enum outcome list_players(void)
{
    enum { INDENT = 15 };
    const char *form, *about;
    say("Type 'against NAME', with one of these names:");
    for (int n = 0; nk_opponent_describe(n, &form, &about); n++) {
        char line[SENTENCE];
        snprintf(line, sizeof line, "  %-*s%s\n", INDENT - 2, form, about);
        terminal_print(stdout, INDENT, line);
    }
    return CONTINUE;
}

static enum outcome do_against(struct session *session)
{
    const char *name = session->argument;
    struct nk_error error;
    struct nk_opponent player;
    if (!*name)
        return list_players();
    if (nk_opponent_parse(name, &player, &error)) {
        say_error("%s.", error.text);
        return CONTINUE;
    }
    const enum nk_colour person = session_people(session) == 2          ? nk_game_to_move(session->game)
                                  : session_is_human(session, NK_BLACK) ? NK_BLACK
                                                                        : NK_WHITE;
    session->play->players[nk_colour_other(person)] = player;
    say_players(session);
    return CONTINUE;
}

static enum outcome do_new(struct session *session)
{
    struct nk_error error;
    say("New game.");
    return session_begin(session, &error) ? report_failure(&error) : CONTINUE;
}

static const char saved_games_begin[] = "# Neutreeko";

/* Only saved games and empty files are replaced, so that a wrong name does not destroy another file. */
static bool may_be_replaced(const char *path)
{
    struct stat about;
    char first[sizeof saved_games_begin] = "";
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size == 0)
        return true;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const size_t got = fread(first, 1, sizeof first - 1, file);
    fclose(file);
    return got == sizeof first - 1 && strcmp(first, saved_games_begin) == 0;
}

/* The text of a saved game. NULL when memory runs out. */
static char *game_text(const struct session *session)
{
    char *record = nk_record_text(session->game), *text = NULL, names[2][NK_OPPONENT_TEXT];
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++)
        nk_opponent_print(session->play->players[colour], names[colour]);
    if (record && asprintf(&text, "%s\n# Black: %s\n# White: %s\n%s", saved_games_begin, names[NK_BLACK],
                           names[NK_WHITE], record) < 0)
        text = NULL;
    free(record);
    return text;
}

static enum outcome do_save(struct session *session)
{
    const char *path = session->argument;
    struct nk_error error;
    if (!*path) {
        say_error("Missing file name: type 'save FILE'.");
        return CONTINUE;
    }
    if (!may_be_replaced(path)) {
        say_error("Not saved: %s exists and is not a saved game.", path);
        return CONTINUE;
    }
    char *text = game_text(session);
    if (!text)
        say_error("Not saved: out of memory.");
    else if (nk_file_write(path, text, strlen(text), &error))
        say_error("Not saved: %s.", error.text);
    else
        say("Saved as %s.", path);
    free(text);
    return CONTINUE;
}

static enum outcome do_quit(struct session *session)
{
    (void)session;
    return LEAVE;
}

static enum outcome do_help(struct session *session);

static const struct prompt_command {
    const char *name, *argument, *about;
    enum outcome (*run)(struct session *session);
} commands[] = {
    {"hint", "", "list all moves and their results, best first", do_hint},
    {"undo", "", "take back your last move", do_undo},
    {"redo", "", "play it again", do_redo},
    {"board", "", "show the board", do_board},
    {"flip", "", "show the board from the other side", do_flip},
    {"moves", "", "list the moves of the game", do_moves},
    {"resign", "", "resign the game", do_resign},
    {"new", "", "begin a new game", do_new},
    {"against", "NAME", "change the opponent, for example to level:3", do_against},
    {"save", "FILE", "write the game to a file", do_save},
    {"quit", "", "leave (also Ctrl-D)", do_quit},
    {"help", "", "show this list", do_help},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static enum outcome do_help(struct session *session)
{
    enum { INDENT = 16 };
    say_rules(session);
    say("\nType a move from square to square, as b1-c1 or b1c1, or one of these commands (their first letters "
        "are enough):");
    for (int c = 0; c < COMMANDS; c++) {
        char name[INDENT], line[SENTENCE];
        snprintf(name, sizeof name, "%s %s", commands[c].name, commands[c].argument);
        snprintf(line, sizeof line, "  %-*s%s\n", INDENT - 2, name, commands[c].about);
        terminal_print(stdout, INDENT, line);
    }
    say("The tab key completes commands and moves. On the board, + and [ ] mark the last move. Threefold "
        "repetition is a draw.");
    return CONTINUE;
}

/* Converts ASCII letters whatever the locale is; tolower would follow it. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool has_prefix(const char *word, const char *typed, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!word[i] || word[i] != lower(typed[i]))
            return false;
    return true;
}

/* The command with this name or the only one that begins so, or NULL after an error message. */
static const struct prompt_command *find_command(const char *typed, size_t length)
{
    const struct prompt_command *found = NULL;
    for (int c = 0; c < COMMANDS; c++) {
        if (!has_prefix(commands[c].name, typed, length))
            continue;
        if (!commands[c].name[length])
            return &commands[c];
        if (found) {
            say_error("'%.*s' is ambiguous: %s or %s.", (int)length, typed, found->name, commands[c].name);
            return NULL;
        }
        found = &commands[c];
    }
    if (!found)
        say_error("Unknown move or command '%.*s'. 'help' lists the commands.", (int)length, typed);
    return found;
}

enum outcome prompt_run(struct session *session, const char *line)
{
    if (strcmp(line, "?") == 0)
        return do_help(session);
    const size_t length = strcspn(line, " ");
    const struct prompt_command *command = find_command(line, length);
    if (!command)
        return CONTINUE;
    session->argument = line + length + strspn(line + length, " ");
    if (*session->argument && !*command->argument) {
        say_error("'%s' takes no argument.", command->name);
        return CONTINUE;
    }
    return command->run(session);
}

static_assert((int)NK_MAX_MOVES + (int)COMMANDS <= (int)TERMINAL_MAX_WORDS, "all can be completions at once");

void prompt_complete(const char *typed, struct terminal_words *found)
{
    for (int c = 0; c < COMMANDS; c++)
        if (has_prefix(commands[c].name, typed, strlen(typed)))
            snprintf(found->words[found->count++], TERMINAL_WORD, "%s%s", commands[c].name,
                     *commands[c].argument ? " " : "");
}
