#include "player/commands/prompt.h"

#include "common/file.h"
#include "player/commands/messages.h"
#include "player/display.h"
#include "player/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum outcome do_hint(struct session *session, const char *argument)
{
    enum { CELL = NK_MOVE_TEXT + NK_VALUE_TEXT + 16 };
    static const char *const occurrences[] = {"", " (2nd time)", " (3rd time)"};
    (void)argument;
    struct nk_option options[NK_MAX_MOVES];
    struct nk_error error;
    char cells[NK_MAX_MOVES][CELL], move[NK_MOVE_TEXT], value[NK_VALUE_TEXT];
    const char *texts[NK_MAX_MOVES];
    int count;
    if (session_is_over(session)) {
        object("The game is over.");
        return GO_ON;
    }
    if (nk_options(session->play->table, session->game, options, &count, &error))
        return say_failure(error.text);
    for (int m = 0; m < count; m++) {
        const int repeats = options[m].repeats < 2 ? options[m].repeats : 2;
        nk_move_print(session->rules, options[m].move, move);
        nk_value_format(options[m].value, value);
        snprintf(cells[m], CELL, "%s  %s%s", move, value, occurrences[repeats]);
        texts[m] = cells[m];
    }
    terminal_print_columns(texts, count);
    return GO_ON;
}

/* The moves from one ply to another, at most two, in the words "b1-c1 d5-e4". */
static void say_moves(const struct session *session, const char *what, int from, int to)
{
    char text[SENTENCE] = "", move[NK_MOVE_TEXT];
    for (int ply = from; ply < to; ply++) {
        nk_move_print(session->rules, nk_game_move_at(session->game, ply), move);
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s", move);
    }
    say("%s:%s.", what, text);
}

static enum outcome do_undo(struct session *session, const char *argument)
{
    (void)argument;
    const int plies = nk_game_plies(session->game);
    if (nk_game_end(session->game, NULL) == NK_END_RESIGNED) {
        nk_game_undo(session->game);
        say("You have not resigned.");
    } else {
        int target = plies - 1;
        while (target >= 0 && !session_is_human(session, nk_game_to_move_at(session->game, target)))
            target--;
        if (target < 0) {
            object("There is no move of yours to take back.");
            return GO_ON;
        }
        say_moves(session, "Taken back", target, plies);
        while (nk_game_plies(session->game) > target)
            nk_game_undo(session->game);
    }
    session->moved = true;
    return GO_ON;
}

static enum outcome do_redo(struct session *session, const char *argument)
{
    (void)argument;
    const int plies = nk_game_plies(session->game);
    while (nk_game_redo(session->game) && !session_is_human(session, nk_game_to_move(session->game)))
        ;
    if (nk_game_plies(session->game) == plies) {
        object("There is no move to play again.");
        return GO_ON;
    }
    say_moves(session, "Played again", plies, nk_game_plies(session->game));
    session->moved = true;
    return GO_ON;
}

static enum outcome do_moves(struct session *session, const char *argument)
{
    enum { CELL = 32 };
    (void)argument;
    const int plies = nk_game_plies(session->game);
    if (!plies) {
        say("No move has been played.");
        return GO_ON;
    }
    /* The game of a side that waits at first begins with a gap. */
    const int gap = nk_game_to_move_at(session->game, 0) == NK_WHITE;
    const int rows = (plies + gap + 1) / 2;
    char(*cells)[CELL] = calloc((size_t)rows, sizeof *cells);
    const char **texts = calloc((size_t)rows, sizeof *texts);
    if (!cells || !texts) {
        free(cells);
        free(texts);
        return say_failure("out of memory");
    }
    for (int row = 0; row < rows; row++) {
        char moves[2][NK_MOVE_TEXT] = {"...", ""};
        for (int half = 0; half < 2; half++) {
            const int ply = 2 * row + half - gap;
            if (ply >= 0 && ply < plies)
                nk_move_print(session->rules, nk_game_move_at(session->game, ply), moves[half]);
        }
        snprintf(cells[row], CELL, "%2d. %-5s %s", row + 1, moves[0], moves[1]);
        texts[row] = cells[row];
    }
    terminal_print_columns(texts, rows);
    free(texts);
    free(cells);
    return GO_ON;
}

static enum outcome do_board(struct session *session, const char *argument)
{
    (void)argument;
    say_board(session);
    return GO_ON;
}

static enum outcome do_flip(struct session *session, const char *argument)
{
    session->play->flip = !session->play->flip;
    return do_board(session, argument);
}

static enum outcome do_resign(struct session *session, const char *argument)
{
    (void)argument;
    if (session_is_over(session)) {
        object("The game is over.");
        return GO_ON;
    }
    nk_game_resign(session->game);
    say_end(session);
    return GO_ON;
}

static enum outcome list_players(void)
{
    enum { INDENT = 15 };
    const char *form, *about;
    say("Against whom? Say 'against NAME', and NAME is one of");
    for (int n = 0; nk_opponent_describe(n, &form, &about); n++) {
        char line[SENTENCE];
        snprintf(line, sizeof line, "  %-*s%s\n", INDENT - 2, form, about);
        terminal_print(stdout, INDENT, line);
    }
    return GO_ON;
}

static enum outcome do_against(struct session *session, const char *name)
{
    struct nk_error error;
    struct nk_opponent player;
    if (!*name)
        return list_players();
    if (nk_opponent_parse(name, &player, &error)) {
        object("%s.", error.text);
        return GO_ON;
    }
    const enum nk_colour person = session_people(session) == 2          ? nk_game_to_move(session->game)
                                  : session_is_human(session, NK_BLACK) ? NK_BLACK
                                                                        : NK_WHITE;
    session->play->players[nk_colour_other(person)] = player;
    say_players(session);
    return GO_ON;
}

static enum outcome do_new(struct session *session, const char *argument)
{
    (void)argument;
    say("A new game.");
    return session_begin(session);
}

static const char saved_games_begin[] = "# Neutreeko";

/* So that a slip of the tongue does not cost a person another file. */
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
static char *game_text(const struct session *session, size_t *length)
{
    char *text = NULL, names[2][NK_OPPONENT_TEXT];
    FILE *stream = open_memstream(&text, length);
    if (!stream)
        return NULL;
    for (int colour = NK_BLACK; colour <= NK_WHITE; colour++)
        nk_opponent_print(session->play->players[colour], names[colour]);
    fprintf(stream, "%s\n# Black: %s\n# White: %s\n", saved_games_begin, names[NK_BLACK], names[NK_WHITE]);
    const bool written = nk_record_write(session->game, stream, NULL) == NK_OK;
    if (fclose(stream) == 0 && written)
        return text;
    free(text);
    return NULL;
}

static enum outcome do_save(struct session *session, const char *path)
{
    struct nk_error error;
    size_t length;
    if (!*path) {
        object("Where to? Say 'save FILE'.");
        return GO_ON;
    }
    if (!may_be_replaced(path)) {
        object("Not saved: %s is there already and is no saved game.", path);
        return GO_ON;
    }
    char *text = game_text(session, &length);
    if (!text)
        object("Not saved: out of memory.");
    else if (nk_file_write(path, text, length, &error))
        object("Not saved: %s.", error.text);
    else
        say("Saved as %s.", path);
    free(text);
    return GO_ON;
}

static enum outcome do_quit(struct session *session, const char *argument)
{
    (void)session;
    (void)argument;
    return LEAVE;
}

static enum outcome do_help(struct session *session, const char *argument);

static const struct word {
    const char *name, *argument, *about;
    enum outcome (*run)(struct session *session, const char *argument);
} words[] = {
    {"hint", "", "what every move leads to, best first", do_hint},
    {"undo", "", "take your last move back", do_undo},
    {"redo", "", "play again what was taken back", do_redo},
    {"board", "", "show the board", do_board},
    {"flip", "", "look from the other side", do_flip},
    {"moves", "", "list the moves so far", do_moves},
    {"resign", "", "give up", do_resign},
    {"new", "", "begin another game", do_new},
    {"against", "NAME", "change the opponent, as to level:3", do_against},
    {"save", "FILE", "write the game to a file", do_save},
    {"quit", "", "leave (so does Ctrl-D)", do_quit},
    {"help", "", "show this", do_help},
};
enum { WORDS = sizeof words / sizeof words[0] };

static enum outcome do_help(struct session *session, const char *argument)
{
    enum { INDENT = 16 };
    (void)argument;
    say_rules(session);
    say("\nType a move from square to square, as b1-c1 or b1c1, or one of these words (their first letters "
        "will "
        "do):");
    for (int w = 0; w < WORDS; w++) {
        char name[INDENT], line[SENTENCE];
        snprintf(name, sizeof name, "%s %s", words[w].name, words[w].argument);
        snprintf(line, sizeof line, "  %-*s%s\n", INDENT - 2, name, words[w].about);
        terminal_print(stdout, INDENT, line);
    }
    say("The tab key completes words and moves. On the board + and [ ] mark the last move. A position that "
        "occurs three times is a draw.");
    return GO_ON;
}

/* ASCII whatever the person's locale, in which tolower may do something else. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool words_begin(const char *word, const char *begun, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!word[i] || word[i] != lower(begun[i]))
            return false;
    return true;
}

/* The word that begins so, or NULL after a complaint. */
static const struct word *find_word(const char *begun, size_t length)
{
    const struct word *found = NULL;
    for (int w = 0; w < WORDS; w++) {
        if (!words_begin(words[w].name, begun, length))
            continue;
        if (!words[w].name[length])
            return &words[w];
        if (found) {
            object("'%.*s' may be %s or %s.", (int)length, begun, found->name, words[w].name);
            return NULL;
        }
        found = &words[w];
    }
    if (!found)
        object("'%.*s' is neither a move nor a word known here. 'help' lists them.", (int)length, begun);
    return found;
}

enum outcome words_take(struct session *session, const char *line)
{
    if (strcmp(line, "?") == 0)
        return do_help(session, "");
    const size_t length = strcspn(line, " ");
    const char *argument = line + length + strspn(line + length, " ");
    const struct word *word = find_word(line, length);
    if (!word)
        return GO_ON;
    if (*argument && !*word->argument) {
        object("'%s' stands alone.", word->name);
        return GO_ON;
    }
    return word->run(session, argument);
}

static_assert((int)NK_MAX_MOVES + (int)WORDS <= (int)TERMINAL_MAX_WORDS, "all can be completions at once");

void words_complete(const char *begun, struct terminal_words *found)
{
    for (int w = 0; w < WORDS; w++)
        if (words_begin(words[w].name, begun, strlen(begun)))
            snprintf(found->words[found->count++], TERMINAL_WORD, "%s%s", words[w].name,
                     *words[w].argument ? " " : "");
}
