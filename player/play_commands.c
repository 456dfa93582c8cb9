#include "player/play.h"

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/system/system.h"
#include "player/player.h"
#include "player/terminal/terminal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* The home directory, or the empty text if it is unknown. */
static const char *home(void)
{
    const char *directory = getenv("HOME");
    return directory ? directory : "";
}

/* Copies a name, with a directory, unless that is empty, in place of a tilde that is the first part of the name.
 * Returns whether it fits. */
static bool replace_tilde(const char *directory, const char *name, char path[TYPED_PATH])
{
    const bool has_tilde = *directory && name[0] == '~' && (!name[1] || name[1] == '/');
    return snprintf(path, TYPED_PATH, "%s%s", has_tilde ? directory : "", name + has_tilde) < TYPED_PATH;
}

bool typed_path_read(const char *typed, char path[TYPED_PATH])
{
    const size_t length = strlen(typed);
    const bool quoted = length >= 2 && is_quote(typed[0]) && typed[length - 1] == typed[0];
    char name[TERMINAL_LINE];
    snprintf(name, sizeof name, "%.*s", (int)(quoted ? length - 2 : length), typed + quoted);
    return replace_tilde(quoted ? "" : home(), name, path);
}

void typed_path_propose(char path[TYPED_PATH_PROPOSAL])
{
    enum { NUMBERS = 1000 }; /* so many files with such names mean that nobody wants this one */
    snprintf(path, TYPED_PATH_PROPOSAL, "game.txt");
    for (int number = 2; number < NUMBERS && access(path, F_OK) == 0; number++)
        snprintf(path, TYPED_PATH_PROPOSAL, "game-%d.txt", number);
}

/* Whether a name can be shown and typed at this terminal. */
static bool is_printable(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return mbstowcs(NULL, name, 0) != (size_t)-1;
}

void typed_path_complete(const char *typed, struct terminal_words *found)
{
    const char quote = is_quote(*typed) ? *typed : '\0';
    typed += quote != '\0';
    found->begin += quote != '\0';
    const char *slash = strrchr(typed, '/');
    const size_t directory = slash ? (size_t)(slash - typed) + 1 : 0;
    const char *name = typed + directory;
    char begin[TERMINAL_LINE], path[TYPED_PATH], file[TYPED_PATH + TERMINAL_WORD];
    const struct dirent *entry;
    snprintf(begin, sizeof begin, "%.*s", (int)directory, typed);
    if (!replace_tilde(quote ? "" : home(), begin, path))
        return;
    DIR *list = opendir(directory ? path : ".");
    found->begin += directory;
    while (list && (entry = readdir(list))) {
        struct stat about;
        if (strncmp(entry->d_name, name, strlen(name)) != 0 || (entry->d_name[0] == '.' && *name != '.') ||
            strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            !is_printable(entry->d_name))
            continue;
        snprintf(file, sizeof file, "%s%s", path, entry->d_name);
        const bool is_directory = stat(file, &about) == 0 && S_ISDIR(about.st_mode);
        terminal_add_word(found, entry->d_name, is_directory ? "/" : "");
    }
    if (list)
        closedir(list);
}

/* The hints of neutreeko play, in their order. */
enum { PIECE, MOVE, WHY, LIST };

bool hint_give(const struct nk_rules *rules, int number, struct nk_move move)
{
    if (number == PIECE)
        print_sentence("Move the piece on %s. ('hint' again shows the move.)",
                       nk_square_text(rules, move.from).s);
    else if (number == MOVE)
        print_sentence("Play %s. ('hint' again explains it.)", nk_move_text(rules, move).s);
    return number <= MOVE;
}

static void list_moves(const struct session *session, const struct nk_choice choices[], int count)
{
    static const char *const occurrences[] = {"", " (2nd time)", " (3rd time)"};
    struct nk_text cells[NK_MAX_MOVES];
    for (int m = 0; m < count; m++) {
        const int repeats = choices[m].repeats < 2 ? choices[m].repeats : 2;
        cells[m] = nk_text_of("%s  %s%s", nk_move_text(session->rules, choices[m].move).s,
                              painted_value(choices[m].value).s, occurrences[repeats]);
    }
    terminal_print_columns(cells[0].s, sizeof cells[0], count);
}

/* Prints what is known about the replies to a move that keeps the draw. */
static void print_replies(const struct nk_rules *rules, const struct nk_explanation *why,
                          const char *opponent)
{
    if (why->has_only_reply) {
        print_sentence("%s's only reply that doesn't lose is %s.", opponent,
                       nk_move_text(rules, why->only_reply).s);
    } else if (why->losing) {
        print_sentence("%d of %s's %d replies lose.", why->losing, opponent, why->replies);
    }
}

/* What is special about the best move, as a sentence, or the empty text. */
static const char *about_best(const struct nk_explanation *why, const struct nk_choice choices[], int count)
{
    if (count == 1)
        return " It is the only legal move.";
    if (why->only)
        return why->value.result == NK_WIN ? " It is the only move that wins."
                                           : " It is the only move that doesn't lose.";
    if (why->value.result != NK_LOSS)
        return "";
    return nk_value_better(choices[0].value, choices[1].value)
               ? " Every move loses; this one delays the loss longest."
               : " Every move loses; none delays the loss longer.";
}

/* Prints what a move threatens and prevents, what is nearer first. A win is not a threat of its own if the move itself
 * wins as fast. */
static void print_threats(const struct nk_explanation *why, const char *opponent)
{
    const bool wins = why->value.result == NK_WIN && why->threat >= why->value.plies - 2;
    const int threat = wins ? 0 : why->threat, prevented = why->prevented;
    const bool threat_first = threat && threat < prevented;
    if (threat_first)
        print_sentence("It threatens to win in %s.", nk_moves_text(threat).s);
    if (prevented)
        print_sentence("It stops %s from winning in %s.", opponent, nk_moves_text(prevented).s);
    if (threat && !threat_first)
        print_sentence("It threatens to win in %s.", nk_moves_text(threat).s);
}

enum after_turn hint_explain(struct nk_table *table, const struct nk_game *game,
                             const struct nk_choice choices[], int count)
{
    const struct nk_rules *rules = nk_game_rules(game);
    struct nk_explanation why;
    struct nk_error error;
    const char *opponent = nk_colour_name(nk_colour_other(nk_game_to_move(game)));
    if (nk_explain(table, game, nk_game_plies(game), choices[0].move, &why, &error)) {
        report_error(&error);
        return FAIL;
    }
    print_sentence("%s %s with optimal play.%s", nk_move_text(rules, choices[0].move).s,
                   nk_value_text(why.value).s, about_best(&why, choices, count));
    if (why.repeats)
        print_sentence("It draws by threefold repetition.");
    print_threats(&why, opponent);
    if (why.value.result == NK_DRAW)
        print_replies(rules, &why, opponent);
    return CONTINUE;
}

static enum after_turn explain(const struct session *session, const struct nk_choice choices[], int count)
{
    const enum after_turn outcome = hint_explain(session->settings->table, session->game, choices, count);
    if (outcome == CONTINUE)
        print_sentence("('hint' again lists all moves.)");
    return outcome;
}

enum after_turn do_hint(void *context)
{
    struct session *session = context;
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_error error;
    int count;
    const bool all = strcmp(session->argument, "all") == 0;
    if (session_is_over(session)) {
        reject_line(session, "The game is over.");
        return CONTINUE;
    }
    if (*session->argument && !all) {
        reject_line(session, "Unknown argument '%s': type 'hint' or 'hint all'.", session->argument);
        return CONTINUE;
    }
    if (nk_choices(session->settings->table, session->game, choices, &count, &error)) {
        report_error(&error);
        return FAIL;
    }
    if (!all && !session->hints && all_lose_equally(choices, count)) {
        print_sentence("Every move loses in %s: none is better than another. ('hint' again lists them.)",
                       nk_moves_text(choices[0].value.plies).s);
        session->hints = LIST;
        return CONTINUE;
    }
    const int number = all ? LIST : session->hints++;
    if (number == WHY)
        return explain(session, choices, count);
    if (!hint_give(session->rules, number, choices[0].move))
        list_moves(session, choices, count);
    return CONTINUE;
}

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
    struct nk_error error;
    if (!nk_game_plies(session->game)) {
        print_sentence("No moves yet.");
        return CONTINUE;
    }
    putchar('\n');
    if (review_print(session->settings->table, session->game, &error)) {
        report_error(&error);
        return FAIL;
    }
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
