#include "player/play/play_commands.h"

#include "common/base/chars.h"
#include "common/system/file.h"
#include "player/commands/common.h"
#include "player/commands/review_game.h"
#include "player/play/hint.h"
#include "player/play/messages.h"
#include "player/play/prompt.h"
#include "player/play/typed_path.h"
#include "player/terminal/display.h"
#include "player/terminal/print.h"

#include <stdlib.h>
#include <string.h>

/* Prints the moves from one ply to another, at most two, as "Taken back: b1-c1 d5-e4." */
static void print_plies(const struct session *session, const char *what, int from, int to)
{
    char text[SENTENCE] = "";
    for (int ply = from; ply < to; ply++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s",
                 nk_move_text(session->rules, nk_game_move_at(session->game, ply)).s);
    }
    print_sentence("%s:%s.", what, text);
}

static enum after_turn do_undo(void *context)
{
    struct session *session = context;
    const int plies = nk_game_plies(session->game);
    if (nk_game_end(session->game, NULL) == NK_END_RESIGNED) {
        nk_game_undo(session->game);
        print_sentence("Resignation taken back.");
    } else {
        int target = plies - 1;
        while (target >= 0 && !session_is_human(session, nk_game_to_move_at(session->game, target)))
            target--;
        if (target < 0) {
            reject_line(session, "No move of yours to take back.");
            return CONTINUE;
        }
        print_plies(session, "Taken back", target, plies);
        while (nk_game_plies(session->game) > target)
            nk_game_undo(session->game);
    }
    session_change(session);
    return CONTINUE;
}

static enum after_turn do_redo(void *context)
{
    struct session *session = context;
    const int plies = nk_game_plies(session->game);
    while (nk_game_redo(session->game) && !session_is_human(session, nk_game_to_move(session->game)))
        ;
    if (nk_game_plies(session->game) == plies) {
        reject_line(session, "No move to redo.");
        return CONTINUE;
    }
    print_plies(session, "Redone", plies, nk_game_plies(session->game));
    session_change(session);
    return CONTINUE;
}

static enum after_turn do_moves(void *context)
{
    struct session *session = context;
    enum { CELL = 32 };
    const int plies = nk_game_plies(session->game);
    if (!plies) {
        print_sentence("No moves yet.");
        return CONTINUE;
    }
    /* The list of a game in which White moves first begins with a gap. */
    const int gap = nk_game_to_move_at(session->game, 0) == NK_WHITE;
    const int rows = (plies + gap + 1) / 2;
    char(*cells)[CELL] = calloc((size_t)rows, sizeof *cells);
    if (!cells) {
        report_no_memory();
        return FAIL;
    }
    for (int row = 0; row < rows; row++) {
        struct nk_text moves[2] = {{"..."}, {""}};
        for (int half = 0; half < 2; half++) {
            const int ply = 2 * row + half - gap;
            if (ply >= 0 && ply < plies)
                moves[half] = nk_move_text(session->rules, nk_game_move_at(session->game, ply));
        }
        snprintf(cells[row], CELL, "%2d. %-5.5s %.5s", row + 1, moves[0].s, moves[1].s);
    }
    terminal_print_columns(cells[0], CELL, rows);
    free(cells);
    return CONTINUE;
}

static enum after_turn do_board(void *context)
{
    struct session *session = context;
    print_board(session);
    return CONTINUE;
}

static enum after_turn do_flip(void *context)
{
    struct session *session = context;
    session->view.flip = !session->view.flip;
    return do_board(session);
}

/* Whether a command that would end the game has to be confirmed, as a person may have meant another one; then asks.
 * 'yes' runs it. */
static bool must_confirm(struct session *session, enum after_turn (*command)(void *), const char *question)
{
    if (!session->interactive || session->forced || session_is_over(session))
        return false;
    print_sentence("%s", question);
    session->to_confirm = command;
    return true;
}

static enum after_turn do_resign(void *context)
{
    struct session *session = context;
    if (session_is_over(session)) {
        reject_line(session, "The game is over.");
        return CONTINUE;
    }
    if (must_confirm(session, do_resign, "Resign this game?"))
        return CONTINUE;
    nk_game_resign(session->game);
    session->person_has_moved = session->changed_since_recorded = true;
    print_end(session);
    return CONTINUE;
}

static enum after_turn list_players(void)
{
    enum { INDENT = 15 };
    struct nk_opponent_description kind;
    char about[OPPONENT_ABOUT];
    print_sentence("Type 'against NAME', with one of these names:");
    for (int n = 0; nk_opponent_kind_at(n, &kind); n++) {
        char line[SENTENCE];
        snprintf(line, sizeof line, "  %-*s%s\n", INDENT - 2, kind.form, opponent_about(&kind, about));
        terminal_print(stdout, INDENT, line);
    }
    return CONTINUE;
}

static enum after_turn do_against(void *context)
{
    struct session *session = context;
    const char *name = session->argument;
    struct nk_error error;
    struct nk_opponent player;
    if (!*name)
        return list_players();
    if (nk_opponent_parse(name, &player, &error)) {
        const bool asks = error.text[strlen(error.text) - 1] == '?';
        reject_line(session, "%s%s", error.text, asks ? "" : ".");
        return CONTINUE;
    }
    const enum nk_colour person = session_people(session) == 2          ? nk_game_to_move(session->game)
                                  : session_is_human(session, NK_BLACK) ? NK_BLACK
                                                                        : NK_WHITE;
    session->players[nk_colour_other(person)] = player;
    print_players(session);
    return CONTINUE;
}

static enum after_turn do_new(void *context)
{
    struct session *session = context;
    struct nk_error error;
    if (session->person_has_moved && must_confirm(session, do_new, "End this game and begin a new one?"))
        return CONTINUE;
    print_sentence("New game.");
    if (session_begin(session, &error)) {
        report_error(&error);
        return FAIL;
    }
    return CONTINUE;
}

/* Proposes a name for a game that has none; the next 'save' takes it. */
static enum after_turn propose_name(struct session *session)
{
    typed_path_propose(session->proposed_name);
    reject_line(session, "This game has no file yet: 'save' again writes it to %s, 'save FILE' to another.",
                session->proposed_name);
    return CONTINUE;
}

/* Writes the game to a file, which it closes, and remembers its name. */
static void save_to(struct session *session, struct nk_writer *file, const char *path)
{
    struct nk_error error;
    char *text = session_text(session), *name = strdup(path);
    const enum nk_status status =
        text && name ? nk_writer_append(file, text, strlen(text), &error) : nk_fail_memory(&error);
    if (status) {
        reject_line(session, "Not saved: %s.", error.text);
        nk_writer_abandon(file);
    } else if (nk_writer_close(file, NULL, &error)) {
        reject_line(session, "Not saved: %s.", error.text);
    } else {
        print_sentence("Saved as %s.", path);
        free(session->saved_as);
        session->saved_as = name;
        name = NULL;
    }
    free(text);
    free(name);
}

static const char force_word[] = "--force";

/* What follows the option --force, if it comes first. */
static const char *after_force(const char *argument)
{
    const size_t length = sizeof force_word - 1;
    if (strncmp(argument, force_word, length) != 0 || (argument[length] && argument[length] != ' '))
        return argument;
    return argument + length + strspn(argument + length, " ");
}

static enum after_turn do_save(void *context)
{
    struct session *session = context;
    char path[TYPED_PATH];
    struct nk_error error;
    struct nk_writer *file;
    const char *argument = after_force(session->argument);
    const char *typed = *argument ? argument : session->saved_as ? session->saved_as : session->proposed_name;
    if (!*typed)
        return propose_name(session);
    if (!*argument)
        snprintf(path, sizeof path, "%s", typed);
    else if (!typed_path_read(typed, path)) {
        reject_line(session, "Not saved: the name is too long.");
        return CONTINUE;
    }
    /* The file that this game was saved in last is the same game. */
    const bool again = session->saved_as && strcmp(path, session->saved_as) == 0;
    if (nk_writer_open(path, again || argument != session->argument, &file, &error))
        reject_line(session, "Not saved: %s.", error.text);
    else
        save_to(session, file, path);
    return CONTINUE;
}

/* Completes the name of the file that is written. */
static void complete_save(const char *typed, struct terminal_words *found)
{
    const char *path = after_force(typed);
    found->begin += (size_t)(path - typed);
    typed_path_complete(path, found);
}

static enum after_turn do_load(void *context)
{
    struct session *session = context;
    char path[TYPED_PATH];
    struct nk_error error;
    if (!*session->argument) {
        reject_line(session, "Missing file name: type 'load FILE'.");
        return CONTINUE;
    }
    if (!typed_path_read(session->argument, path)) {
        reject_line(session, "Not loaded: the name is too long.");
        return CONTINUE;
    }
    if (session_load(session, path, 0, &error)) {
        reject_line(session, "Not loaded: %s.", error.text);
        return CONTINUE;
    }
    print_sentence("Loaded %s.", path);
    print_players(session);
    return CONTINUE;
}

static enum after_turn do_review(void *context)
{
    struct session *session = context;
    struct game_review review;
    struct nk_error error;
    if (!nk_game_plies(session->game)) {
        print_sentence("No moves yet.");
        return CONTINUE;
    }
    fflush(stdout);
    if (review_evaluate(&review, session->settings->table, session->game, &error)) {
        report_error(&error);
        return FAIL;
    }
    putchar('\n');
    review_print(&review);
    review_clear(&review);
    return CONTINUE;
}

/* ---- completion of arguments ---- */

/* Completes the part before the number of an opponent that has one. */
static void complete_opponent(const char *typed, struct terminal_words *found)
{
    struct nk_opponent_description kind;
    char name[TERMINAL_WORD];
    for (int n = 0; nk_opponent_kind_at(n, &kind); n++) {
        const size_t length = strcspn(kind.form, ":");
        snprintf(name, sizeof name, "%.*s", (int)(length + (kind.max > 0)), kind.form);
        if (strncmp(name, typed, strlen(typed)) == 0)
            terminal_add_word(found, name, "");
    }
}

static enum after_turn do_quit(void *context)
{
    (void)context;
    return LEAVE;
}

static enum after_turn do_help(void *context);

static const struct prompt_command commands[] = {
    {"hint", "[all]", "help step by step: which piece, which move, why; then, or with 'all', list all moves",
     false, NULL, do_hint},
    {"undo", "", "take back your last move", false, NULL, do_undo},
    {"redo", "", "play it again", false, NULL, do_redo},
    {"board", "", "show the board", false, NULL, do_board},
    {"flip", "", "show the board from the other side", false, NULL, do_flip},
    {"moves", "", "list the moves of the game", false, NULL, do_moves},
    {"review", "", "show the result of each move, and mark mistakes", false, NULL, do_review},
    {"resign", "", "resign the game; 'resign!' does not ask", true, NULL, do_resign},
    {"new", "", "begin a new game; 'new!' does not ask", true, NULL, do_new},
    {"against", "NAME", "change the opponent, for example to easy", false, complete_opponent, do_against},
    {"save", "[FILE]", "write the game to a file; 'save --force FILE' replaces one", false, complete_save,
     do_save},
    {"load", "FILE", "continue the game in a file", false, typed_path_complete, do_load},
    {"quit", "", "leave (also 'exit' or Ctrl-D)", false, NULL, do_quit},
    {"help", "", "show this list", false, NULL, do_help},
    {"exit", "", NULL, false, NULL, do_quit},
    PROMPT_LAST_COMMAND,
};

void play_commands_print(void)
{
    prompt_print_help(commands);
}

static enum after_turn do_help(void *context)
{
    struct session *session = context;
    print_rules(session);
    putchar('\n');
    prompt_list(commands, "b1", "c1");
    print_sentence(
        "The tab key completes moves, commands, opponents and file names. On the board, + and [ ] mark the last move. "
        "Threefold repetition is a draw.");
    return CONTINUE;
}

enum after_turn play_commands_confirm(struct session *session, const char *line)
{
    enum after_turn (*const command)(void *) = session->to_confirm;
    session->to_confirm = NULL;
    if (!*line || !nk_has_prefix("yes", line, strlen(line))) {
        print_sentence("The game continues.");
        return CONTINUE;
    }
    session->forced = true;
    return command(session);
}

enum after_turn play_commands_run(struct session *session, const char *line)
{
    struct prompt_line read;
    char message[PROMPT_MESSAGE];
    if (!prompt_read(commands, line, &read, message)) {
        reject_line(session, "%s", message);
        return CONTINUE;
    }
    session->forced = read.forced;
    session->argument = read.argument;
    return read.command->run(session);
}

void play_commands_complete(const char *typed, struct terminal_words *found)
{
    prompt_complete_commands(commands, typed, found);
}
