/* The commands that people type at the prompt of neutreeko play: help with the game, its moves, its players and its
 * end, and the files that it is written to and read from. */

#include "player/play.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/system/system.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- help with the game ---- */

static void list_moves(const struct session *session, const struct nk_choice choices[], int count)
{
    static const char *const occurrences[] = {"", " (2nd time)", " (3rd time)"};
    struct nk_text cells[NK_MAX_MOVES];
    for (int m = 0; m < count; m++) {
        const struct nk_value value = choices[m].value;
        const int repeats = choices[m].repeats < 2 ? choices[m].repeats : 2;
        cells[m] =
            nk_text_of("%s  %s%s", nk_move_text(session->rules, choices[m].move).s,
                       display_result_text(value.result, session->view.colour, nk_value_text(value).s).s,
                       occurrences[repeats]);
    }
    terminal_print_columns(cells[0].s, sizeof cells[0], count);
}

/* Gives the next hint: which piece to move, which move to play, why, and then all moves. With the argument 'all', lists
 * the moves at once. */
static enum next_step do_hint(void *context)
{
    struct session *session = context;
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    int count;
    const bool all = strcmp(session->argument, "all") == 0;
    if (reject_if_over(session))
        return CONTINUE;
    if (*session->argument && !all) {
        reject_line(session, "Unknown argument '%s': type 'hint' or 'hint all'.", session->argument);
        return CONTINUE;
    }
    if (nk_choices(session->table, session->game, choices, &count, &error))
        return prompt_fail(&error);
    if (!all && !session->hints && all_lose_equally(choices, count)) {
        print_sentence("Every move loses in %s: none is better than another. ('hint' again lists them.)",
                       nk_moves_text(choices[0].value.plies).s);
        session->hints = HINT_LIST;
        return CONTINUE;
    }
    const int number = all ? HINT_LIST : session->hints++;
    if (number == HINT_WHY) {
        const enum next_step step = hint_explain(session->table, session->game, choices, count);
        if (step == CONTINUE)
            print_sentence("('hint' again lists all moves.)");
        return step;
    }
    if (!hint_give(session->rules, number, choices[0].move))
        list_moves(session, choices, count);
    return CONTINUE;
}

/* ---- the game ---- */

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

static enum next_step do_undo(void *context)
{
    struct session *session = context;
    const int plies = nk_game_plies(session->game);
    const enum nk_end end = nk_game_end(session->game, NULL);
    if (end >= NK_END_RESIGNED) {
        nk_game_undo(session->game);
        print_sentence(end == NK_END_RESIGNED ? "Resignation taken back."
                       : end == NK_END_AGREED ? "Agreement taken back."
                                              : "The end of the game is taken back.");
    } else {
        int target = plies - 1;
        while (target >= 0 && !session_is_person(session, nk_game_to_move_at(session->game, target)))
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

static enum next_step do_redo(void *context)
{
    struct session *session = context;
    const int plies = nk_game_plies(session->game);
    while (nk_game_redo(session->game) && !session_is_person(session, nk_game_to_move(session->game)))
        ;
    if (nk_game_plies(session->game) == plies) {
        reject_line(session, "No move to redo.");
        return CONTINUE;
    }
    print_plies(session, "Redone", plies, nk_game_plies(session->game));
    session_change(session);
    return CONTINUE;
}

/* Lists the legal moves, without what they are worth. */
static enum next_step do_moves(void *context)
{
    struct session *session = context;
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_text cells[NK_MAX_MOVES];
    if (reject_if_over(session))
        return CONTINUE;
    const int count = nk_position_moves(session->rules, nk_game_position(session->game), moves);
    for (int m = 0; m < count; m++)
        cells[m] = nk_move_text(session->rules, moves[m]);
    terminal_print_columns(cells[0].s, sizeof cells[0], count);
    return CONTINUE;
}

static enum next_step do_history(void *context)
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

static enum next_step do_board(void *context)
{
    struct session *session = context;
    print_board(session);
    return CONTINUE;
}

static enum next_step do_flip(void *context)
{
    struct session *session = context;
    session->view.flip = !session->view.flip;
    return do_board(session);
}

/* Whether a command that would end the game has to be confirmed, as a person may have meant another one; then asks.
 * 'yes' runs it. */
static bool must_confirm(struct session *session, enum next_step (*command)(void *), const char *question)
{
    if (!session->interactive || session->forced || session_is_over(session))
        return false;
    print_sentence("%s", question);
    session->to_confirm = command;
    return true;
}

/* Ends the game for a reason that the board does not show. */
static enum next_step end_game(struct session *session, enum nk_end end, enum nk_outcome outcome)
{
    (void)nk_game_finish(session->game, end, outcome, NULL);
    session->person_has_moved = session->changed_since_recorded = true;
    print_end(session);
    return CONTINUE;
}

static enum next_step do_resign(void *context)
{
    struct session *session = context;
    if (reject_if_over(session))
        return CONTINUE;
    const enum nk_colour to_move = nk_game_to_move(session->game);
    enum nk_colour resigns = to_move;
    const char *argument = session->argument;
    if (*argument) {
        const bool black = nk_has_prefix("black", argument, strlen(argument));
        if (!black && !nk_has_prefix("white", argument, strlen(argument))) {
            reject_line(session, "Unknown argument '%s': type 'resign', 'resign black' or 'resign white'.",
                        argument);
            return CONTINUE;
        }
        resigns = black ? NK_BLACK : NK_WHITE;
        if (!session_is_person(session, resigns)) {
            reject_line(session, "%s is not played by a person.", nk_colour_name(resigns));
            return CONTINUE;
        }
    }
    session->argument = nk_colour_key(resigns); /* also when 'yes' runs this again */
    if (must_confirm(session, do_resign,
                     resigns == to_move    ? "Resign this game?"
                     : resigns == NK_BLACK ? "Does Black resign this game?"
                                           : "Does White resign this game?"))
        return CONTINUE;
    return end_game(session, NK_END_RESIGNED, nk_outcome_won_by(nk_colour_other(resigns)));
}

static enum next_step do_draw(void *context)
{
    struct session *session = context;
    if (reject_if_over(session))
        return CONTINUE;
    if (session_people(session) < 2) {
        reject_line(session, "Only two people can agree to a draw.");
        return CONTINUE;
    }
    if (must_confirm(session, do_draw, "Do both players agree to a draw?"))
        return CONTINUE;
    return end_game(session, NK_END_AGREED, NK_OUTCOME_DRAW);
}

static enum next_step list_players(void)
{
    enum { INDENT = 15 };
    const struct nk_opponent_kind *kind;
    print_sentence("Type 'against NAME', with one of these names:");
    for (int n = 0; (kind = nk_opponent_kind_at(n)); n++) {
        char line[SENTENCE];
        snprintf(line, sizeof line, "  %-*s%s\n", INDENT - 2, kind->form, opponent_about(kind).s);
        terminal_print(stdout, INDENT, line);
    }
    return CONTINUE;
}

static enum next_step do_against(void *context)
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
    const enum nk_colour person = session_people(session) == 2           ? nk_game_to_move(session->game)
                                  : session_is_person(session, NK_BLACK) ? NK_BLACK
                                                                         : NK_WHITE;
    session->players[nk_colour_other(person)] = player;
    print_players(session);
    return CONTINUE;
}

/* Completes the part before the number of an opponent that has one. */
static void complete_opponent(const char *typed, struct terminal_words *found)
{
    const struct nk_opponent_kind *kind;
    char name[TERMINAL_WORD];
    for (int n = 0; (kind = nk_opponent_kind_at(n)); n++) {
        snprintf(name, sizeof name, "%s%s", kind->name, kind->max ? ":" : "");
        if (strncmp(name, typed, strlen(typed)) == 0)
            terminal_add_word(found, name, "");
    }
}

static enum next_step do_new(void *context)
{
    struct session *session = context;
    struct nk_error error;
    if (session->person_has_moved && must_confirm(session, do_new, "End this game and begin a new one?"))
        return CONTINUE;
    print_sentence("New game.");
    if (session_begin(session, &error))
        return prompt_fail(&error);
    return CONTINUE;
}

static enum next_step do_review(void *context)
{
    struct session *session = context;
    struct nk_error error;
    if (!nk_game_plies(session->game)) {
        print_sentence("No moves yet.");
        return CONTINUE;
    }
    putchar('\n');
    if (review_print(session->table, session->game, &error))
        return prompt_fail(&error);
    return CONTINUE;
}

/* ---- files ---- */

enum { TYPED_PATH = 2 * TERMINAL_LINE }; /* bytes of a path: what is typed, and the home directory */

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* Copies a name, with the home directory, if it is known, in place of a tilde that is the first part of the name,
 * unless the name was between quotes. Returns whether it fits. */
static bool replace_tilde(bool quoted, const char *name, char path[TYPED_PATH])
{
    const char *home = quoted ? NULL : getenv("HOME");
    const bool has_tilde = home && *home && name[0] == '~' && (!name[1] || name[1] == '/');
    return snprintf(path, TYPED_PATH, "%s%s", has_tilde ? home : "", name + has_tilde) < TYPED_PATH;
}

/* Reads a name as a shell would: without the quotes around it, and with the home directory in place of a tilde that is
 * not between quotes. False if the result is too long. */
static bool read_path(const char *typed, char path[TYPED_PATH])
{
    const size_t length = strlen(typed);
    const bool quoted = length >= 2 && is_quote(typed[0]) && typed[length - 1] == typed[0];
    char name[TERMINAL_LINE];
    snprintf(name, sizeof name, "%.*s", (int)(quoted ? length - 2 : length), typed + quoted);
    return replace_tilde(quoted, name, path);
}

/* Whether a name can be shown and typed at this terminal. */
static bool is_printable(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return mbstowcs(NULL, name, 0) != (size_t)-1;
}

/* Completes the last part of a path. Hidden files are offered if a period was typed. */
static void complete_path(const char *typed, struct terminal_words *found)
{
    const char quote = is_quote(*typed) ? *typed : '\0';
    typed += quote != '\0';
    found->begin += quote != '\0';
    const char *slash = strrchr(typed, '/');
    const size_t directory = slash ? (size_t)(slash - typed) + 1 : 0;
    const char *name = typed + directory;
    char begin[TERMINAL_LINE], path[TYPED_PATH], file[TYPED_PATH + TERMINAL_WORD];
    snprintf(begin, sizeof begin, "%.*s", (int)directory, typed);
    if (!replace_tilde(quote, begin, path))
        return;
    struct nk_listing *const listing = nk_system_list(directory ? path : ".");
    found->begin += directory;
    for (const char *next; listing && (next = nk_system_next_name(listing));) {
        struct stat about;
        if (strncmp(next, name, strlen(name)) != 0 || (*next == '.' && *name != '.') || !is_printable(next))
            continue;
        snprintf(file, sizeof file, "%s%s", path, next);
        const bool is_directory = nk_system_stat(file, &about) && S_ISDIR(about.st_mode);
        terminal_add_word(found, next, is_directory ? "/" : "");
    }
    nk_system_end_list(listing);
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
    } else if (nk_writer_commit(file, NULL, &error)) {
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

/* Writes a name for a game that has none, which no file in the working directory has; the next 'save' takes it. */
static void propose_name(char path[PROPOSED_NAME])
{
    enum { NUMBERS = 1000 }; /* so many files with such names mean that nobody wants this one */
    snprintf(path, PROPOSED_NAME, "game.txt");
    for (int number = 2; number < NUMBERS && nk_system_access(path, F_OK); number++)
        snprintf(path, PROPOSED_NAME, "game-%d.txt", number);
}

static enum next_step do_save(void *context)
{
    struct session *session = context;
    char path[TYPED_PATH];
    struct nk_error error;
    struct nk_writer *file;
    const char *argument = after_force(session->argument);
    const char *typed = *argument ? argument : session->saved_as ? session->saved_as : session->proposed_name;
    if (!*typed) {
        propose_name(session->proposed_name);
        reject_line(session,
                    "This game has no file yet: 'save' again writes it to %s, 'save FILE' to another.",
                    session->proposed_name);
        return CONTINUE;
    }
    if (!*argument)
        snprintf(path, sizeof path, "%s", typed);
    else if (!read_path(typed, path)) {
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
    complete_path(path, found);
}

static enum next_step do_load(void *context)
{
    struct session *session = context;
    char path[TYPED_PATH];
    struct nk_error error;
    if (!*session->argument) {
        reject_line(session, "Missing file name: type 'load FILE'.");
        return CONTINUE;
    }
    if (!read_path(session->argument, path)) {
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

/* ---- all commands ---- */

static enum next_step do_quit(void *context)
{
    (void)context;
    return LEAVE;
}

static enum next_step do_help(void *context);

const struct prompt_command play_commands[] = {
    {"hint", "[all]", "help step by step; with 'all', list all moves with values", false, NULL, do_hint},
    {"undo", "", "take back your last move", false, NULL, do_undo},
    {"redo", "", "play it again", false, NULL, do_redo},
    {"board", "", "show the board", false, NULL, do_board},
    {"flip", "", "show the board from the other side", false, NULL, do_flip},
    {"moves", "", "list the legal moves", false, NULL, do_moves},
    {"history", "", "list the moves of the game so far", false, NULL, do_history},
    {"review", "", "show the result of each move, and mark mistakes", false, NULL, do_review},
    {"resign", "[SIDE]", "resign, also out of turn; 'resign!' does not ask", true, NULL, do_resign},
    {"draw", "", "agree to a draw, of two people; 'draw!' does not ask", true, NULL, do_draw},
    {"new", "", "begin a new game; 'new!' does not ask", true, NULL, do_new},
    {"against", "NAME", "change the opponent, for example to easy", false, complete_opponent, do_against},
    {"save", "[FILE]", "write the game to a file; 'save --force FILE' replaces one", false, complete_save,
     do_save},
    {"load", "FILE", "continue the game in a file", false, complete_path, do_load},
    {"quit", "", "leave (also 'exit' or Ctrl-D)", false, NULL, do_quit},
    {"help", "", "show this list", false, NULL, do_help},
    {"exit", "", NULL, false, NULL, do_quit},
    PROMPT_LAST_COMMAND,
};

static enum next_step do_help(void *context)
{
    struct session *session = context;
    print_rules(session);
    putchar('\n');
    prompt_list(play_commands, session->rules, nk_game_position(session->game), NULL);
    print_sentence("The tab key completes all of this. On the board, + and [ ] mark the last move.");
    return CONTINUE;
}

enum next_step play_commands_run(struct session *session, const char *line)
{
    struct prompt_line read;
    char message[PROMPT_MESSAGE];
    enum next_step (*const to_confirm)(void *) = session->to_confirm;
    session->to_confirm = NULL;
    if (to_confirm && *line && nk_has_prefix("yes", line, strlen(line))) {
        session->forced = true;
        return to_confirm(session);
    }
    if (to_confirm) {
        print_sentence("The game continues.");
    } else if (!*line) {
        if (session->interactive)
            print_board(session);
    } else if (prompt_read(play_commands, line, &read, message)) {
        session->forced = read.forced;
        session->argument = read.argument;
        return read.command->run(session);
    } else {
        reject_line(session, "%s", message);
    }
    return CONTINUE;
}
